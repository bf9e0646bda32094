import { type RepairOptions, repairToolInput } from "toolmend";
import type { SpecifiedEdit } from "#src/repair/align/edits/specs.ts";
import type { EditSpec } from "#src/repair/align/rule.ts";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";

/** An attack on an edit: an input near its example, and its permitted outcomes. */
export interface Attack {
  readonly kind: "context" | "key" | "value" | "rival" | "meaning";
  readonly schema: JsonObject;
  readonly input: JsonValue;
  readonly description: string;
  /** Whether a result is not a guess; a rejection is always right. */
  readonly isFine: (result: JsonValue) => boolean;
}

/** A successful attack: the repair gave a forbidden result. */
export interface Breach {
  readonly attack: Attack;
  readonly level: "safe" | "eager";
  readonly result: JsonValue;
}

/**
 * Words that change the meaning of a field, in five languages: a unit, a scale, a negation, a role.
 */
const QUALIFIERS = [
  ["cents", "thousands", "not", "previous"],
  ["Cent", "Tausend", "nicht", "vorherige"],
  ["centimes", "milliers", "sans", "ancien"],
  ["centavos", "miles", "sin", "anterior"],
  ["kuruş", "bin", "değil", "önceki"],
].flat();

/** Sentences that change the meaning of a value, in five languages. */
const MEANINGS = [
  (value: string) => `${value} clears it.`,
  (value: string) => `${value} löscht den Wert.`,
  (value: string) => `${value} efface la valeur.`,
  (value: string) => `${value} borra el valor.`,
  (value: string) => `${value} değeri siler.`,
];

/** A value, and similar text with another meaning: another unit, a bound, a part, a doubt, a denial. */
const NEIGHBOURS: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `${value}1`,
  (value) => `${value}%`,
  (value) => `${value} kg`,
  (value) => `${value}k`,
  (value) => `$${value}`,
  (value) => `${value} €`,
  (value) => `~${value}`,
  (value) => `<${value}`,
  (value) => `≥ ${value}`,
  (value) => `${value}/10`,
  (value) => `${value}-9`,
  (value) => `${value} ± 1`,
  (value) => `${value}?`,
  (value) => `${value} (estimated)`,
  (value) => `(${value})?`,
  (value) => `not ${value}`,
  (value) => `nicht ${value}`,
  (value) => `sauf ${value}`,
  (value) => `${value} o más`,
  (value) => `${value} değil`,
  (value) => `${value}以外`,
  (value) => `${value} or nothing`,
  (value) => `${value}, ${value}`,
  (value) => `0${value}`,
  (value) => `${value},5`,
  (value) => `${value}.000`,
  (value) => `${value}…`,
];

/** Makes the attacks on an edit from its example, and from the case of each evidence. */
export function attacksOn({ edit, spec }: SpecifiedEdit): Attack[] {
  const examples = [spec.example, ...Object.values(spec.proofs ?? {})];
  return examples.flatMap((example) => attacksNear(example, edit.name));
}

