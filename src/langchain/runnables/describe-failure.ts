import type { ToolCall } from "@langchain/core/messages";
import { wrongUse } from "../../repair/errors/likeness.ts";
import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { showValue, whyNotJson } from "../../repair/json/json-value.ts";
import { cutText, nameThing } from "../../repair/usage.ts";

/** What went wrong in a call of a tool. Given to `message` of `withToolErrors`. */
export interface ToolFailure {
  /** What was thrown: a `ToolInputError` where the input was refused, else what the tool threw. */
  readonly error: Error;
  /** The name of the tool, where it is known. */
  readonly toolName?: string;
  /** What the model wrote as arguments; of a chain that never got to a tool, the chain's input. */
  readonly input: unknown;
  /** The tool call, where one was given. */
  readonly toolCall?: ToolCall;
}

const MAX_LENGTH = 1_000;

/** A line of a stack trace. */
const STACK_LINE = /^\s*at\s.*(:\d+(:\d+)?\)?|\(native\)|<anonymous>\)?)\s*$/;

/**
 * Says for a model what went wrong: the tool, the arguments, the error. Each is cut to 1,000
 * characters, and no stack trace is in it, even where the error's message holds one.
 *
 * @param failure What went wrong.
 * @returns The text.
 * @throws TypeError for what has no error.
 * @example
 * ```ts
 * const told = describeFailure({ error: new Error("no network"), toolName: "click", input: { selector: "#buy" } });
 * ```
 */
export function describeFailure(failure: ToolFailure): string {
  if (!((failure as Partial<ToolFailure> | undefined)?.error instanceof Error)) {
    const what = nameThing(failure);
    throw wrongUse(
      `describeFailure({ error, input, … }) needs what message is told; this is ${what}.`,
    );
  }
  const { error, toolName, input } = failure;
  const tool = toolName === undefined ? "tool" : `tool "${toolName}"`;
  const isJson = whyNotJson(input, 100) === undefined;
  const calling = isJson
    ? `Calling ${tool} with arguments:\n\n${showValue(input, MAX_LENGTH)}\n\n`
    : `Calling ${tool} `;
  return `${calling}raised the following error:\n\n${describeError(error)}`;
}

function describeError(error: Error): string {
  if (ToolInputError.isInstance(error)) return error.toModelMessage();
  const lines = error.message.split("\n").filter((line) => !STACK_LINE.test(line));
  const text = lines.join("\n").trim();
  return cutText(text === "" ? error.name : `${error.name}: ${text}`, MAX_LENGTH);
}
