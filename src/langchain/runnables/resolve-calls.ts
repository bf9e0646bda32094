import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { EvidenceSink, MarkRun } from "../../repair/events/event.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import type { Resolution } from "../../repair/result.ts";
import type { JsonValue, NameRepair, Repair } from "../../repair/types.ts";
import type { LocatedCall } from "../calls/call-sites.ts";
import { type ReadCall, readCalls, toToolCall } from "../calls/read-calls.ts";
import { findNamedTool, resolveNamedCall, resolveUnknownCall } from "../calls/resolve-tool-call.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { wrapOptionsOf } from "../tool/wrap-tool.ts";
import { messageModel } from "../trace/message-model.ts";

/** A call as the model made it. */
interface MadeCall {
  readonly id: string;
  /** The name of the tool, repaired where that was possible. */
  readonly name: string;
  readonly located: LocatedCall;
  /** What the model wrote as its arguments. */
  readonly raw: JsonValue | undefined;
}

/** A call that can be run. */
export interface RunnableCall extends MadeCall {
  readonly kind: "run";
  readonly tool: InvocableTool;
  readonly toolInput: JsonValue;
  /** What the schema made of it. */
  readonly parsed: unknown;
  readonly repairs: readonly Repair[];
  readonly nameRepair?: NameRepair;
  /** Marks the run of the tool. */
  readonly markRun?: MarkRun | undefined;
  /** The sinks that were told of it. */
  readonly told?: readonly EvidenceSink[] | undefined;
}

/** A call that is answered in the tool's stead. */
export interface ObservedCall extends MadeCall {
  readonly kind: "observation";
  readonly text: string;
  readonly error: ToolInputError;
}

/** A call that is neither. */
export interface RefusedCall extends MadeCall {
  readonly kind: "refused";
  readonly error: ToolInputError;
}

/** What becomes of a call. */
export type ResolvedCall = RunnableCall | ObservedCall | RefusedCall;

/**
 * Repairs the calls of a model's message, those that LangChain could not read too, and asks
 * `onUnfixable` about the others.
 *
 * @param made The message, and those before it, whose ids are taken.
 * @param tools The tools that the model was offered.
 * @param options How to repair, and the handlers. Where a tool is a wrapper, what is not in them
 * (by key) is as it was wrapped.
 * @returns What becomes of each call, in the order in which the model made them.
 * @throws What `onUnfixable` throws.
 */
export async function resolveCalls(
  { message, history }: { readonly message: AIMessage; readonly history: readonly BaseMessage[] },
  tools: readonly InvocableTool[],
  options: ResolveOptions,
): Promise<readonly ResolvedCall[]> {
  const resolved: ResolvedCall[] = [];
  const { origin } = options;
  const resolving = origin
    ? { ...options, origin: { ...origin, ...messageModel(message) } }
    : options;
  // One after another, so that handlers hear of the calls in the model's order.
  for (const call of readCalls(message, history)) {
    resolved.push(await resolveCall(call, tools, resolving));
  }
  return resolved;
}

async function resolveCall(
  read: ReadCall,
  tools: readonly InvocableTool[],
  options: ResolveOptions,
): Promise<ResolvedCall> {
  const { located, id, name, raw, truncated } = read;
  const made = { id, name, located, raw: raw as JsonValue | undefined };
  const resolving: ResolveOptions = { ...options, toolCall: toToolCall(read), truncated };
  const named = await findNamedTool(name, raw, tools, resolving);
  if (named instanceof ToolInputError) {
    return toResolved(made, await resolveUnknownCall(raw, named, resolving), undefined);
  }
  const { nameRepair } = named;
  const tool = named.tool as InvocableTool;
  const rescued = located.invalid;
  const given = { ...wrapOptionsOf(tool), ...resolving };
  const resolution = await resolveNamedCall(raw, { ...named, rescued }, given);
  return toResolved(
    { ...made, name: tool.name, ...(nameRepair && { nameRepair }) },
    { ...resolution, told: given.evidence },
    tool,
  );
}

function toResolved(
  made: MadeCall,
  resolution: Resolution & Pick<RunnableCall, "markRun" | "told">,
  tool: InvocableTool | undefined,
): ResolvedCall {
  if (resolution.kind !== "run") return { ...made, ...resolution };
  const { toolInput, parsed, repairs, markRun, told } = resolution;
  const run = { tool: tool as InvocableTool, toolInput, parsed, repairs, markRun, told };
  return { ...made, kind: "run", ...run };
}
