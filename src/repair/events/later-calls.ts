// Which later calls of a model correct calls that were rejected.
import { digestOf, isJsonObject, sharesValue } from "../json.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { spacedParts } from "../text.ts";
import type { JsonValue, ToolLike } from "../types.ts";
import type { Correction, RejectedInput } from "./report.ts";

/** A call, as far as it tells whether it corrects another. */
export interface ComparedCall {
  readonly toolName: string;
  /** What the model wrote; `undefined` if it is not known any more. */
  readonly rawToolInput: JsonValue | undefined;
  /** The input that the tool runs with; `undefined` if it does not run. */
  readonly toolInput: JsonValue | undefined;
}

/**
 * The calls of one turn of a model: those that were rejected, and those that
 * ran or will run.
 */
export interface CallsOfTurn<Call extends ComparedCall> {
  readonly refused: readonly Call[];
  readonly accepted: readonly Call[];
}

/**
 * How many turns with rejected calls, and how many calls that ran, are kept:
 * the newest.
 */
const KEPT = { open: 100, ran: 1_000 };

/**
 * The turns of one run, in their order. A later call of the same tool that
 * shares a value with a rejected one corrects it, unless that call ran before.
 * That it stands for the rejected one is likely, not known.
 */
export class LaterCalls<Call extends ComparedCall> {
  /** The rejected calls that nothing has corrected yet, by turn. */
  #open: readonly (readonly Call[])[] = [];
  readonly #ran = new Set<string>();

  /**
   * Takes the next turn, and pairs rejected calls of earlier turns with its
   * calls that correct them. If two rejected calls of one turn, or two new
   * calls, match, none is taken.
   */
  add({
    refused,
    accepted,
  }: CallsOfTurn<Call>): readonly (readonly [refused: Call, by: Call])[] {
    const keyed = accepted.map((call) => ({ call, key: runKeyOf(call) }));
    const fresh = keyed
      .filter(({ key }) => !this.#ran.has(key))
      .map(({ call }) => call);
    const pairs = this.#open.flatMap((open) => pairTurn(open, fresh));
    const isOpen = (call: Call) => !accepted.some((by) => corrects(by, call));
    const left = this.#open.map((open) => open.filter(isOpen));
    this.#open = [...left, refused]
      .filter((open) => open.length > 0)
      .slice(-KEPT.open);
    for (const { key } of keyed) this.#ran.add(key);
    for (const oldest of this.#ran) {
      if (this.#ran.size <= KEPT.ran) break;
      this.#ran.delete(oldest);
    }
    return pairs;
  }
}

function pairTurn<Call extends ComparedCall>(
  open: readonly Call[],
  fresh: readonly Call[],
): readonly (readonly [Call, Call])[] {
  return open.flatMap((refused) => {
    const [by, ...others] = fresh.filter((call) => corrects(call, refused));
    if (by === undefined) return [];
    if (others.length > 0) return [];
    const corrected = open.filter((call) => corrects(by, call));
    if (corrected.length > 1) return [];
    return [[refused, by] as const];
  });
}

function corrects(
  { toolName, toolInput }: ComparedCall,
  refused: ComparedCall,
): boolean {
  const { rawToolInput } = refused;
  if (toolName !== refused.toolName) return false;
  if (rawToolInput === undefined) return false;
  if (toolInput === undefined) return false;
  return sharesValue(rawToolInput, toolInput);
}

/** The key of a call that ran. */
function runKeyOf({ toolName, toolInput }: ComparedCall): string {
  return digestOf(callKey(toolName, toolInput)).hash;
}

/** A call of a model's turn, as the history shows it. */
export interface TurnCall extends ComparedCall {
  readonly id: string | undefined;
}

export type TurnCalls = CallsOfTurn<TurnCall>;

/** Finds which calls of a turn correct rejected calls of earlier turns. */
export async function correctionsBy(
  turn: TurnCalls,
  earlier: readonly TurnCalls[],
  tools: readonly ToolLike[],
): Promise<readonly Correction[]> {
  if (earlier.every(({ refused }) => refused.length === 0)) return [];
  const laterCalls = new LaterCalls<TurnCall>();
  for (const before of earlier) laterCalls.add(before);
  return correctionsOf(laterCalls.add(turn), tools);
}

/** What is reported of rejected calls and those that correct them. */
export async function correctionsOf(
  pairs: ReturnType<LaterCalls<TurnCall>["add"]>,
  tools: readonly ToolLike[],
): Promise<readonly Correction[]> {
  const corrections: Correction[] = [];
  for (const [refused, { id: by, toolInput }] of pairs) {
    const tool = tools.find(({ name }) => name === refused.toolName);
    if (tool === undefined) continue;
    const error = await rejectedInput(refused, tool);
    corrections.push({ error, tool, source: "later-call", by, toolInput });
  }
  return corrections;
}

/**
 * Returns why a tool rejects an input that was rejected in another turn or
 * process.
 */
export async function rejectedInput(
  { id, rawToolInput }: Pick<TurnCall, "id" | "rawToolInput">,
  { name: toolName, schema }: ToolLike,
): Promise<RejectedInput> {
  const { validate, jsonSchema } = compileSchema(schema);
  const causingData = rawToolInput as JsonValue;
  const checked = await validate(causingData);
  const issues = checked.ok ? [] : checked.issues;
  return { toolName, issues, causingData, jsonSchema, toolCall: { id } };
}

/**
 * One text for all calls that do the same, regardless of key order, spacing and
 * empty fields.
 */
export function callKey(name: string, args: unknown): string {
  return JSON.stringify([name, plain(args)]);
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return spacedParts(value.trim()).join(" ");
  if (typeof value === "number" || typeof value === "boolean")
    return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value)
    .map(([key, field]) => [key, plain(field)] as const)
    .filter(([, field]) => field !== null && field !== "")
    .sort(([left], [right]) => (left < right ? -1 : 1));
  // A list, because an object puts keys that are numbers first.
  return { fields };
}
