import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import {
  isJsonObject,
  oneOf,
  type Pick,
  propertiesOf,
  put,
  rename,
  requiredOf,
  type Sample,
  type Spot,
  spotsOf,
} from "./places.ts";

/** The model's input and the intended one; `undefined` if it is ambiguous. */
export interface Injected {
  readonly raw: JsonValue;
  readonly meant: JsonValue | undefined;
}

/** A kind of fault: inserts itself into a valid input that has a place for it. */
export interface Fault {
  readonly name: string;
  /** The lowest level that repairs it. `never`: it must be rejected at every level. */
  readonly level: "safe" | "eager" | "never";
  readonly inject: (sample: Sample, pick: Pick) => Injected | undefined;
}

type Change = (spot: Spot, sample: Sample, pick: Pick) => JsonValue | undefined;

/** A fault of one value somewhere in the input. */
function atValue(
  name: string,
  level: Fault["level"],
  test: (spot: Spot, sample: Sample) => boolean,
  change: Change,
): Fault {
  return {
    name,
    level,
    inject(sample, pick) {
      const spot = oneOf(
        spotsOf(sample).filter((candidate) => test(candidate, sample)),
        pick,
      );
      const value = spot === undefined ? undefined : change(spot, sample, pick);
      if (spot === undefined || value === undefined) return undefined;
      const raw = put(sample.input, spot.path, value);
      return { raw, meant: level === "never" ? undefined : sample.input };
    },
  };
}

/** A fault of one key: `change` returns its wrong name. */
function atKey(
  name: string,
  level: Fault["level"],
  change: (key: string, pick: Pick, object: JsonObject) => string | undefined,
  only: (key: string, schema: JsonObject) => boolean = (key, schema) =>
    requiredOf(schema).includes(key) || schema.additionalProperties === false,
): Fault {
  return {
    name,
    level,
    inject(sample, pick) {
      const options = spotsOf(sample).flatMap(({ path, value, schema }) =>
        isJsonObject(value)
          ? Object.keys(value)
              .filter((key) => Object.hasOwn(propertiesOf(schema), key) && only(key, schema))
              .map((key) => ({ path, key, object: value as JsonObject, schema }))
          : [],
      );
      const option = oneOf(options, pick);
      if (option === undefined) return undefined;
      const { path, key, object, schema } = option;
      const to = change(key, pick, object);
      if (to === undefined || Object.hasOwn(propertiesOf(schema), to) || Object.hasOwn(object, to))
        return undefined;
      const raw = put(sample.input, path, rename(object, key, to));
      return { raw, meant: level === "never" ? undefined : sample.input };
    },
  };
}

/** A fault of the whole input. */
function atRoot(
  name: string,
  level: Fault["level"],
  change: (sample: Sample, pick: Pick) => JsonValue | undefined,
): Fault {
  return {
    name,
    level,
    inject(sample, pick) {
      const raw = change(sample, pick);
      if (raw === undefined) return undefined;
      return { raw, meant: level === "never" ? undefined : sample.input };
    },
  };
}

const isType =
  (...types: string[]) =>
  ({ schema, value }: Spot): boolean =>
    types.includes(String(schema.type)) &&
    schema.enum === undefined &&
    isOfType(value, String(schema.type));

function isOfType(value: JsonValue, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  return typeof value === (type === "integer" ? "number" : type);
}

const isNumber = isType("number", "integer");
const isText = isType("string");
const isList = (spot: Spot): spot is Spot & { value: JsonValue[] } =>
  isType("array")(spot) && Array.isArray(spot.value);
const isChoice = ({ schema, value }: Spot): boolean =>
  Array.isArray(schema.enum) && typeof value === "string";
const isNested = (spot: Spot): boolean =>
  spot.path !== "" && isJsonObject(spot.value) && isType("object")(spot);
const itemType = ({ schema }: Spot): string =>
  isJsonObject(schema.items) ? String((schema.items as JsonObject).type) : "";
const hasRequired = ({ schema }: Sample): boolean => requiredOf(schema).length > 0;

const snake = (key: string): string =>
  key
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
const camel = (key: string): string =>
  snake(key).replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
const pascal = (key: string): string =>
  camel(key).replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** Drops, doubles or swaps a letter that is not the first of a word. */
