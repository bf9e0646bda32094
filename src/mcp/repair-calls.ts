import { isJsonObject } from "../repair/json.ts";
import { COMMON_CHECKS, REPAIR_CHECKS } from "../repair/policy.ts";
import {
  aCount,
  aFunction,
  type Checks,
  check,
  checkArguments,
  checkOptions,
  oneOf,
} from "../repair/usage.ts";
import type { Message } from "./messages.ts";
import { type McpOptions, repairMessages } from "./repair-messages.ts";

/** What the transports of `@modelcontextprotocol/sdk` 1, `…/server` 2 and `…/client` 2 have in common. */
interface McpTransport<Content, Extra> {
  send(message: Content, options?: Extra): Promise<void>;
  onmessage?: ((message: Content, extra?: Extra) => unknown) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

const ARGUMENTS = {
  transport: check("a transport, with a method send", (it) => aFunction.isMet(Object(it).send)),
  side: oneOf("server", "client"),
};

const OPTIONS = {
  of: "repairCalls",
  example: 'repairCalls(transport, "server", { level: "eager" })',
  checks: {
    ...COMMON_CHECKS,
    origin: REPAIR_CHECKS.origin,
    rejections: oneOf("toolmend", "server"),
    listTimeoutMs: aCount,
  } satisfies Checks<McpOptions>,
};

/**
 * Repairs the arguments of every `tools/call` on a connection of MCP by the server's own list of tools, before
 * the server sees them. Valid calls and all other messages pass by reference.
 *
 * @param transport A transport of the official SDK, version 1 or 2, before it is connected.
 * @param side Whose transport it is.
 * @param options Fixers, level, limits and listeners; who answers what cannot be repaired.
 * @returns The transport to connect in its place.
 * @throws TypeError for wrong use: something that is not a transport or a side, an unknown option, or an
 * invalid value of an option.
 * @example
 * ```ts
 * await server.connect(repairCalls(transport, "server"));
 * ```
 */
export function repairCalls<Transport extends McpTransport<never, never>>(
  transport: Transport,
  side: "server" | "client",
  options: McpOptions = {},
): Transport {
  checkArguments("repairCalls(transport, side, options)", { transport, side }, ARGUMENTS);
  checkOptions(options, OPTIONS);
  const wire = transport as unknown as McpTransport<Message, unknown>;
  const isServer = side === "server";
  let listener: (typeof wire)["onmessage"];
  const send = (message: Message, sendOptions?: unknown) => wire.send(message, sendOptions);
  const deliver = (message: Message, extra?: unknown) => listener?.(message, extra);

  // What came with a call belongs to it alone: at a client, it may resume another request.
  const ends = isServer
    ? { toServer: deliver, toClient: send, ask: deliver, answer: (it: Message) => send(it) }
    : { toServer: send, toClient: deliver, ask: (it: Message) => send(it), answer: deliver };
  const rejections = isServer ? "toolmend" : "server";
  const { fromClient, fromServer } = repairMessages<unknown>(ends, { rejections, ...options });
  const [incoming, outgoing] = isServer ? [fromClient, fromServer] : [fromServer, fromClient];

  // A message that is no object passes: a batch of MCP 2025-03-26.
  async function sendRepaired(message: Message, sendOptions?: unknown): Promise<void> {
    await (isJsonObject(message) ? outgoing : send)(message, sendOptions);
  }
  function receive(message: Message, extra?: unknown): void {
    const result = (isJsonObject(message) ? incoming : deliver)(message, extra);
    if (result instanceof Promise) result.catch((error: Error) => wire.onerror?.(error));
  }

  return new Proxy(transport, {
    get(target, key) {
      if (key === "onmessage") return listener;
      if (key === "send") return sendRepaired;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
    // On the transport itself: those of HTTP hand the listener on by a setter.
    set(target, key, value) {
      if (key !== "onmessage") return Reflect.set(target, key, value);
      listener = value;
      return Reflect.set(target, key, value && receive);
    },
  });
}
