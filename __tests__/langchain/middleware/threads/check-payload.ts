import { convertPromptToAnthropic } from "@langchain/anthropic";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { ChatPromptValue } from "@langchain/core/prompt_values";
import {
  convertMessagesToCompletionsMessageParams,
  convertMessagesToResponsesInput,
} from "@langchain/openai";

/** What a provider is sent of a call or its answer, in one shape for all of them. */
type Part =
  | { readonly call: string; readonly name: string; readonly args: unknown }
  | { readonly answer: string }
  | "other";

/**
 * Checks that a list of messages can be sent to any provider: each call is answered once, right
 * after its message, in the order of the calls.
 *
 * @param messages The messages.
 * @param isOrdered Whether the order of answers is checked: LangChain itself changes it where a human
 * decides. Default: `true`.
 * @returns What is wrong with it, for each of the providers' forms.
 */
export function faultsOfPayload(
  messages: readonly BaseMessage[],
  isOrdered = true,
): readonly string[] {
  const forms: [string, readonly Part[]][] = [
    ["completions", completionsParts(messages)],
    ["responses", responsesParts(messages)],
    ["anthropic", anthropicParts(messages)],
    ["messages", messageParts(messages)],
  ];
  return forms.flatMap(([name, parts]) =>
    faultsOf(parts, isOrdered).map((fault) => `${name}: ${fault}`),
  );
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

/** What providers are sent that go by order alone. */
function messageParts(messages: readonly BaseMessage[]): readonly Part[] {
  return messages.flatMap((message): Part[] => {
    if ("tool_call_id" in message) return [{ answer: message.tool_call_id as string }];
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    return ["other", ...calls.map(({ id = "", name, args }) => ({ call: id, name, args }))];
  });
}

/** The calls that the provider's form of the messages holds. */
export function sentCalls(messages: readonly BaseMessage[]) {
  return anthropicParts(messages).flatMap((part) =>
    part !== "other" && "call" in part ? [part] : [],
  );
}
