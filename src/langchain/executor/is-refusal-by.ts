import { EXCEPTIONS } from "../../repair/errors/likeness.ts";
import { isInputError, ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";

const LANGCHAIN_MESSAGE = EXCEPTIONS.ToolInputParsingException.message ?? "";

/** How a tool was run. */
interface ToolRun {
  readonly tool: ToolLike;
  readonly input: JsonValue;
  /** Whether it is known to have got past its schema. */
  readonly isStarted: boolean;
}

/**
 * Tells whether an error is a tool's own refusal of its input, and not that of another tool that it
 * called when it ran. A tool may also refuse its input on purpose, in words of its own.
 *
 * @param error What the tool threw.
 * @param run How it was run.
 */
export function isRefusalBy(error: unknown, { tool, input, isStarted }: ToolRun): boolean {
  if (ToolInputError.isInstance(error)) return error.toolName === tool.name;
  if (!isInputError(error)) return false;
  if (!error.message.startsWith(LANGCHAIN_MESSAGE)) return true;
  if (isStarted) return false;
  // LangChain's error says what was refused; a string tool's text stands in an object.
  const given = error.output === undefined ? undefined : parseExactly(error.output);
  return [input, { input }].some((one) => given !== undefined && jsonEquals(given, one));
}
