import type { FixerRegistry } from "../../repair/fixers/registry.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import { repairToolCall } from "../../repair/tool-call.ts";
import type { InputIssue, JsonSchema, RepairLevel, ToolLike } from "../../repair/types.ts";
import { declaredInput, labelOf } from "../suggest/label-of.ts";
import type { LoggedInputs } from "../suggest/log-evidence.ts";
import type { LoggedInput } from "../suggest/logged-input.ts";
import { type Baseline, hashOutcome, keyOfInput, type Replayed } from "./baseline.ts";
import { differingPaths } from "./differing-paths.ts";
import { toolsOfCalls } from "./tools-of-calls.ts";

/** With what a log is replayed. */
export interface ReplayOptions {
  /** The fixers. Default: none. */
  readonly fixers?: FixerRegistry | undefined;
  /** Schemas by the tool's name, in the place of those in the log. */
  readonly schemas?: ReadonlyMap<string, JsonSchema> | undefined;
  /** How far repairs may go. Default: as each call was logged. */
  readonly level?: RepairLevel | undefined;
  /** What came out before, in the place of what the log says. */
  readonly baseline?: Baseline | undefined;
  /** Whether what comes out is kept, to be the next baseline. Default: `false`. */
  readonly keepsOutcomes?: boolean | undefined;
  /** Inputs that are accepted as the log says, whatever the fixers: they are counted, and not run. */
  readonly known?: ReadonlySet<LoggedInput> | undefined;
  /** Told how many inputs are done. */
  readonly onProgress?:
    | ((progress: { readonly done: number; readonly total: number }) => void)
    | undefined;
}

/** A call of which something else becomes than before. */
export interface ReplayedCall {
  /** Which of the log's inputs it is, from 0. */
  readonly index: number;
  /**
   * - `lost`: it was accepted, and is refused.
   * - `changed`: it was accepted, and comes out otherwise.
   * - `gained`: it was refused, and is accepted.
   */
  readonly kind: "lost" | "changed" | "gained";
  readonly tool: string;
  readonly schema?: string;
  readonly run?: string;
  readonly call?: string;
  /** Where and why a lost one is refused: places and codes, nothing that the model wrote. */
  readonly why?: readonly string[];
  /** Where a changed one differs, as JSON Pointers; empty where the log does not say what it was. */
  readonly paths?: readonly string[];
  /** Of a gained one: whether it is as what took its place; absent where nothing is known to have. */
  readonly agrees?: boolean;
  /** Whether a registered fixer had repaired it when it was logged. */
  readonly hadFixer?: true;
}

/** What a replay comes to. */
export interface ReplayResult {
  /** How many calls were replayed, and how many were accepted before, and are now. */
  readonly calls: number;
  readonly acceptedBefore: number;
  readonly acceptedNow: number;
  /** The calls of which something else becomes, in the order of the log. */
  readonly differing: readonly ReplayedCall[];
  /** Calls whose tool has no schema, neither in the log nor given: they were not replayed. */
  readonly withoutSchema: number;
  /** Calls that the baseline does not know: they are compared with the log. */
  readonly notInBaseline: number;
  /** What comes out now, where it is kept. */
  readonly outcomes: Baseline;
}

/**
 * Runs the inputs of a log through toolmend again, with other fixers, schemas or another level, and
 * finds those of which something else becomes. No tool runs, and no model is asked.
 *
 * @param logged The calls of a log whose inputs were written down.
 * @param options What is other than it was.
 */
