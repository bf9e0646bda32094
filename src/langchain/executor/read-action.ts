import type { OutputParserException } from "@langchain/core/output_parsers";
import { runLimited, TimedOut } from "../../repair/drive.ts";
import { levelAllows } from "../../repair/edit-switches.ts";
import { ToolInputError } from "../../repair/errors.ts";
import { emitCall } from "../../repair/events/report.ts";
import {
  limitsOf,
  policyFor,
  resolveLevel,
  toRegistry,
} from "../../repair/policy.ts";
import type { FoundTool } from "../../repair/repair-tool-call.ts";
import { EXCEPTION, notRun } from "../../repair/steps.ts";
import { blobFormats } from "../../repair/text-calls/formats.ts";
import { matchText } from "../../repair/text-calls/read-text-calls.ts";
import { readArguments } from "../../repair/text-calls/readers.ts";
import type {
  AgentAction,
  JsonValue,
  RepairLevel,
} from "../../repair/types.ts";
import { ISSUE } from "../../repair/types.ts";
import { isQuoted } from "../message/text/is-quoted.ts";
import {
  type ShownText,
  shownText,
  shownTexts,
} from "../message/text/shown-texts.ts";
import {
  findActionTool,
  originOfRun,
  planAnswer,
  prepareActions,
} from "./prepare-action.ts";
import {
  type AgentOutput,
  type ExecutorRun,
  isGenerationCutOff,
} from "./run.ts";
import { blobOf, writesBlobs } from "./text.ts";

/** What LangChain's text agents call the action of finishing. */
const FINAL_ANSWER = "Final Answer";

/** What such an agent writes first: `Thought:`, but not `My thought:`. */
const THOUGHT = /^(?:Thought|Question)\s*\d*:/i;

