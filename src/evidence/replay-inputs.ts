import { createHash } from "node:crypto";
import type { Writable } from "type-fest";
import { canonicalJson, isJsonObject, jsonEquals, toPointer } from "../repair/json.ts";
import type { Fixers } from "../repair/policy.ts";
import { repairToolCall } from "../repair/repair-tool-call.ts";
import { repairToolInput } from "../repair/repair-tool-input.ts";
import { compileSchema } from "../repair/schema/compile-schema.ts";
import type { JsonSchema, JsonValue, Repair, RepairLevel, ToolLike } from "../repair/types.ts";
import { withoutIndexes } from "./log-line.ts";
import {
  declaredInput,
  type LoggedInput,
  type LoggedInputs,
  labelOf,
  latestTools,
} from "./logged-inputs.ts";

/** With what a log is replayed. */
export interface ReplayOptions {
  /** The fixers. Default: none. */
  readonly fixers?: Fixers | undefined;
  /** Schemas by the tool's name, in the place of those in the log. */
  readonly schemas?: ReadonlyMap<string, JsonSchema> | undefined;
  /** How far repairs may go. Default: as each call was logged. */
  readonly level?: RepairLevel | undefined;
  /** What came out before, in the place of what the log says. */
  readonly baseline?: Baseline | undefined;
  /** Whether what comes out is kept, to be the next baseline. Default: `false`. */
  readonly keepsOutcomes?: boolean | undefined;
}

/** A call whose outcome differs from the logged one. */
export interface ReplayedCall extends Pick<LoggedInput, "tool" | "schema" | "run" | "call"> {
  /**
   * - `lost`: it was accepted, and is refused.
   * - `changed`: it was accepted, and comes out otherwise.
   * - `gained`: it was refused, and is accepted.
   */
  readonly kind: "lost" | "changed" | "gained";
  /** Why: places and rules, nothing that the model wrote. Absent where a gained one contradicts nothing. */
  readonly causes?: readonly Pick<ReplayCause, "path" | "rule">[];
  /** Whether a gained one equals its correction; absent where none is known. */
  readonly agrees?: boolean;
}

/** Why calls differ: one for each tool, place and rule. */
export interface ReplayCause {
  readonly kind: "lost" | "changed" | "contradicted";
  readonly tool: string;
  /** The place as a JSON Pointer; `*` is every element of an array. */
  readonly path: string;
  /** The issue's code of lost calls; of contradicted ones the repairs that were made. */
  readonly rule: string;
  /** How many calls. A call that is rejected in two places counts in both. */
  readonly count: number;
}

/** What a replay comes to. */
export interface ReplayResult {
  /** How many calls were replayed, and how many were accepted before, and are now. */
  readonly calls: number;
  readonly acceptedBefore: number;
  readonly acceptedNow: number;
  /** The calls whose outcome differs, in the order of the log. */
  readonly differing: readonly ReplayedCall[];
  /** The same by what causes it, the most calls first. */
  readonly causes: readonly ReplayCause[];
  /** Gained calls that come out as something other than their correction. */
  readonly contradicted: number;
  /** Calls whose tool has no schema, neither in the log nor given: they were not replayed. */
  readonly withoutSchema: number;
  /** What comes out now, where it is kept. */
  readonly outcomes: Baseline;
}

/**
 * Runs the inputs of a log through toolmend again, with other fixers, schemas or another level, and
 * finds those whose outcome differs. No tool runs, and no model is asked.
 */
