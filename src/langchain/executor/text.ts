import { isJsonObject, parseExactly } from "../../repair/json.ts";
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
  const raw = rawTextInput(action, match.ok ? match.tool : undefined);
  const isLast =
    typeof raw === "string" && action.log.trimEnd().endsWith(raw.trimEnd());
  const truncated = isLast && isGenerationCutOff(run.generation);
  return { action, raw, parsed: writesBlobs(run.executor.agent), truncated };
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
  const namespace = parserOf(agent)?.lc_namespace ?? [];
  return namespace.some((name) => JSON_AGENTS.has(name));
}

/** What follows `Action Input:` in the text of a ReAct agent. */
const ACTION_INPUT =
  /Action\s*\d*\s*Input\s*\d*\s*:[ \t]*([\s\S]*?)(?:\nObservation:|$)/;

/**
 * What is in `<tool_input>`; the closing tag is a stop sequence and mostly
 * missing.
 */
const TOOL_INPUT = /<tool_input>([\s\S]*?)(?:<\/tool_input>\s*$|$)/;

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
  tool: ExecutorTool | undefined,
): unknown {
  const { toolInput, log } = action as { toolInput: unknown; log: string };
  if (typeof toolInput === "string") return textInput(toolInput, log, tool);
  const isEmpty =
    isJsonObject(toolInput) && Object.keys(toolInput).length === 0;
  if (!isEmpty) return toolInput;
  const { action: name, action_input: input } = blobOf(log);
  const isFalsy = input === "" || input === 0 || input === false;
  return isFalsy && name === action.tool ? input : toolInput;
}

function textInput(
  toolInput: string,
  log: string,
  tool: ExecutorTool | undefined,
): string {
  if (toolInput === "") {
    const tagged = TOOL_INPUT.exec(log)?.[1] ?? "";
    return tagged.includes("<") ? tagged : toolInput;
  }
  if (!isOpen(toolInput) || tool === undefined || takesString(tool))
    return toolInput;
  const whole = ACTION_INPUT.exec(log)?.[1]?.trim() ?? "";
  return whole.startsWith(toolInput) ? whole : toolInput;
}

/** The blob as StructuredChat's parser finds it. */
export function blobOf(log: string): Readonly<Record<string, unknown>> {
  const blob = parseExactly(
    /```(?:json)?([\s\S]*)```/.exec(log)?.[1]?.trim() ?? "",
  );
  return isJsonObject(blob) ? blob : {};
}

/** Whether a line begins JSON, or a fence around it, without ending it. */
function isOpen(line: string): boolean {
  return /^(?:[[{]|```|~~~)/.test(line) && parseExactly(line) === undefined;
}

function takesString({ schema }: ExecutorTool): boolean {
  return (
    schema !== undefined && schema !== null && compileSchema(schema).takesString
  );
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
  const inner = runnable ?? bound;
  return outputParser ?? last ?? (inner && parserOf(inner));
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
  return parser?.retryChain === undefined ? undefined : parser.parser;
}

/** The view of an agent whose output parser parses as another does. */
export function viewWithParser<Agent extends object>(
  agent: Agent,
  inner: OutputParserLike,
): Agent {
  const { outputParser, last, runnable, bound }: Holder = agent;
  const parse: OutputParserLike["parse"] = (text, callbacks) =>
    inner.parse(text, callbacks);
  if (outputParser) {
    return inheritingView(agent, {
      outputParser: inheritingView(outputParser, { parse }),
    });
  }
  if (last)
    return inheritingView(agent, { last: inheritingView(last, { parse }) });
  if (runnable)
    return inheritingView(agent, { runnable: viewWithParser(runnable, inner) });
  if (bound)
    return inheritingView(agent, { bound: viewWithParser(bound, inner) });
  return agent;
}
