import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { jest } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

/** A call or its answer as sent to a provider, in one shape for all providers. */
export type Part =
  | {
      readonly call: string;
      readonly name: string;
      readonly args: unknown;
      /** The provider's signature of the call, if it signs calls. */
      readonly signature?: string | undefined;
    }
  | { readonly answer: string }
  | "other";

// biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
type Body = any;

// Mistral's client is an ES module only, which jest cannot load. It is not needed here.
jest.mock("@mistralai/mistralai", () => ({}));
jest.mock("@mistralai/mistralai/lib/http.js", () => ({}));

/** These packages do not export their converters: they are loaded from their files. */
function load(name: string, file: string): Body {
  return require(join(dirname(require.resolve(name)), file));
}

const { convertBaseMessagesToContent } = load("@langchain/google-genai", "utils/common.cjs");
const { convertMessagesToGeminiContents } = load("@langchain/google", "converters/messages.cjs");
const { convertToConverseMessages } = load("@langchain/aws", "utils/message_inputs.cjs");
const { convertMessagesToMistralMessages } = load("@langchain/mistralai", "chat_models.cjs");
const { _convertToolCallIdToMistralCompatible: mistralId } = load(
  "@langchain/mistralai",
  "utils.cjs",
);
const { convertToOllamaMessages } = load("@langchain/ollama", "utils.cjs");

/**
 * Google's form: there are no ids, so only the order matches answers to calls.
 *
 * @param messages The messages.
 */
export function googleParts(messages: readonly BaseMessage[]): readonly Part[] {
  const body: Body[] = convertBaseMessagesToContent(answeringIds(messages), true, false, "gemini");
  return body.flatMap(({ parts }, index) => {
    const calls = callsOf(messages[index]).map(({ id }) => id);
    const found = parts.flatMap((part: Body): Part[] => {
      if (part.functionResponse) return [{ answer: idIn(part.functionResponse.response) }];
      if (part.functionCall === undefined) return [];
      const { name, args } = part.functionCall;
      return [{ call: calls.shift() ?? "nobody's", name, args, signature: part.thoughtSignature }];
    });
    return parts.some((part: Body) => part.functionResponse) ? found : ["other", ...found];
  });
}

/**
 * Google's form, as `ChatGoogle` makes it: its calls have no ids, so arguments, else names, else the
 * order match them to ours. A rejected call may have a reserved name in the state.
 *
 * @param messages The messages.
 */
export function chatGoogleParts(messages: readonly BaseMessage[]): readonly Part[] {
  return messages.flatMap((message): Part[] => {
    if (ToolMessage.isInstance(message)) return [{ answer: message.tool_call_id }];
    const calls = callsOf(message);
    const contents: Body[] = convertMessagesToGeminiContents([message]);
    const sent = contents.flatMap(({ parts }) => parts).filter((part) => part.functionCall);
    return [
      "other",
      ...sent.map(({ functionCall: { name, args } }) => {
        const isSame = (call: Call) => isDeepStrictEqual(call.args, args);
        const alike = calls.find(isSame) ?? calls.find((call) => call.name === name) ?? calls[0];
        const [call] = calls.splice(alike === undefined ? 0 : calls.indexOf(alike), 1);
        return { call: call?.id ?? "nobody's", name, args };
      }),
    ];
  });
}

/**
 * Bedrock's form, of its Converse API.
 *
 * @param messages The messages.
 */
export function bedrockParts(messages: readonly BaseMessage[]): readonly Part[] {
  const { converseMessages } = convertToConverseMessages([...messages]) as Body;
  return converseMessages.flatMap(({ content }: Body): Part[] => {
    const found = content.flatMap(({ toolUse, toolResult }: Body): Part[] => {
      if (toolResult) return [{ answer: toolResult.toolUseId }];
      if (toolUse === undefined) return [];
      return [{ call: toolUse.toolUseId, name: toolUse.name, args: toolUse.input }];
    });
    return content.some((one: Body) => one.toolResult) ? found : ["other", ...found];
  });
}

/**
 * Mistral's form. Its ids are derived from ours, and calls without an answer are left out.
 *
 * @param messages The messages.
 */
export function mistralParts(messages: readonly BaseMessage[]): readonly Part[] {
  const ids = new Map(messages.flatMap(callsOf).map(({ id }) => [mistralId(id), id]));
  const body: Body[] = convertMessagesToMistralMessages([...messages]);
  return body.flatMap((one): Part[] => {
    if (one.role === "tool") return [{ answer: ids.get(one.toolCallId) ?? one.toolCallId }];
    const calls = (one.toolCalls ?? []).map((call: Body) => ({
      call: ids.get(call.id) ?? call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments),
    }));
    return ["other", ...calls];
  });
}

/**
 * Ollama's form: answers have neither id nor name, so only the order matches them to calls.
 *
 * @param messages The messages.
 */
export function ollamaParts(messages: readonly BaseMessage[]): readonly Part[] {
  const body: Body[] = convertToOllamaMessages(answeringIds(messages));
  return body.flatMap((one): Part[] => {
    if (one.role === "tool") return [{ answer: one.content }];
    const calls = (one.tool_calls ?? []).map((call: Body) => ({
      call: call.id,
      name: call.function.name,
      args: call.function.arguments,
    }));
    return ["other", ...calls];
  });
}

/** The messages, with answers that name their call. */
function answeringIds(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((one) => {
    if (!ToolMessage.isInstance(one)) return one;
    const { name, status, tool_call_id } = one;
    return new ToolMessage({ content: tool_call_id, tool_call_id, ...{ name, status } } as never);
  });
}

function idIn(response: Body): string {
  return response.result ?? response.error.details;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: object;
}

function callsOf(message: BaseMessage | undefined): Call[] {
  const calls = message && AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  return calls.map(({ id = "", name, args }) => ({ id, name, args }));
}
