import { wrongUse } from "../../repair/errors/likeness.ts";
import { nameThing } from "../../repair/usage.ts";

/**
 * Checks that something is a list of messages.
 *
 * @param messages What was given.
 * @param of The function that it was given to, as it is called.
 * @throws TypeError when it is not an array; it says what it is instead.
 */
export function checkMessages(
  messages: unknown,
  of: string,
): asserts messages is readonly object[] {
  if (Array.isArray(messages)) return;
  throw wrongUse(`${of} needs an array of messages; this is ${nameThing(messages)}.`);
}

/**
 * Checks that something is the state of a graph with messages.
 *
 * @param state What was given.
 * @param of The function that it was given to, as it is called.
 * @throws TypeError when it has no messages; it says what it is instead.
 */
export function checkState(state: unknown, of: string): void {
  const { messages } = (state ?? {}) as { messages?: unknown };
  if (Array.isArray(messages)) return;
  const what = nameThing(state);
  const given =
    what === "an object" ? `an object of which messages is ${nameThing(messages)}` : what;
  throw wrongUse(`${of} needs a graph's state, { messages: [messages] }; this is ${given}.`);
}

/**
 * Checks that something is a message.
 *
 * @param message What was given.
 * @param of The function that it was given to, as it is called.
 * @throws TypeError when it is not one; it says what it is instead.
 */
export function checkMessage(message: unknown, of: string): void {
  const { _getType } = (message ?? {}) as { _getType?: unknown };
  if (typeof _getType === "function") return;
  throw wrongUse(`${of} needs a message of LangChain's; this is ${nameThing(message)}.`);
}
