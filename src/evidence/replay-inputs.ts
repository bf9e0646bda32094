import { createHash } from "node:crypto";
import type { Writable } from "type-fest";
import {
  canonicalJson,
  isJsonObject,
  jsonEquals,
  ownAt,
  toPointer,
} from "../repair/json.ts";
import type { Fixers } from "../repair/policy.ts";
import { findTool, repairFoundCall } from "../repair/repair-tool-call.ts";
import { repairToolInput } from "../repair/repair-tool-input.ts";
import type { RepairFailure, RepairSuccess } from "../repair/result.ts";
import { compileSchema } from "../repair/schema/compile-schema.ts";
import type {
  InputIssue,
  JsonSchema,
  JsonValue,
  RepairLevel,
  ToolLike,
} from "../repair/types.ts";
import { warnOfFixerNames } from "../repair/usage.ts";
import { compareTexts, moreFirst } from "./grouping.ts";
import { distinctFaults } from "./log-line.ts";
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
  /**
   * Whether what comes out is kept, to be the next baseline. Default: `false`.
   */
  readonly keepsOutcomes?: boolean | undefined;
}

/** A call whose outcome differs from the logged one. */
export interface ReplayedCall
  extends Pick<LoggedInput, "tool" | "schema" | "run" | "call"> {
  /**
   * - `lost`: it was accepted, and is rejected.
   * - `changed`: it was accepted, and comes out otherwise.
   * - `gained`: it was rejected, and is accepted.
   */
  readonly kind: "lost" | "changed" | "gained";
  /**
   * Why: places and rules, nothing that the model wrote. Absent where a gained
   * one contradicts nothing.
   */
  readonly causes?: readonly Pick<ReplayCause, "path" | "rule">[];
  /** Whether a gained one equals its correction; absent where none is known. */
  readonly agrees?: boolean;
}

/** Why calls differ: one for each tool, place and rule. */
interface ReplayCause {
  readonly kind: "lost" | "changed" | "contradicted";
  readonly tool: string;
  /** The place as a JSON Pointer; `*` is every element of an array. */
  readonly path: string;
  /**
   * The issue's code of lost calls; of contradicted ones the repairs that were
   * made.
   */
  readonly rule: string;
  /** How many calls. A call that is rejected in two places counts in both. */
  readonly count: number;
}

/** What a replay comes to. */
export interface ReplayResult {
  /**
   * How many calls were replayed, and how many were accepted before, and are
   * now.
   */
  readonly calls: number;
  readonly acceptedBefore: number;
  readonly acceptedNow: number;
  /** The calls whose outcome differs, in the order of the log. */
  readonly differing: readonly ReplayedCall[];
  /** The same by what causes it, the most calls first. */
  readonly causes: readonly ReplayCause[];
  /** Gained calls that come out as something other than their correction. */
  readonly contradicted: number;
  /**
   * Calls whose tool has no schema, neither in the log nor given: they were not
   * replayed.
   */
  readonly withoutSchema: number;
  /** What comes out now, where it is kept. */
  readonly outcomes: Baseline;
}

/**
 * Runs the inputs of a log through toolmend again, with other fixers, schemas
 * or another level, and finds those whose outcome differs. No tool runs, and no
 * model is asked.
 */
export async function replayInputs(
  logged: LoggedInputs,
  options: ReplayOptions,
): Promise<ReplayResult> {
  const { fixers, baseline, keepsOutcomes } = options;
  const toolsOf = findTools(logged, options);
  const known = logged.inputs
    .map((input) => ({ input, tools: toolsOf(input) }))
    .filter(({ tools }) => tools.length > 0);
  const accepted = { acceptedBefore: 0, acceptedNow: 0 };
  const differing: ReplayedCall[] = [];
  const outcomes = new Map<string, string>();
  for (const { input, tools } of known) {
    const { level = input.level } = options;
    const outcome = await repairAgain(input, tools, { level, fixers });
    // A hash costs more than a repair, so it is made only on request.
    if (keepsOutcomes) outcomes.set(keyOfInput(input), hashOutcome(outcome));
    const expected = baseline?.get(keyOfInput(input));
    const isAccepted = wasAccepted(input, expected);
    if (isAccepted) accepted.acceptedBefore += 1;
    if (outcome.ok) accepted.acceptedNow += 1;
    const difference = isAccepted
      ? lossOf(input, outcome, expected)
      : await gainOf(input, outcome, tools);
    if (difference === undefined) continue;
    const { tool, schema, run, call } = input;
    differing.push({ ...difference, tool, schema, run, call });
  }
  return {
    calls: known.length,
    ...accepted,
    withoutSchema: logged.inputs.length - known.length,
    differing,
    causes: countCauses(differing),
    contradicted: differing.filter(({ agrees }) => agrees === false).length,
    outcomes,
  };
}

