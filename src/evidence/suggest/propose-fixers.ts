import { toPointer } from "../../repair/json/json-pointer.ts";
import { isJsonObject, isPollutingKey, jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../../repair/types.ts";
import type { FixerCall } from "./fixer-call.ts";
import { choicesAt } from "./schema-at.ts";

/** The most elements of one list that are compared. */
const MAX_ITEMS = 20;

/** The most keys that an object has, and the other has not, that are compared. */
const MAX_KEYS = 20;

/** The deepest place that is compared. */
const MAX_DEPTH = 8;

const SEPARATORS = [",", ";", "|", "\n", "/", " "] as const;

/**
 * Reads off a pair which fixers could be on the way from the one to the other. Each is a guess about
 * one place: whether it helps is for the pipeline to say.
 *
 * @param value What was refused, parsed.
 * @param meant What took its place.
 * @param schema The tool's schema: a value is only mapped to one of its choices.
 * @returns The fixers, the same for the same pair, none twice.
 */
export function proposeFixers(
  value: JsonValue,
  meant: JsonValue,
  schema: JsonSchema,
): readonly FixerCall[] {
  const found = new Map<string, FixerCall>();
  const add = (call: FixerCall) => found.set(JSON.stringify(call), call);
  compare(value, meant, { at: "", depth: 0, schema, add });
  return [...found.values()];
}

interface Comparing {
  readonly at: string;
  readonly depth: number;
  readonly schema: JsonSchema;
  readonly add: (call: FixerCall) => void;
}

function compare(value: JsonValue, meant: JsonValue, comparing: Comparing): void {
  if (jsonEquals(value, meant) || comparing.depth > MAX_DEPTH) return;
  const { at, add } = comparing;
  if (typeof value === "string") compareText(value, meant, comparing);
  if (isJsonObject(meant) && !isJsonObject(value) && value !== null && value !== "") {
    for (const [key, one] of Object.entries(meant)) {
      const isIt = Object.keys(meant).length === 1 || isSame(one, value);
      if (isIt) add({ fixer: "wrapValue", key, at });
    }
  }
  if (isJsonObject(value)) {
    const [key, ...others] = Object.keys(value);
    const isEnvelope = key !== undefined && others.length === 0;
    const isKept = isJsonObject(meant) && Object.hasOwn(meant, key ?? "");
    if (isEnvelope && !isKept) add({ fixer: "unwrapKey", key, at });
  }
  if (isJsonObject(value) && isJsonObject(meant)) compareObjects(value, meant, comparing);
  else if (Array.isArray(value) && Array.isArray(meant)) compareLists(value, meant, comparing);
  else if (isLeaf(value) && isLeaf(meant)) compareScalars(value, meant, comparing);
}

function compareLists(
  value: readonly JsonValue[],
  meant: readonly JsonValue[],
  comparing: Comparing,
): void {
  if (value.length !== meant.length) return;
  const inside = { ...comparing, at: `${comparing.at}/*`, depth: comparing.depth + 1 };
  for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
    compare(item, meant[index] as JsonValue, inside);
  }
}

function compareText(text: string, meant: JsonValue, { at, add }: Comparing): void {
  if (/^\s*[[{"]/.test(text)) add({ fixer: "parseJson", at });
  if (!Array.isArray(meant)) return;
  const separator = SEPARATORS.find((sign) => {
    const parts = text.split(sign).map((part) => part.trim());
    return (
      parts.length > 1 &&
      jsonEquals(
        parts.filter((part) => part !== ""),
        meant,
      )
    );
  });
  if (separator !== undefined) add({ fixer: "splitList", at, separator });
}

function compareObjects(value: JsonObject, meant: JsonObject, comparing: Comparing): void {
  const { at, depth, add } = comparing;
  const extra = keysWithout(value, meant);
  const missing = keysWithout(meant, value);
  if (extra.some((key) => value[key] === null)) add({ fixer: "dropNulls" });
  for (const from of extra) {
    for (const to of missing) {
      const isOnly = extra.length === 1 && missing.length === 1;
      if (isOnly || isSame(value[from] as JsonValue, meant[to] as JsonValue)) {
        add({ fixer: "renameKey", from, to, at });
      }
    }
  }
  for (const key of missing) {
    const given = meant[key] as JsonValue;
    if (isLeaf(given)) add({ fixer: "setDefault", at: at + toPointer([key]), value: given });
  }
  for (const [key, one] of Object.entries(value)) {
    if (!Object.hasOwn(meant, key)) continue;
    const inside = { ...comparing, at: at + toPointer([key]), depth: depth + 1 };
    compare(one, meant[key] as JsonValue, inside);
  }
}

function keysWithout(object: JsonObject, other: JsonObject): readonly string[] {
  const keys = Object.keys(object).filter((key) => !Object.hasOwn(other, key));
  return keys.slice(0, MAX_KEYS);
}

function compareScalars(value: JsonValue, meant: JsonValue, comparing: Comparing): void {
  const { at, schema, add } = comparing;
  if (typeof value !== typeof meant && value !== null && meant !== null) {
    const type = typeof meant as "string" | "number" | "boolean";
    const isWhole = type === "number" && Number.isInteger(meant);
    add({ fixer: "coerceTo", at, type: isWhole ? "integer" : type });
  }
  const from = String(value);
  if (value === null || from.length > 200 || isPollutingKey(from)) return;
  const choices = choicesAt(schema, at);
  if (choices === undefined || choices.includes(value) || !choices.includes(meant)) return;
  add({ fixer: "mapValue", at, mapping: { [from]: meant } });
}

function isLeaf(value: JsonValue): boolean {
  return value === null || typeof value !== "object";
}

/** Whether two values are the same, but perhaps for the type that they are written in. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  if (jsonEquals(one, other)) return true;
  if (one === null || other === null || !isLeaf(one) || !isLeaf(other)) return false;
  return String(one).trim() === String(other).trim();
}
