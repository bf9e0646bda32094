import { isToolInputParsingException } from "../../repair/errors/tool-input-error.ts";
import type { AgentAction } from "../../repair/types.ts";
import { answerParsingError } from "./answer-parsing-error.ts";
import { mustRethrow } from "./must-rethrow.ts";
import { failRun, keeps, type PreparedAction, type Run } from "./run.ts";
import { toText } from "./to-text.ts";

/** What LangChain answers to a refused input where `handleParsingErrors` is `true`. */
export const INVALID_INPUT = "Invalid or incomplete tool input. Please try again.";

/**
 * Answers an error that a tool threw while it ran.
 *
 * @param error What was thrown.
 * @param action The action.
 * @param run The run.
 * @returns The observation: by default the error's name and the first line of its message.
 * @throws The error, where it ends the run; what a handler throws.
 */
export async function answerToolError(
  error: unknown,
  action: PreparedAction,
  run: Run,
): Promise<string> {
  if (mustRethrow(error, run.signal)) return failRun(run, error);
  if (isToolInputParsingException(error)) {
    action.valid = false;
    return answerParsingError(error, INVALID_INPUT, run);
  }
  if (keeps(run, "toolErrors")) throw error;
  const handle = run.options.onToolError ?? run.executor.handleToolRuntimeErrors;
  if (handle === "throw") return failRun(run, error);
  if (handle === undefined) return summarize(error);
  return toText(await handle(error as Error, action as AgentAction)) || summarize(error);
}

function summarize(error: unknown): string {
  if (!(error instanceof Error)) return `Error: ${toText(error)}`;
  const [line = ""] = error.message.split("\n");
  return line === "" ? error.name : `${error.name}: ${line}`;
}