export async function replayInputs(
  logged: LoggedInputs,
  { fixers, schemas = new Map(), level, baseline, keepsOutcomes }: ReplayOptions,
): Promise<ReplayResult> {
  const toolsOf = toolsOfCalls(logged, schemas);
  const differing: ReplayedCall[] = [];
  const outcomes = new Map<string, string>();
  const counts = { calls: 0, acceptedBefore: 0, acceptedNow: 0, withoutSchema: 0 };
  for (const input of logged.inputs) {
    const tools = toolsOf(input);
    if (tools === undefined) {
      counts.withoutSchema += 1;
      continue;
    }
    const options = { level: level ?? input.level, fixers };
    const [tool, ...others] = tools;
    // Text agents write no ids, and may write a bare text where a tool call holds an object.
    const isText = input.call === undefined && tool !== undefined && others.length === 0;
    const call = { name: input.tool, args: input.raw };
    const named = isText ? undefined : await repairToolCall(call, tools, options);
    const result = named ?? (await repairToolInput(input.raw, tool as ToolLike, options));
    const name = named?.ok ? named.name : input.tool;
    const now = result.ok ? { tool: name, toolInput: result.toolInput as JsonValue } : undefined;
    // A hash costs more than a repair, so it is made only on request.
    if (keepsOutcomes) outcomes.set(keyOfInput(input), hashOutcome(now));
    const known = baseline?.get(keyOfInput(input));
    const wasAccepted = known === undefined ? input.toolInput !== undefined : known !== REFUSED;
    counts.calls += 1;
    if (wasAccepted) counts.acceptedBefore += 1;
    if (now !== undefined) counts.acceptedNow += 1;
    const issues = result.ok ? [] : result.error.issues;
    const found =
      now === undefined
        ? wasAccepted && { kind: "lost" as const, causes: causesAt(issues) }
        : wasAccepted
          ? changeOf(input, now, known)
          : await gainOf(input, now, { tools, repairs: result.repairs });
    if (!found) continue;
    const { schema, run } = input;
    differing.push({ ...found, tool: input.tool, schema, run, call: input.call });
  }
  const contradicted = differing.filter(({ agrees }) => agrees === false).length;
  return { ...counts, differing, causes: countCauses(differing), contradicted, outcomes };
}

