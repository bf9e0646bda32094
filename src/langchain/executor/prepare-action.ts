import { drive } from "../../repair/drive.ts";
import { isInputError, type ToolInputError } from "../../repair/errors.ts";
import type { Origin } from "../../repair/events/event.ts";
import {
  correctionsBy,
  type TurnCall,
  type TurnCalls,
} from "../../repair/events/later-calls.ts";
import { emitCall, emitCorrections } from "../../repair/events/report.ts";
import { isContainer } from "../../repair/json.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import {
  type FoundTool,
  findTool,
  resolveFoundInput,
  type ToolOfCall,
  unknownToolError,
} from "../../repair/repair-tool-call.ts";
import { askHandler } from "../../repair/repair-tool-input.ts";
import { type Resolution, runUnchanged } from "../../repair/result.ts";
import { EXCEPTION, notRun } from "../../repair/steps.ts";
import { readCallObject } from "../../repair/text-calls/json-calls.ts";
import type {
  AgentAction,
  JsonValue,
  Repair,
  ToolCall,
} from "../../repair/types.ts";
import { resolveInput } from "../tool/invoke.ts";
import { messageModel, originOf } from "../trace/trace.ts";
import { rewriteHistory } from "./calls.ts";
import {
  type ActionOutcome,
  type AgentOutput,
  type ExecutorRun,
  type ExecutorTool,
  type PlannedAction,
  type PreparedAction,
  type RunStep,
  toText,
} from "./run.ts";

/**
 * Repairs what was planned, and returns the actions for LangChain's loop.
 * `refusal` is why LangChain's parser rejected the output: it is thrown if an
 * input cannot be repaired and no handler answers.
 */
export async function prepareActions(
  planned: readonly PlannedAction[],
  run: ExecutorRun,
  refusal?: Error,
): Promise<AgentOutput> {
  const outcomes: ActionOutcome[] = [];
  let rejected: Error | undefined;
  // One after another, so that handlers receive the calls in the model's order;
  // all are reported.
  for (const action of planned) {
    try {
      outcomes.push(await prepareAction(action, run));
    } catch (error) {
      if (!isInputError(error)) throw error;
      rejected ??= refusal ?? error;
    }
  }
  if (rejected !== undefined) throw rejected;
  await reportCorrections(outcomes, run);
  rewriteHistory(planned, outcomes);
  run.pending.push(...outcomes);
  return outcomes.map(({ action }) => action as never);
}

/** Reports the actions that correct rejected ones of earlier steps. */
async function reportCorrections(
  outcomes: readonly ActionOutcome[],
  run: ExecutorRun,
): Promise<void> {
  const find = () => {
    const turn = turnOf(outcomes.map(({ action }) => action));
    return correctionsBy(turn, turnsOf(run.steps).map(turnOf), run.tools);
  };
  await emitCorrections(find, { ...run.resolving, origin: originOfRun(run) });
}

/**
 * The actions of each turn: of parallel calls, the first alone has the model's
 * message.
 */
function turnsOf(
  steps: readonly RunStep[],
): readonly (readonly PreparedAction[])[] {
  const turns: PreparedAction[][] = [];
  for (const { action } of steps) {
    const isParallel =
      action.toolCallId !== undefined && !action.messageLog?.length;
    if (isParallel) turns.at(-1)?.push(action);
    else turns.push([action]);
  }
  return turns;
}

/**
 * Actions as the calls of a turn. LangChain's own, such as `_Exception`, are
 * none.
 */
function turnOf(actions: readonly PreparedAction[]): TurnCalls {
  const callsOf = (isValid: boolean) =>
    actions.filter(({ valid }) => valid === isValid).map(toTurnCall);
  return { refused: callsOf(false), accepted: callsOf(true) };
}

function toTurnCall(action: PreparedAction): TurnCall {
  const { tool: toolName, toolCallId: id, rawToolInput, toolInput } = action;
  return { id, toolName, rawToolInput, toolInput };
}

/**
 * Repairs the input of a planned action before LangChain announces, runs and
 * records it. The outcome holds a new action for LangChain. In `compat`, it
 * throws an error that no handler answers.
 */