/**
 * Finds the tool of a call, with the schema that is given, or else its own in
 * the log; all tools where the call names one that does not exist.
 */
function findTools(
  logged: LoggedInputs,
  { fixers, schemas = new Map() }: ReplayOptions,
): (input: LoggedInput) => readonly ToolLike[] {
  const latest = new Map<string, ToolLike>(latestTools(logged));
  for (const [name, schema] of schemas) latest.set(name, { name, schema });
  const allTools = [...latest.values()];
  warnOfFixerNames(fixers, allTools);
  return ({ tool: name, schema: hash, isUnknown }) => {
    if (isUnknown) return allTools;
    const schema = schemas.get(name) ?? logged.schemaOf(name, hash);
    return schema === undefined ? [] : [{ name, schema }];
  };
}

/** What comes of an input now: which tool runs with what, or why none does. */
type Replayed = RepairFailure | (RepairSuccess & { readonly tool: string });

async function repairAgain(
  { tool: name, raw, call: id }: LoggedInput,
  tools: readonly ToolLike[],
  options: Pick<ReplayOptions, "level" | "fixers">,
): Promise<Replayed> {
  const [tool] = tools;
  // Text agents write no ids, and may write a bare text where a tool call holds
  // an object.
  if (id === undefined && tools.length === 1 && tool !== undefined) {
    const result = await repairToolInput(raw, tool, options);
    return result.ok ? { ...result, tool: name } : result;
  }
  const call = { name, args: raw };
  const result = await repairFoundCall(
    findTool(call, tools, options),
    call,
    tools,
    options,
  );
  if (!result.ok) return result;
  return {
    ...result,
    tool: result.name,
    toolInput: result.toolInput as JsonValue,
  };
}

/** Whether the baseline says that an input was accepted, or else the log. */
function wasAccepted(
  { toolInput }: LoggedInput,
  expected: string | undefined,
): boolean {
  if (expected === undefined) return toolInput !== undefined;
  return expected !== REFUSED;
}

type Difference = Pick<ReplayedCall, "kind" | "causes" | "agrees">;

/**
 * Compares what comes of an accepted input with what the baseline expects, or
 * else with what the log says.
 */
function lossOf(
  { tool, toolInput }: LoggedInput,
  outcome: Replayed,
  expected: string | undefined,
): Difference | undefined {
  if (!outcome.ok)
    return { kind: "lost", causes: causesAt(outcome.error.issues) };
  const isSame =
    expected === undefined
      ? outcome.tool === tool && jsonEquals(outcome.toolInput, toolInput)
      : hashOutcome(outcome) === expected;
  if (isSame) return undefined;
  const paths =
    toolInput === undefined
      ? [""]
      : differingPaths(toolInput, outcome.toolInput);
  return { kind: "changed", causes: causesOf(paths, "differs") };
}

/**
 * Compares what comes of a rejected input with what the tool would receive of
 * the correction.
 */
async function gainOf(
  input: LoggedInput,
  outcome: Replayed,
  tools: readonly ToolLike[],
): Promise<Difference | undefined> {
  if (!outcome.ok) return undefined;
  const isSameTool = input.correction?.tool === outcome.tool;
  const tool = tools.find(({ name }) => name === outcome.tool);
  const isComparable = isSameTool || input.isUnknown;
  if (tool === undefined || !isComparable) return { kind: "gained" };
  const schema = compileSchema(tool.schema);
  const label = await labelOf(input, schema);
  if (label === undefined) return { kind: "gained" };
  const received = await declaredInput(outcome.toolInput, schema);
  if (isSameTool && jsonEquals(received, label))
    return { kind: "gained", agrees: true };
  const fixers = new Set(outcome.repairs.map(({ fixer }) => fixer));
  const paths = isSameTool ? differingPaths(label, outcome.toolInput) : [""];
  const causes = causesOf(paths, [...fixers].join(", ") || "validates");
  return { kind: "gained", agrees: false, causes };
}

