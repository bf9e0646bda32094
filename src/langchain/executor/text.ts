import { isJsonObject } from "../../repair/json/json-value.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { AgentAction } from "../../repair/types.ts";
import { inheritingView } from "../tool/view-of.ts";
import { findActionTool } from "./prepare-action.ts";
import {
  type ExecutorTool,
  isGenerationCutOff,
  isOutputParserException,
  type PlannedAction,
  type Run,
} from "./run.ts";

/** Plans an action that LangChain read off text. */
export async function planText(action: AgentAction, run: Run): Promise<PlannedAction> {
  const raw = rawTextInput(action, (await findActionTool(action.tool, run))?.tool);
  const isLast = typeof raw === "string" && action.log.trimEnd().endsWith(raw.trimEnd());
  return { action, raw, truncated: isLast && isGenerationCutOff(run.generation) };
}

/** What follows `Action Input:` in the text of a ReAct agent. */
const ACTION_INPUT = /Action\s*\d*\s*Input\s*\d*\s*:[ \t]*([\s\S]*?)(?:\nObservation:|$)/;

/** What is in `<tool_input>`; the closing tag is a stop sequence and mostly missing. */
const TOOL_INPUT = /<tool_input>([\s\S]*?)(?:<\/tool_input>\s*$|$)/;

/**
 * Finds what the model wrote as the input of an action that LangChain read off its text. Mostly
 * that is `toolInput`; three parsers lose some of it:
 *
 * - StructuredChat makes `{}` of an `action_input` of `""`, `0` or `false`.
 * - ReAct takes only the first line, which is `{` of JSON over several lines.
 * - XML takes `""` where the input holds a `<`.
 */
function rawTextInput(action: AgentAction, tool: ExecutorTool | undefined): unknown {
  const { toolInput, log } = action as { toolInput: unknown; log: string };
  if (isJsonObject(toolInput) && Object.keys(toolInput).length === 0) {
    const { action: name, action_input: input } = blobOf(log);
    const isFalsy = input === "" || input === 0 || input === false;
    return isFalsy && name === action.tool ? input : toolInput;
  }
  if (typeof toolInput !== "string") return toolInput;
  if (toolInput === "") return TOOL_INPUT.exec(log)?.[1] ?? toolInput;
  if (!isOpen(toolInput) || tool === undefined || takesString(tool)) return toolInput;
  const whole = ACTION_INPUT.exec(log)?.[1]?.trim() ?? "";
  return whole.startsWith(toolInput) ? whole : toolInput;
}

/** The blob as StructuredChat's parser finds it. */
function blobOf(log: string): { readonly action?: unknown; readonly action_input?: unknown } {
  const blob = parseExactly(/```(?:json)?([\s\S]*)```/.exec(log)?.[1]?.trim() ?? "");
  return isJsonObject(blob) ? blob : {};
}

/** Whether a line begins JSON, or a fence around it, without ending it. */
function isOpen(line: string): boolean {
  if (!/^(?:[[{]|```|~~~)/.test(line)) return false;
  try {
    JSON.parse(line);
    return false;
  } catch {
    return true;
  }
}

function takesString({ schema }: ExecutorTool): boolean {
  return schema !== undefined && schema !== null && compileSchema(schema).takesString;
}

/** Where an agent, or a runnable in it, may keep its output parser. */
interface Holder {
  readonly outputParser?: object;
  readonly runnable?: Holder;
  /** The last step of a sequence. */
  readonly last?: object;
  /** What a config is bound to. */
  readonly bound?: Holder;
}

/** A parser that asks a model again when it cannot read the text: directly, or the one inside it. */
interface RetryingParser {
  readonly parser?: Parser;
  readonly retryChain?: unknown;
  readonly outputFixingParser?: RetryingParser;
  parse(text: string, callbacks?: unknown): Promise<unknown>;
}

type Parser = Pick<RetryingParser, "parse">;

/** Reads text that the parser refused; `undefined` when it cannot. */
type Recover = (error: Error, text: string) => Promise<unknown>;

/**
 * Makes the view of an agent that plans with a parser that tries `recover` before it asks a model
 * again (`OutputFixingParser`, and the parsers "with retries" of the chat agents): the agent itself
 * where its parser asks no model.
 */
export function viewPlanner<Agent extends object>(agent: Agent, recover: Recover): Agent {
  const parser = parserOf(agent) as RetryingParser | undefined;
  const base = innerParserOf(parser);
  if (parser === undefined || base === undefined) return agent;
  const parse = async (text: string, callbacks?: unknown): Promise<unknown> => {
    try {
      return await base.parse(text, callbacks);
    } catch (error) {
      if (!isOutputParserException(error)) throw error;
      return (await recover(error, text)) ?? parser.parse(text, callbacks);
    }
  };
  return withParser(agent, inheritingView(parser, { parse }));
}

/** The output parser of an agent, where one is found. */
export function parserOf(agent: object): object | undefined {
  const { outputParser, last, runnable, bound } = agent as Holder;
  const inner = runnable ?? bound;
  return outputParser ?? last ?? (inner && parserOf(inner));
}

/** The view of an agent whose output parser is another. */
function withParser<Held extends Holder>(holder: Held, parser: object): Held {
  const key = (["outputParser", "last", "runnable", "bound"] as const).find((one) => holder[one]);
  if (key === undefined) return holder;
  const isParser = key === "outputParser" || key === "last";
  return inheritingView(holder, {
    [key]: isParser ? parser : withParser(holder[key] as Holder, parser),
  });
}

/** The parser within one that asks a model again. */
function innerParserOf(parser: RetryingParser | undefined): Parser | undefined {
  const { outputFixingParser, parser: base, retryChain } = parser ?? {};
  if (outputFixingParser !== undefined) return innerParserOf(outputFixingParser);
  return retryChain !== undefined && typeof base?.parse === "function" ? base : undefined;
}
