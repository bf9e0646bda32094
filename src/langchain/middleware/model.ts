import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { AIMessage } from "@langchain/core/messages";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { ToolLike } from "../../repair/types.ts";
import { callIdsOf, giveId, isAIMessage } from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import { hasStopInfo, saveStopInfo } from "../message/read.ts";
import { repairCalls } from "../message/repair.ts";
import { viewOf } from "../tool/view-of.ts";

interface BindableModel {
  bindTools?: (tools: readonly unknown[], options?: unknown) => Runnable<unknown, unknown>;
}

/** A view of a model, and what is known of its use. */
interface BoundModel<Model> {
  readonly model: Model;
  /** The tools that were bound to it last; `undefined` if unknown. */
  tools?: readonly unknown[];
  /** The names of the tools for a structured response. */
  readonly structured: Set<string>;
  /** Its last message, if it was offered such tools. */
  message?: AIMessage;
}

/**
 * Makes a view of a request's model that records which tools are bound to it: all that the model is
 * offered, including those of inner middleware. LangChain also binds tools that no agent runs, for
 * a model's structured response (`toolStrategy`). Their calls are repaired too, because LangChain
 * parses them before any middleware sees the message. If a repair fails, LangChain's `handleError`
 * decides.
 */
export function boundModel<Model>(model: Model, options: RepairCallsOptions): BoundModel<Model> {
  const { bindTools } = (model ?? {}) as BindableModel;
  const structured = new Set<string>();
  if (typeof bindTools !== "function" || "bound" in (model as object)) return { model, structured };
  const bind: BindableModel["bindTools"] = (tools, settings) => {
    bound.tools = tools;
    const runnable = bindTools.call(model, tools, settings);
    const own = tools.flatMap(structuredTool);
    for (const { name } of own) structured.add(name);
    if (own.length === 0) return runnable;
    const only = ({ name }: { readonly name: string }) => structured.has(name);
    const repairing = { ...options, only, leaveUnfixable: true, rescueTextToolCalls: false };
    return runnable.pipe(async (message: unknown) => {
      if (!isAIMessage(message)) return message;
      bound.message = (await repairCalls(giveId(message), own, repairing)).message;
      return bound.message;
    });
  };
  const view = viewOf(model as Model & object, { bindTools: bind });
  const bound: BoundModel<Model> = { model: view, structured };
  return bound;
}

/** LangChain describes them as OpenAI does. */
function structuredTool(tool: unknown): readonly ToolLike[] {
  if (!isJsonObject(tool) || !isJsonObject(tool.function)) return [];
  const { name, parameters } = tool.function;
  return typeof name === "string" && isJsonObject(parameters) ? [{ name, schema: parameters }] : [];
}

/**
 * Captures why a model stops. LangChain puts the reason into the message, but passes it only to
 * callbacks if the tokens are streamed.
 */
export async function captureStopReason<Answer>(
  callbacks: RunnableConfig["callbacks"],
  ask: () => Promise<Answer>,
): Promise<Answer> {
  // Without callbacks, no tokens are streamed.
  if (!isManager(callbacks)) return ask();
  const captured: ChatGeneration[] = [];
  const handler = BaseCallbackHandler.fromMethods({
    handleLLMEnd({ generations }) {
      for (const generation of generations.flat() as ChatGeneration[]) {
        const { message, generationInfo } = generation;
        if (!message || !generationInfo) continue;
        captured.push(generation);
        saveStopInfo(message, generationInfo);
      }
    },
  });
  handler.awaitHandlers = true;
  callbacks.addHandler(handler, true);
  try {
    const answer = await ask();
    if (isAIMessage(answer) && !hasStopInfo(answer)) saveForCopy(answer, captured);
    return answer;
  } finally {
    callbacks.removeHandler(handler);
  }
}

/** Other middleware may have copied the model's message: matches it by id, or by a call's id. */
function saveForCopy(answer: AIMessage, captured: readonly ChatGeneration[]): void {
  const own = new Set(callIdsOf(answer));
  const { generationInfo } =
    captured.findLast(({ message }) => message.id !== undefined && message.id === answer.id) ??
    captured.findLast(({ message }) => callIdsOf(message).some((id) => own.has(id))) ??
    captured.at(-1) ??
    {};
  if (generationInfo !== undefined) saveStopInfo(answer, generationInfo);
}

/** A list of handlers is not a manager; another copy of LangChain has a class of its own. */
function isManager(callbacks: unknown): callbacks is CallbackManager {
  return typeof (callbacks as CallbackManager | undefined)?.addHandler === "function";
}
