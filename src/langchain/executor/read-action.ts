import { levelAllows } from "../../repair/level-allows.ts";
import { policyFor, toRegistry } from "../../repair/policy.ts";
import { blobFormats } from "../../repair/text-calls/formats.ts";
import { readArguments } from "../../repair/text-calls/json-calls.ts";
import { matchText } from "../../repair/text-calls/read-text-calls.ts";
import { isQuoted } from "../calls/text/is-quoted.ts";
import { type ShownText, shownText, shownTexts } from "../calls/text/shown-texts.ts";
import type { CapturedGeneration } from "./capture-generation.ts";
import { findActionTool } from "./find-action-tool.ts";
import { isGenerationCutOff } from "./is-generation-cut-off.ts";
import { parserOf } from "./parser-of.ts";
import { type Plan, planFromText } from "./plan.ts";
import type { Run } from "./run.ts";

/** What LangChain's text agents call the action of finishing. */
const FINAL_ANSWER = "Final Answer";

/** Where LangChain's parsers are kept whose agents write an action as a JSON blob. */
const JSON_AGENTS: ReadonlySet<unknown> = new Set(["structured_chat", "chat_convo", "chat"]);

/** What such an agent writes before the blob: its thought, and the label of the action. */
const SCAFFOLD = /^(?:(?:Thought|Question)\s*\d*:[\s\S]*?\n\s*)?Action\s*\d*:\s*(?=[{`~])/i;

/**
 * Repairs text that LangChain's parser refused, without asking a model: the JSON blob of a chat
 * agent. The text must be nothing but that, after the agent's own `Thought:` and `Action:`; prose
 * around it may say not to do what stands there. A blob that the model was shown is never run.
 *
 * @param text What the model wrote.
 * @param generation The model's output.
 * @param run The run.
 * @returns The action or answer in it; `undefined` when it cannot be told for certain, or names no
 * tool that was offered.
 */
export async function readAction(
  text: string,
  generation: CapturedGeneration | undefined,
  run: Run,
): Promise<Plan | undefined> {
  const { lc_namespace = [] } = parserOf(run.executor.agent) as { lc_namespace?: unknown[] };
  if (!lc_namespace.some((name) => JSON_AGENTS.has(name))) return undefined;
  const blob = text.trim().replace(SCAFFOLD, "");
  const [matched, another] = matchText(blob, blobFormats);
  const [call, ...more] = matched?.calls ?? [];
  if (call === undefined || more.length > 0 || another !== undefined) return undefined;
  const input = readArguments(call);
  if (input === undefined) return undefined;
  const { name, level = "strict" } = call;
  if (isGenerationCutOff(generation) && level !== "strict") return undefined;
  if (name === FINAL_ANSWER) {
    const { fixers, level: allowed = fixers && toRegistry(fixers).level } = run.options;
    if (!levelAllows(allowed ?? "safe", level)) return undefined;
    return { kind: "output", output: { returnValues: { output: input }, log: text } };
  }
  const found = await findActionTool(name, run);
  if (found === undefined) return undefined;
  if (!levelAllows(policyFor(found.tool, run.resolving).level, level)) return undefined;
  const names = [name, found.tool.name];
  if (
    isQuoted(
      names.map((one) => ({ name: one, args: input })),
      shownTo(generation, run),
    )
  ) {
    return undefined;
  }
  return planFromText({ tool: name, input, text, by: { fixer: "read-action", level } });
}

/** What the model was shown, without what it wrote itself. */
function shownTo(
  generation: CapturedGeneration | undefined,
  { steps, inputs }: Run,
): readonly ShownText[] {
  const taken = steps as readonly { action?: { log?: unknown; toolInput?: unknown } }[];
  const logs = taken.flatMap(({ action }) => (action?.log ? [String(action.log)] : []));
  const asked: readonly ShownText[] = [
    ...(generation?.prompts ?? []).map((text) => ({ text, by: "user" as const })),
    ...shownTexts(generation?.asked ?? []),
  ];
  const withoutLogs = asked.map(({ text, by }) => {
    return { text: logs.reduce((rest, log) => rest.replaceAll(log, "\n"), text), by };
  });
  const held = taken.flatMap(({ action, ...step }) => [
    (step as { observation?: unknown }).observation,
    action?.toolInput,
  ]);
  return [
    ...withoutLogs,
    ...held.map((value) => ({ text: shownText(value), by: "stranger" as const })),
    { text: shownText(inputs), by: "user" },
  ];
}