export function misspell(text: string, pick: Pick): string | undefined {
  const spots = [...text.matchAll(/(?<=[A-Za-z]{2})[a-z](?=[a-z]{2})/g)].map(({ index }) => index);
  const at = oneOf(spots, pick);
  if (at === undefined) return undefined;
  const [letter, next] = [text[at] ?? "", text[at + 1] ?? ""];
  const ways = [text.slice(0, at), letter + text.slice(at), next + letter + text.slice(at + 2)];
  const made = [
    `${ways[0]}${text.slice(at + 1)}`,
    `${text.slice(0, at)}${ways[1]}`,
    `${text.slice(0, at)}${ways[2]}`,
  ][pick(3)];
  return made === text ? undefined : made;
}

const python = (value: JsonValue): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string")
    return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => python(item as JsonValue)).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([key, item]) => `${python(key)}: ${python(item as JsonValue)}`)
      .join(", ")}}`;
  return String(value);
};

/** The kinds of faults, and the lowest level that repairs each. */
export const faults: readonly Fault[] = [
  // Envelopes
  ...["input", "args", "arguments", "parameters", "params", "kwargs", "tool_input"].map((key) =>
    atRoot(`envelope ${key}`, "safe", (sample) =>
      hasRequired(sample) && !Object.hasOwn(propertiesOf(sample.schema), key)
        ? { [key]: sample.input }
        : undefined,
    ),
  ),
  atRoot("whole call", "safe", (sample) =>
    hasRequired(sample) ? { name: sample.toolName, arguments: sample.input } : undefined,
  ),
  atRoot("whole call, arguments as text", "safe", (sample) =>
    hasRequired(sample)
      ? { name: sample.toolName, arguments: JSON.stringify(sample.input) }
      : undefined,
  ),
  atRoot("envelope of the tool's name", "safe", (sample) =>
    hasRequired(sample) ? { [sample.toolName]: sample.input } : undefined,
  ),
  atRoot("schema filled in", "never", (sample) =>
    hasRequired(sample) ? { type: "object", properties: sample.input } : undefined,
  ),
  atRoot("list around it", "safe", (sample) => [sample.input]),
  atRoot("encoded twice", "safe", (sample) => JSON.stringify(JSON.stringify(sample.input))),
  atRoot("encoded three times", "safe", (sample) =>
    JSON.stringify(JSON.stringify(JSON.stringify(sample.input))),
  ),
  atRoot("bare value", "safe", ({ schema, input }) => {
    const [key, ...others] = requiredOf(schema);
    const value = key === undefined ? undefined : input[key];
    const isOnly = others.length === 0 && Object.keys(input).length === 1;
    return isOnly && value !== undefined && !isJsonObject(value) ? value : undefined;
  }),
  atRoot("keys that spell out a path", "safe", ({ schema, input }) => {
    const entries = Object.entries(input).map(([key, value]) => {
      const isPlain = isJsonObject(value) && !/[./]/.test(key) && Object.keys(value).length > 0;
      return isPlain && requiredOf(schema).includes(key)
        ? Object.entries(value as JsonObject).map(
            ([inner, item]) => [`${key}.${inner}`, item] as const,
          )
        : undefined;
    });
    if (entries.every((entry) => entry === undefined)) return undefined;
    return Object.fromEntries(
      Object.entries(input).flatMap<readonly [string, unknown]>(
        (entry, index) => entries[index] ?? [entry],
      ),
    ) as JsonObject;
  }),
  atRoot("fields one level too high", "eager", ({ schema, input }) => {
    const found = Object.entries(input).find(
      ([key, value]) =>
        isJsonObject(value) &&
        requiredOf(schema).includes(key) &&
        Object.keys(value).length > 0 &&
        Object.keys(value).every((inner) => !Object.hasOwn(propertiesOf(schema), inner)),
    );
    if (found === undefined) return undefined;
    const { [found[0]]: _, ...others } = input;
    return { ...others, ...(found[1] as JsonObject) };
  }),
  atRoot("fields one level too deep", "never", ({ schema, input }, pick) => {
    const key = oneOf(requiredOf(schema), pick);
    const value = key === undefined ? undefined : input[key];
    if (key === undefined || value === undefined) return undefined;
    const { [key]: _, ...others } = input;
    return Object.hasOwn(propertiesOf(schema), "details")
      ? undefined
      : { ...others, details: { [key]: value } };
  }),

  // Keys
  atKey("key capitalised", "safe", (key) => pascal(key)),
  atKey("key in upper case", "safe", (key) => key.toUpperCase()),
  atKey("key in camel case", "safe", (key) => camel(key)),
  atKey("key in snake case", "safe", (key) => snake(key)),
  atKey("key in kebab case", "safe", (key) => snake(key).replaceAll("_", "-")),
  atKey("key with a space behind", "safe", (key) => `${key} `),
  atKey("key in quotes", "safe", (key) => `"${key}"`),
  atKey("key with a colon behind", "safe", (key) => `${key}:`),
  atKey("key with a control token", "safe", (key) => `${key}<|"|>`),
  atKey("key misspelt", "eager", (key, pick) => misspell(key, pick)),
  atKey("key in the plural", "eager", (key) => (key.length >= 5 ? `${key}s` : undefined)),
  atKey(
    "key with text behind",
    "eager",
    (key) => `${key}" mode="json`,
    (key, schema) => requiredOf(schema).includes(key),
  ),
  atKey(
    "another word for the key of a shape that no other has",
    "never",
    (_, pick) => ["thing", "object_of_interest", "what", "stuff"][pick(4)],
    (key, schema) => requiredOf(schema).includes(key) && isOnlyShape(key, schema),
  ),
  atKey(
    "another word for the key of text, a number or a flag",
    "never",
    (_, pick) => ["thing", "object_of_interest", "what", "stuff"][pick(4)],
    (key, schema) =>
      requiredOf(schema).includes(key) &&
      ["string", "number", "integer", "boolean"].includes(
        String(propertiesOf(schema)[key]?.type),
      ) &&
      propertiesOf(schema)[key]?.enum === undefined &&
      propertiesOf(schema)[key]?.default === undefined,
  ),
  {
    name: "key that the schema forbids",
    level: "safe",
    inject(sample, pick) {
      const closed = spotsOf(sample).filter(
        ({ value, schema }) => isJsonObject(value) && schema.additionalProperties === false,
      );
      const spot = oneOf(closed, pick);
      const name = ["_thinking", "my_reasoning", "chain_of_thought"][pick(3)] ?? "";
      if (spot === undefined) return undefined;
      const value = {
        ...(spot.value as JsonObject),
        [name]: "They asked for this, so here it is.",
      };
      return { raw: put(sample.input, spot.path, value), meant: sample.input };
    },
  },

  // Types
  atValue("number as text", "safe", isNumber, ({ value }) => String(value)),
  atValue("number as text with spaces", "safe", isNumber, ({ value }) => ` ${value} `),
  atValue("integer as text with .0", "safe", isType("integer"), ({ value }) => `${value}.0`),
  atValue(
    "number with one separator",
    "never",
    (spot) => isNumber(spot) && /^-?\d+,\d+$/.test(Number(spot.value).toLocaleString("en-US")),
    ({ value }) => Number(value).toLocaleString("en-US"),
  ),
  atValue(
    "amount of money in a currency that the schema does not speak of",
    "never",
    (spot) => isNumber(spot) && Number(spot.value) >= 0,
    ({ value }) => `$${value}`,
  ),
  atValue("boolean as text", "safe", isType("boolean"), ({ value }) => String(value)),
  atValue("boolean as Python", "safe", isType("boolean"), ({ value }) => python(value)),
  atValue("boolean in upper case", "safe", isType("boolean"), ({ value }) =>
    String(value).toUpperCase(),
  ),
  atValue("boolean as yes or no", "eager", isType("boolean"), ({ value }) =>
    value ? "yes" : "no",
  ),
  atValue("boolean as 1 or 0", "eager", isType("boolean"), ({ value }) => (value ? 1 : 0)),
  atValue(
    "number for text",
    "safe",
    (spot) =>
      isText(spot) &&
      String(Number(spot.value)) === spot.value &&
      Number.isSafeInteger(Number(spot.value)),
    ({ value }) => Number(value),
  ),

  // Nothing
  {
    name: "null where nothing need be",
    level: "safe",
    inject: (sample, pick) => withAbsent(sample, pick, null, () => true),
  },
  ...["null", "undefined", ""].map(
    (text): Fault => ({
      name: `"${text}" where nothing need be`,
      level: "safe",
      inject: (sample, pick) =>
        withAbsent(
          sample,
          pick,
          text,
          (part) =>
            ["number", "integer", "boolean", "object", "array"].includes(String(part.type)) ||
            (Array.isArray(part.enum) &&
              !part.enum.some((value) => String(value).toLowerCase() === text.toLowerCase())),
        ),
    }),
  ),
  {
    name: '"None" where nothing need be',
    level: "safe",
    inject: (sample, pick) =>
      withAbsent(
        sample,
        pick,
        "None",
        // It could be one more of the choices, and with a default it means a value.
        (part) =>
          part.default === undefined &&
          part.enum === undefined &&
          ["number", "integer", "boolean", "object", "array"].includes(String(part.type)),
      ),
  },
  {
    name: "default left out",
    level: "eager",
    inject(sample, pick) {
      const spots = spotsOf(sample).filter(
        ({ schema, value, isProperty, isRequired }) =>
          isProperty && isRequired && schema.default !== undefined && schema.default === value,
      );
      const spot = oneOf(spots, pick);
      if (spot === undefined) return undefined;
      return { raw: put(sample.input, spot.path, undefined), meant: sample.input };
    },
  },

  // Lists
  atValue(
    "lone value for a list",
    "safe",
    (spot) => isList(spot) && spot.value.length === 1 && isPlainItem(spot.value[0]),
    ({ value }) => (value as JsonValue[])[0],
  ),
  atValue("list as JSON text", "safe", isList, ({ value }) => JSON.stringify(value)),
  atValue("list as Python", "safe", isList, ({ value }) => python(value)),
  atValue("list encoded twice", "safe", isList, ({ value }) =>
    JSON.stringify(JSON.stringify(value)),
  ),
  atValue("list of words as one text", "eager", isPlainWordList, ({ value }) =>
    (value as string[]).join(", "),
  ),
  atValue("list as lines", "eager", isWordList, ({ value }) => (value as string[]).join("\n")),
  atValue(
    "list of numbers as one text",
    "eager",
    (spot) =>
      isList(spot) && spot.value.length > 1 && ["number", "integer"].includes(itemType(spot)),
    ({ value }) => (value as number[]).join(", "),
  ),
  atValue(
    "list under item",
    "safe",
    (spot) => isList(spot) && spot.value.length > 1,
    ({ value }) => ({ item: value }),
  ),
  atValue(
    "list with numbered keys",
    "safe",
    // Numbered keys may be the number of each.
    (spot) =>
      isList(spot) && spot.value.length > 0 && spot.value.every((item) => typeof item !== "number"),
    ({ value }) => Object.fromEntries((value as JsonValue[]).entries()) as JsonObject,
  ),
  atValue(
    "list in a list",
    "safe",
    (spot) => isList(spot) && spot.value.length > 0 && itemType(spot) !== "array",
    ({ value }) => [value],
  ),
  atValue(
    "columns for rows",
    "never",
    (spot) => isList(spot) && spot.value.length > 1 && isTable(spot.value),
    ({ value }) => columnsOf(value as JsonObject[]),
  ),
  atValue(
    "elements as JSON text",
    "safe",
    (spot) => isList(spot) && spot.value.length > 0 && !["string", ""].includes(itemType(spot)),
    ({ value }) => (value as JsonValue[]).map((item) => JSON.stringify(item)),
  ),
  atValue(
    "value in a list",
    "safe",
    (spot) => isNumber(spot) || isType("boolean")(spot) || isChoice(spot),
    ({ value }) => [value],
  ),
  atValue(
    "text in a list",
    "eager",
    (spot) =>
      isText(spot) &&
      !/\b(list|array|json|multiple|set)/i.test(String(spot.schema.description ?? "")),
    ({ value }) => [value],
  ),

  // Choices
  atValue("choice in another case", "safe", isChoice, ({ value, schema }) =>
    unlessChoice(flipCase(String(value)), schema),
  ),
  atValue("choice with spaces", "safe", isChoice, ({ value, schema }) =>
    unlessChoice(String(value).replace(/[_-]/g, " "), schema),
  ),
  atValue("choice with underscores", "safe", isChoice, ({ value, schema }) =>
    unlessChoice(String(value).replace(/[\s-]/g, "_"), schema),
  ),
  atValue("choice in quotes", "safe", isChoice, ({ value }) => `"${value}"`),
  atValue("choice with spaces around", "safe", isChoice, ({ value }) => ` ${value} `),
  atValue("choice misspelt", "eager", isChoice, ({ value, schema }, _, pick) => {
    const wrong = misspell(String(value), pick);
    return wrong === undefined ? undefined : unlessChoice(wrong, schema);
  }),

  // Nesting
  atValue("object as JSON text", "safe", isNested, ({ value }) => JSON.stringify(value)),
  atValue("object as Python", "safe", isNested, ({ value }) => python(value)),
  atValue("object encoded twice", "safe", isNested, ({ value }) =>
    JSON.stringify(JSON.stringify(value)),
  ),
  atValue("object in a list", "safe", isNested, ({ value }) => [value]),
  atValue("all values as text", "safe", isNested, ({ value, schema }) => {
    const entries = Object.entries(value as JsonObject).map(([key, item]) => {
      const type = String(propertiesOf(schema)[key]?.type);
      return ["number", "integer", "boolean"].includes(type) ? [key, String(item)] : [key, item];
    });
    const texts: JsonObject = Object.fromEntries(entries);
    return JSON.stringify(texts) === JSON.stringify(value) ? undefined : texts;
  }),

  // Faults that must be rejected
  {
    name: "required value missing",
    level: "never",
    inject(sample, pick) {
      const spots = spotsOf(sample).filter(
        ({ isRequired, isProperty, schema }) =>
          isRequired && isProperty && schema.default === undefined && schema.const === undefined,
      );
      const spot = oneOf(spots, pick);
      if (spot === undefined) return undefined;
      return { raw: put(sample.input, spot.path, undefined), meant: undefined };
    },
  },
  atValue(
    "null for a required value",
    "never",
    (spot) =>
      spot.isProperty &&
      spot.isRequired &&
      spot.schema.default === undefined &&
      spot.schema.type !== "null",
    () => null,
  ),
  atValue("boolean for a number", "never", isNumber, () => true),
  atValue("number in words around it", "never", isNumber, ({ value }) => `${value} items`),
  atValue("number with a unit", "never", isNumber, ({ value }) => `${value}km`),
  atValue("percentage", "never", isNumber, ({ value }) => `${value}%`),
  atValue("range for a number", "never", isNumber, ({ value }) => `${value}-${Number(value) + 10}`),
  atValue("number in words", "never", isNumber, () => "twelve"),
  atValue(
    "fraction for an integer",
    "never",
    isType("integer"),
    ({ value }) => Number(value) + 0.5,
  ),
  atValue(
    "fraction as text for an integer",
    "never",
    isType("integer"),
    ({ value }) => `${value}.5`,
  ),
  atValue(
    "id for an integer",
    "never",
    isType("integer"),
    ({ value }) => `00${Math.abs(Number(value))}`,
  ),
  atValue("word for a boolean", "never", isType("boolean"), () => "maybe"),
  atValue("number for a boolean", "never", isType("boolean"), () => 2),
  atValue("contrary of a choice", "never", isChoice, ({ value }) => `not ${value}`),
  atValue("part of a choice", "never", isChoice, ({ value, schema }) =>
    unlessChoice(String(value).slice(0, 2), schema),
  ),
  atValue("unknown choice", "never", isChoice, () => "qwertz"),
  atValue("object for text", "never", isText, () => ({ foo: "a", bar: "b" })),
  atValue(
    "list for text",
    "never",
    (spot) => isText(spot) && spot.isProperty,
    () => ["a", "b"],
  ),
  atValue(
    "one element that cannot be",
    "never",
    (spot) =>
      isList(spot) && spot.value.length > 1 && ["number", "integer"].includes(itemType(spot)),
    ({ value }, _, pick) =>
      (value as JsonValue[]).with(pick((value as JsonValue[]).length), "n/a or so"),
  ),
  atValue(
    "null in a list",
    "never",
    (spot) => isList(spot) && spot.value.length > 0,
    ({ value }) => [...(value as JsonValue[]), null],
  ),
  atRoot("text that was cut off", "never", ({ input }, pick) => {
    const text = JSON.stringify(input);
    const inside = [...text.matchAll(/"[^"\\]{3,}"/g)].map(({ index }) => index + 3);
    const at = oneOf(inside, pick);
    return at === undefined ? undefined : text.slice(0, at);
  }),
  atRoot("two inputs", "never", ({ input }) =>
    Object.keys(input).length === 0
      ? undefined
      : `${JSON.stringify(input)}${JSON.stringify({ ...input, x: 1 })}`,
  ),
  atRoot("list of two inputs", "never", ({ input }) => [input, { ...input, x: 1 }]),
  atRoot("call of another tool", "never", (sample) =>
    hasRequired(sample) ? { name: "something_else", arguments: sample.input } : undefined,
  ),
];