/** What stands before its blob: `Action 1:`, but not `Action: click`. */
const ACTION_LABEL = /^\s*Action\s*\d*:\s*(?=[{`~])/i;

/** The one action in a text. */
interface WrittenAction {
  readonly name: string;
  readonly input: JsonValue;
  readonly level: RepairLevel;
}

/**
 * Reads text that LangChain's parser rejected: as an action, else as the
 * handler says.
 */
export async function readRejectedText(
  text: string,
  error: Error,
  run: ExecutorRun,
): Promise<AgentOutput | undefined> {
  // LangChain's parser reads such a blob: it was rejected for another reason.
  const isRead = typeof blobOf(text).action === "string";
  const action = isRead ? undefined : await readAction(text, run);
  const output = action ?? (await askAboutText(error, text, run));
  if (output === undefined) await reportUnread(text, run);
  return output;
}

/**
 * Repairs the JSON blob of a chat agent. Only the agent's own `Thought:` and
 * `Action:` may precede it: prose around it may say not to run it. A blob is
 * never run if the model was shown it, if its reading is ambiguous, or if it
 * names a tool that was not offered.
 */
export async function readAction(
  text: string,
  run: ExecutorRun,
): Promise<AgentOutput | undefined> {
  const written = readBlob(withoutScaffold(text.trim()), run);
  if (written === undefined) return undefined;
  const { name: tool, input, level } = written;
  if (isGenerationCutOff(run.generation) && level !== "strict")
    return undefined;
  if (tool === FINAL_ANSWER) {
    if (!levelAllows(levelOfRun(run), level)) return undefined;
    return { returnValues: { output: input }, log: text };
  }
  const match = findActionTool({ name: tool, args: input }, run);
  if (!match.ok || isShown(written, match, run)) return undefined;
  if (!levelAllows(policyFor(match.tool, run.resolving).level, level))
    return undefined;
  const action = {
    tool,
    toolInput: input as AgentAction["toolInput"],
    log: text,
  };
  const foundBy = {
    fixer: "read-action",
    path: "",
    before: text,
    after: input,
    level,
  };
  return prepareActions([{ action, raw: input, foundBy }], run);
}

/** The level of inputs that go to no tool. */
function levelOfRun({ options }: ExecutorRun): RepairLevel {
  const { fixers, level } = options;
  return resolveLevel(level ?? toRegistry(fixers).level);
}

/** Takes the agent's thought, and the label of the action, off a text. */
function withoutScaffold(text: string): string {
  if (!THOUGHT.test(text)) return text.replace(ACTION_LABEL, "");
  let rest = text;
  while (rest.includes("\n")) {
    // line breaks in a row are taken at once
    rest = rest.slice(rest.indexOf("\n")).trimStart();
    if (ACTION_LABEL.test(rest)) return rest.replace(ACTION_LABEL, "");
  }
  return text;
}

/**
 * Asks `onUnfixable` about text: its JSON is an action of a tool that was
 * offered, its text an observation.
 */
async function askAboutText(
  error: Error,
  text: string,
  run: ExecutorRun,
): Promise<AgentOutput | undefined> {
  const { onUnfixable } = run.options;
  if (typeof onUnfixable !== "function") return undefined;
  const ask = () =>
    onUnfixable(error as OutputParserException, text, undefined);
  const { handlerTimeoutMs } = limitsOf(run.resolving);
  const answer = await Promise.resolve(
    runLimited(ask, handlerTimeoutMs, run.resolving.signal),
  ).catch((thrown: unknown) => {
    if (!(thrown instanceof TimedOut)) throw thrown;
  });
  if (typeof answer === "string") {
    return {
      tool: EXCEPTION,
      toolInput: answer,
      log: error.message,
      ...notRun(text),
    } as AgentOutput;
  }
  const planned = planAnswer(answer, text, text, run);
  return planned && prepareActions([planned], run);
}

/**
 * Reports an action behind other text: it is not run, and LangChain's parser
 * drops it.
 */
async function reportUnread(text: string, run: ExecutorRun): Promise<void> {
  const written = readBlob(text.slice(Math.max(0, text.indexOf("{"))), run);
  if (written === undefined) return;
  const match = findActionTool(
    { name: written.name, args: written.input },
    run,
  );
  if (!match.ok || isShown(written, match, run)) return;
  const { tool } = match;
  const message = "stands behind other text, and is not taken for an action";
  const issues = [{ path: "", code: ISSUE.notJson, message }];
  const error = new ToolInputError({
    toolName: tool.name,
    causingData: text,
    issues,
  });
  const resolution = { kind: "refused" as const, error };
  const context = { ...run.resolving, origin: originOfRun(run) };
  await emitCall({ raw: written.input, tool, resolution }, context);
}

/** Reads text that is nothing but one action. */
function readBlob(text: string, run: ExecutorRun): WrittenAction | undefined {
  if (!writesBlobs(run.executor.agent)) return undefined;
  const [match, ...furtherMatches] = matchText(text, blobFormats);
  if (match === undefined || furtherMatches.length > 0) return undefined;
  const [call, ...furtherCalls] = match.calls;
  if (call === undefined || furtherCalls.length > 0) return undefined;
  const input = readArguments(call);
  if (input === undefined) return undefined;
  const { level = "strict" } = call.args;
  return { name: call.name, input, level };
}

function isShown(
  { name, input }: WrittenAction,
  { tool, moved }: Extract<FoundTool, { ok: true }>,
  run: ExecutorRun,
): boolean {
  const args = moved === undefined ? input : moved.repair.after;
  const calls = [name, tool.name].map((calledName) => ({
    name: calledName,
    args,
  }));
  return isQuoted(calls, shownTo(run));
}

/** What the model was shown, without what it wrote itself. */
function shownTo({
  generation,
  steps,
  inputs,
}: ExecutorRun): readonly ShownText[] {
  const logs = steps.flatMap(({ action }) =>
    action?.log ? [String(action.log)] : [],
  );
  const asked: readonly ShownText[] = [
    ...(generation?.prompts ?? []).map((text) => ({
      text,
      by: "user" as const,
    })),
    ...shownTexts(generation?.asked ?? []),
  ];
  const values = steps.flatMap(({ action, observation }) => [
    observation,
    action?.toolInput,
  ]);
  const withoutLogs = (text: string) => {
    return logs.reduce(
      (remaining, log) => remaining.replaceAll(log, "\n"),
      text,
    );
  };
  return [
    ...asked.map(({ text, by }) => ({ text: withoutLogs(text), by })),
    ...values.map((value) => ({
      text: shownText(value),
      by: "stranger" as const,
    })),
    { text: shownText(inputs), by: "user" },
  ];
}
