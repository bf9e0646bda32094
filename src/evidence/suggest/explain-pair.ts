import { toPointer } from "../../repair/json/json-pointer.ts";
import { isJsonObject, isPollutingKey, jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import { type FixerCall, roleOf, runFixerCall } from "./fixer-call.ts";

/** Steps from a refused input to its correction, in the order in which they are taken. */
export type Way = readonly FixerCall[];

/** The most steps that one mistake may take. */
const MAX_STEPS = 3;

/** The most inputs, changed by one step more, that are looked at. */
const MAX_STATES = 40;

/** The most elements of a list, and keys of an object, that are compared; the deepest place. */
const MAX_ITEMS = 20;
const MAX_KEYS = 20;
const MAX_DEPTH = 8;

const SEPARATORS = [",", ";", "|", "\n", "/", " "] as const;

/** Finds the fewest steps that turn a refused input into what replaced it. */
export function explainPair(value: JsonValue, meant: JsonValue): readonly Way[] {
  const seen = new Set([JSON.stringify(value)]);
  let states: { readonly value: JsonValue; readonly way: Way }[] = [{ value, way: [] }];
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const ways: { readonly way: Way; readonly rank: number }[] = [];
    const next: typeof states = [];
    for (const state of states) {
      for (const call of proposeSteps(state.value, meant)) {
        const changed = runFixerCall(call, state.value);
        if (changed === undefined) continue;
        const text = JSON.stringify(changed);
        const way = [...state.way, call];
        // Several single steps to one result are rivals; longer ways to it are only detours.
        if (holdsAll(changed, meant)) ways.push({ way, rank: rankOf(way, changed, meant) });
        else if (!seen.has(text) && next.length < MAX_STATES) next.push({ value: changed, way });
        seen.add(text);
      }
    }
    const best = Math.min(...ways.map(({ rank }) => rank));
    const likely = ways.filter(({ rank }) => rank === best).map(({ way }) => way);
    if (likely.length > 0) return withoutReordered(likely);
    states = next;
  }
  return [];
}

/** A key that was left over, and a value that nobody wrote, are less likely than one that was moved. */
function rankOf(way: Way, result: JsonValue, meant: JsonValue): number {
  const isMade = way.some((call) => roleOf(call) === "says");
  return (jsonEquals(result, meant) ? 0 : 2) + (isMade ? 1 : 0);
}

/** Takes the steps of a way, one after the other; `undefined` where one of them changes nothing. */
export function takeWay(way: Way, value: JsonValue): JsonValue | undefined {
  let result: JsonValue | undefined = value;
  for (const call of way) result = result === undefined ? undefined : runFixerCall(call, result);
  return result;
}

/** Whether a value is the one that was meant, but for keys that were left out as undeclared. */
export function holdsAll(value: JsonValue, meant: JsonValue): boolean {
  if (jsonEquals(value, meant)) return true;
  if (Array.isArray(value) && Array.isArray(meant)) {
    const others: readonly JsonValue[] = meant;
    return (
      value.length === others.length &&
      value.every((item, index) => holdsAll(item, others[index] as JsonValue))
    );
  }
  if (!isJsonObject(value) || !isJsonObject(meant)) return false;
  const given = value as JsonObject;
  return Object.entries(meant as JsonObject).every(
    ([key, one]) => Object.hasOwn(given, key) && holdsAll(given[key] as JsonValue, one),
  );
}

/** The same steps in another order are the same way. */
function withoutReordered(ways: readonly Way[]): readonly Way[] {
  const known = new Map<string, Way>();
  for (const way of ways) {
    const key = way
      .map((call) => JSON.stringify(call))
      .sort()
      .join();
    if (!known.has(key)) known.set(key, way);
  }
  return [...known.values()];
}

