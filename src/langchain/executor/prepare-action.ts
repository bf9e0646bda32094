import { emitCall } from "../../repair/events/emit.ts";
import type { MarkRun } from "../../repair/events/event.ts";
import type { CallOutcome } from "../../repair/events/report.ts";
import { resolveToolInput } from "../../repair/pipeline.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { type Resolution, unfixableHandler } from "../../repair/result.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import { readCallObject } from "../../repair/text-calls/json-calls.ts";
import { unknownToolError } from "../../repair/tool-call.ts";
import type { AgentAction, JsonValue, Repair, ToolCall } from "../../repair/types.ts";
import { findActionTool } from "./find-action-tool.ts";
import { originOfRun } from "./origin-of-run.ts";
import { printAsJson } from "./print-as-json.ts";
import type { RawCall } from "./raw-calls.ts";
import { keepOutcome, type Outcome, type PreparedAction, type Run } from "./run.ts";

/** An action as it was planned, before its input is repaired. */
export interface PlannedAction {
  /** The action as LangChain's parser makes it. */
  readonly action: AgentAction;
  /** What the model wrote as the tool's input. */
  readonly raw: unknown;
  /** How `raw` was got from what the model wrote, where that took a repair. */
  readonly before?: readonly Repair[];
  /** Whether the model's output is known to be cut off in this input. */
  readonly truncated?: boolean;
  /** The call that the action was made of, where the model made one. */
  readonly call?: RawCall;
  /** Whether `raw` is what LangChain parsed, so that a string in it was one for the model too. */
  readonly parsed?: boolean;
  /** `false`: `onUnfixable` is not asked, because the action is its own answer. */
  readonly ask?: boolean;
}

/**
 * Repairs the input of a planned action, before LangChain announces, runs and records it, and keeps
 * the outcome for when it runs the tool.
 *
 * @param planned The action.
 * @param run The run.
 * @returns The outcome, with the action to hand to LangChain: a new object.
 */
export async function prepareAction(planned: PlannedAction, run: Run): Promise<Outcome> {
  const { raw, before = [] } = planned;
  const action = withoutParsingError(planned.action);
  const [first] = before;
  const rawToolInput = (first === undefined ? raw : first.before) as JsonValue | undefined;
  const asPlanned = {
    ...action,
    toolInput: (raw ?? null) as JsonValue,
    rawToolInput,
    repairs: [],
    undeclared: [],
    valid: false,
  };
  const found = await findActionTool(action.tool, run);
  if (found === undefined) return prepareUnknown(planned, asPlanned, run);
  const { tool, nameRepair } = found;
  const named = { ...asPlanned, ...(nameRepair && { tool: tool.name, nameRepair }) };
  const resolution = await resolve(planned, tool, run);
  const rescued = planned.call?.dropped;
  const emit = (what: Resolution) =>
    emitAction({ raw: rawToolInput, tool, resolution: what, nameRepair, rescued }, planned, run);
  if (resolution.kind !== "run") {
    await emit(resolution);
    return keepOutcome(run, { action: named, tool, resolution });
  }
  const { undeclared } = resolution;
  const repairs = [...before, ...resolution.repairs];
  const markRun = await emit({ ...resolution, repairs });
  const toolInput = isTextAction(action, raw)
    ? printAsJson(resolution.toolInput)
    : resolution.toolInput;
  const prepared = { ...named, toolInput, repairs, undeclared, valid: true };
  return keepOutcome(run, { action: prepared, tool, resolution, markRun });
}

/** Tells what became of an action's input. */
async function emitAction(
  told: CallOutcome,
  { action, raw }: PlannedAction,
  run: Run,
): Promise<MarkRun | undefined> {
  const about = { action: withoutParsingError(action), toolCall: toolCallOf(action, raw) };
  return emitCall(told, { ...run.resolving, ...about, origin: originOfRun(run) });
}

/** The patched executor ends a run where an action has one, though its input was repaired since. */
function withoutParsingError(action: AgentAction): AgentAction {
  const { parsingError: _, ...rest } = action as AgentAction & { parsingError?: unknown };
  return rest;
}

/** No such tool: `onUnfixable` may name another, or what the model is told in its stead. */
async function prepareUnknown(
  planned: PlannedAction,
  asPlanned: PreparedAction,
  run: Run,
): Promise<Outcome> {
  const { action, raw, before = [], ask = true } = planned;
  const handle = ask ? unfixableHandler(run.resolving.onUnfixable) : undefined;
  const error = unknownToolError(String(action.tool), raw, run.tools, { action });
  const answer = await handle?.(error, error.causingData, action);
  if (typeof answer === "string") {
    const told = { ...asPlanned, tool: EXCEPTION, toolInput: answer };
    const resolution = { kind: "observation" as const, text: answer, error };
    await emitAction({ raw, tool: undefined, resolution }, planned, run);
    return keepOutcome(run, { action: told, tool: undefined, resolution });
  }
  const call = readCallObject(answer);
  if (call === undefined || (await findActionTool(call.name, run)) === undefined) {
    const text = `${action.tool} is not a valid tool, try another one.`;
    await emitAction(
      { raw, tool: undefined, resolution: { kind: "refused", error } },
      planned,
      run,
    );
    const resolution = { kind: "unknown" as const, text };
    return keepOutcome(run, { action: asPlanned, tool: undefined, resolution });
  }
  const input = call.args ?? {};
  const corrected: Repair = {
    fixer: "onUnfixable",
    path: "",
    before: raw as JsonValue | undefined,
    after: input,
    level: "strict",
  };
  const named = { ...action, tool: call.name, toolInput: input as AgentAction["toolInput"] };
  const repairs = [...before, corrected];
  return prepareAction({ ...planned, action: named, raw: input, before: repairs, ask: false }, run);
}

function resolve(
  { action, raw, truncated, parsed, ask = true }: PlannedAction,
  tool: Outcome["tool"] & object,
  { resolving }: Run,
): Promise<Resolution> {
  if (tool.schema === undefined || tool.schema === null) {
    const toolInput = raw as JsonValue;
    return Promise.resolve({ kind: "run", toolInput, parsed: raw, repairs: [], undeclared: [] });
  }
  const { onUnfixable: _, ...withoutHandler } = resolving;
  const handling = ask ? resolving : withoutHandler;
  const toolCall = toolCallOf(action, raw);
  const options: ResolveOptions = { ...handling, action, toolCall, truncated, parsed };
  return resolveToolInput(raw, tool, options);
}

/** The call that the model made, where it calls tools. */
function toolCallOf({ tool, ...rest }: AgentAction, raw: unknown): ToolCall | undefined {
  const { toolCallId } = rest as { toolCallId?: string };
  if (toolCallId === undefined) return undefined;
  return { type: "tool_call", id: toolCallId, name: tool, args: raw as ToolCall["args"] };
}

/** Agents that read actions off text may print an input into their next prompt. */
function isTextAction(action: AgentAction, raw: unknown): boolean {
  return !("messageLog" in action) && typeof raw === "string";
}
