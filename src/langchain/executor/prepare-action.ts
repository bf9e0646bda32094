import { cutText, ToolInputError } from "../../repair/errors.ts";
import { emitCall } from "../../repair/events/emit.ts";
import type { Origin } from "../../repair/events/event.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { resolveToolInput } from "../../repair/pipeline.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { type Resolution, unfixableHandler } from "../../repair/result.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import { readCallObject } from "../../repair/text-calls/json-calls.ts";
import { findTool, unknownToolError } from "../../repair/tool-call.ts";
import type { AgentAction, JsonValue, NameRepair, Repair, ToolCall } from "../../repair/types.ts";
import { messageModel, originOf } from "../trace/trace.ts";
import type { ExecutorTool, Outcome, PlannedAction, PreparedAction, Run } from "./run.ts";

/**
 * Repairs the input of a planned action, before LangChain announces, runs and records it: the outcome
 * has the action to hand to LangChain, a new object. In `compat`, it throws where nobody handles an error.
 */
export async function prepareAction(planned: PlannedAction, run: Run): Promise<Outcome> {
  const { raw, before = [], call } = planned;
  // The patched executor ends a run where an action has one, though its input was repaired since.
  const { parsingError: _, ...action } = planned.action as AgentAction & { parsingError?: unknown };
  const rawToolInput = (before[0] === undefined ? raw : before[0].before) as JsonValue | undefined;
  const toolInput = (raw ?? null) as JsonValue;
  const recorded = { rawToolInput, repairs: [], undeclared: [], valid: false };
  const asPlanned = { ...action, toolInput, ...recorded };
  const context = contextOf(planned, run);
  const found = await findActionTool(action.tool, run);
  if (found === undefined) return prepareUnknown(planned, asPlanned, context, run);
  const { tool, nameRepair } = found;
  const named = { ...asPlanned, ...(nameRepair && { tool: tool.name, nameRepair }) };
  const resolution = await resolve(raw, tool, context);
  const about = { raw: rawToolInput, tool, nameRepair, rescued: call?.located?.invalid };
  if (resolution.kind === "run") {
    const repairs = [...before, ...resolution.repairs];
    const markRun = await emitCall({ ...about, resolution: { ...resolution, repairs } }, context);
    const { undeclared } = resolution;
    // Agents that read actions off text may print an input into their next prompt.
    const isText = !("messageLog" in action) && typeof raw === "string";
    const given = isText ? printAsJson(resolution.toolInput) : resolution.toolInput;
    const prepared = { ...named, toolInput: given, repairs, undeclared, valid: true };
    return { action: prepared, tool, resolution, markRun };
  }
  await emitCall({ ...about, resolution }, context);
  const { kind, error } = resolution;
  const text = kind === "observation" ? resolution.text : await answerInput(error, run);
  return { action: named, tool, resolution: { kind, text } };
}

/** How an action's input is resolved and reported. */
function contextOf(
  { action, raw, truncated, parsed, ask = true }: PlannedAction,
  run: Run,
): ResolveOptions {
  const { toolCallId: id } = action as { toolCallId?: string };
  const args = raw as ToolCall["args"];
  const toolCall: ToolCall | undefined =
    id === undefined ? undefined : { type: "tool_call", id, name: action.tool, args };
  const about = { action, toolCall, truncated, parsed, origin: originOfRun(run) };
  return { ...run.resolving, ...about, ...(!ask && { onUnfixable: undefined }) };
}

async function resolve(
  raw: unknown,
  tool: ExecutorTool,
  context: ResolveOptions,
): Promise<Resolution> {
  if (tool.schema !== undefined && tool.schema !== null) {
    return resolveToolInput(raw, tool, context);
  }
  return { kind: "run", toolInput: raw as JsonValue, parsed: raw, repairs: [], undeclared: [] };
}

