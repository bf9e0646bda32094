import type { OutputParserException } from "@langchain/core/output_parsers";
import { readCallObject } from "../../repair/text-calls/json-calls.ts";
import { exceptionAction } from "./exception-action.ts";
import { findActionTool } from "./find-action-tool.ts";
import { type Plan, planFromText } from "./plan.ts";
import type { Run } from "./run.ts";

/**
 * Asks `onUnfixable` about text in which no action could be read.
 *
 * @param error LangChain's `OutputParserException`.
 * @param text What the model wrote.
 * @param run The run.
 * @returns What the handler says: an action for its JSON, an observation for its text; `undefined`
 * when there is no handler, it has no answer, or its JSON names no tool that was offered.
 * @throws What the handler throws.
 */
export async function askAboutText(
  error: Error,
  text: string,
  run: Run,
): Promise<Plan | undefined> {
  const { onUnfixable } = run.options;
  if (typeof onUnfixable !== "function") return undefined;
  const answer = await onUnfixable(error as OutputParserException, text, undefined);
  if (typeof answer === "string") {
    return { kind: "output", output: exceptionAction(answer, error.message, text) };
  }
  const call = readCallObject(answer);
  if (call === undefined || (await findActionTool(call.name, run)) === undefined) return undefined;
  const by = { fixer: "onUnfixable", level: "strict" } as const;
  return planFromText({ tool: call.name, input: call.args ?? {}, text, by, ask: false });
}