export async function prepareAction(
  planned: PlannedAction,
  run: ExecutorRun,
): Promise<ActionOutcome> {
  const { raw } = planned;
  const asPlanned = actionAsPlanned(planned);
  const context = contextOf(planned, run);
  const match = findActionTool({ name: asPlanned.tool, args: raw }, run);
  if (!match.ok) return prepareUnknown(planned, asPlanned, match, context, run);
  const { tool, nameRepair } = match;
  const named =
    nameRepair === undefined
      ? asPlanned
      : { ...asPlanned, tool: tool.name, nameRepair };
  const resolution = withFirstRepair(
    planned.foundBy,
    await resolveAction(raw, match, context),
  );
  const markRun = await emitCall(
    {
      raw: asPlanned.rawToolInput,
      tool,
      nameRepair,
      rescued: planned.call?.located?.invalid,
      resolution,
    },
    context,
  );
  if (resolution.kind === "observation")
    return { action: named, tool, text: resolution.text };
  if (resolution.kind === "refused") {
    const text = await answerRejection(resolution.error, run);
    return { action: named, tool, text };
  }
  const { toolInput: input, parsed, repairs, undeclared } = resolution;
  const toolInput = showInput(input, planned);
  const accepted = { toolInput, repairs, undeclared, valid: true };
  return { action: { ...named, ...accepted }, tool, input, parsed, markRun };
}

/** A planned action as LangChain records it if its input is not accepted. */
function actionAsPlanned({
  action: planned,
  raw,
  foundBy,
}: PlannedAction): PreparedAction {
  // The patched executor ends a run where an action has one, though its input
  // was repaired since.
  const { parsingError: _, ...action } = planned as AgentAction & {
    parsingError?: unknown;
  };
  const written = foundBy === undefined ? raw : foundBy.before;
  return {
    ...action,
    toolInput: (raw ?? null) as JsonValue,
    ...notRun(written as JsonValue | undefined),
  };
}

/** Puts the repair that found an input before those of the input. */
function withFirstRepair(
  first: Repair | undefined,
  resolution: Resolution,
): Resolution {
  if (first === undefined || resolution.kind !== "run") return resolution;
  return { ...resolution, repairs: [first, ...resolution.repairs] };
}

/**
 * An input as its action shows it: agents that read actions off text may print
 * it into their next prompt.
 */
function showInput(
  input: JsonValue,
  { action, raw }: PlannedAction,
): JsonValue {
  if ("messageLog" in action || typeof raw !== "string") return input;
  return printAsJson(input);
}

async function resolveAction(
  raw: unknown,
  match: ToolOfCall<ExecutorTool>,
  context: ResolveOptions,
): Promise<Resolution> {
  const { tool, moved } = match;
  if (tool.schema) return resolveFoundInput(raw, match, context, resolveInput);
  if (moved === undefined) return runUnchanged(raw);
  return { ...runUnchanged(moved.repair.after), repairs: [moved.repair] };
}

/** How an action's input is resolved and reported. */
function contextOf(
  { action, raw, truncated, parsed, ask = true }: PlannedAction,
  run: ExecutorRun,
): ResolveOptions {
  const { toolCallId: id } = action as { toolCallId?: string };
  const args = raw as ToolCall["args"];
  const toolCall: ToolCall = { type: "tool_call", id, name: action.tool, args };
  const { onUnfixable } = run.resolving;
  return {
    ...run.resolving,
    action,
    toolCall: id === undefined ? undefined : toolCall,
    truncated,
    parsed,
    origin: originOfRun(run),
    onUnfixable: ask ? onUnfixable : undefined,
  };
}

/**
 * Answers a call of an unknown tool: `onUnfixable` may name another tool, or
 * give the observation.
 */
