import { isJsonObject, parseExactly } from "../../repair/json.ts";
import type { FoundTool } from "../../repair/repair-tool-call.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { AgentAction } from "../../repair/types.ts";
import { inheritingView } from "../tool/view-of.ts";
import { findActionTool } from "./prepare-action.ts";
import {
  type ExecutorRun,
  type ExecutorTool,
  isGenerationCutOff,
  type PlannedAction,
} from "./run.ts";

/** Plans an action that LangChain read off text. */
export function planText(action: AgentAction, run: ExecutorRun): PlannedAction {
  const match = findActionTool(
    { name: action.tool, args: action.toolInput },
    run,
  );
  const raw = rawTextInput(action, match);
  const parsed = writesBlobs(run.executor.agent);
  const truncated = isCutOffIn(raw, action.log, run);
  return { action, raw, parsed, truncated };
}

/** Whether the model's output is known to end in this input, cut off. */
function isCutOffIn(raw: unknown, log: string, run: ExecutorRun): boolean {
  if (typeof raw !== "string") return false;
  if (!log.trimEnd().endsWith(raw.trimEnd())) return false;
  return isGenerationCutOff(run.generation);
}

/**
 * Where LangChain's parsers are kept whose agents write an action as a JSON
 * blob.
 */
const JSON_AGENTS: ReadonlySet<unknown> = new Set([
  "structured_chat",
  "chat_convo",
  "chat",
]);

/**
 * Checks whether an agent's model writes an action, its input included, as a
 * JSON blob.
 */
export function writesBlobs(agent: object): boolean {
  const namespace = parserOf(agent)?.lc_namespace;
  return namespace?.some((name) => JSON_AGENTS.has(name)) === true;
}

/**
 * What a ReAct agent writes before an input: `Action 1 Input 1: `, but not
 * `Input: `.
 */
const INPUT_LABEL = /Action\s*\d*\s*Input\s*\d*\s*:[ \t]*/;

const INPUT_OPEN = "<tool_input>";
/** It is a stop sequence and mostly missing. */
const INPUT_CLOSE = "</tool_input>";

const FENCE = "```";

/**
 * Finds what the model wrote as the input of an action that LangChain read off
 * its text. Mostly that is `toolInput`; three parsers lose some of it (classic
 * 1.0.50; text.test):
 *
 * - StructuredChat makes `{}` of an `action_input` of `""`, `0` or `false`.
 * - ReAct takes only the first line, which is `{` of JSON over several lines.
 * - XML takes `""` where the input holds a `<`.
 */
function rawTextInput(
  action: AgentAction,
  match: FoundTool<ExecutorTool>,
): unknown {
  const { toolInput, log } = action as { toolInput: unknown; log: string };
  if (isJsonObject(toolInput)) {
    const isEmpty = Object.keys(toolInput).length === 0;
    return isEmpty ? emptyInput(action, toolInput) : toolInput;
  }
  if (typeof toolInput !== "string") return toolInput;
  if (toolInput === "") return taggedInput(log);
  // Of a tool that takes text, and of an unknown one, the line is the input.
  if (!match.ok || takesString(match.tool)) return toolInput;
  return isUnfinished(toolInput) ? wholeInput(toolInput, log) : toolInput;
}

/** The values that StructuredChat's parser makes `{}` of. */
const READ_AS_EMPTY: ReadonlySet<unknown> = new Set(["", 0, false]);

function emptyInput({ tool, log }: AgentAction, toolInput: object): unknown {
  const { action: name, action_input: written } = blobOf(log);
  if (name !== tool) return toolInput;
  return READ_AS_EMPTY.has(written) ? written : toolInput;
}

/** The input of an XML agent whose parser took `""`. */
function taggedInput(log: string): string {
  const from = log.indexOf(INPUT_OPEN);
  if (from < 0) return "";
  const tagged = log.slice(from + INPUT_OPEN.length);
  const isClosed = tagged.trimEnd().endsWith(INPUT_CLOSE);
  const input = isClosed
    ? tagged.slice(0, tagged.lastIndexOf(INPUT_CLOSE))
    : tagged;
  return input.includes("<") ? input : "";
}

/** The input of a ReAct agent that begins with this line. */
function wholeInput(line: string, log: string): string {
  const label = INPUT_LABEL.exec(log);
  if (label === null) return line;
  const after = log.slice(label.index + label[0].length);
  const [written = ""] = after.split("\nObservation:", 1);
  const whole = written.trim();
  return whole.startsWith(line) ? whole : line;
}

/** The blob as StructuredChat's parser finds it. */
export function blobOf(log: string): Readonly<Record<string, unknown>> {
  const from = log.indexOf(FENCE) + FENCE.length;
  const to = log.lastIndexOf(FENCE);
  if (to < from) return {};
  const isNamed = log.startsWith("json", from);
  const written = log.slice(isNamed ? from + 4 : from, to);
  const blob = parseExactly(written.trim());
  return isJsonObject(blob) ? blob : {};
}

/** Whether a line begins JSON, or a fence around it, without ending it. */
function isUnfinished(line: string): boolean {
  const isBegun = ["[", "{", FENCE, "~~~"].some((sign) =>
    line.startsWith(sign),
  );
  return isBegun && parseExactly(line) === undefined;
}

function takesString({ schema }: ExecutorTool): boolean {
  if (schema === undefined || schema === null) return false;
  return compileSchema(schema).takesString;
}

/** Where an agent, or a runnable in it, may keep its output parser. */
interface Holder {
  readonly outputParser?: OutputParserLike;
  /** The last step of a sequence. */
  readonly last?: OutputParserLike;
  readonly runnable?: Holder;
  /** What a config is bound to. */
  readonly bound?: Holder;
}

/**
 * An output parser. One that asks a model again when it cannot read the text
 * has another inside.
 */
interface OutputParserLike {
  readonly parser?: OutputParserLike;
  readonly retryChain?: unknown;
  readonly outputFixingParser?: OutputParserLike;
  readonly lc_namespace?: readonly unknown[];
  parse(text: string, callbacks?: unknown): Promise<unknown>;
}

/** The output parser of an agent, where one is found. */
export function parserOf(agent: object): OutputParserLike | undefined {
  const { outputParser, last, runnable, bound } = agent as Holder;
  const parser = outputParser ?? last;
  if (parser) return parser;
  const inner = runnable ?? bound;
  return inner ? parserOf(inner) : undefined;
}

/**
 * The parser inside another that asks a model again, such as
 * `OutputFixingParser`.
 */
export function innerParserOf(
  parser: OutputParserLike | undefined,
): OutputParserLike | undefined {
  if (parser?.outputFixingParser !== undefined)
    return innerParserOf(parser.outputFixingParser);
  if (parser?.retryChain === undefined) return undefined;
  return parser.parser;
}

/** The view of an agent whose output parser parses as another does. */
export function viewWithParser<Agent extends object>(
  agent: Agent,
  inner: OutputParserLike,
): Agent {
  const holder: Holder = agent;
  const parse: OutputParserLike["parse"] = (text, callbacks) =>
    inner.parse(text, callbacks);
  for (const key of ["outputParser", "last"] as const) {
    const parser = holder[key];
    if (parser)
      return inheritingView(agent, {
        [key]: inheritingView(parser, { parse }),
      });
  }
  for (const key of ["runnable", "bound"] as const) {
    const inside = holder[key];
    if (inside)
      return inheritingView(agent, { [key]: viewWithParser(inside, inner) });
  }
  return agent;
}