function attacksNear(example: EditSpec["example"], edit: string): Attack[] {
  const { schema, input, after, description = "" } = example;
  const base = { schema, input, description };
  const fields = Object.keys(propertiesOf(schema));
  const changed = changedTexts(input, after);
  const moved = isObject(input) ? Object.keys(input).filter((key) => !fields.includes(key)) : [];
  const isSame = (result: JsonValue) => same(result, after);

  const contexts = fields.flatMap((field) =>
    QUALIFIERS.map((word): Attack => {
      const name = `${field}_${word}`;
      return {
        ...base,
        kind: "context",
        schema: withField(schema, field, name, ` In ${word}.`),
        input: withKey(input, field, name),
        // If the field's name identified the key, another field name breaks the match.
        isFine: (result) =>
          !isRenamedTo(field, input, after) && same(result, withKey(after, field, name)),
      };
    }),
  );
  const keys = moved.flatMap((key) =>
    QUALIFIERS.flatMap((word) => [`${word}_${key}`, `${key}_${word}`]).map((name): Attack => {
      const renamed = withKey(input, key, name);
      return {
        ...base,
        kind: "key",
        input: renamed,
        isFine: (result) => !isSame(result) && explains(renamed, result, schema),
      };
    }),
  );
  const values = changed.flatMap(({ text, replace }) =>
    NEIGHBOURS.map((neighbour): Attack => {
      const near = replace(neighbour(text));
      return {
        ...base,
        kind: "value",
        input: near,
        isFine: (result) =>
          explains(near, result, schema) ||
          // A typo in a choice is not a literal reading: such a row permits only the example itself.
          (edit === "correct-choice" && same(near, input) && isSame(result)),
      };
    }),
  );
  const rivals = fields.map((field): Attack => {
    // A field of the same name except for its case: only the exact name tells the two apart.
    return {
      ...base,
      kind: "rival",
      schema: withRival(schema, field, field.toUpperCase()),
      isFine: (result) =>
        isSame(result) &&
        // `link` for `url` is proven by neither name, but by what is missing.
        (!isRenamedTo(field, input, after) ||
          (edit === "rename-only-key" && !sharesWord(input, field))),
    };
  });
  const choices = hasChoices(schema)
    ? [
        {
          ...base,
          kind: "rival" as const,
          schema: withRivalChoices(schema),
          // Of two choices that differ in case, the exact one.
          isFine: (result: JsonValue) => explainsByCase(input, result),
        },
      ]
    : [];
  const meanings = removedValues(input, after).flatMap((value) =>
    MEANINGS.flatMap((say): Attack[] => [
      { ...base, kind: "meaning", description: say(JSON.stringify(value)), isFine: () => false },
    ]),
  );
  return [...contexts, ...keys, ...values, ...rivals, ...choices, ...meanings];
}

/** Runs the attacks at every level that has the edit. */
export async function breachesOf(
  edit: SpecifiedEdit["edit"],
  attacks: readonly Attack[],
): Promise<Breach[]> {
  const breaches: Breach[] = [];
  for (const attack of attacks) {
    for (const level of edit.level === "safe"
      ? (["safe", "eager"] as const)
      : (["eager"] as const)) {
      const tool = { name: "run_step", description: attack.description, schema: attack.schema };
      const options: RepairOptions = { level, objectAsText: edit.name === "write-json" };
      const result = await repairToolInput(attack.input, tool, options);
      // An input that the schema accepts unchanged was not repaired.
      if (!result.ok || result.repairs.length === 0) continue;
      const value = result.toolInput as JsonValue;
      if (!attack.isFine(value)) breaches.push({ attack, level, result: value });
    }
  }
  return breaches;
}

export function showBreach({ attack, level, result }: Breach): string {
  const { kind, input, schema, description } = attack;
  const said = [description, ...descriptionsIn(schema)].filter((text) => text !== "").join(" ");
  return `${kind} at ${level}: ${JSON.stringify(input)} → ${JSON.stringify(result)} ("${said}", ${Object.keys(propertiesOf(schema)).join(", ")})`;
}

/**
 * Whether a result is the literal, unit-free reading of an input: no sign, digit or letter of a value
 * is lost, and none is new. Permitted differences are spelling (case, spaces, separators, brackets,
 * quotes), words for a JSON literal (`yes`, `None`), words without content, and declared defaults.
 */
export function explains(input: JsonValue, result: JsonValue, schema: JsonObject): boolean {
  if (cutsNumber(input, result)) return false;
  const written = asGranted(input, result, "");
  const [before, after] = [signsOf(written, false), signsOf(result, false)];
  const allowed = signsOf(written, true);
  for (const text of defaultsIn(schema)) add(allowed, text);
  const kept = signsOf(result, true);
  return isWithin(before, kept) && isWithin(after, allowed);
}

/**
 * The input without what a rule grants beyond the literal reading: the unit that a field's name
 * ends in, and the commas between three or more numbers that cannot be one.
 */
function asGranted(input: JsonValue, result: JsonValue | undefined, key: string): JsonValue {
  if (typeof input === "string") {
    if (typeof result === "number" && isInOwnUnit(input, result, key)) return result;
    return Array.isArray(result) && areParted(input, result as JsonValue[]) ? result : input;
  }
  if (!isObject(input) || !isObject(result)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, asGranted(value, result[name], name)]),
  );
}

