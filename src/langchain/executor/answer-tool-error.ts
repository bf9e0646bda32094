import { isInputError } from "../../repair/errors/tool-input-error.ts";
import type { AgentAction } from "../../repair/types.ts";
import { mustRethrow } from "../tool/must-rethrow.ts";
import { answerInputError } from "./answer-input-error.ts";
import { failRun, keeps, type PreparedAction, type Run } from "./run.ts";
import { summarize } from "./summarize.ts";
import { toObservation } from "./to-observation.ts";

/**
 * Answers an error that a tool threw while it ran, or by which it refused its input after all: then the
 * action is no longer valid. A tool that ran may throw the refusal of another tool that it called.
 *
 * @param error What was thrown.
 * @param action The action.
 * @param run The run.
 * @returns The observation: by default the error's name and the first line of its message, cut to
 * 1,000 characters.
 * @throws The error, where it ends the run; what a handler throws.
 */
export async function answerToolError(
  error: unknown,
  action: PreparedAction,
  run: Run,
): Promise<string> {
  if (mustRethrow(error, run.signal)) return failRun(run, error);
  const isOwn = !action.valid;
  if (isInputError(error) && (isOwn || isAnsweredByLangChain(run))) {
    return answerInputError(error, run);
  }
  if (keeps(run, "toolErrors")) throw error;
  const handle = run.options.onToolError ?? run.executor.handleToolRuntimeErrors;
  if (handle === "throw") return failRun(run, error);
  if (handle === undefined) return summarize(error);
  return toObservation(await handle(error as Error, action as AgentAction)) || summarize(error);
}

/** LangChain does not tell a tool's refusal from that of one that it called. */
function isAnsweredByLangChain(run: Run): boolean {
  const { handleParsingErrors: handle } = run.executor;
  const isHandled = typeof handle === "string" || typeof handle === "function";
  return isHandled || keeps(run, "inputErrors");
}
