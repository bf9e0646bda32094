import { keyEdits } from "../../src/repair/align/key-edits.ts";
import { valueEdits } from "../../src/repair/align/value-edits.ts";
import type { SwitchableEdit } from "../../src/repair/edit-switches.ts";
import type { JsonObject, JsonValue } from "../../src/repair/types.ts";

/** The name of an edit of the schema-driven repair. */
export type EditName = Exclude<
  SwitchableEdit,
  | "parse-json"
  | "json-syntax"
  | "close-brackets"
  | `${string}-tool-name`
  | "drop-name-words"
  | "take-only-tool"
>;

/** An input, and the schema that rejects it. */
export interface EditCase {
  readonly schema: JsonObject;
  readonly input: JsonValue;
  /** The tool's own description. Default: none. */
  readonly description?: string;
}

/** The documentation and test cases of an edit. Every part is required. */
export interface EditEntry {
  readonly docs: string;
  /** The evidence that an edit of more than syntax requires. */
  readonly evidence?: string;
  readonly example: EditCase & { readonly after: JsonValue };
  /**
   * At least three inputs that look alike and must be rejected, at every level that has the edit.
   */
  readonly mustRefuse: readonly [EditCase, EditCase, EditCase, ...EditCase[]];
}

const text = { type: "string" };
const integer = { type: "integer" };
const texts = { type: "array", items: text };
const unit = { enum: ["celsius", "fahrenheit"] };
const days = { type: "array", items: { enum: ["mon", "tue", "wed"] } };

/** An object schema whose properties are required, unless their name ends in `?`. */
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

