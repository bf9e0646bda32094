import type { OutputParserException } from "@langchain/core/output_parsers";
import { ToolInputError } from "../../repair/errors.ts";
import { emitCall } from "../../repair/events/emit.ts";
import type { Correction } from "../../repair/events/report.ts";
import { levelAllows } from "../../repair/level-allows.ts";
import { policyFor, toRegistry } from "../../repair/policy.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import { blobFormats } from "../../repair/text-calls/formats.ts";
import { readArguments, readCallObject } from "../../repair/text-calls/json-calls.ts";
import { matchText } from "../../repair/text-calls/match.ts";
import type { AgentAction, JsonValue, Repair, RepairLevel } from "../../repair/types.ts";
import { ISSUE } from "../../repair/types.ts";
import { findLaterCalls, type TurnCall } from "../correct/later-calls.ts";
import { isQuoted } from "../message/text/is-quoted.ts";
import { type ShownText, shownText, shownTexts } from "../message/text/shown-texts.ts";
import { findActionTool, originOfRun } from "./prepare-action.ts";
import {
  isGenerationCutOff,
  type Outcome,
  type Plan,
  type PreparedAction,
  type Run,
} from "./run.ts";
import { parserOf } from "./text.ts";

/** What LangChain's text agents call the action of finishing. */
const FINAL_ANSWER = "Final Answer";

/** Where LangChain's parsers are kept whose agents write an action as a JSON blob. */
const JSON_AGENTS: ReadonlySet<unknown> = new Set(["structured_chat", "chat_convo", "chat"]);

