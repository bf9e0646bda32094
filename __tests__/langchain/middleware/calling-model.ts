import { AIMessage } from "@langchain/core/messages";
import { fakeModel } from "langchain";

/** A call as a test's model makes it. */
export interface ModelCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

/** A message with these calls. */
export function calling(...calls: readonly ModelCall[]): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: calls.map(({ name, args, id }) => ({
      name,
      args: args as Record<string, unknown>,
      type: "tool_call" as const,
      ...(id === undefined ? {} : { id }),
    })),
  });
}

/** A message with calls that LangChain could not read. */
export function unreadable(...calls: readonly { name: string; args: string; id?: string }[]) {
  return new AIMessage({
    content: "",
    invalid_tool_calls: calls.map((call) => ({
      ...call,
      error: "Malformed args.",
      type: "invalid_tool_call" as const,
    })),
  });
}

/** A model that says this, one after another, and then "done". */
export function saying(...messages: readonly AIMessage[]) {
  const model = fakeModel();
  for (const message of messages) model.respond(message);
  return model.respond(new AIMessage("done"));
}
