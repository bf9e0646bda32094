import { keyEdits } from "../../src/repair/align/key-edits.ts";
import { valueEdits } from "../../src/repair/align/value-edits.ts";
import type { JsonObject, JsonValue } from "../../src/repair/types.ts";

/** The name of an edit of the schema-driven repair. */
export type EditName = (typeof valueEdits)[number]["name"] | (typeof keyEdits)[number]["name"];

/** An input, and the schema that refuses it. */
export interface EditCase {
  readonly schema: JsonObject;
  readonly input: JsonValue;
  /** What the tool says of itself. Default: nothing. */
  readonly description?: string;
}

/** What the documentation and the tests show of an edit. Every part must be there. */
export interface EditEntry {
  readonly docs: string;
  /** What an edit that changes more than syntax must go by. */
  readonly evidence?: string;
  readonly example: EditCase & { readonly after: JsonValue };
  /** At least three inputs that look alike and must be refused, at every level that has the edit. */
  readonly mustRefuse: readonly [EditCase, EditCase, EditCase, ...EditCase[]];
}

const text = { type: "string" };
const integer = { type: "integer" };
const texts = { type: "array", items: text };
const unit = { enum: ["celsius", "fahrenheit"] };
const days = { type: "array", items: { enum: ["mon", "tue", "wed"] } };

/** An object schema in which every property is required, but for those whose name ends in `?`. */
function object(properties: JsonObject, isClosed = true): JsonObject {
  const names = Object.keys(properties).map((name) => [name.replace("?", ""), name] as const);
  return {
    type: "object",
    properties: Object.fromEntries(names.map(([name, key]) => [name, properties[key] ?? {}])),
    required: names.flatMap(([name, key]) => (name === key ? [name] : [])),
    ...(isClosed && { additionalProperties: false }),
  };
}

function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

function example(schema: JsonObject, input: JsonValue, after: JsonValue): EditEntry["example"] {
  return { schema, input, after };
}

/** Inputs that one schema refuses. */
function of(
  schema: JsonObject,
  first: JsonValue,
  second: JsonValue,
  third: JsonValue,
  ...others: JsonValue[]
): EditEntry["mustRefuse"] {
  const of = (input: JsonValue): EditCase => ({ schema, input });
  return [of(first), of(second), of(third), ...others.map(of)];
}