/** Names that tell several fields apart: a shape gives no evidence of them. */
const SIDES = ["maxResults", "recipients", "passengers", "start_date"];

/** Whether a field takes a list or an object, and no other field of its schema does. */
function isOnlyShape(key: string, schema: JsonObject): boolean {
  if (SIDES.includes(key)) return false;
  const kind = propertiesOf(schema)[key]?.type;
  const others = Object.entries(propertiesOf(schema)).filter(([name]) => name !== key);
  return (
    (kind === "array" || kind === "object") &&
    others.every(([, { type }]) => type !== "array" && type !== "object" && type !== undefined)
  );
}

function isWordList(spot: Spot): boolean {
  return (
    isList(spot) &&
    spot.value.length > 1 &&
    itemType(spot) === "string" &&
    spot.value.every(
      (item) => /^[\w][\w ]*[\w]$/.test(String(item)) && String(item).split(" ").length < 5,
    )
  );
}

/** Not a pair of names, which may be one, nor numbers beside words, which may be a date. */
function isPlainWordList(spot: Spot): boolean {
  if (!isWordList(spot)) return false;
  const words = (spot.value as JsonValue[]).map(String);
  const numbers = words.filter((word) => /^\d+$/.test(word));
  const isPairOfNames = words.length === 2 && words.every((word) => /^\p{Lu}/u.test(word));
  return !isPairOfNames && (numbers.length === 0 || numbers.length === words.length);
}