/** `21 °C` in `temp_c`, `12mm` in `width_mm`. */
function isInOwnUnit(text: string, number: number, key: string): boolean {
  const unit = key.split("_").at(-1) ?? "";
  const [amount, ...others] = text.toLowerCase().replace("°", "").split(unit);
  return unit !== key && others.join() === "" && amount?.trim() === String(number);
}

/** `3,4,5`, but not `3,4`. */
function areParted(text: string, list: readonly JsonValue[]): boolean {
  return list.length > 2 && JSON.stringify(list) === `[${text.replaceAll(" ", "")}]`;
}

/** Whether a list was made of a text that may be one number: `1,234,567`. */
function cutsNumber(input: JsonValue, result: JsonValue | undefined): boolean {
  if (typeof input === "string") {
    return Array.isArray(result) && result.length > 1 && /^-?\d{1,3}(?:,\d{3})+$/.test(input);
  }
  if (!isObject(input) || !isObject(result)) return false;
  return Object.entries(input).some(([key, value]) => cutsNumber(value, result[key]));
}

/** Whether a result equals the input, character for character. */
function explainsByCase(input: JsonValue, result: JsonValue): boolean {
  const lettersOf = (value: JsonValue) =>
    valuesIn(value)
      .join("")
      .replace(/[^\p{L}]/gu, "");
  return lettersOf(input) === lettersOf(result);
}

function valuesIn(value: JsonValue): JsonValue[] {
  if (value === null || typeof value !== "object") return [value];
  return Object.values(value).flatMap((child) => valuesIn(child as JsonValue));
}

type Signs = Map<string, number>;

/**
 * The number of each character in the values, or in the keys as well. Remarks are not arguments.
 */
function signsOf(value: JsonValue, withKeys: boolean, signs: Signs = new Map()): Signs {
  if (value !== null && typeof value === "object") {
    for (const [key, child] of Object.entries(value)) {
      if (/^(?:thoughts?|reasoning|explanation|comments?|random_string)$/.test(key)) continue;
      if (withKeys && !Array.isArray(value)) add(signs, key);
      signsOf(child as JsonValue, withKeys, signs);
    }
    return signs;
  }
  add(signs, value);
  return signs;
}

const TRUTH: ReadonlyMap<string, string> = new Map(
  ["true", "yes", "on", "y"]
    .map((word): [string, string] => [word, "1"])
    .concat(["false", "no", "off", "n"].map((word): [string, string] => [word, "0"])),
);

function add(signs: Signs, scalar: JsonValue): void {
  const plain = String(scalar).normalize("NFKC").trim().toLowerCase();
  if (/^(?:null|none|nil|undefined|n\/a|)$/.test(plain)) return;
  const word = TRUTH.get(plain) ?? plain;
  const text = /^[+-]?\d[\d,_]*(?:\.\d+)?(?:e[+-]?\d+)?$/.test(word) ? numberOf(word) : word;
  // Characters of syntax and of spelling; a point, a minus and a comma count between and before
  // digits.
  const kept = text.replace(
    /(?<!\d)[.,]|[.,](?!\d)|-(?!\d)|[\s"'`“”„[\]{}:;|\\_<>]|(?<=\p{L})-/gu,
    "",
  );
  for (const sign of kept) signs.set(sign, (signs.get(sign) ?? 0) + 1);
}

/**
 * The digits of a number; characters that may group or separate its digits are kept, and so
 * distinguished.
 */
function numberOf(text: string): string {
  const isGrouped =
    /^[+-]?\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?$|^[+-]?\d{1,3},\d{3}\.\d+$|^\d{1,3}(?:_\d{3})+$/;
  // Behind groups, a point is no other group's.
  if (isGrouped.test(text)) return String(Number(text.replace(/[,_]/g, "")));
  if (/[,_]/.test(text) || /^[+-]?0\d/.test(text)) return text;
  return /\.000$/.test(text) ? text : String(Number(text));
}

function isWithin(some: Signs, all: Signs): boolean {
  return [...some].every(([sign, count]) => (all.get(sign) ?? 0) >= count);
}

function defaultsIn(schema: JsonValue): JsonValue[] {
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([key, child]) =>
    key === "default" ? [child as JsonValue] : defaultsIn(child as JsonValue),
  );
}

