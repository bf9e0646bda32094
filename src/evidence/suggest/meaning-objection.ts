import type { FixerCall } from "./fixer-call.ts";
import { valueKind } from "./value-kind.ts";

/**
 * Says why fixers are not to be written by what their names and values mean, whatever agrees with
 * them: the same models that make a mistake make the same correction of it.
 *
 * @param calls The fixers.
 * @returns `undefined` where nothing speaks against them.
 */
export function meaningObjection(calls: readonly FixerCall[]): string | undefined {
  for (const call of calls) {
    const why = callObjection(call);
    if (why !== undefined) return why;
  }
  return undefined;
}

function callObjection(call: FixerCall): string | undefined {
  if (call.fixer !== "setDefault") return undefined;
  if (typeof call.value === "boolean") return "a flag as a default: it is for the model to set";
  return isOfItsTime(call.value) ? "a default that is a date, an address or an id" : undefined;
}

/** What is right on the day of the log is wrong on the next. */
function isOfItsTime(value: Parameters<typeof valueKind>[0]): boolean {
  return OF_ITS_TIME.has(valueKind(value) ?? "");
}

const OF_ITS_TIME: ReadonlySet<string> = new Set(["date", "uuid", "email", "uri"]);