async function prepareUnknown(
  planned: PlannedAction,
  asPlanned: PreparedAction,
  fault: Extract<FoundTool, { ok: false }>,
  context: ResolveOptions,
  run: ExecutorRun,
): Promise<ActionOutcome> {
  const { action, raw } = planned;
  const unknown = unknownToolError(String(action.tool), raw, run.tools, {
    ...fault,
    action,
  });
  const { answer, error } = await drive(
    askHandler(unknown, context),
    context.signal,
  );
  const answered = planAnswer(answer, asPlanned.rawToolInput, action.log, run);
  if (answered !== undefined) {
    const named = { ...action, ...answered.action };
    return prepareAction({ ...planned, ...answered, action: named }, run);
  }
  if (typeof answer === "string") {
    const resolution = { kind: "observation" as const, text: answer, error };
    await emitCall({ raw, tool: undefined, resolution }, context);
    return {
      action: { ...asPlanned, tool: EXCEPTION, toolInput: answer },
      text: answer,
    };
  }
  await emitCall(
    { raw, tool: undefined, resolution: { kind: "refused", error } },
    context,
  );
  // As LangChain says it when it streams; its `invoke` names no tools (classic
  // 1.0.50; tool-names.test).
  const names = run.tools.map((tool) => tool.name).join(", ");
  const text = `${action.tool} is not a valid tool, try another available tool: ${names}`;
  return { action: asPlanned, text };
}

/**
 * Plans the action that an answer of `onUnfixable` names, if such a tool was
 * offered.
 */
export function planAnswer(
  answer: unknown,
  before: JsonValue | undefined,
  log: string,
  run: ExecutorRun,
): PlannedAction | undefined {
  const call = readCallObject(answer);
  if (call === undefined || !findActionTool(call, run).ok) return undefined;
  const { name: tool, args: raw = {} } = call;
  const action = { tool, toolInput: raw as AgentAction["toolInput"], log };
  const repair = {
    fixer: "onUnfixable",
    path: "",
    before,
    after: raw,
    level: "strict",
  } as const;
  return { action, raw, foundBy: repair, ask: false };
}

/**
 * Answers a rejected input. The model learns what is wrong with it, unless
 * `handleParsingErrors` has an answer. In `compat`, LangChain's rules hold: the
 * run may end with the error.
 */
async function answerRejection(
  error: ToolInputError,
  run: ExecutorRun,
): Promise<string> {
  const { handleParsingErrors: handle } = run.executor;
  if (typeof handle === "string") return handle;
  if (typeof handle === "function")
    return toText(await handle(error)) || INVALID_INPUT;
  const { compat, onUnfixable } = run.options;
  if (!compat || onUnfixable === "tellModel") return error.toModelMessage();
  if (handle === true) return INVALID_INPUT;
  throw error;
}

/**
 * What LangChain answers to a rejected input where `handleParsingErrors` is
 * `true` (classic 1.0.50; `unfixable.test`).
 */
const INVALID_INPUT = "Invalid or incomplete tool input. Please try again.";

/**
 * Finds the tool that an action means: by its name, else by the only one that
 * differs only in case (at every level, as LangChain's `invoke` does; classic
 * 1.0.50; tool-names.test), else as far as the level of that tool allows.
 */
export function findActionTool(
  { name, args }: { readonly name: unknown; readonly args?: unknown },
  run: ExecutorRun,
): FoundTool<ExecutorTool> {
  if (typeof name !== "string") return { ok: false };
  return findTool({ name, args }, run.tools, {
    ...run.resolving,
    caseIsFree: true,
  });
}

/** Where the actions of a run come from. */
export function originOfRun({
  options,
  planning,
  generation,
}: ExecutorRun): Origin {
  const seam = options.origin?.seam ?? "executor";
  return {
    ...originOf(seam, planning, options),
    ...messageModel(generation?.message),
  };
}

/**
 * A copy that prints as JSON in a template: the XML agents put
 * `${action.toolInput}` into the next prompt, where an object would be
 * `[object Object]` (classic 1.0.50; text.test). `toString` is not enumerable,
 * so that the value is the same JSON as before.
 */
function printAsJson(value: JsonValue): JsonValue {
  if (!isContainer(value)) return value;
  if (Object.hasOwn(value, "toString")) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  return Object.defineProperty(copy, "toString", {
    value: () => JSON.stringify(copy),
  });
}