/** No such tool: `onUnfixable` may name another, or what the model is told in its stead. */
async function prepareUnknown(
  planned: PlannedAction,
  asPlanned: PreparedAction,
  context: ResolveOptions,
  run: Run,
): Promise<Outcome> {
  const { action, raw, before = [] } = planned;
  const error = unknownToolError(String(action.tool), raw, run.tools, { action });
  const handle = unfixableHandler(context.onUnfixable);
  const answer = await handle?.(error, error.causingData, action);
  const call = readCallObject(answer);
  if (call !== undefined && (await findActionTool(call.name, run)) !== undefined) {
    const input = call.args ?? {};
    const named = { ...action, tool: call.name, toolInput: input as AgentAction["toolInput"] };
    const change = { path: "", before: raw as JsonValue | undefined, after: input };
    const by: Repair = { fixer: "onUnfixable", ...change, level: "strict" };
    const answered = { action: named, raw: input, before: [...before, by], ask: false };
    return prepareAction({ ...planned, ...answered }, run);
  }
  const emit = (resolution: Resolution) => emitCall({ raw, tool: undefined, resolution }, context);
  if (typeof answer !== "string") {
    await emit({ kind: "refused", error });
    const text = unknownToolText(action.tool, run);
    return { action: asPlanned, resolution: { kind: "unknown", text } };
  }
  const resolution = { kind: "observation" as const, text: answer };
  await emit({ ...resolution, error });
  return { action: { ...asPlanned, tool: EXCEPTION, toolInput: answer }, resolution };
}

/** As LangChain says it when it streams; in `compat`, as its `invoke` does, which names no tools. */
function unknownToolText(name: string, { options, tools }: Run): string {
  const another = options.compat
    ? "one."
    : `available tool: ${tools.map((tool) => tool.name).join(", ")}`;
  return `${name} is not a valid tool, try another ${another}`;
}

/**
 * Answers an input that was refused: the model is told what is wrong with it, unless the executor has
 * an answer of its own; in `compat`, as LangChain does, which may be to end the run with the error.
 */
export async function answerInput(error: Error, run: Run): Promise<string> {
  const { handleParsingErrors: handle } = run.executor;
  if (typeof handle === "string") return handle;
  if (typeof handle === "function") return toText(await handle(error)) || INVALID_INPUT;
  if (run.options.compat) {
    if (handle === true) return INVALID_INPUT;
    throw error;
  }
  return ToolInputError.isInstance(error) ? error.toModelMessage() : cutText(error.message, 1_000);
}

/** What LangChain answers to a refused input where `handleParsingErrors` is `true`. */
const INVALID_INPUT = "Invalid or incomplete tool input. Please try again.";

/** Text as it is, JSON of anything else; nothing at all is `""`. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (JSON.stringify(value) ?? String(value));
}

/**
 * Finds the tool that an action means: by its name, else by the only one that differs only in case
 * (at every level, as LangChain's `invoke` does), else as far as the level of that tool allows.
 */
export async function findActionTool(
  name: unknown,
  run: Run,
): Promise<{ readonly tool: ExecutorTool; readonly nameRepair?: NameRepair } | undefined> {
  if (typeof name !== "string") return undefined;
  const found = await findTool(name, run.tools, { ...run.resolving, caseIsFree: true });
  if (!found.ok && found.cause !== undefined) throw found.cause;
  return found.ok ? found : undefined;
}

/** Where the actions of a run come from. */
export function originOfRun({ options, planning, generation }: Run): Origin {
  const seam = options.origin?.seam ?? "executor";
  return { ...originOf(seam, planning, options), ...messageModel(generation?.message) };
}

/**
 * A copy that prints as JSON in a template: the XML agents put `${action.toolInput}` into the next
 * prompt, where an object would be `[object Object]`. `toString` is not enumerable, so that the value
 * is the same JSON as before.
 */
function printAsJson(value: JsonValue): JsonValue {
  if (!Array.isArray(value) && !isJsonObject(value)) return value;
  if (Object.hasOwn(value, "toString")) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  return Object.defineProperty(copy, "toString", { value: () => JSON.stringify(copy) });
}