/** By edit: the compiler asks for an entry of each, and for all its parts. */
const ENTRIES: { readonly [Name in EditName]: EditEntry } = {
  "read-number": {
    docs: "A number written as text becomes the number: a JSON number, also with a plus or without the zero before its point, and with separators where they can only group (`1,234,567`, `12,345.60`, `1_000`).",
    example: example(object({ count: integer }), { count: "5" }, { count: 5 }),
    mustRefuse: of(
      object({ count: integer }),
      { count: "1,000" },
      { count: "10.000" },
      { count: "007" },
      { count: "15%" },
      { count: "5 kg" },
      { count: "~5" },
      { count: "9007199254740993" },
    ),
  },
  "read-boolean": {
    docs: '"true" and "false" in any case become the boolean.',
    example: example(object({ force: { type: "boolean" } }), { force: "True" }, { force: true }),
    mustRefuse: of(
      object({ force: { type: "boolean" } }),
      { force: "true?" },
      { force: "not true" },
      { force: "trueish" },
      { force: "wahr" },
    ),
  },
  "read-null": {
    docs: '"null", "None" and the like become null where null may stand and the text may not.',
    example: example(
      object({ limit: { type: ["integer", "null"] } }),
      { limit: "None" },
      { limit: null },
    ),
    mustRefuse: of(
      object({ limit: { type: ["integer", "null"] } }),
      { limit: "none of them" },
      { limit: "no" },
      { limit: "keine" },
    ),
  },
  "write-scalar": {
    docs: "A number becomes text as it was written (`3.10`). A boolean only where the choices or the description name `true`, `false` or `boolean`.",
    example: example(object({ id: text }), { id: 42 }, { id: "42" }),
    mustRefuse: of(
      object({ middle_name: text }),
      { middle_name: false },
      { middle_name: true },
      { middle_name: 2 ** 64 },
    ),
  },
  "write-json": {
    docs: "An object or array becomes JSON text where text is wanted: only where the option objectAsText asks for it.",
    example: example(object({ content: text }), { content: { a: 1 } }, { content: '{"a":1}' }),
    mustRefuse: of(
      object({ count: integer }),
      { count: { a: 1 } },
      { count: [1, 2] },
      { count: [] },
    ),
  },
  "respell-choice": {
    docs: "A value of an enum that differs in case, spacing, punctuation or quotes. Case counts in short words, unless all choices are written in one style.",
    example: example(object({ unit }), { unit: "Celsius" }, { unit: "celsius" }),
    mustRefuse: [
      ...of(object({ unit }), { unit: "Celsius?" }, { unit: "not celsius" }, { unit: "cel" }),
      { schema: object({ unit: { enum: ["mW", "kW"] } }), input: { unit: "MW" } },
      { schema: object({ unit: { enum: ["mmol", "mol"] } }), input: { unit: "Mmol" } },
      { schema: object({ word: { enum: ["re-sign", "stay"] } }), input: { word: "resign" } },
    ],
  },
  "clean-text": {
    docs: "Spaces, quotes or `<…>` around text go where the format or pattern does not take them.",
    example: example(
      object({ url: { type: "string", format: "uri" } }),
      { url: "<https://example.com/docs>" },
      { url: "https://example.com/docs" },
    ),
    mustRefuse: of(
      object({ code: { type: "string", pattern: "^[A-Z]{2}[0-9]{3}$" } }),
      { code: "AB123 or AB124" },
      { code: "(AB123)?" },
      { code: "not AB123" },
    ),
  },
  "parse-text": {
    docs: "Text that holds JSON, or nearly (Python, single quotes), becomes the array or object. Never text that was cut off.",
    example: example(object({ tags: texts }), { tags: "['a', 'b']" }, { tags: ["a", "b"] }),
    mustRefuse: of(
      object({ tags: { type: "array", items: integer } }),
      { tags: "[1, 2" },
      { tags: "[0, 1)" },
      { tags: "[1, 2, ...]" },
      { tags: "[1, 2] or [3]" },
    ),
  },
  "drop-null": {
    docs: "null goes from an optional place that does not take it, unless the description of the field or the tool gives a meaning to null, to empty text or to leaving out.",
    example: example(
      object({ query: text, "limit?": integer }),
      { query: "cats", limit: null },
      { query: "cats" },
    ),
    mustRefuse: [
      {
        schema: object({ "limit?": described(integer, "Row limit; null clears it") }),
        input: { limit: null },
      },
      {
        schema: object({ "limit?": integer }),
        input: { limit: null },
        description: "Updates a view. Set a field to null to remove it.",
      },
      {
        schema: object({ "confirmed?": { type: "boolean", default: true } }),
        input: { confirmed: null },
      },
      { schema: object({ limit: integer }), input: { limit: null } },
    ],
  },
  "no-arguments": {
    docs: "Nothing at all, for a tool that needs no arguments, is `{}`; for a tool that has none, so is a word for nothing or an empty list.",
    example: example(object({}), "", {}),
    mustRefuse: [
      { schema: object({ query: text }), input: "" },
      { schema: object({ "limit?": integer }), input: "None, thanks" },
      { schema: object({}), input: "nothing yet" },
      { schema: object({ "limit?": integer }), input: ["all"] },
    ],
  },
  "drop-empty-text": {
    docs: '"", "null", "None" and the like go from an optional place that does not take the text, under the same conditions.',
    example: example(
      object({ query: text, "limit?": integer }),
      { query: "cats", limit: "None" },
      { query: "cats" },
    ),
    mustRefuse: [
      {
        schema: object({ "limit?": described(integer, "Row limit. Empty: no limit") }),
        input: { limit: "" },
      },
      { schema: object({ "limit?": integer }), input: { limit: "none needed" } },
      { schema: object({ "level?": { enum: ["low", "high"] } }), input: { level: "none" } },
    ],
  },
  "read-yes-no": {
    docs: '"yes" and "no", "on" and "off", 1 and 0 become the boolean.',
    example: example(object({ force: { type: "boolean" } }), { force: "yes" }, { force: true }),
    mustRefuse: of(
      object({ force: { type: "boolean" } }),
      { force: "yes, but not now" },
      { force: "yes/no" },
      { force: "ja" },
      { force: 2 },
    ),
  },
  "wrap-in-array": {
    docs: "A lone value becomes a list of one. Not text that may itself be a list, nor an object that leaves its keys outside.",
    example: example(object({ files: texts }), { files: "a.txt" }, { files: ["a.txt"] }),
    mustRefuse: [
      ...of(object({ files: texts }), { files: "Doe, Jane" }, { files: "none" }, { files: null }),
      {
        schema: object(
          { steps: { type: "array", items: object({ action: text, "point?": text }) } },
          false,
        ),
        input: { steps: { action: "click" }, point: "1,2" },
      },
    ],
  },
  "wrap-bare-value": {
    docs: "A bare value becomes the only required field, or the only one there is: a JSON string always, other text only where an agent writes its inputs as text, and if it shows the form of the field.",
    example: example(object({ selector: text }), "#buy", { selector: "#buy" }),
    mustRefuse: [
      { schema: object({ path: text }), input: "Which file do you mean?" },
      { schema: object({ path: text }), input: "siehe oben" },
      { schema: object({ order_id: text }), input: "the last one" },
      { schema: object({ selector: text }), input: "selector: #buy" },
      { schema: object({ from: text, to: text }), input: "Ulm" },
    ],
  },
  "unwrap-array": {
    docs: "A list around the one value that is wanted goes.",
    example: example(object({ count: integer }), { count: [5] }, { count: 5 }),
    mustRefuse: of(
      object({ count: integer }),
      { count: [5, 6] },
      { count: [] },
      { count: [null] },
      { count: ["5 or 6"] },
    ),
  },
  "unwrap-envelope": {
    docs: "An envelope that is not declared goes: input, args, arguments, parameters and the like, the tool's name, a whole call of this tool, items around a list.",
    example: example(
      object({ selector: text }),
      { input: { selector: "#buy" } },
      { selector: "#buy" },
    ),
    mustRefuse: of(
      object({ selector: text }),
      { input: { selector: "#buy" }, args: { selector: "#sell" } },
      { example: { selector: "#buy" } },
      { tool: "other_tool", input: { selector: "#buy" } },
      { input: { selector: "#buy" }, dry_run: true },
    ),
  },
  "list-from-numbered-keys": {
    docs: "An object with keys numbered from 0 becomes a list.",
    example: example(
      object({ files: texts }),
      { files: { "0": "a.txt", "1": "b.txt" } },
      { files: ["a.txt", "b.txt"] },
    ),
    mustRefuse: of(
      object({ files: texts }),
      { files: { "1": "a.txt", "2": "b.txt" } },
      { files: { "0": "a.txt", "2": "b.txt" } },
      { files: { "0": "a.txt", last: "b.txt" } },
    ),
  },
  "split-choices": {
    docs: "Text becomes a list where every part of it is one of the choices.",
    example: example(object({ days }), { days: "mon, wed" }, { days: ["mon", "wed"] }),
    mustRefuse: of(
      object({ days }),
      { days: "mon, not wed" },
      { days: "mon to wed" },
      { days: "mon, sun" },
    ),
  },
  "split-text": {
    docs: "A plain list becomes a list: single tokens between commas, semicolons or line breaks, three or more, or two that are codes.",
    evidence:
      "one sign parts the text, and every part is a single token; two words may be one name.",
    example: example(
      object({ tags: texts }),
      { tags: "red, green, blue" },
      { tags: ["red", "green", "blue"] },
    ),
    mustRefuse: of(
      object({ tags: texts }),
      { tags: "Doe, Jane" },
      { tags: "red, green, nothing else" },
      { tags: "first, then; last" },
      { tags: "red, green, ..." },
    ),
  },
  "correct-choice": {
    docs: "Only where the option edits asks for it: a value of an enum with one slip of the keyboard in it, if no other is as near.",
    evidence:
      "one slip in a long word: two letters swapped, one doubled, or one lost that is not the last.",
    example: example(object({ unit }), { unit: "cellsius" }, { unit: "celsius" }),
    mustRefuse: [
      ...of(object({ unit }), { unit: "kelvin" }, { unit: "elsius" }, { unit: "celsius2" }),
      { schema: object({ mode: { enum: ["fast", "fats"] } }), input: { mode: "fsat" } },
    ],
  },
  "unwrap-text": {
    docs: "A list around one text goes, unless the description says list, array, set or JSON.",
    evidence: "it is the only element.",
    example: example(object({ selector: text }), { selector: ["#buy"] }, { selector: "#buy" }),
    mustRefuse: [
      ...of(
        object({ selector: text }),
        { selector: ["#buy", "#sell"] },
        { selector: [] },
        { selector: [["#buy"], "#sell"] },
      ),
      {
        schema: object({ selector: described(text, "JSON array of selectors") }),
        input: { selector: ["#buy"] },
      },
    ],
  },
  "respell-key": {
    docs: "A key that differs in case, separators or signs around it. Not where case is the meaning (`power_mW`), and a hyphen is never nothing (`re-sign`).",
    example: example(object({ file_path: text }), { filePath: "a.txt" }, { file_path: "a.txt" }),
    mustRefuse: [
      { schema: object({ power_MW: integer }), input: { power_mW: 5 } },
      { schema: object({ resign: text }), input: { "re-sign": "now" } },
      { schema: object({ dose_mg: integer }), input: { dose_Mg: 5 } },
      { schema: object({ file_path: text }), input: { old_file_path: "a.txt" } },
    ],
  },
  "nest-keys": {
    docs: "Keys that spell out a path become the objects that they name.",
    evidence:
      "each part of the path is declared, and the path can be read in one way; every undeclared key spells out a path.",
    example: example(
      object({ user: object({ name: text }) }),
      { "user.name": "Ada" },
      { user: { name: "Ada" } },
    ),
    mustRefuse: [
      ...of(
        object({ user: object({ name: text }) }),
        { "user.title": "Ada" },
        { "owner.name": "Ada" },
        { "user.name": "Ada", user: { name: "Eva" } },
      ),
      {
        schema: object({ user: object({ name: text, "email?": text }) }, false),
        input: { "user.name": "Ada", email: "ada@example.com" },
      },
    ],
  },
  "correct-key": {
    docs: "A key with one slip of the keyboard in it, or with a piece of JSON stuck to it; one candidate only.",
    evidence:
      "two letters swapped or one doubled in a word of six, or one lost that is not the last in a word of eight.",
    example: example(object({ selector: text }), { selctor: "#buy" }, { selector: "#buy" }),
    mustRefuse: [
      { schema: object({ contract: text }), input: { contrast: "c1" } },
      { schema: object({ factory: text }), input: { factor: "x" } },
      { schema: object({ selector: text }), input: { selektor: "#buy" } },
      { schema: object({ amount: integer }), input: { mount: 5 } },
    ],
  },
  "rename-only-key": {
    docs: "The only undeclared key is renamed to the only required one that is missing, if its value fits and something says that it is meant.",
    evidence:
      "a word that the names share, where what either adds is a form that the value has, or the tool's own word; or the first noun of the field's description; or a format that both names say; or keys that only this field declares. Never its shape alone; a flag or an amount only by the same words.",
    example: example(
      object({
        selector: described(text, "CSS selector of the element to click"),
        "timeout?": integer,
      }),
      { element: "#buy", timeout: 5 },
      { selector: "#buy", timeout: 5 },
    ),
    mustRefuse: [
      { schema: object({ vehicle: text }), input: { stolen_vehicle: "KA-1" } },
      { schema: object({ product: text }), input: { product_id: "p1" } },
      {
        schema: object({ antidote: described(text, "Antidote against the poison") }),
        input: { poison: "atropine" },
      },
      { schema: object({ visit_date: text }), input: { birth_date: "2001-02-03" } },
      { schema: object({ max_price: integer }), input: { price: 5 } },
      { schema: object({ items: texts }), input: { guests: ["Ada"] } },
    ],
  },
  "gather-keys": {
    docs: "Fields one level too high are gathered into the only object that is missing.",
    evidence:
      "all that is undeclared is declared there and nowhere else, and it is all that is needed.",
    example: example(
      object({ action: object({ command: text }) }),
      { command: "ls" },
      { action: { command: "ls" } },
    ),
    mustRefuse: [
      ...of(
        object({ action: object({ command: text, "folder?": text }) }),
        { command: "ls", path: "/tmp" },
        { folder: "/tmp" },
        { order: "ls" },
      ),
      {
        schema: object({ sender: object({ name: text }), "receiver?": object({ name: text }) }),
        input: { name: "Ada" },
      },
    ],
  },
  "fill-default": {
    docs: "A required key that is missing, or null, gets the default that the schema declares. Never `true`.",
    evidence: "nothing undeclared is left, further in as well.",
    example: example(
      object({ query: text, limit: { type: "integer", default: 10 } }),
      { query: "cats" },
      { query: "cats", limit: 10 },
    ),
    mustRefuse: [
      {
        schema: object({ room: text, confirmed: { type: "boolean", default: true } }),
        input: { room: "attic" },
      },
      {
        schema: object({ query: text, limit: { type: "integer", default: 10 } }),
        input: { query: "cats", max_rows: 5 },
      },
      { schema: object({ query: text, limit: integer }), input: { query: "cats" } },
    ],
  },
  "drop-key": {
    docs: "A key that the schema forbids goes where it is no argument: it is a remark (`thought`, `reasoning`, `comment`, …), it is empty, it repeats a declared key, or names the tool. Of a tool without arguments, placeholders go.",
    example: example(
      object({ query: text }),
      { query: "cats", thoughts: "They want cats." },
      { query: "cats" },
    ),
    mustRefuse: of(
      object({ query: text }),
      { query: "cats", dry_run: true },
      { query: "cats", purpose: "The user wants to see cats." },
      { query: "cats", exclude: "cats" },
      { query: "cats", limit: 5 },
    ),
  },
};

/** Every edit with what the documentation shows of it, in the order in which the search tries them. */
export const edits: readonly (EditEntry & {
  readonly name: EditName;
  readonly level: "safe" | "eager";
})[] = [...valueEdits, ...keyEdits].map(({ name, level }) => ({ name, level, ...ENTRIES[name] }));