function isPlainItem(item: JsonValue | undefined): boolean {
  if (isJsonObject(item)) return Object.keys(item).length > 0;
  if (typeof item === "string")
    return (
      item.trim() !== "" &&
      !/[[{,;|\n]/.test(item) &&
      !/^(null|none|undefined|nil|n\/a)$/i.test(item)
    );
  return item !== null && item !== undefined && !Array.isArray(item);
}

function isTable(rows: readonly JsonValue[]): rows is JsonObject[] {
  const [first] = rows;
  if (!isJsonObject(first)) return false;
  const keys = Object.keys(first).join();
  return (
    Object.keys(first).length > 1 &&
    rows.every((row) => isJsonObject(row) && Object.keys(row).join() === keys) &&
    Object.values(first).every((cell) => cell === null || typeof cell !== "object")
  );
}

function columnsOf(rows: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((key) => [key, rows.map((row) => row[key] as JsonValue)]),
  );
}

function flipCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}

function unlessChoice(text: string, { enum: choices }: JsonObject): string | undefined {
  return Array.isArray(choices) && choices.includes(text) ? undefined : text;
}

function withAbsent(
  sample: Sample,
  pick: Pick,
  value: JsonValue,
  test: (part: JsonObject) => boolean,
): Injected | undefined {
  const absent = spotsOf(sample).flatMap(({ path, value: object, schema }) =>
    isJsonObject(object)
      ? Object.entries(propertiesOf(schema))
          .filter(
            ([key, part]) =>
              !Object.hasOwn(object, key) &&
              !requiredOf(schema).includes(key) &&
              part.type !== "null" &&
              !Array.isArray(part.type) &&
              part.type !== undefined &&
              test(part),
          )
          .map(([key]) => ({ path, key, object: object as JsonObject }))
      : [],
  );
  const spot = oneOf(absent, pick);
  if (spot === undefined) return undefined;
  const raw = put(sample.input, spot.path, { ...spot.object, [spot.key]: value });
  return { raw, meant: sample.input };
}
