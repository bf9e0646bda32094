import type { AIMessage, ToolCall } from "@langchain/core/messages";
import { jsonEquals } from "../../repair/json.ts";
import type { JsonValue } from "../../repair/types.ts";
import {
  type CallRecord,
  isHidden,
  ownMetadata,
  recordsById,
} from "../message/messages.ts";

/** The id of a call; some models give none. */
export type CallId = string | undefined;

/** What makes two calls the same. */
interface CallParts {
  readonly id?: CallId;
  readonly name: string;
  readonly args: unknown;
}

/** Whether two calls have the same id, name and arguments. */
export function isSameCall(first: CallParts, second: CallParts): boolean {
  if (first.id !== second.id || first.name !== second.name) return false;
  return jsonEquals(first.args as JsonValue, second.args as JsonValue);
}

/**
 * A message of a state whose calls run, with its calls by id. It is read once
 * for all of them: a message may have hundreds, and each comes to the tools
 * with the whole state.
 */
export class CallingMessage {
  readonly message: AIMessage;
  /** The ids of its calls, in the model's order. */
  readonly ids: readonly CallId[];
  /** The ids of the calls whose tools were known when the model answered. */
  readonly knownIds: readonly CallId[];
  /** The ids of the calls that are hidden from a human. */
  readonly hiddenIds: readonly CallId[];
  readonly #parts: readonly unknown[];
  readonly #callsById = new Map<CallId, ToolCall>();
  readonly #recordsById: ReadonlyMap<string, CallRecord>;

  private constructor(message: AIMessage) {
    this.message = message;
    const { tool_calls: calls = [] } = message;
    this.#parts = partsOf(message);
    this.#recordsById = recordsById(message);
    for (const call of calls) {
      if (!this.#callsById.has(call.id)) this.#callsById.set(call.id, call);
    }
    this.ids = calls.map(({ id }) => id);
    this.knownIds = this.ids.filter((id) => this.isKnown(id));
    this.hiddenIds = calls.filter(isHidden).map(({ id }) => id);
  }

  /** Reads a message, unless it is read already and unchanged. */
  static of(message: AIMessage): CallingMessage {
    const known = readMessages.get(message);
    if (known?.isCurrent()) return known;
    const calling = new CallingMessage(message);
    readMessages.set(message, calling);
    return calling;
  }

  /**
   * Whether the message has the same parts still: other middleware may replace
   * them in place.
   */
  isCurrent(): boolean {
    const parts = partsOf(this.message);
    return this.#parts.every((part, index) => part === parts[index]);
  }

  callOf(id: CallId): ToolCall | undefined {
    return this.#callsById.get(id);
  }

  recordOf(id: CallId): CallRecord | undefined {
    return this.#recordsById.get(id ?? "");
  }

  /** Whether a call's tool was known when the model answered. */
  isKnown(id: CallId): boolean {
    return this.recordOf(id)?.isUnknown !== true;
  }
}

function partsOf(message: AIMessage): readonly unknown[] {
  const { tool_calls, content, response_metadata } = message;
  return [tool_calls, tool_calls?.length, content, response_metadata];
}

/** The messages whose calls are running. */
const readMessages = new WeakMap<AIMessage, CallingMessage>();

/**
 * What a message said of its calls at one time: other middleware may change
 * them in place.
 */
export class MessageSnapshot {
  readonly #content: unknown;
  readonly #metadata: unknown;
  readonly #calls: readonly CallParts[];
  readonly #callsById = new Map<CallId, CallParts>();
  /** The message that was compared last, and is the same. */
  #compared?: CallingMessage;

  constructor(message: AIMessage) {
    const { content, tool_calls = [] } = message;
    this.#content = content;
    this.#metadata = ownMetadata(message);
    this.#calls = tool_calls.map(({ id, name, args }) => ({ id, name, args }));
    for (const call of this.#calls) this.#callsById.set(call.id, call);
  }

  /**
   * Whether a message says the same still. It is compared once; then only the
   * call that runs is.
   */
  isOf(calling: CallingMessage, id: CallId): boolean {
    if (calling === this.#compared) return this.#hasCall(calling.callOf(id));
    if (!this.#equals(calling.message)) return false;
    this.#compared = calling;
    return true;
  }

  #hasCall(call: ToolCall | undefined): boolean {
    if (call === undefined) return false;
    const before = this.#callsById.get(call.id);
    return before !== undefined && isSameCall(before, call);
  }

  #equals(message: AIMessage): boolean {
    const { content, tool_calls = [] } = message;
    const hasSameCalls =
      tool_calls.length === this.#calls.length &&
      this.#calls.every((call, index) =>
        isSameCall(call, tool_calls[index] as ToolCall),
      );
    return (
      hasSameCalls &&
      jsonEquals(this.#content as JsonValue, content as JsonValue) &&
      jsonEquals(this.#metadata as JsonValue, ownMetadata(message) as JsonValue)
    );
  }
}