/** Counts calls by what makes them differ, the most frequent first. */
function countCauses(
  differing: readonly ReplayedCall[],
): readonly ReplayCause[] {
  const counted = new Map<string, Writable<ReplayCause>>();
  for (const call of differing) {
    const kind = call.kind === "gained" ? "contradicted" : call.kind;
    for (const { path, rule } of call.causes ?? []) {
      const key = JSON.stringify([kind, call.tool, path, rule]);
      const cause = counted.get(key) ?? {
        kind,
        tool: call.tool,
        path,
        rule,
        count: 0,
      };
      cause.count += 1;
      counted.set(key, cause);
    }
  }
  return [...counted.values()].sort(moreFirst);
}

type CauseOfCall = Pick<ReplayCause, "path" | "rule">;

/** Lists each cause once; the elements of an array are one place. */
function causesAt(
  issues: readonly Pick<InputIssue, "path" | "code">[],
): readonly CauseOfCall[] {
  return distinctFaults(issues).map(({ path, code: rule }) => ({ path, rule }));
}

function causesOf(
  paths: readonly string[],
  code: string,
): readonly CauseOfCall[] {
  return causesAt(paths.slice(0, MAX_PATHS).map((path) => ({ path, code })));
}

/** The most places that are named. */
const MAX_PATHS = 5;

/** Returns the outermost places where a value differs from the wanted one. */
function differingPaths(
  wanted: JsonValue | undefined,
  value: JsonValue | undefined,
): readonly string[] {
  if (jsonEquals(wanted, value)) return [];
  if (!haveSameParts(wanted, value)) return [""];
  const keys = new Set(
    [wanted, value].flatMap((side) => Object.keys(side ?? {})),
  );
  return [...keys].flatMap((key) =>
    differingPaths(ownAt(wanted, key), ownAt(value, key)).map(
      (path) => toPointer([key]) + path,
    ),
  );
}

/**
 * Whether two values can be compared part by part: both objects, or arrays of
 * one length.
 */
function haveSameParts(
  wanted: JsonValue | undefined,
  value: JsonValue | undefined,
): boolean {
  if (!Array.isArray(wanted))
    return isJsonObject(wanted) && isJsonObject(value);
  return Array.isArray(value) && value.length === wanted.length;
}

/** What came of each input, by a hash of it: nothing of what a model wrote. */
export type Baseline = ReadonlyMap<string, string>;

/** What a baseline has for an input that was rejected. */
const REFUSED = "refused";

/**
 * Names an input: by its tool and schema, the level and what the model wrote.
 */
function keyOfInput({ tool, schema = "", level, raw }: LoggedInput): string {
  return shortHash([tool, schema, level, raw]);
}

function hashOutcome(outcome: Replayed): string {
  return outcome.ok ? shortHash([outcome.tool, outcome.toolInput]) : REFUSED;
}

/** Writes a baseline as the text of a file, the same for the same inputs. */
export function writeBaseline(baseline: Baseline): string {
  const entries = [...baseline].sort(([left], [right]) =>
    compareTexts(left, right),
  );
  const outcomes = Object.fromEntries(entries);
  return `${JSON.stringify({ v: 1, outcomes }, null, 1)}\n`;
}

/** Reads a baseline; throws for what is none. */
export function readBaseline(text: string): Baseline {
  const baseline: unknown = JSON.parse(text);
  const outcomes =
    isJsonObject(baseline) && baseline.v === 1 ? baseline.outcomes : undefined;
  if (!isJsonObject(outcomes)) throw new TypeError("it has no outcomes");
  const entries = Object.entries(outcomes);
  if (!entries.every(isOutcome))
    throw new TypeError("its outcomes are no hashes");
  return new Map(entries);
}

function isOutcome(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}

function shortHash(value: JsonValue): string {
  return createHash("sha256")
    .update(canonicalJson(value))
    .digest("hex")
    .slice(0, 16);
}
