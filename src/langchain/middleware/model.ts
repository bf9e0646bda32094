import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { AIMessage } from "@langchain/core/messages";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { ToolLike } from "../../repair/types.ts";
import { giveId, isAIMessage } from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import { saveStopInfo } from "../message/read.ts";
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
  // Handlers alone belong to no run; without a run, no tokens are streamed.
  if (callbacks === undefined || Array.isArray(callbacks)) return ask();
  const captured: ChatGeneration[] = [];
  const handler = BaseCallbackHandler.fromMethods({
    handleLLMEnd({ generations }) {
      for (const generation of generations.flat() as ChatGeneration[]) {
        captured.push(generation);
        saveStopInfo(generation.message, generation.generationInfo);
      }
    },
  });
  handler.awaitHandlers = true;
  callbacks.addHandler(handler, true);
  try {
    const answer = await ask();
    if (isAIMessage(answer)) {
      // Other middleware may have copied the model's message.
      const own = captured.findLast(({ message }) => message?.id === answer.id);
      saveStopInfo(answer, (own ?? captured.at(-1))?.generationInfo);
    }
    return answer;
  } finally {
    callbacks.removeHandler(handler);
  }
}
