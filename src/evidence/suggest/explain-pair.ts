import {
  isJsonObject,
  isPollutingKey,
  jsonEquals,
  toPointer,
} from "../../repair/json.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import { type FixerCall, roleOf, runFixerCall } from "./fixer-call.ts";

/** Steps from a rejected input to its correction, in order. */
type Way = readonly FixerCall[];

/** What an input is after the steps of a way. */
interface State {
  readonly value: JsonValue;
  readonly way: Way;
}

/**
 * The most ways that are remembered, steps of a way, inputs changed by one step
 * more, and what is compared.
 */
const MOST = { ways: 200, steps: 3, states: 40, items: 20, keys: 20, depth: 8 };

/** Finds the ways with the fewest steps to a correction. */
export class Explainer {
  /** Most inputs are explained by what explained others. */
  readonly #known: Way[] = [];

  explain(value: JsonValue, meant: JsonValue): readonly Way[] {
    const knownWays = this.#known.filter((way) => leadsTo(way, value, meant));
    if (knownWays.length > 0) return shortest(knownWays);
    const ways = explainPair(value, meant);
    if (this.#known.length < MOST.ways) this.#known.push(...ways);
    return ways;
  }
}

function shortest(ways: readonly Way[]): readonly Way[] {
  const fewest = Math.min(...ways.map((way) => way.length));
  return ways.filter((way) => way.length === fewest);
}

/**
 * Whether each step of a way changes something, and all of them make the
 * correction.
 */
function leadsTo(way: Way, value: JsonValue, meant: JsonValue): boolean {
  let result = value;
  for (const call of way) {
    const changed = runFixerCall(call, result);
    if (changed === undefined) return false;
    result = changed;
  }
  return holdsAll(result, meant);
}

/**
 * Searches for ways step by step; several single steps to one result are
 * rivals, longer ways to it only detours.
 */
function explainPair(value: JsonValue, meant: JsonValue): readonly Way[] {
  const seen = new Set([JSON.stringify(value)]);
  let states: readonly State[] = [{ value, way: [] }];
  for (let steps = 0; steps < MOST.steps; steps++) {
    const reached = states.flatMap((state) => statesAfter(state, meant));
    const goals = reached.filter((state) => holdsAll(state.value, meant));
    if (goals.length > 0) return likeliest(goals, meant);
    states = withoutSeen(reached, seen).slice(0, MOST.states);
  }
  return [];
}

/** The states that one more step leads to. */
function statesAfter(
  { value, way }: State,
  meant: JsonValue,
): readonly State[] {
  const states: State[] = [];
  for (const call of proposeSteps(value, meant, "")) {
    const changed = runFixerCall(call, value);
    if (changed !== undefined)
      states.push({ value: changed, way: [...way, call] });
  }
  return states;
}

function withoutSeen(
  states: readonly State[],
  seen: Set<string>,
): readonly State[] {
  const unseen: State[] = [];
  for (const state of states) {
    const text = JSON.stringify(state.value);
    if (!seen.has(text)) unseen.push(state);
    seen.add(text);
  }
  return unseen;
}

/**
 * The ways of the best rank. The same steps in another order are the same way.
 */
function likeliest(goals: readonly State[], meant: JsonValue): readonly Way[] {
  const ranks = goals.map((goal) => rankOf(goal, meant));
  const best = Math.min(...ranks);
  const ways = new Map<string, Way>();
  for (const [index, { way }] of goals.entries()) {
    const steps = way.map((call) => JSON.stringify(call)).sort();
    const key = steps.join();
    if (ranks[index] === best && !ways.has(key)) ways.set(key, way);
  }
  return [...ways.values()];
}

/**
 * A leftover key, or a value that the model did not write, is less likely than
 * a moved one.
 */
function rankOf({ value, way }: State, meant: JsonValue): number {
  let rank = 0;
  if (!jsonEquals(value, meant)) rank += 2;
  if (way.some((call) => roleOf(call) === "says")) rank += 1;
  return rank;
}

/**
 * Whether a value is the one that was meant, but for keys that were left out as
 * undeclared.
 */
function holdsAll(value: JsonValue, meant: JsonValue): boolean {
  if (Array.isArray(value) && Array.isArray(meant))
    return holdsItems(value, meant);
  if (!isJsonObject(value) || !isJsonObject(meant))
    return jsonEquals(value, meant);
  return Object.entries(meant).every(
    ([key, field]) =>
      Object.hasOwn(value, key) && holdsAll(value[key] as JsonValue, field),
  );
}

function holdsItems(
  items: readonly JsonValue[],
  meant: readonly JsonValue[],
): boolean {
  if (items.length !== meant.length) return false;
  return items.every((item, index) =>
    holdsAll(item, meant[index] as JsonValue),
  );
}

type ProposedSteps = Generator<FixerCall, void, undefined>;

/**
 * Reads off a pair which steps could be on the way: each is a guess about one
 * place.
 */
function* proposeSteps(
  value: JsonValue,
  meant: JsonValue,
  at: string,
): ProposedSteps {
  if (holdsAll(value, meant) || at.split("/").length > MOST.depth + 1) return;
  if (typeof value === "string") yield* stepsOfText(value, meant, at);
  if (isJsonObject(value)) yield* stepsOfEnvelope(value, meant, at);
  else if (isJsonObject(meant)) yield* stepsOfBareValue(value, meant, at);
  yield* stepsBetweenLikes(value, meant, at);
}

/** Steps between two objects, two lists or two scalars. */
function* stepsBetweenLikes(
  value: JsonValue,
  meant: JsonValue,
  at: string,
): ProposedSteps {
  if (isJsonObject(value) && isJsonObject(meant))
    yield* stepsInObject(value, meant, at);
  else if (Array.isArray(value) && Array.isArray(meant))
    yield* stepsInList(value, meant, at);
  else if (isScalar(value) && isScalar(meant))
    yield* stepsOfScalar(value, meant, at);
}

const BEGINS_JSON: ReadonlySet<string> = new Set('[{"');
const SEPARATORS = [",", ";", "|", "\n", "/", " "] as const;

function* stepsOfText(
  text: string,
  meant: JsonValue,
  at: string,
): ProposedSteps {
  if (BEGINS_JSON.has(text.trimStart().charAt(0)))
    yield { fixer: "parseJson", args: [], at };
  const separator = SEPARATORS.find((sign) => isSplit(text, sign, meant));
  if (separator === ",") yield { fixer: "splitList", args: [], at };
  else if (separator !== undefined)
    yield { fixer: "splitList", args: [separator], at };
}

function isSplit(text: string, separator: string, meant: JsonValue): boolean {
  const parts = text.split(separator).map((part) => part.trim());
  const items = parts.filter((part) => part !== "");
  return parts.length > 1 && jsonEquals(items, meant);
}

function* stepsOfEnvelope(
  value: JsonObject,
  meant: JsonValue,
  at: string,
): ProposedSteps {
  const [key = "", ...keysBeside] = Object.keys(value);
  if (key === "" || keysBeside.length > 0) return;
  const isDeclared = isJsonObject(meant) && Object.hasOwn(meant, key);
  if (!isDeclared) yield { fixer: "unwrapKey", args: [key], at };
}

function* stepsOfBareValue(
  value: JsonValue,
  meant: JsonObject,
  at: string,
): ProposedSteps {
  if (value === null || value === "") return;
  const fields = Object.entries(meant);
  for (const [key, field] of fields) {
    if (fields.length === 1 || isSame(field, value))
      yield { fixer: "wrapValue", args: [key], at };
  }
}

function* stepsInList(
  value: readonly JsonValue[],
  meant: readonly JsonValue[],
  at: string,
): ProposedSteps {
  if (value.length !== meant.length) return;
  for (const [index, item] of value.slice(0, MOST.items).entries()) {
    yield* proposeSteps(item, meant[index] as JsonValue, `${at}/*`);
  }
}

function* stepsOfScalar(
  value: JsonValue,
  meant: JsonValue,
  at: string,
): ProposedSteps {
  if (value === null || meant === null) return;
  const type = Number.isInteger(meant) ? "integer" : typeof meant;
  if (typeof value !== typeof meant)
    yield { fixer: "coerceTo", args: [type], at };
  const from = String(value);
  const isKey = from.length <= 100 && !isPollutingKey(from);
  if (isKey) yield { fixer: "mapValue", args: [{ [from]: meant }], at };
}

function* stepsInObject(
  value: JsonObject,
  meant: JsonObject,
  at: string,
): ProposedSteps {
  const extra = fieldsWithout(value, meant);
  const missing = fieldsWithout(meant, value);
  yield* stepsOfMovedFields(extra, missing, at);
  for (const [key, field] of missing) {
    const place = at + toPointer([key]);
    if (isScalar(field)) yield { fixer: "fill", args: [field], at: place };
  }
  for (const [key, field] of Object.entries(value)) {
    if (!Object.hasOwn(meant, key)) continue;
    yield* proposeSteps(field, meant[key] as JsonValue, at + toPointer([key]));
  }
}

type KeyAndValue = readonly [key: string, value: JsonValue];

function* stepsOfMovedFields(
  extra: readonly KeyAndValue[],
  missing: readonly KeyAndValue[],
  at: string,
): ProposedSteps {
  const isOnly = extra.length === 1 && missing.length === 1;
  for (const [from, value] of extra) {
    for (const [to, meant] of missing) {
      if (isOnly || isSame(value, meant))
        yield { fixer: "renameKey", args: [from, to], at };
    }
  }
}

/** The first fields of an object that another has not. */
function fieldsWithout(
  object: JsonObject,
  excluded: JsonObject,
): readonly KeyAndValue[] {
  const fields = Object.entries(object).filter(
    ([key]) => !Object.hasOwn(excluded, key),
  );
  return fields.slice(0, MOST.keys);
}

function isScalar(value: JsonValue): boolean {
  return value === null || typeof value !== "object";
}

/**
 * Whether two values are the same, but perhaps for the type that they are
 * written in.
 */
function isSame(left: JsonValue, right: JsonValue): boolean {
  if (jsonEquals(left, right)) return true;
  if (left === null || right === null || !isScalar(left) || !isScalar(right))
    return false;
  return String(left).trim() === String(right).trim();
}
