import { isJsonObject, isPollutingKey, jsonEquals, toPointer } from "../../repair/json.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import { type FixerCall, roleOf, runFixerCall } from "./fixer-call.ts";

/** Steps from a refused input to its correction, in order. */
type Way = readonly FixerCall[];

/** The most ways that are remembered, steps of a way, inputs changed by one step more, and what is compared. */
const MOST = { ways: 200, steps: 3, states: 40, items: 20, keys: 20, depth: 8 };

/** Finds the ways with the fewest steps to a correction. Most inputs are explained by what explained others. */
export function createExplainer(): (value: JsonValue, meant: JsonValue) => readonly Way[] {
  const known: Way[] = [];
  return (value, meant) => {
    const again = known.filter((way) => {
      const result = takeWay(way, value);
      return result !== undefined && holdsAll(result, meant);
    });
    const ways = again.length > 0 ? again : explainPair(value, meant);
    if (again.length === 0 && known.length < MOST.ways) known.push(...ways);
    const fewest = Math.min(...ways.map((way) => way.length));
    return ways.filter((way) => way.length === fewest);
  };
}

/** Takes the steps of a way, one after the other; `undefined` where one of them changes nothing. */
function takeWay(way: Way, value: JsonValue): JsonValue | undefined {
  let result: JsonValue | undefined = value;
  for (const call of way) result = result === undefined ? undefined : runFixerCall(call, result);
  return result;
}

function explainPair(value: JsonValue, meant: JsonValue): readonly Way[] {
  const seen = new Set([JSON.stringify(value)]);
  let states: { readonly value: JsonValue; readonly way: Way }[] = [{ value, way: [] }];
  for (let steps = 0; steps < MOST.steps; steps++) {
    const ways: { readonly way: Way; readonly rank: number }[] = [];
    const next: typeof states = [];
    for (const state of states) {
      for (const call of proposeSteps(state.value, meant, "")) {
        const changed = runFixerCall(call, state.value);
        if (changed === undefined) continue;
        const text = JSON.stringify(changed);
        const way = [...state.way, call];
        // Several single steps to one result are rivals; longer ways to it are only detours.
        if (holdsAll(changed, meant)) ways.push({ way, rank: rankOf(way, changed, meant) });
        else if (!seen.has(text) && next.length < MOST.states) next.push({ value: changed, way });
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

/** The same steps in another order are the same way. */
function withoutReordered(ways: readonly Way[]): readonly Way[] {
  const found = new Map<string, Way>();
  for (const way of ways) {
    const steps = way.map((call) => JSON.stringify(call)).sort();
    if (!found.has(steps.join())) found.set(steps.join(), way);
  }
  return [...found.values()];
}

/** A leftover key, or a value that the model did not write, is less likely than a moved one. */
function rankOf(way: Way, result: JsonValue, meant: JsonValue): number {
  const isMade = way.some((call) => roleOf(call) === "says");
  return (jsonEquals(result, meant) ? 0 : 2) + (isMade ? 1 : 0);
}

/** Whether a value is the one that was meant, but for keys that were left out as undeclared. */
function holdsAll(value: JsonValue, meant: JsonValue): boolean {
  if (jsonEquals(value, meant)) return true;
  if (Array.isArray(value) && Array.isArray(meant)) {
    const others: readonly JsonValue[] = meant;
    return (
      value.length === others.length &&
      value.every((item, index) => holdsAll(item, others[index] as JsonValue))
    );
  }
  if (!isJsonObject(value) || !isJsonObject(meant)) return false;
  return Object.entries(meant).every(
    ([key, one]) => Object.hasOwn(value, key) && holdsAll(value[key] as JsonValue, one),
  );
}

const SEPARATORS = [",", ";", "|", "\n", "/", " "] as const;

/** Reads off a pair which steps could be on the way: each is a guess about one place. */
function* proposeSteps(
  value: JsonValue,
  meant: JsonValue,
  at: string,
): Generator<FixerCall, void, undefined> {
  if (holdsAll(value, meant) || at.split("/").length > MOST.depth + 1) return;
  const step = (fixer: FixerCall["fixer"], ...args: readonly JsonValue[]) => ({ fixer, args, at });
  if (typeof value === "string") {
    if (/^\s*[[{"]/.test(value)) yield step("parseJson");
    const separator = SEPARATORS.find((sign) => isSplit(value, sign, meant));
    if (separator !== undefined) yield step("splitList", separator);
  }
  if (isJsonObject(meant) && !isJsonObject(value) && value !== null && value !== "") {
    const entries = Object.entries(meant);
    for (const [key, one] of entries) {
      if (entries.length === 1 || isSame(one, value)) yield step("wrapValue", key);
    }
  }
  if (isJsonObject(value)) {
    const [key = "", ...others] = Object.keys(value);
    const isKept = isJsonObject(meant) && Object.hasOwn(meant, key);
    if (others.length === 0 && key !== "" && !isKept) yield step("unwrapKey", key);
  }
  if (isJsonObject(value) && isJsonObject(meant)) yield* proposeInObject(value, meant, at);
  else if (Array.isArray(value) && Array.isArray(meant) && value.length === meant.length) {
    const items: readonly JsonValue[] = value.slice(0, MOST.items);
    for (const [index, item] of items.entries()) {
      yield* proposeSteps(item, meant[index] as JsonValue, `${at}/*`);
    }
  } else if (isScalar(value) && isScalar(meant) && value !== null && meant !== null) {
    const type = Number.isInteger(meant) ? "integer" : typeof meant;
    if (typeof value !== typeof meant) yield step("coerceTo", type);
    const from = String(value);
    if (from.length <= 100 && !isPollutingKey(from)) yield step("mapValue", from, meant);
  }
}

function* proposeInObject(
  value: JsonObject,
  meant: JsonObject,
  at: string,
): Generator<FixerCall, void, undefined> {
  const extra = keysWithout(value, meant);
  const missing = keysWithout(meant, value);
  const isOnly = extra.length === 1 && missing.length === 1;
  for (const from of extra) {
    for (const to of missing) {
      const isMoved = isOnly || isSame(value[from] as JsonValue, meant[to] as JsonValue);
      if (isMoved) yield { fixer: "renameKey", args: [from, to], at };
    }
  }
  for (const key of missing) {
    const given = meant[key] as JsonValue;
    if (isScalar(given)) yield { fixer: "fill", args: [given], at: at + toPointer([key]) };
  }
  for (const [key, one] of Object.entries(value)) {
    if (!Object.hasOwn(meant, key)) continue;
    yield* proposeSteps(one, meant[key] as JsonValue, at + toPointer([key]));
  }
}

function keysWithout(object: JsonObject, other: JsonObject): readonly string[] {
  const keys = Object.keys(object).filter((key) => !Object.hasOwn(other, key));
  return keys.slice(0, MOST.keys);
}

function isSplit(text: string, separator: string, meant: JsonValue): boolean {
  const parts = text.split(separator).map((part) => part.trim());
  const items = parts.filter((part) => part !== "");
  return parts.length > 1 && jsonEquals(items, meant);
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
