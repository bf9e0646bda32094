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
import { type McpOptions, MessageRepair } from "./repair-messages.ts";

/**
 * What the transports of `@modelcontextprotocol/sdk` 1, `…/server` 2 and
 * `…/client` 2 have in common.
 */
interface McpTransport<Content, Extra> {
  send(message: Content, options?: Extra): Promise<void>;
  close?(): Promise<void>;
  onmessage?: ((message: Content, extra?: Extra) => unknown) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

type Wire = McpTransport<Message, unknown>;

const ARGUMENTS = {
  transport: check("a transport, with a method send", (it) =>
    aFunction.isMet(Object(it).send),
  ),
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
 * Repairs the arguments of every `tools/call` on a connection of MCP by the
 * server's own list of tools, before the server sees them. Valid calls and all
 * other messages pass by reference.
 *
 * @param transport A transport of the official SDK, version 1 or 2, before it
 *   is connected.
 * @param side Whose transport it is.
 * @param options Fixers, level, limits and listeners; who answers what cannot
 *   be repaired.
 * @returns The transport to connect in its place.
 * @throws TypeError for wrong use: something that is not a transport or a side,
 *   a transport that is wrapped already, an unknown option, or an invalid value
 *   of an option.
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
  checkArguments(
    "repairCalls(transport, side, options)",
    { transport, side },
    ARGUMENTS,
  );
  checkOptions(options, OPTIONS);
  if (wrappedTransports.has(transport))
    throw new TypeError(
      "The transport of repairCalls(transport, side, options) is one that repairCalls returned: wrap it once.",
    );
  const wire = transport as unknown as Wire;
  const members = new RepairedMembers(wire, side === "server", options);
  const wrapped = new Proxy(transport, {
    get(target, key) {
      if (MEMBERS.has(key)) return Reflect.get(members, key);
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
    set(target, key, value) {
      return Reflect.set(MEMBERS.has(key) ? members : target, key, value);
    },
  });
  wrappedTransports.add(wrapped);
  return wrapped;
}

/** The transports that were returned: a second wrapper would report each call again. */
const wrappedTransports = new WeakSet<object>();

const MEMBERS: ReadonlySet<PropertyKey> = new Set([
  "send",
  "close",
  "onmessage",
  "onclose",
]);

/**
 * The members of a transport that repairs: all others are the transport's own.
 */
class RepairedMembers implements Wire {
  readonly #wire: Wire;
  readonly #isServer: boolean;
  readonly #repair: MessageRepair<unknown>;
  #onmessage: Wire["onmessage"];
  #onclose: Wire["onclose"];
  send = this.#send.bind(this);
  /**
   * The SDK replaces it for a time, by a function that calls the one before
   * (MCP client 2.4.0; repair-calls.test).
   */
  close: Wire["close"];

  constructor(wire: Wire, isServer: boolean, options: McpOptions) {
    this.#wire = wire;
    this.#isServer = isServer;
    this.#onclose = wire.onclose;
    this.close = wire.close && this.#close.bind(this);
    const send: Wire["send"] = (message, sendOptions) =>
      wire.send(message, sendOptions);
    const deliver = (message: Message, extra?: unknown) =>
      this.#onmessage?.(message, extra);
    // What came with a call belongs to it alone: at a client, it may resume
    // another request (MCP SDK 1.32.2; repair-calls.test).
    const ask = isServer ? deliver : (request: Message) => send(request);
    const [toServer, toClient] = isServer ? [deliver, send] : [send, deliver];
    const ends = { toServer, toClient, ask, answer: toClient };
    const rejections = isServer ? "toolmend" : "server";
    this.#repair = new MessageRepair<unknown>(ends, { rejections, ...options });
  }

  get onmessage(): Wire["onmessage"] {
    return this.#onmessage;
  }

  set onmessage(listener: Wire["onmessage"]) {
    this.#onmessage = listener;
    // On the transport itself: those of HTTP hand the listener on by a setter
    // (MCP SDK 1.32.2; sdk.test).
    this.#wire.onmessage = listener && this.#receive.bind(this);
  }

  get onclose(): Wire["onclose"] {
    return this.#onclose;
  }

  set onclose(listener: Wire["onclose"]) {
    this.#onclose = listener;
    this.#wire.onclose = listener && this.#takeClose.bind(this);
  }

  async #send(message: Message, sendOptions?: unknown): Promise<void> {
    // A batch of MCP 2025-03-26.
    if (!isJsonObject(message)) await this.#wire.send(message, sendOptions);
    else if (!this.#isServer)
      await this.#repair.fromClient(message, sendOptions);
    else
      await this.#repair.fromServer(message, this.#relatedToCall(sendOptions));
  }

  #receive(message: Message, extra?: unknown): void {
    const received = this.#takeIncoming(message, extra);
    if (received instanceof Promise) {
      received.catch((error: Error) => this.#wire.onerror?.(error));
    }
  }

  #takeIncoming(message: Message, extra: unknown): unknown {
    if (!isJsonObject(message)) return this.#onmessage?.(message, extra);
    if (this.#isServer) return this.#repair.fromClient(message, extra);
    return this.#repair.fromServer(message, extra);
  }

  async #close(): Promise<void> {
    this.#repair.close();
    await this.#wire.close?.();
  }

  #takeClose(): void {
    this.#repair.close();
    this.#onclose?.();
  }

  /**
   * What a server sends while it lists its tools for a call goes where the call
   * came from: the transports of HTTP know no request of toolmend's own (MCP
   * SDK 1.32.2; sdk.test).
   */
  #relatedToCall(sendOptions: unknown): unknown {
    if (!isJsonObject(sendOptions)) return sendOptions;
    const { relatedRequestId } = sendOptions;
    // The ids of toolmend's own requests are texts.
    if (typeof relatedRequestId !== "string") return sendOptions;
    const callId = this.#repair.callIdOf(relatedRequestId);
    return callId === undefined
      ? sendOptions
      : { ...sendOptions, relatedRequestId: callId };
  }
}
