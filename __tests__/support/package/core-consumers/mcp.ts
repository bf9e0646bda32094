// Calls of MCP are repaired without LangChain and without an SDK.
import { repairCalls } from "toolmend/mcp";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly arguments?: unknown };
}

async function main(): Promise<void> {
  const transport = {
    onmessage: undefined as ((message: Message) => void) | undefined,
    send: async (_message: object) => {},
  };
  const repairing = repairCalls(transport, "server");
  const called = new Promise<Message>((resolve) => {
    repairing.onmessage = (message) => {
      const inputSchema = { type: "object", properties: { count: { type: "integer" } } };
      const result = { tools: [{ name: "roll", inputSchema }] };
      if (message.method === "tools/list") void repairing.send({ id: message.id, result });
      else resolve(message);
    };
  });
  const params = { name: "roll", arguments: { count: "5" } };
  transport.onmessage?.({ id: 1, method: "tools/call", params });
  const input = JSON.stringify((await called).params?.arguments);
  if (input !== '{"count":5}') throw new Error(`called with ${input}`);
}

void main();