function countCauses(differing: readonly ReplayedCall[]): readonly ReplayCause[] {
  const found = new Map<string, Writable<ReplayCause>>();
  for (const { kind: what, tool, causes = [] } of differing) {
    const kind = what === "gained" ? "contradicted" : what;
    for (const { path, rule } of causes) {
      const key = JSON.stringify([kind, tool, path, rule]);
      const cause = found.get(key) ?? { kind, tool, path, rule, count: 0 };
      cause.count += 1;
      found.set(key, cause);
    }
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}

/** The tools of a call: its own, with its schema; all of the log where it named one that does not exist. */
function toolsOfCalls(
  logged: LoggedInputs,
  schemas: ReadonlyMap<string, JsonSchema>,
): (input: LoggedInput) => readonly ToolLike[] | undefined {
  const latest = new Map<string, ToolLike>(latestTools(logged));
  for (const [name, schema] of schemas) latest.set(name, { name, schema });
  const all = latest.size === 0 ? undefined : [...latest.values()];
  return ({ tool, schema: hash, isUnknown }) => {
    const schema = schemas.get(tool) ?? logged.schemaOf(tool, hash);
    if (isUnknown) return all;
    return schema === undefined ? undefined : [{ name: tool, schema }];
  };
}

type Difference = Pick<ReplayedCall, "kind" | "causes" | "agrees">;

function changeOf(
  { tool, toolInput }: LoggedInput,
  now: Replayed,
  known: string | undefined,
): Difference | undefined {
  const isSame =
    known === undefined
      ? now.tool === tool && jsonEquals(now.toolInput, toolInput)
      : hashOutcome(now) === known;
  if (isSame) return undefined;
  const paths = toolInput === undefined ? [""] : differingPaths(toolInput, now.toolInput);
  return { kind: "changed", causes: causesAt(paths.map((path) => ({ path, code: "differs" }))) };
}

/** Whether what comes out is what the tool would have received of the correction, where one is known. */
async function gainOf(
  input: LoggedInput,
  now: Replayed,
  made: { readonly tools: readonly ToolLike[]; readonly repairs: readonly Repair[] },
): Promise<Difference> {
  const tool = made.tools.find(({ name }) => name === now.tool);
  const isSameTool = input.correction?.tool === now.tool;
  const schema = isSameTool || input.isUnknown ? tool && compileSchema(tool.schema) : undefined;
  const label = schema && (await labelOf(input, schema));
  if (schema === undefined || label === undefined) return { kind: "gained" };
  const received = isSameTool ? await declaredInput(now.toolInput, schema) : undefined;
  if (jsonEquals(received, label)) return { kind: "gained", agrees: true };
  const paths = isSameTool ? differingPaths(label, now.toolInput) : [""];
  const code = [...new Set(made.repairs.map(({ fixer }) => fixer))].join(", ") || "validates";
  return { kind: "gained", agrees: false, causes: causesAt(paths.map((path) => ({ path, code }))) };
}

/** Each cause once; the elements of arrays are one place. */
function causesAt(
  found: readonly { readonly path: string; readonly code: string }[],
): readonly Pick<ReplayCause, "path" | "rule">[] {
  const causes = found.map(({ path, code }) => ({ path: withoutIndexes(path), rule: code }));
  return [...new Map(causes.map((one) => [JSON.stringify(one), one])).values()];
}

/** The most places that are named. */
const MAX_PATHS = 5;

/** Returns the outermost paths where a value differs from the wanted one. */
function differingPaths(wanted: JsonValue, value: JsonValue): readonly string[] {
  const found: string[] = [];
  const visit = (one: unknown, other: unknown, path: readonly string[]): void => {
    if (found.length >= MAX_PATHS || jsonEquals(one as JsonValue, other as JsonValue)) return;
    const areLists = Array.isArray(one) && Array.isArray(other) && one.length === other.length;
    if (!areLists && !(isJsonObject(one) && isJsonObject(other))) {
      found.push(toPointer(path));
      return;
    }
    const [left, right] = [one, other].map((side) => new Map(Object.entries(side as object)));
    for (const key of new Set([...(left?.keys() ?? []), ...(right?.keys() ?? [])])) {
      visit(left?.get(key), right?.get(key), [...path, key]);
    }
  };
  visit(wanted, value, []);
  return found;
}

/** What came of each input, by a hash of it: nothing of what a model wrote. */
export type Baseline = ReadonlyMap<string, string>;

/** What came of an input: the tool that is run, and with what. */
interface Replayed {
  readonly tool: string;
  readonly toolInput: JsonValue;
}

/** What a baseline has for an input that was refused. */
const REFUSED = "refused";

/** Names an input: by its tool and schema, the level and what the model wrote. */
function keyOfInput({ tool, schema = "", level, raw }: LoggedInput): string {
  return shortHash([tool, schema, level, raw]);
}

/** Names what came of an input; `undefined` is for one that was refused. */
function hashOutcome(outcome: Replayed | undefined): string {
  return outcome === undefined ? REFUSED : shortHash([outcome.tool, outcome.toolInput]);
}

/** Writes a baseline as the text of a file, the same for the same inputs. */
export function writeBaseline(baseline: Baseline): string {
  const outcomes = Object.fromEntries(
    [...baseline].sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  return `${JSON.stringify({ v: 1, outcomes }, null, 1)}\n`;
}

/** Reads a baseline; throws for what is none. */
export function readBaseline(text: string): Baseline {
  const value: unknown = JSON.parse(text);
  const outcomes = isJsonObject(value) && value.v === 1 ? value.outcomes : undefined;
  if (isJsonObject(outcomes) && Object.values(outcomes).every((one) => typeof one === "string")) {
    return new Map(Object.entries(outcomes as Record<string, string>));
  }
  throw new TypeError("it has no outcomes");
}

function shortHash(value: JsonValue): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 16);
}
