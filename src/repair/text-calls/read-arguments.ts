import { spellNumbers } from "../json/spell-numbers.ts";
import { writtenNumbersOf } from "../json/written-numbers.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import type { JsonValue } from "../types.ts";
import type { WrittenCall } from "./text-format.ts";

/**
 * Reads the arguments of a call that writes them as JSON.
 *
 * @param call The call.
 * @returns Their value, or JSON text where a number in it has a spelling of its own; `undefined`
 * where they are no JSON, or the spelling is not certain.
 */
export function readArguments({ args }: WrittenCall): JsonValue | undefined {
  if (args.kind !== "json") return undefined;
  const value = parseExactly(args.text);
  if (value === undefined) return undefined;
  return spellNumbers(value, writtenNumbersOf(args.text, true).spellings);
}
