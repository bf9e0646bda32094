import { isJsonObject } from "../json/json-value.ts";
import type { Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue, Repair } from "../types.ts";
import type { EditName } from "./edits/edit.ts";
import { opensContainer } from "./edits/parse-text.ts";
import type { Place, Run } from "./place.ts";

/** An object whose keys are being put right. */
export interface Keyed {
  readonly object: JsonObject;
  readonly cost: number;
  readonly changes: readonly Repair[];
}

/** What a step needs to know of an object's keys. */
export interface KeyWant {
  readonly variant: Variant;
  /** The branches of the union that this is one of, itself included. */
  readonly branches: readonly Variant[];
  readonly place: Place;
  readonly run: Run;
}

/** The required keys that are not there. */
export function missingKeys(object: JsonObject, { required }: Variant): string[] {
  return [...required].filter((key) => !Object.hasOwn(object, key));
}

/** The declared keys that are not there. */
export function absentKeys(object: JsonObject, { properties }: Variant): string[] {
  return [...properties.keys()].filter((key) => !Object.hasOwn(object, key));
}

/** The keys that are there and of which the schema says nothing. */
export function undeclaredKeys(object: JsonObject, variant: Variant): string[] {
  return Object.keys(object).filter((key) => isUndeclared(key, variant));
}

/** Whether the schema says nothing of a key. */
export function isUndeclared(key: string, { keyAt, required }: Variant): boolean {
  return keyAt(key) === undefined && !required.has(key);
}

/** What a key step made of an object, and what it goes by. */
export interface Rekeyed {
  readonly object: JsonObject;
  readonly reason?: string;
}

/** Records one change of the whole object. */
export function rekey(keyed: Keyed, { name, level, cost }: EditName, made: Rekeyed): Keyed {
  const { object: after, reason } = made;
  const change = {
    fixer: name,
    path: "",
    before: keyed.object,
    after,
    level,
    ...(reason === undefined ? {} : { reason }),
  };
  return { object: after, cost: keyed.cost + cost, changes: [...keyed.changes, change] };
}

/** The object with one key called otherwise, in the same order. */
export function withKeyRenamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value]),
  );
}

/** The object without some keys. */
export function withoutKeys(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Whether what is declared here stands inside a value: then it is an envelope, or a row of several. */
export function holdsDeclared(value: JsonValue | undefined, { properties }: Variant): boolean {
  return isJsonObject(value) && Object.keys(value).some((key) => properties.has(key));
}

/** Whether a value holds others, as it is or as text. */
export function isPacked(value: JsonValue | undefined): boolean {
  return isJsonObject(value) || (typeof value === "string" && opensContainer(value));
}
