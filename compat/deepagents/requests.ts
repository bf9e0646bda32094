import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

/**
 * Returns the calls in a model's requests that are not answered exactly once, right after their
 * message and in order.
 *
 * @param requests The messages of each request.
 */
export function faultsOf(requests: readonly (readonly BaseMessage[])[]): readonly string[] {
  return requests.flatMap((messages, request) =>
    messages.flatMap((message, at) => {
      if (!AIMessage.isInstance(message)) return [];
      const calls = (message.tool_calls ?? []).map(({ id }) => id);
      const rest = messages.slice(at + 1);
      const end = rest.findIndex((one) => !ToolMessage.isInstance(one));
      const answers = (end < 0 ? rest : rest.slice(0, end)).map(
        (one) => (one as ToolMessage).tool_call_id,
      );
      return `${calls}` === `${answers}`
        ? []
        : [`request ${request}: ${calls} answered ${answers}`];
    }),
  );
}