function descriptionsIn(schema: JsonValue): string[] {
  if (schema === null || typeof schema !== "object") return [];
  return Object.entries(schema).flatMap(([key, child]) =>
    key === "description" ? [String(child)] : descriptionsIn(child as JsonValue),
  );
}

interface ChangedText {
  readonly text: string;
  readonly replace: (text: string) => JsonValue;
}

/** The texts of an input that are not in the example's result, each with a way to replace it. */
function changedTexts(input: JsonValue, after: JsonValue): ChangedText[] {
  const texts: ChangedText[] = [];
  const visit = (
    value: JsonValue,
    there: JsonValue | undefined,
    put: (value: JsonValue) => JsonValue,
  ) => {
    if (value !== null && typeof value === "object") {
      for (const [key, child] of Object.entries(value)) {
        const inner =
          isObject(there) || Array.isArray(there) ? (there as JsonObject)[key] : undefined;
        visit(child as JsonValue, inner, (changed) => {
          const copy = structuredClone(value) as { [key: string]: JsonValue };
          copy[key] = changed;
          return put(copy);
        });
      }
      return;
    }
    if (value === null || same(value, there)) return;
    texts.push({ text: String(value), replace: put });
  };
  visit(input, after, (value) => value);
  return texts;
}

/** The values of an object that are gone afterwards, and that have no content. */
function removedValues(input: JsonValue, after: JsonValue): JsonValue[] {
  if (!isObject(input) || !isObject(after)) return [];
  return Object.entries(input)
    .filter(([key, value]) => !Object.hasOwn(after, key) && (value === null || value === "None"))
    .map(([, value]) => (value === "None" ? "none" : value));
}

/** Whether the value of a field was written at another key. */
function isRenamedTo(field: string, input: JsonValue, after: JsonValue): boolean {
  if (!isObject(input) || !isObject(after) || Object.hasOwn(input, field)) return false;
  return Object.values(input).some((value) => same(value, after[field]));
}

/** Whether a key of the input has a word of a field's name. */
function sharesWord(input: JsonValue, field: string): boolean {
  const keys = isObject(input) ? Object.keys(input) : [];
  const words = field.toLowerCase().split("_");
  return keys.some((key) => key.split("_").some((word) => words.includes(word)));
}

function propertiesOf(schema: JsonObject): JsonObject {
  return (schema.properties ?? {}) as JsonObject;
}

/** The schema with a field renamed, and with a longer description. */
function withField(schema: JsonObject, field: string, name: string, more: string): JsonObject {
  const properties = Object.entries(propertiesOf(schema)).map(([key, part]) => {
    const { description = "" } = part as { description?: string };
    const words = more.trim().replace(/^In |\.$/g, "");
    return key === field
      ? [name, { ...(part as JsonObject), description: `${words} ${description}${more}` }]
      : [key, part];
  });
  const required = ((schema.required ?? []) as string[]).map((key) => (key === field ? name : key));
  return { ...schema, properties: Object.fromEntries(properties), required };
}

function withRival(schema: JsonObject, field: string, name: string): JsonObject {
  const properties = propertiesOf(schema);
  return { ...schema, properties: { ...properties, [name]: properties[field] ?? {} } };
}

function hasChoices(schema: JsonValue): boolean {
  return JSON.stringify(schema).includes('"enum"');
}

function withRivalChoices(schema: JsonObject): JsonObject {
  const twice = JSON.stringify(schema, (key, value) =>
    key === "enum" ? [...value, ...value.map((choice: string) => choice.toUpperCase())] : value,
  );
  return JSON.parse(twice) as JsonObject;
}

function withKey(value: JsonValue, key: string, name: string): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([each, child]) => [each === key ? name : each, child]),
  ) as JsonObject;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
