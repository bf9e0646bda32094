import { convertPromptToAnthropic } from "@langchain/anthropic";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { ChatPromptValue } from "@langchain/core/prompt_values";
import {
  convertMessagesToCompletionsMessageParams,
  convertMessagesToResponsesInput,
} from "@langchain/openai";
import {
  bedrockParts,
  chatGoogleParts,
  googleParts,
  mistralParts,
  ollamaParts,
  type Part,
} from "./provider-parts.ts";

/** A provider's form of messages. */
interface Form {
  readonly name: string;
  readonly parts: (messages: readonly BaseMessage[]) => readonly Part[];
  /**
   * Whether LangChain's converter accepts a model's content with blocks of these kinds unchanged.
   * Some reject, drop or resend blocks that another provider wrote. Default: it accepts all.
   */
  readonly takes?: (kinds: readonly string[]) => boolean;
  /** Whether LangChain's converter sends the calls of these messages. Default: it sends all. */
  readonly sendsCallsOf?: (messages: readonly BaseMessage[]) => boolean;
}

const isAll = (kind: string) => (kinds: readonly string[]) => kinds.every((one) => one === kind);

const FORMS: readonly Form[] = [
  { name: "messages", parts: messageParts },
  { name: "completions", parts: completionsParts },
  { name: "responses", parts: responsesParts },
  { name: "anthropic", parts: anthropicParts },
  { name: "google", parts: googleParts, takes: isAll("functionCall") },
  { name: "chatGoogle", parts: chatGoogleParts, sendsCallsOf: isOfChatGoogle },
  { name: "bedrock", parts: bedrockParts, takes: isAll("tool_call") },
  { name: "mistral", parts: mistralParts, takes: (kinds) => kinds.length === 0 },
  { name: "ollama", parts: ollamaParts, takes: (kinds) => kinds.includes("tool_use") },
];

/** ChatGoogle sends no calls that another model made. */
function isOfChatGoogle(messages: readonly BaseMessage[]): boolean {
  const calling = messages.filter(AIMessage.isInstance).filter((one) => one.tool_calls?.length);
  return calling.every((one) => one.response_metadata?.model_provider === "google");
}

/** The provider forms that LangChain can make of these messages. */
function formsOf(messages: readonly BaseMessage[]): readonly Form[] {
  const contents = messages.flatMap(({ content }) => (Array.isArray(content) ? [content] : []));
  const kinds = contents.map((content) => content.map(({ type }) => type));
  return FORMS.filter(
    ({ takes = () => true, sendsCallsOf = () => true }) =>
      kinds.every(takes) && sendsCallsOf(messages),
  );
}

/** The payloads that providers receive for messages. */
export interface Payload {
  /** The faults of the payload, for each provider's form. */
  readonly faults: readonly string[];
  /** The calls that the forms hold. */
  readonly calls: readonly SentCall[];
}

type SentCall = Extract<Part, { readonly call: string }>;

/**
 * Checks that a list of messages can be sent to any provider: each call is answered once, right after
 * its message, in the order of the calls.
 *
 * @param messages The messages.
 * @param isOrdered Whether to check the order of answers, which LangChain itself changes if a human
 *   decides. Default: `true`.
 */
export function readPayload(messages: readonly BaseMessage[], isOrdered = true): Payload {
  const forms = formsOf(messages).map(({ name, parts }) => ({ name, parts: parts(messages) }));
  return {
    faults: forms.flatMap(({ name, parts }) =>
      faultsOf(parts, isOrdered).map((fault) => `${name}: ${fault}`),
    ),
    calls: forms.flatMap(({ parts }) =>
      parts.flatMap((part) => (part !== "other" && "call" in part ? [part] : [])),
    ),
  };
}

/** Like `readPayload`, but returns only the faults. */
export function faultsOfPayload(messages: readonly BaseMessage[]): readonly string[] {
  return readPayload(messages).faults;
}

function faultsOf(parts: readonly Part[], isOrdered: boolean): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  for (const part of [...parts, "other" as const]) {
    if (part === "other" || "call" in part) {
      // Calls of one message stand together; once one is answered, all are.
      const isAnswering = open.length > 0 && open[0]?.startsWith("?");
      if (part === "other" ? open.length > 0 : isAnswering) {
        faults.push(`unanswered: ${open.join()}`);
        open = [];
      }
      if (part === "other") continue;
      if (seen.has(part.call)) faults.push(`called twice: ${part.call}`);
      seen.add(part.call);
      open.push(part.call);
      continue;
    }
    const ids = open.map((id) => id.replace(/^\?/, ""));
    const isNext = isOrdered ? ids[0] === part.answer : ids.includes(part.answer);
    if (!isNext) faults.push(`answer of ${part.answer}, expected of ${ids.join()}`);
    open = ids.filter((id) => id !== part.answer).map((id) => `?${id}`);
  }
  return faults;
}

// biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
type Body = any;

function completionsParts(messages: readonly BaseMessage[]): readonly Part[] {
  const body: Body[] = convertMessagesToCompletionsMessageParams({ messages: [...messages] });
  return body.flatMap((one): Part[] => {
    if (one.role === "tool") return [{ answer: one.tool_call_id }];
    const calls = (one.tool_calls ?? []).map((call: Body) => ({
      call: call.id,
      name: call.function.name,
      args: JSON.parse(call.function.arguments),
    }));
    return ["other", ...calls];
  });
}

function responsesParts(messages: readonly BaseMessage[]): readonly Part[] {
  const body: Body[] = convertMessagesToResponsesInput({
    messages: [...messages],
    zdrEnabled: false,
    model: "gpt-test",
  });
  return body.map((item): Part => {
    if (item.type === "function_call_output") return { answer: item.call_id };
    if (item.type !== "function_call") return "other";
    return { call: item.call_id, name: item.name, args: JSON.parse(item.arguments) };
  });
}

function anthropicParts(messages: readonly BaseMessage[]): readonly Part[] {
  const { messages: body } = convertPromptToAnthropic(new ChatPromptValue([...messages])) as Body;
  return body.flatMap(({ role, content }: Body): Part[] => {
    const blocks: Body[] = typeof content === "string" ? [{ type: "text" }] : content;
    const parts = blocks.flatMap((block): Part[] => {
      if (block.type === "tool_result") return [{ answer: block.tool_use_id }];
      if (block.type === "tool_use") {
        return [{ call: block.id, name: block.name, args: block.input }];
      }
      return [];
    });
    const isAnswers = role === "user" && parts.length > 0;
    return isAnswers ? parts : ["other", ...parts];
  });
}

/** The payloads of providers that match calls and answers by order alone. */
function messageParts(messages: readonly BaseMessage[]): readonly Part[] {
  return messages.flatMap((message): Part[] => {
    if ("tool_call_id" in message) return [{ answer: message.tool_call_id as string }];
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    return ["other", ...calls.map(({ id = "", name, args }) => ({ call: id, name, args }))];
  });
}