/** Inputs that one schema rejects. */
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
    docs: "Text that is a JSON number becomes the number, also without the zero before its point, with a plus, or with separators that can only group (`1,234,567`, `12,345.60`, `1_000`).",
    example: example(object({ count: integer }), { count: "5" }, { count: 5 }),
    mustRefuse: of(
      object({ count: integer }),
      { count: "1,000" },
      { count: "10.000" },
      { count: "101,102,103" },
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
    docs: '"null", "None" and the like become null if the schema takes null and not the text, under the conditions of `drop-null`.',
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
    docs: "A number becomes text in its own spelling (`3.10`), unless a description or an example shows another form (`00123`, `5kg`, `MM`). A boolean becomes text only if it is a choice, or the description names `true`, `false` or boolean.",
    example: example(object({ id: text }), { id: 42 }, { id: "42" }),
    mustRefuse: of(
      object({ middle_name: text }),
      { middle_name: false },
      { middle_name: true },
      { middle_name: 2 ** 64 },
    ),
  },
  "write-json": {
    docs: "An object or array becomes JSON text, only with the option `objectAsText`.",
    example: example(object({ content: text }), { content: { a: 1 } }, { content: '{"a":1}' }),
    mustRefuse: of(
      object({ count: integer }),
      { count: { a: 1 } },
      { count: [1, 2] },
      { count: [] },
    ),
  },
  "respell-choice": {
    docs: "A choice in another case, spacing, punctuation or quotes. Words must end at the same letters (`in active` is not `inactive`). In fewer than six letters case counts, unless all choices share one style (then in fewer than four); so it does if two choices differ only in case or in a first letter (`bar`, `mbar`).",
    example: example(object({ unit }), { unit: "Celsius" }, { unit: "celsius" }),
    mustRefuse: [
      ...of(object({ unit }), { unit: "Celsius?" }, { unit: "not celsius" }, { unit: "cel" }),
      { schema: object({ unit: { enum: ["mW", "kW"] } }), input: { unit: "MW" } },
      { schema: object({ unit: { enum: ["MB", "Mb", "GB"] } }), input: { unit: "GB." } },
      { schema: object({ unit: { enum: ["mmol", "mol"] } }), input: { unit: "Mmol" } },
      {
        schema: object({ state: { enum: ["active", "inactive"] } }),
        input: { state: "in active" },
      },
      { schema: object({ unit: { enum: ["rate_MB", "rate_GB"] } }), input: { unit: "rate_Mb" } },
      {
        schema: object({ dose: { enum: ["dose_5mg", "dose_9mg"] } }),
        input: { dose: "dose_.5mg" },
      },
      { schema: object({ unit: { enum: ["mbar", "kPa"] } }), input: { unit: "Mbar" } },
      { schema: object({ word: { enum: ["re_sign", "stay"] } }), input: { word: "resign" } },
    ],
  },
  "clean-text": {
    docs: "Spaces or quotes around a text are removed if its format or pattern rejects them, `<…>` if its format is that of an address.",
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
    docs: "Text that holds JSON, or nearly (Python, single quotes), becomes the array or object; never if it was cut off.",
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
    docs: "null is removed from an optional field that rejects it. It stays if a description of the field, of its surroundings or of the tool speaks of null, empty text or omission. So it does if the field's description has more than three words and names no default, if nothing would be left, or if `true` is the default.",
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
        schema: object({ "limit?": described(integer, "Obergrenze; ohne Angabe unbegrenzt") }),
        input: { limit: null },
      },
      {
        schema: object({ "confirmed?": { type: "boolean", default: true } }),
        input: { confirmed: null },
      },
      { schema: object({ limit: integer }), input: { limit: null } },
    ],
  },
  "no-arguments": {
    docs: "No input at all is `{}` for a tool that needs none; for a tool without arguments, so is a word for nothing or an empty list.",
    example: example(object({}), "", {}),
    mustRefuse: [
      { schema: object({ query: text }), input: "" },
      { schema: object({ "limit?": integer }), input: "None, thanks" },
      { schema: object({}), input: "nothing yet" },
      { schema: object({ "limit?": integer }), input: ["all"] },
    ],
  },
  "drop-empty-text": {
    docs: '"", "null", "None" and the like are removed from an optional field that rejects them, under the same conditions.',
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
    docs: '"yes", "no", "on" and "off" become the boolean.',
    example: example(object({ force: { type: "boolean" } }), { force: "yes" }, { force: true }),
    mustRefuse: of(
      object({ force: { type: "boolean" } }),
      { force: "yes, but not now" },
      { force: "yes/no" },
      { force: "y" },
      { force: "ja" },
      { force: 2 },
    ),
  },
  "wrap-in-array": {
    docs: "A single value becomes a list of one. Text must be one word, a name in capitals, a file or a link, of the form that the field has; no range or word for nothing.",
    example: example(object({ files: texts }), { files: "a.txt" }, { files: ["a.txt"] }),
    mustRefuse: [
      ...of(
        object({ files: texts }),
        { files: "Doe, Jane" },
        { files: "none" },
        { files: "a.txt & b.txt" },
        { files: null },
        { files: "A1-A9" },
        { files: "[a.txt" },
      ),
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
    docs: "A bare value becomes the only required field, or the only field: a JSON string, or text if the agent writes inputs as text, that has the field's form from end to end: a path, a selector, a command, a question. A query or a name is a phrase, no sentence; a field without a form takes JSON strings and codes.",
    example: example(object({ selector: text }), "#buy", { selector: "#buy" }),
    mustRefuse: [
      { schema: object({ path: text }), input: "Which file do you mean?" },
      { schema: object({ path: text }), input: "siehe oben" },
      { schema: object({ order_id: text }), input: "the last one" },
      { schema: object({ selector: text }), input: "selector: #buy" },
      { schema: object({ command: text }), input: "bitte alles löschen" },
      { schema: object({ message: text }), input: "I could not find the file." },
      { schema: object({ from: text, to: text }), input: "Ulm" },
    ],
  },
  "unwrap-array": {
    docs: "A list around a single value is removed.",
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
    docs: "An undeclared envelope is removed: `input`, `args`, `arguments`, `parameters` and the like, the tool's name, a whole call of this tool, `items` around a list.",
    example: example(
      object({ selector: text }),
      { input: { selector: "#buy" } },
      { selector: "#buy" },
    ),
    mustRefuse: [
      ...of(
        object({ selector: text }),
        { input: { selector: "#buy" }, args: { selector: "#sell" } },
        { example: { selector: "#buy" } },
        { selector: { value: "#buy" } },
        { tool: "other_tool", input: { selector: "#buy" } },
        { input: { selector: "#buy" }, dry_run: true },
      ),
      { schema: object({ months: integer }), input: { months: { month: 5 } } },
    ],
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
    docs: "Text becomes a list if every part of it is one of the choices.",
    example: example(object({ days }), { days: "mon, wed" }, { days: ["mon", "wed"] }),
    mustRefuse: of(
      object({ days }),
      { days: "mon, not wed" },
      { days: "mon to wed" },
      { days: "mon, sun" },
    ),
  },
  "split-text": {
    docs: "Text with single tokens between commas, semicolons or line breaks becomes a list.",
    evidence:
      "one separator, and three tokens or more, or two codes (letters with digits or signs) of one shape: two words may be a name and its place.",
    example: example(
      object({ tags: texts }),
      { tags: "a.txt, b.txt" },
      { tags: ["a.txt", "b.txt"] },
    ),
    mustRefuse: of(
      object({ tags: texts }),
      { tags: "Doe, Jane" },
      { tags: "Paris, New York, Rome" },
      { tags: "101,102,103" },
      { tags: "red, green, nothing else" },
      { tags: "first, then; last" },
      { tags: "red, green, ..." },
    ),
  },
  "correct-choice": {
    docs: "A choice with one typo, if no other is as near; only with the option `edits`.",
    evidence: "the typos of `correct-key`.",
    example: example(object({ unit }), { unit: "fahrenhheit" }, { unit: "fahrenheit" }),
    mustRefuse: [
      ...of(object({ unit }), { unit: "kelvin" }, { unit: "celsus" }, { unit: "celsius2" }),
      { schema: object({ mode: { enum: ["fast", "fats"] } }), input: { mode: "fsat" } },
    ],
  },
  "unwrap-text": {
    docs: "A list around one text is removed, unless the description says list, array, set or JSON.",
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
    docs: "A key in another case or with other separators. A hyphen is a separator or a capital, never nothing (`re-sign` is not `resign`), and each name must be in one style throughout (`power_mW` is not).",
    example: example(object({ file_path: text }), { filePath: "a.txt" }, { file_path: "a.txt" }),
    mustRefuse: [
      { schema: object({ power_MW: integer }), input: { power_mW: 5 } },
      { schema: object({ resign: text }), input: { "re-sign": "now" } },
      { schema: object({ mohm: integer }), input: { MOhm: 5 } },
      { schema: object({ dose_mg: integer }), input: { dose_Mg: 5 } },
      { schema: object({ dose_5: integer }), input: { "dose_.5": 5 } },
      { schema: object({ file_path: text }), input: { old_file_path: "a.txt" } },
    ],
  },
  "nest-keys": {
    docs: "A key `outer.inner` moves into the object at `outer`, also deeper.",
    evidence:
      "each part is declared, with one reading; every undeclared key has parts; an open schema misses the object.",
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
        { "user[name]": "Ada" },
      ),
      {
        schema: object({ user: object({ name: text, "email?": text }) }, false),
        input: { "user.name": "Ada", email: "ada@example.com" },
      },
    ],
  },
  "correct-key": {
    docs: "A key with one typo, or with a piece of JSON attached, if there is one candidate.",
    evidence:
      "a letter is lost inside a word of ten letters, one is doubled in a word of nine, or two are swapped in a word of eight, two consonants in one of six; in other short words it must leave three consonants in a row (`selctor`, not `contact` for `contract`); or a word of one or two letters is doubled (`to_to_unit`).",
    example: example(object({ selector: text }), { selctor: "#buy" }, { selector: "#buy" }),
    mustRefuse: [
      { schema: object({ contract: text }), input: { contact: "c1" } },
      { schema: object({ поделать: text }), input: { подделать: "c1" } },
      { schema: object({ trials: text }), input: { trails: "c1" } },
      { schema: object({ factory: text }), input: { factor: "x" } },
      { schema: object({ selector: text }), input: { selektor: "#buy" } },
      { schema: object({ amount: integer }), input: { mount: 5 } },
    ],
  },
  "rename-only-key": {
    docs: "The only undeclared key becomes the only missing required one, if its value fits and there is evidence.",
    evidence:
      "the names share a word, and what either adds is a form that the value has, or the tool's own word; or the field's description begins with the key's word, or calls the field a form of it; or the value is an object whose keys only that field declares; or both names mean one format. Never its shape alone; flags and amounts only by the shared word.",
    example: example(
      object({
        selector: described(text, "CSS selector of the element"),
        "timeout?": integer,
      }),
      { element: "#buy", timeout: 5 },
      { selector: "#buy", timeout: 5 },
    ),
    mustRefuse: [
      { schema: object({ vehicle: text }), input: { stolen_vehicle: "KA-1" } },
      { schema: object({ "!urgent": { type: "boolean" } }), input: { urgent: true } },
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
    docs: "Several undeclared keys move into the only object that is missing.",
    evidence: "it declares all of them, and no other object declares any.",
    example: example(
      object({ name: text, address: object({ street: text, city: text }) }),
      { name: "Ada", street: "Ring 1", city: "Ulm" },
      { name: "Ada", address: { street: "Ring 1", city: "Ulm" } },
    ),
    mustRefuse: [
      {
        schema: object({ name: text, address: object({ street: text, city: text }) }),
        input: { name: "Ada", street: "Ring 1", town: "Ulm" },
      },
      {
        schema: object({ author: object({ name: text }), title: text }),
        input: { name: "Ada", title: "a" },
      },
      {
        schema: object({
          from: object({ street: text, city: text }),
          "to?": object({ street: text, city: text }),
        }),
        input: { street: "Ring 1", city: "Ulm" },
      },
    ],
  },
  "fill-default": {
    docs: "A required key that is missing gets its declared default; never `true`, which may be a consent, or the only choice.",
    evidence: "no undeclared key is left, at any depth.",
    example: example(
      object({ query: text, limit: { type: "integer", default: 10 } }),
      { query: "cats" },
      { query: "cats", limit: 10 },
    ),
    mustRefuse: [
      {
        schema: object({ query: text, limit: { type: "integer", default: 10 } }),
        input: { query: "cats", limit: null },
      },
      {
        schema: object({ room: text, licence: { const: "agreed", default: "agreed" } }),
        input: { room: "attic" },
      },
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
    docs: "A forbidden key is removed if it is no argument: a remark (`thought`, `reasoning`, `explanation`, `comment`, …), empty, a repetition of a declared key, or the tool's name. Of a tool without arguments, placeholders of nothing go.",
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
      { query: "cats", note: "Customer wants a refund" },
    ),
  },
};

/** Every edit with its documentation, in the order of the search. */
export const edits: readonly (EditEntry & {
  readonly name: EditName;
  readonly level: "safe" | "eager";
})[] = [...valueEdits, ...keyEdits].map(({ name: given, level }) => {
  const name = given as EditName;
  return { name, level, ...ENTRIES[name] };
});