/** What such an agent writes before the blob: its thought, and the label of the action. */
const SCAFFOLD = /^(?:(?:Thought|Question)\s*\d*:[\s\S]*?\n\s*)?Action\s*\d*:\s*(?=[{`~])/i;

/** The one action in a text. */
interface WrittenAction {
  readonly name: string;
  readonly input: JsonValue;
  readonly level: RepairLevel;
}

/**
 * Reads text that LangChain's parser refused, without asking a model: as an action, else as the handler
 * says, who is asked about the parser's error where there is one.
 */
export async function readRefusedText(
  text: string,
  error: Error | undefined,
  run: Run,
): Promise<Plan | undefined> {
  const plan = await readAction(text, run);
  if (plan !== undefined || error === undefined) return plan;
  const answered = await askAboutText(error, text, run);
  if (answered === undefined) await reportUnread(text, run);
  return answered;
}

/**
 * Repairs the JSON blob of a chat agent. The text must be nothing but that, after the agent's own
 * `Thought:` and `Action:`; prose around it may say not to do what stands there. A blob that the model
 * was shown is never run, nor one that cannot be told for certain, or names no tool that was offered.
 */
export async function readAction(text: string, run: Run): Promise<Plan | undefined> {
  const written = readBlob(text.trim().replace(SCAFFOLD, ""), run);
  if (written === undefined) return undefined;
  const { name, input, level } = written;
  if (isGenerationCutOff(run.generation) && level !== "strict") return undefined;
  if (name === FINAL_ANSWER) {
    const { fixers, level: allowed = fixers && toRegistry(fixers).level } = run.options;
    if (!levelAllows(allowed ?? "safe", level)) return undefined;
    return { output: { returnValues: { output: input }, log: text } };
  }
  const found = await findActionTool(name, run);
  if (found === undefined || isShown(written, found.tool.name, run)) return undefined;
  if (!levelAllows(policyFor(found.tool, run.resolving).level, level)) return undefined;
  return planFromText(text, written, { fixer: "read-action", level });
}

/** Plans an action that was got from text as a whole. */
function planFromText(
  text: string,
  { name: tool, input }: Pick<WrittenAction, "name" | "input">,
  by: Pick<Repair, "fixer" | "level">,
  ask = true,
): Plan {
  const action = { tool, toolInput: input as AgentAction["toolInput"], log: text };
  const before: Repair = { ...by, path: "", before: text, after: input };
  return { planned: [{ action, raw: input, before: [before], ask }] };
}

/** Asks `onUnfixable` about text: its JSON is an action of a tool that was offered, its text an observation. */
async function askAboutText(error: Error, text: string, run: Run): Promise<Plan | undefined> {
  const { onUnfixable } = run.options;
  if (typeof onUnfixable !== "function") return undefined;
  const answer = await onUnfixable(error as OutputParserException, text, undefined);
  if (typeof answer === "string") {
    const recorded = { rawToolInput: text, repairs: [], undeclared: [], valid: false };
    const action = { tool: EXCEPTION, toolInput: answer, log: error.message, ...recorded };
    return { output: action };
  }
  const call = readCallObject(answer);
  if (call === undefined || (await findActionTool(call.name, run)) === undefined) return undefined;
  const named = { name: call.name, input: call.args ?? {} };
  return planFromText(text, named, { fixer: "onUnfixable", level: "strict" }, false);
}

/**
 * Reports an action that stands behind other text: it is not run, as the text may say anything of it,
 * and LangChain's parser drops it.
 */
async function reportUnread(text: string, run: Run): Promise<void> {
  const written = readBlob(text.slice(Math.max(0, text.indexOf("{"))), run);
  const tool = written && (await findActionTool(written.name, run))?.tool;
  if (written === undefined || tool === undefined || isShown(written, tool.name, run)) return;
  const message = "stands behind other text, and is not taken for an action";
  const issues = [{ path: "", code: ISSUE.notJson, message }];
  const error = new ToolInputError({ toolName: tool.name, causingData: text, issues });
  const resolution = { kind: "refused" as const, error };
  const context = { ...run.resolving, origin: originOfRun(run) };
  await emitCall({ raw: written.input, tool, resolution }, context);
}

/** Reads text that is nothing but one action. */
function readBlob(text: string, run: Run): WrittenAction | undefined {
  const parser = parserOf(run.executor.agent) as { lc_namespace?: unknown[] } | undefined;
  if (!parser?.lc_namespace?.some((name) => JSON_AGENTS.has(name))) return undefined;
  const [matched, another] = matchText(text, blobFormats);
  const [call, ...more] = matched?.calls ?? [];
  if (call === undefined || more.length > 0 || another !== undefined) return undefined;
  const input = readArguments(call);
  return input === undefined
    ? undefined
    : { name: call.name, input, level: call.args.level ?? "strict" };
}

function isShown({ name, input: args }: WrittenAction, toolName: string, run: Run): boolean {
  const calls = [name, toolName].map((one) => ({ name: one, args }));
  return isQuoted(calls, shownTo(run));
}

/** What the model was shown, without what it wrote itself. */
function shownTo({ generation, steps, inputs }: Run): readonly ShownText[] {
  const logs = steps.flatMap(({ action }) => (action?.log ? [String(action.log)] : []));
  const asked: readonly ShownText[] = [
    ...(generation?.prompts ?? []).map((text) => ({ text, by: "user" as const })),
    ...shownTexts(generation?.asked ?? []),
  ];
  const held = steps.flatMap(({ action, observation }) => [observation, action?.toolInput]);
  return [
    ...asked.map(({ text, by }) => {
      return { text: logs.reduce((rest, log) => rest.replaceAll(log, "\n"), text), by };
    }),
    ...held.map((value) => ({ text: shownText(value), by: "stranger" as const })),
    { text: shownText(inputs), by: "user" },
  ];
}

/** Finds which planned actions stand for actions that were refused in an earlier step. */
export async function findLaterActions(
  outcomes: readonly Outcome[],
  run: Run,
): Promise<readonly Correction[]> {
  const turns: TurnCall[][] = [];
  for (const [index, { action }] of run.steps.entries()) {
    const call = toTurnCall(action, `step ${index}`, action.valid);
    // Of calls made at once, the first has the messages.
    if (action.messageLog !== undefined || turns.length === 0) turns.push([call]);
    else turns.at(-1)?.push(call);
  }
  const made = outcomes.flatMap(({ action, resolution }, index) =>
    resolution.kind === "run" && resolution.corrects === undefined
      ? [toTurnCall(action, `action ${index}`, true)]
      : [],
  );
  return findLaterCalls(
    turns,
    made,
    run.tools.filter(({ schema }) => schema),
  );
}

function toTurnCall(action: PreparedAction, place: string, hasRun: boolean): TurnCall {
  const { tool: name, toolInput: input, rawToolInput: raw, toolCallId: id = place } = action;
  return { id, name, raw, input, isRefused: !hasRun, hasRun };
}
