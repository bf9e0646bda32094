import { levelAllows } from "../../repair/level-allows.ts";
import { policyFor } from "../../repair/options.ts";
import { findTool } from "./find-tool.ts";
import { type Plan, planFromText } from "./plan.ts";
import { readTextCall } from "./read-text-call.ts";
import type { Run } from "./run.ts";

/** What LangChain's text agents call the action of finishing. */
const FINAL_ANSWER = "Final Answer";

/**
 * Repairs text that LangChain's parser refused, without asking a model: the JSON blob of a chat
 * agent.
 *
 * @param text What the model wrote.
 * @param isCutOff Whether the text is known to be cut off.
 * @param run The run.
 * @returns The action or answer in it; `undefined` when it cannot be told for certain, or names no
 * tool that was offered.
 */
export function readText(text: string, isCutOff: boolean, run: Run): Plan | undefined {
  const call = readTextCall(text);
  if (call === undefined || (isCutOff && call.level !== "strict")) return undefined;
  const { name, input = {}, level } = call;
  if (name === FINAL_ANSWER) {
    const allowed = run.options.level ?? run.options.fixers?.level ?? "safe";
    if (!levelAllows(allowed, level)) return undefined;
    return { kind: "output", output: { returnValues: { output: input }, log: text } };
  }
  const found = findTool(name, run);
  if (found === undefined) return undefined;
  if (!levelAllows(policyFor(found.tool, run.resolving).level, level)) return undefined;
  return planFromText(name, input, text, { fixer: "read-action", level });
}
