import { isContainer } from "../json.ts";
import type { JsonValue } from "../types.ts";
import { namesJsonType } from "../words/vocabulary.ts";
import { BARE_NAME } from "./tokens.ts";

/** Whether a text holds JSON or thoughts, and so is not what was meant. */
export function hasSignOfJson(text: string): boolean {
  return signPatterns.some((sign) => sign.test(text));
}

/**
 * What occurs only in JSON. A selector (`a[href="x"]`), a template
 * (`Hello {name}`), a style (`div{color:red}`) or code (`f(x)[0]`) has none of
 * it. `NAME` is a key without quotes.
 */
const SIGNS_OF_JSON: readonly string[] = [
  // an object with a key in quotes: {"a, {\"a, {&quot;a; not {a}
  "[{｛](?:\\s*,)?\\s*(?:\\\\*[\"'“”„‟‘’‚`＂«]|&(?:quot|#34);)",
  // an object with a key, and a text or container: {a: "x; not {a: x}
  "[{｛]\\s*NAME\\s*:\\s*[\"'“{[]",
  // a list of objects: [{; not a[0]
  "[[［]\\s*[{｛]",
  // a list of texts: ["a; not a["b
  "(?:^|[\\s(:=,>])[[［]\\s*\\\\*[\"'“]",
  // a text that begins as an object: {a: or {{a=; not {a}
  "^(?:[{｛]\\s*){1,2}NAME\\s*[:=]",
  // an object with a comment: {/*; not {/a}
  "^[{｛]\\s*\\/[/*]",
  // a list of numbers: [1,; not [1] see
  "^(?:[[［]\\s*){1,64}-?\\d[\\d.]*\\s*,",
  // a key without its brace: "a":; not "a"
  "^[\"'“][^\"'“”\\n]{1,100}[\"'”]\\s*[:=]",
  // brackets without end
  "^(?:[[{(]\\s*){64}",
  // an argument in tags: <parameter=a>; not <parameters>
  "^<parameter[=\\s]",
  // thoughts: <think>; not <b>
  "^<(?:think|thinking|thought|thoughts|reasoning|reflection)>",
];

const signPatterns = SIGNS_OF_JSON.map(
  (sign) => new RegExp(sign.replace("NAME", BARE_NAME), "iu"),
);

/**
 * Whether JSON is a pattern for an input rather than an input: with
 * placeholders (`{"q": "<your query>"}`), or with types for values
 * (`{"q": "string"}`), as in a schema.
 */
export function isTemplate(value: JsonValue): boolean {
  if (typeof value === "string")
    return PLACEHOLDER.test(value) || DOTS.has(value) || namesJsonType(value);
  if (!isContainer(value)) return false;
  return Object.values(value).some((part) => isTemplate(part as JsonValue));
}

/** <your query>, not a < b. */
const PLACEHOLDER = /^<[^<>/]{1,100}>$/;
const DOTS = new Set(["...", "…"]);
