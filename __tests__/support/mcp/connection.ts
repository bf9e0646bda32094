import { type McpOptions, repairCalls } from "toolmend/mcp";

/** A message of JSON-RPC. */
export interface Wired {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [name: string]: unknown };
  readonly result?: { readonly [name: string]: unknown };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A connection whose transport, at one side, repairs. */
export interface Connection {
  /** Sends a message from one end, as its SDK does. */
  readonly fromClient: (message: unknown, extra?: unknown) => Promise<void>;
  readonly fromServer: (message: unknown, extra?: unknown) => Promise<void>;
  /** What came out at the other end; without requests for the list that the connection answers. */
  readonly atServer: unknown[];
  readonly atClient: unknown[];
  /** The requests for the list that toolmend made. */
  readonly listRequests: Wired[];
  /** The errors that were reported to the transport. */
  readonly errors: Error[];
  /** Ends the connection, as its SDK does, or as the other end does. */
  readonly close: () => Promise<void>;
  readonly drop: () => void;
}

/** The tool of the tests. */
export const ROLL = {
  name: "roll",
  inputSchema: {
    type: "object",
    properties: {
      count: { type: "integer" },
      sides: { type: "array", items: { type: "integer" } },
    },
    required: ["count"],
  },
};

/** A request to call `roll`. */
export function rolling(args: unknown, id: string | number = 1): Wired {
  return { id, method: "tools/call", params: { name: "roll", arguments: args } };
}

/** Connects a client and a server that answers `tools/list`, by default with `roll`. */
export function connect(
  side: "server" | "client",
  options: McpOptions = {},
  answer: (request: Wired, send: (message: unknown) => void) => void = ({ id }, send) =>
    send({ id, result: { tools: [ROLL] } }),
): Connection {
  const [atServer, atClient]: [unknown[], unknown[]] = [[], []];
  const listRequests: Wired[] = [];
  const errors: Error[] = [];
  const serve = (message: unknown) => {
    const { id, method } = Object(message) as Wired;
    if (method !== "tools/list" || !String(id).startsWith("toolmend-")) {
      atServer.push(message);
      return;
    }
    listRequests.push(message as Wired);
    answer(message as Wired, (sent) => void fromServer(sent));
  };
  const plain = {
    onmessage: undefined as ((message: unknown, extra?: unknown) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    onerror: (error: Error) => void errors.push(error),
    close: async () => {},
    send: async (message: unknown, _extra?: unknown) => {
      if (side === "server") atClient.push(message);
      else serve(message);
    },
  };
  const repairing = repairCalls(plain, side, options);
  repairing.onclose = () => {};
  repairing.onmessage = side === "server" ? serve : (message) => void atClient.push(message);
  const arrive = async (message: unknown, extra?: unknown) => plain.onmessage?.(message, extra);
  const leave = (message: unknown, extra?: unknown) => repairing.send(message, extra);
  const [fromClient, fromServer] = side === "server" ? [arrive, leave] : [leave, arrive];
  const close = () => repairing.close();
  const drop = () => plain.onclose?.();
  return { fromClient, fromServer, atServer, atClient, listRequests, errors, close, drop };
}

/** Waits until everything that does not wait for a timer is done. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