/** Reads off a pair which steps could be on the way: each is a guess about one place. */
function proposeSteps(value: JsonValue, meant: JsonValue): readonly FixerCall[] {
  const found = new Map<string, FixerCall>();
  const add: Comparing["add"] = (fixer, at, ...args) => {
    const call = { fixer, args, at };
    found.set(JSON.stringify(call), call);
  };
  compare(value, meant, { at: "", depth: 0, add });
  return [...found.values()];
}

interface Comparing {
  readonly at: string;
  readonly depth: number;
  readonly add: (fixer: FixerCall["fixer"], at: string, ...args: readonly JsonValue[]) => void;
}

function compare(value: JsonValue, meant: JsonValue, comparing: Comparing): void {
  if (holdsAll(value, meant) || comparing.depth > MAX_DEPTH) return;
  const { at, add } = comparing;
  if (typeof value === "string") compareText(value, meant, comparing);
  if (isJsonObject(meant) && !isJsonObject(value) && value !== null && value !== "") {
    for (const [key, one] of Object.entries(meant)) {
      const isOnly = Object.keys(meant).length === 1;
      if (isOnly || isSame(one as JsonValue, value)) add("wrapValue", at, key);
    }
  }
  if (isJsonObject(value)) {
    const [key = "", ...others] = Object.keys(value);
    const isKept = isJsonObject(meant) && Object.hasOwn(meant, key);
    if (others.length === 0 && key !== "" && !isKept) add("unwrapKey", at, key);
  }
  if (isJsonObject(value) && isJsonObject(meant)) {
    compareObjects(value as JsonObject, meant as JsonObject, comparing);
  } else if (Array.isArray(value) && Array.isArray(meant)) {
    const others: readonly JsonValue[] = meant;
    if (value.length !== others.length) return;
    const inside = { ...comparing, at: `${at}/*`, depth: comparing.depth + 1 };
    for (const [index, item] of value.slice(0, MAX_ITEMS).entries()) {
      compare(item, others[index] as JsonValue, inside);
    }
  } else if (isScalar(value) && isScalar(meant)) compareScalars(value, meant, comparing);
}

function compareText(text: string, meant: JsonValue, { at, add }: Comparing): void {
  if (/^\s*[[{"]/.test(text)) add("parseJson", at);
  if (!Array.isArray(meant)) return;
  const separator = SEPARATORS.find((sign) => {
    const parts = text.split(sign).map((part) => part.trim());
    const items = parts.filter((part) => part !== "");
    return parts.length > 1 && jsonEquals(items, meant);
  });
  if (separator !== undefined) add("splitList", at, separator);
}

function compareObjects(value: JsonObject, meant: JsonObject, comparing: Comparing): void {
  const { at, depth, add } = comparing;
  const extra = keysWithout(value, meant);
  const missing = keysWithout(meant, value);
  for (const from of extra) {
    for (const to of missing) {
      const isOnly = extra.length === 1 && missing.length === 1;
      if (isOnly || isSame(value[from] as JsonValue, meant[to] as JsonValue)) {
        add("renameKey", at, from, to);
      }
    }
  }
  for (const key of missing) {
    const given = meant[key] as JsonValue;
    if (isScalar(given)) add("fill", at + toPointer([key]), given);
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

function compareScalars(value: JsonValue, meant: JsonValue, { at, add }: Comparing): void {
  if (value === null || meant === null) return;
  if (typeof value !== typeof meant) {
    const type = typeof meant as "string" | "number" | "boolean";
    const isWhole = type === "number" && Number.isInteger(meant);
    add("coerceTo", at, isWhole ? "integer" : type);
  }
  const from = String(value);
  if (from.length > 100 || isPollutingKey(from)) return;
  add("mapValue", at, from, meant);
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== "object";
}

/** Whether two values are the same, but perhaps for the type that they are written in. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  if (jsonEquals(one, other)) return true;
  if (one === null || other === null || !isScalar(one) || !isScalar(other)) return false;
  return String(one).trim() === String(other).trim();
}