export async function replayInputs(
  logged: LoggedInputs,
  { fixers, schemas, level, baseline, keepsOutcomes, known: alike, onProgress }: ReplayOptions,
): Promise<ReplayResult> {
  const toolsOf = toolsOfCalls(logged, schemas);
  const differing: ReplayedCall[] = [];
  const outcomes = new Map<string, string>();
  const counts = {
    calls: 0,
    acceptedBefore: 0,
    acceptedNow: 0,
    withoutSchema: 0,
    notInBaseline: 0,
  };
  for (const [index, input] of logged.inputs.entries()) {
    onProgress?.({ done: index, total: logged.inputs.length });
    if (alike?.has(input)) {
      counts.calls += 1;
      counts.acceptedBefore += 1;
      counts.acceptedNow += 1;
      continue;
    }
    const tools = toolsOf(input);
    if (tools === undefined) {
      counts.withoutSchema += 1;
      continue;
    }
    const options = { level: level ?? input.level, fixers };
    const result = await repairToolCall({ name: input.tool, args: input.raw }, tools, options);
    const now = result.ok ? { tool: result.name, toolInput: result.toolInput } : undefined;
    // Hashes cost more than a repair: they are made where somebody asks for them.
    const key = keepsOutcomes || baseline !== undefined ? keyOfInput(input) : "";
    if (keepsOutcomes) outcomes.set(key, hashOutcome(now));
    const known = baseline?.get(key);
    if (baseline !== undefined && known === undefined) counts.notInBaseline += 1;
    const before = outcomeBefore(input, known);
    counts.calls += 1;
    if (before.isAccepted) counts.acceptedBefore += 1;
    if (now !== undefined) counts.acceptedNow += 1;
    const issues = result.ok ? [] : result.error.issues;
    const difference = await differenceOf(before, now, { input, tools, issues });
    if (difference !== undefined) differing.push({ index, ...difference, ...aboutCall(input) });
  }
  return { ...counts, differing, outcomes };
}

interface Before {
  readonly isAccepted: boolean;
  readonly isSame: (now: Replayed) => boolean;
}

function outcomeBefore({ tool, toolInput }: LoggedInput, known: string | undefined): Before {
  if (known !== undefined) {
    const isAccepted = known !== hashOutcome(undefined);
    return { isAccepted, isSame: (now) => hashOutcome(now) === known };
  }
  const isSame = (now: Replayed) => now.tool === tool && jsonEquals(now.toolInput, toolInput);
  return { isAccepted: toolInput !== undefined, isSame };
}

interface About {
  readonly input: LoggedInput;
  readonly tools: readonly ToolLike[];
  readonly issues: readonly InputIssue[];
}

async function differenceOf(
  before: Before,
  now: Replayed | undefined,
  { input, tools, issues }: About,
): Promise<Pick<ReplayedCall, "kind" | "why" | "paths" | "agrees"> | undefined> {
  if (now === undefined) {
    if (!before.isAccepted) return undefined;
    const why = issues.map(
      ({ path, code }) => `${path === "" ? "the whole input" : path}: ${code}`,
    );
    return { kind: "lost", why: [...new Set(why)] };
  }
  if (before.isAccepted) {
    if (before.isSame(now)) return undefined;
    const { toolInput } = input;
    const paths = toolInput === undefined ? [] : differingPaths(toolInput, now.toolInput);
    return { kind: "changed", paths };
  }
  const agrees = await agreesWith(input, now, tools);
  return { kind: "gained", ...(agrees === undefined ? {} : { agrees }) };
}

/** Whether what comes out is what the tool would have heard of the call that took its place. */
async function agreesWith(
  input: LoggedInput,
  now: Replayed,
  tools: readonly ToolLike[],
): Promise<boolean | undefined> {
  const tool = tools.find(({ name }) => name === now.tool);
  const isSameTool = input.correction?.tool === now.tool;
  if (tool === undefined || (!isSameTool && !input.isUnknown)) return undefined;
  const schema = compileSchema(tool.schema);
  const label = await labelOf(input, schema);
  if (label === undefined) return undefined;
  if (!isSameTool) return false;
  const heard = await declaredInput(now.toolInput, schema);
  return heard !== undefined && jsonEquals(heard, label);
}

function aboutCall({ tool, schema, run, call, hadFixer }: LoggedInput) {
  return {
    tool,
    ...(schema === undefined ? {} : { schema }),
    ...(run === undefined ? {} : { run }),
    ...(call === undefined ? {} : { call }),
    ...(hadFixer ? { hadFixer: true as const } : {}),
  };
}
