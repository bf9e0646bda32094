import type { EditName } from "../../src/repair/align/edits/edit.ts";
import { keySteps } from "../../src/repair/align/edits/keys/key-steps.ts";
import {
  dropEmptyContainer,
  dropEmptyText,
  dropNull,
} from "../../src/repair/align/edits/omissions.ts";
import { valueEdits } from "../../src/repair/align/edits/value-edits.ts";
import type { JsonObject, JsonValue } from "../../src/repair/types.ts";

/** One input that an edit repairs. */
export interface EditExample {
  readonly schema: JsonObject;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** An edit as the documentation shows it. */
export interface EditEntry extends EditName {
  readonly description: string;
  /** What an edit that changes more than syntax must go by. */
  readonly evidence?: string;
  readonly example: EditExample;
}

type Text = readonly [description: string, schema: JsonObject, before: JsonValue, after: JsonValue];

const TEXTS: { readonly [name: string]: Text } = {
  "read-number": [
    "A number written as text becomes the number. Not one with a leading zero, which is an id, and not one that would lose digits.",
    object({ count: { type: "integer" } }),
    { count: "5" },
    { count: 5 },
  ],
  "read-boolean": [
    '"true" and "false" in any case become the boolean.',
    object({ force: { type: "boolean" } }),
    { force: "True" },
    { force: true },
  ],
  "read-null": [
    '"null", "None" and the like become null where null may stand and the text may not.',
    object({ limit: { type: ["integer", "null"] } }),
    { limit: "None" },
    { limit: null },
  ],
  "write-scalar": [
    "A number or boolean becomes text where text is wanted.",
    object({ id: { type: "string" } }),
    { id: 42 },
    { id: "42" },
  ],
  "write-json": [
    "An object or array becomes JSON text where text is wanted: only where the option objectAsText asks for it.",
    object({ content: { type: "string" } }),
    { content: { a: 1 } },
    { content: '{"a":1}' },
  ],
  "respell-choice": [
    "A value of an enum that differs in case, spacing, punctuation or quotes. Not in the case of units and codes (mW, Gb).",
    object({ unit: { enum: ["celsius", "fahrenheit"] } }),
    { unit: "Celsius" },
    { unit: "celsius" },
  ],
  "clean-text": [
    "Spaces, quotes, a markdown link or HTML entities around text go where the format or pattern does not take them.",
    object({ url: { type: "string", format: "uri" } }),
    { url: "[docs](https://example.com/docs)" },
    { url: "https://example.com/docs" },
  ],
  "parse-text": [
    "Text that holds JSON, or nearly (Python, single quotes), becomes the array or object. Never text that was cut off.",
    object({ tags: { type: "array", items: { type: "string" } } }),
    { tags: "['a', 'b']" },
    { tags: ["a", "b"] },
  ],
  "read-figure": [
    "An amount of money becomes the number, where its comma or point can be read in one way only, and the name or description of the place says the currency.",
    object({ price_usd: { type: "number" } }),
    { price_usd: "$3.50" },
    { price_usd: 3.5 },
  ],
  "read-yes-no": [
    '"yes" and "no", "on" and "off", 1 and 0 become the boolean.',
    object({ force: { type: "boolean" } }),
    { force: "yes" },
    { force: true },
  ],
  "wrap-in-array": [
    "A lone value becomes a list of one. Not text that may itself be a list.",
    object({ files: { type: "array", items: { type: "string" } } }),
    { files: "a.txt" },
    { files: ["a.txt"] },
  ],
  "wrap-row": [
    "One row becomes a list of one row, where it is as long as every row must be.",
    object({
      points: {
        type: "array",
        items: { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 },
      },
    }),
    { points: [1, 2] },
    { points: [[1, 2]] },
  ],
  "wrap-bare-value": [
    "A bare value becomes the only required field, or the only one there is.",
    object({ selector: { type: "string" } }),
    "#buy",
    { selector: "#buy" },
  ],
  "unwrap-array": [
    "A list around the one value that is wanted goes.",
    object({ selector: { type: "string" } }),
    [{ selector: "#buy" }],
    { selector: "#buy" },
  ],
  "unwrap-envelope": [
    "An envelope goes: input, args, arguments, parameters and the like, the tool's name, a whole call, the schema's own words, item around a list.",
    object({ selector: { type: "string" } }),
    { input: { selector: "#buy" } },
    { selector: "#buy" },
  ],
  "list-from-numbered-keys": [
    "An object with keys numbered from 0 becomes a list.",
    object({ files: { type: "array", items: { type: "string" } } }),
    { files: { "0": "a.txt", "1": "b.txt" } },
    { files: ["a.txt", "b.txt"] },
  ],
  "split-choices": [
    "Text becomes a list where every part of it is one of the choices.",
    object({ days: { type: "array", items: { enum: ["mon", "tue", "wed"] } } }),
    { days: "mon, wed" },
    { days: ["mon", "wed"] },
  ],
  "split-text": [
    "A plain list with commas, semicolons, bars or line breaks becomes a list. Not a sentence, a name (Doe, Jane), a query or code, and not what says that more is meant.",
    object({ tags: { type: "array", items: { type: "string" } } }),
    { tags: "red, green" },
    { tags: ["red", "green"] },
  ],
  "correct-choice": [
    "A value of an enum with one slip of the keyboard in it (swapped, doubled or lost), if no other is near.",
    object({ unit: { enum: ["celsius", "fahrenheit"] } }),
    { unit: "cellsius" },
    { unit: "celsius" },
  ],
  "unwrap-text": [
    "A list around one text goes, unless the description speaks of a list.",
    object({ selector: { type: "string" } }),
    { selector: ["#buy"] },
    { selector: "#buy" },
  ],
  "unwrap-any-key": [
    "A single undeclared key around all that is wanted goes, where it is a word of the tool's or the field's name, or says nothing.",
    object({ price: { type: "number" } }),
    { price: { amount: 5 } },
    { price: 5 },
  ],
  "wrap-nested-value": [
    "A bare value further in becomes the only field of the object that is wanted, where that is its name or its value.",
    object({ user: object({ name: { type: "string" } }) }),
    { user: "Ada" },
    { user: { name: "Ada" } },
  ],
  "rows-from-columns": [
    "Parallel lists become a list of objects, where they are all that a row must have.",
    object({
      points: {
        type: "array",
        items: object({ x: { type: "number" }, y: { type: "number" } }),
      },
    }),
    { points: { x: [1, 2], y: [3, 4] } },
    {
      points: [
        { x: 1, y: 3 },
        { x: 2, y: 4 },
      ],
    },
  ],
  "pair-from-parts": [
    "x and y become a pair where points are spoken of; start and end, min and max, from and to where a range is.",
    object({ range: { type: "array", items: { type: "integer" } } }),
    { range: { start: 1, end: 9 } },
    { range: [1, 9] },
  ],
  "respell-key": [
    "A key that differs in case, separators, or signs and control tokens around it.",
    object({ file_path: { type: "string" } }),
    { filePath: "a.txt" },
    { file_path: "a.txt" },
  ],
  "nest-keys": [
    "Keys that spell out a path become the objects that they name.",
    object({ user: object({ name: { type: "string" } }) }),
    { "user.name": "Ada" },
    { user: { name: "Ada" } },
  ],
  "correct-key": [
    "A key with one slip of the keyboard in it, or with other text stuck to it, one candidate only.",
    object({ selector: { type: "string" } }),
    { selctor: "#buy" },
    { selector: "#buy" },
  ],
  "name-positions": [
    "Arguments by position get the names of the fields, in the order in which they are declared.",
    object({ path: { type: "string" }, line: { type: "integer" } }),
    { "0": "a.txt", "1": 5 },
    { path: "a.txt", line: 5 },
  ],
  "lift-keys": [
    "Fields one level too deep are lifted, if all that stands there finds its place.",
    object({ user_name: { type: "string" }, age: { type: "integer" } }),
    { user: { name: "Ada" }, age: 36 },
    { age: 36, user_name: "Ada" },
  ],
  "gather-keys": [
    "Fields one level too high are gathered into the only object that is missing.",
    object({ action: object({ command: { type: "string" } }) }),
    { command: "ls" },
    { action: { command: "ls" } },
  ],
  "rename-only-key": [
    "The only undeclared key is renamed to the only required one that is missing, if its value fits and something says that it is meant.",
    object({
      selector: { type: "string", description: "CSS selector of the element to click" },
      timeout: { type: "integer" },
    }),
    { element: "#buy", timeout: 5 },
    { selector: "#buy", timeout: 5 },
  ],
  "fill-constant": [
    "The tag of an object, which can have only one value, is filled in.",
    object({ kind: { const: "file" }, path: { type: "string" } }),
    { path: "a.txt" },
    { path: "a.txt", kind: "file" },
  ],
  "fill-default": [
    "A required key that is missing gets the default that the schema declares.",
    object({ query: { type: "string" }, limit: { type: "integer", default: 10 } }),
    { query: "cats" },
    { query: "cats", limit: 10 },
  ],
  "drop-key": [
    "A key that the schema forbids goes where it asks for nothing: it is empty, repeats a declared key's value, names the tool, or holds what the model thinks, in words. Of a tool without arguments, placeholders go.",
    { ...object({ query: { type: "string" } }), additionalProperties: false },
    { query: "cats", thoughts: "They want cats." },
    { query: "cats" },
  ],
  "drop-remark": [
    "A key that the schema forbids goes where its text says why the call is made, if no field that is free could be meant.",
    { ...object({ query: { type: "string" } }), additionalProperties: false },
    { query: "cats", purpose: "The user wants to see cats." },
    { query: "cats" },
  ],
  "drop-null": [
    "null goes from an optional place that does not take it.",
    {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
    { query: "cats", limit: null },
    { query: "cats" },
  ],
  "drop-empty-text": [
    '"", "null", "None" and the like go from an optional place that does not take the text.',
    {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
    { query: "cats", limit: "None" },
    { query: "cats" },
  ],
  "drop-empty-container": [
    "An empty object or list goes from an optional place that takes neither.",
    {
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer" } },
      required: ["query"],
    },
    { query: "cats", limit: {} },
    { query: "cats" },
  ],
};

/** By edit: what it must go by. That nothing else is left to do is no evidence. */
const EVIDENCE: { readonly [name: string]: string } = {
  "nest-keys":
    "each part of the path is declared, and the path can be read in one way; in an object of free keys, a name with dots is one name.",
  "correct-key":
    "one slip: two neighbours swapped, a letter lost, letters doubled, an s too many or too few. Not a word of its own (`county` for `country`), nor an s between what is numbered and what is counted (`page: 3`, `pages: 3`), nor in an ending where two fields differ in nothing else (`querys` for `query` and `queries`).",
  "name-positions": "no two of the values could change places.",
  "lift-keys":
    "the thing is in the field's name (`user`, `user_name`), or what stands around the fields names no thing (`details`).",
  "gather-keys":
    "all that is undeclared is declared there. Not a name that any thing may have (`id`), nor for one of several sides (`parent`).",
  "rename-only-key":
    "a word that the names share and no other field has; or the field's description, for what belongs in it; or a shape that no other absent field takes (list, object, choice, format). A flag or an amount needs the shared word. Never between contraries, parts (`payer`, `payee`), sides (`from`, `to`), units, or names that share a word and differ in another (`order_status`, `order_id`).",
  "fill-constant":
    "the field tags the object (`type`, `kind`, `version`), it is all that is missing, and nothing undeclared is left. Never a flag, nor what is to be typed by hand (`DELETE`).",
  "fill-default": "nothing undeclared is left, further in as well.",
  "wrap-nested-value":
    "the field says neither a unit (`hours`) nor an operator or side (`exclude`).",
};

/** An object schema in which every property is required. */
function object(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}

/**
 * Every edit of the schema-driven repair with an example, for the documentation. No part of the
 * repair imports it, so that it adds nothing to what users bundle.
 */
export const edits: readonly EditEntry[] = [
  ...valueEdits,
  ...keySteps,
  dropNull,
  dropEmptyText,
  dropEmptyContainer,
].map(({ name, level, cost }) => ({ name, level, cost, ...textOf(name) }));

function textOf(name: string): Pick<EditEntry, "description" | "evidence" | "example"> {
  const text = TEXTS[name];
  if (text === undefined) throw new Error(`The edit "${name}" has no entry in the catalogue.`);
  const [description, schema, before, after] = text;
  const evidence = EVIDENCE[name];
  return {
    description,
    ...(evidence === undefined ? {} : { evidence }),
    example: { schema, before, after },
  };
}
