import { areOpposite, givesConsent, isUnit, stemOf, wordsOf } from "../../repair/align/names.ts";
import { parsePointer } from "../../repair/json/json-pointer.ts";
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
  const target = changedKey(call);
  if (target !== undefined && givesConsent(target)) {
    return "gives a consent: that is for the model or the user to say";
  }
  switch (call.fixer) {
    case "setDefault":
      if (typeof call.value === "boolean") return "a flag as a default: it is for the model to set";
      return isOfItsTime(call.value) ? "a default that is a date, an address or an id" : undefined;
    case "renameKey":
      return contraryObjection(call.from, call.to) ?? unitObjection(call.from, call.to);
    case "mapValue":
      return Object.entries(call.mapping)
        .map(([from, to]) => (typeof to === "string" ? contraryObjection(from, to) : undefined))
        .find((why) => why !== undefined);
    default:
      return undefined;
  }
}

/** The key whose value is made up, moved or changed. */
function changedKey(call: FixerCall): string | undefined {
  if (call.fixer === "renameKey") return call.to;
  if (call.fixer === "wrapValue") return call.key;
  return "at" in call && call.fixer !== "unwrapKey" ? parsePointer(call.at).at(-1) : undefined;
}

/** What is right on the day of the log is wrong on the next. */
function isOfItsTime(value: Parameters<typeof valueKind>[0]): boolean {
  return OF_ITS_TIME.has(valueKind(value) ?? "");
}

const OF_ITS_TIME: ReadonlySet<string> = new Set(["date", "uuid", "email", "uri"]);

function contraryObjection(from: string, to: string): string | undefined {
  if (!areOpposite(wordsOf(from), wordsOf(to))) return undefined;
  return "one says the contrary of the other, or is another thing";
}

function unitObjection(from: string, to: string): string | undefined {
  const [unit, other] = [unitOf(from), unitOf(to)];
  if (unit === "" || other === "" || unit === other) return undefined;
  return "the names are in different units, and a number stays as it is";
}

function unitOf(name: string): string {
  return wordsOf(name).filter(isUnit).map(stemOf).sort().join();
}
