import type { AIMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { ToolLike } from "../../repair/types.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import type { MessageIntegrationOptions } from "../calls/repair-message-options.ts";
import { giveId } from "./give-id.ts";

/** A model that tools can be bound to. */
interface BindableModel {
  bindTools?: (tools: readonly unknown[], options?: unknown) => Runnable<unknown, unknown>;
}

/**
 * Lets the calls be repaired by which a model gives its structured response (`toolStrategy`).
 * LangChain parses them before any middleware sees the message, so that the model itself has to
 * give them repaired: this is a view of it, whose `bindTools` adds that step if, and only if,
 * LangChain binds tools that are not the request's. What cannot be repaired is left to
 * LangChain's `handleError`.
 *
 * @param model The request's model. It is not changed. A model that is wrapped (`withConfig`) or
 * given by name binds its tools out of reach, and is returned as it is.
 * @param tools The request's tools.
 * @param options How to repair, and the handlers.
 */
export function repairStructuredCalls<Model>(
  model: Model,
  tools: readonly unknown[],
  options: MessageIntegrationOptions,
): Model {
  const { bindTools } = (model ?? {}) as BindableModel;
  if (typeof bindTools !== "function" || "bound" in (model as object)) return model;
  const bind: BindableModel["bindTools"] = (offered, settings) => {
    const bound = bindTools.call(model, offered, settings);
    const structured = offered.filter((tool) => !tools.includes(tool)).flatMap(toTool);
    if (structured.length === 0) return bound;
    return bound.pipe((message: unknown) =>
      isAIMessage(message) ? repairStructured(message, structured, options) : message,
    );
  };
  return new Proxy(model as Model & object, {
    get(target, key) {
      if (key === "bindTools") return bind;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && key !== "constructor" ? value.bind(target) : value;
    },
  });
}

function repairStructured(
  message: AIMessage,
  tools: readonly ToolLike[],
  options: MessageIntegrationOptions,
): Promise<AIMessage> {
  const names = new Set(tools.map(({ name }) => name));
  const only = ({ name }: { readonly name: string }) => names.has(name);
  return repairCalls(giveId(message), tools, { ...options, only, leaveUnfixable: true });
}

/** LangChain describes them as OpenAI does. */
function toTool(tool: unknown): readonly ToolLike[] {
  if (!isJsonObject(tool) || !isJsonObject(tool.function)) return [];
  const { name, parameters } = tool.function;
  return typeof name === "string" && isJsonObject(parameters) ? [{ name, schema: parameters }] : [];
}
