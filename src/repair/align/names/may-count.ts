import type { JsonValue } from "../../types.ts";
import { wordsOf } from "./fold-name.ts";
import { stemOf } from "./vocabulary.ts";

/** What is numbered, and counted: `page: 3` is the third, `pages: 3` are three. */
const COUNTED: ReadonlySet<string> = new Set(
  "second minute hour day week month quarter year page line row column item entry step index chapter section level floor version part point round attempt block frame slide sheet chunk batch game lap set turn".split(
    " ",
  ),
);

/**
 * Whether of two names that differ in an s, one numbers what the other counts: `room: 5` for `rooms`
 * whatever it is, `pages: 3` for `page` of what comes in numbers.
 */
export function mayCount(from: string, to: string, value: JsonValue): boolean {
  const [one = "", other = ""] = [wordsOf(from).at(-1), wordsOf(to).at(-1)];
  if (stemOf(one) !== stemOf(other) || (one !== `${other}s` && other !== `${one}s`)) return false;
  if (other === `${one}s` && Number.isInteger(value)) return true;
  return (
    (typeof value === "number" || (typeof value === "string" && /\d/.test(value))) &&
    COUNTED.has(stemOf(one))
  );
}
