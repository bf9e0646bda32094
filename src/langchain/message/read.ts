import { type AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { isJsonObject, jsonEquals, parseExactly } from "../../repair/json.ts";
import { isString } from "../../repair/schema/part.ts";
import type { JsonValue } from "../../repair/types.ts";
import { assignCallIds } from "./ids.ts";
import { type LocatedCall, locateCalls, parseArgs } from "./locate.ts";
import { type CallRecord, isMalformed, recordsById } from "./messages.ts";
import type { RepairCallsOptions } from "./options.ts";
import type { CallSite } from "./provider-forms.ts";
import { isCutOff } from "./stop-reason.ts";

/** All that a message says about one of its calls. */
export interface ReadCall {
  readonly located: LocatedCall;
  /** A unique id, even if the model gave none, or one that is taken. */
  readonly id: string;
  /** The tool's name as the model wrote it. */
  readonly name: string;
  /**
   * The arguments as the model wrote them: text if LangChain could not read it,
   * else the value.
   */
  readonly raw: unknown;
  /** Whether the message is known to be cut off in this call. */
  readonly truncated: boolean;
  /** What toolmend recorded of it before. */
  readonly record: CallRecord | undefined;
}

/**
 * Reads the calls of a model's message, including those that LangChain could
 * not read.
 */
export function readCalls(
  message: AIMessage,
  {
    history = [],
    isInState = false,
  }: Pick<RepairCallsOptions, "history" | "isInState"> = {},
): readonly ReadCall[] {
  const located = locateCalls(message);
  if (located.length === 0) return [];
  const records = recordsById(message);
  const writtenIds = located.map(({ call }) => call.id);
  const ids = assignCallIds(message, writtenIds, history);
  const isCut = !isInState && isCutOff(message);
  return located.map((place, index) => {
    const id = ids[index] as string;
    const name = place.call.name ?? "";
    const isLast = index === located.length - 1;
    const input = readInput(message, place, {
      isInState,
      isCut: isCut && isLast,
    });
    return { located: place, id, name, ...input, record: records.get(id) };
  });
}

function readInput(
  message: AIMessage,
  located: LocatedCall,
  {
    isInState,
    isCut,
  }: { readonly isInState: boolean; readonly isCut: boolean },
): Pick<ReadCall, "raw" | "truncated"> {
  const { args } = located.call;
  if (isMalformed(args)) return { raw: args, truncated: true };
  if (isInState && !located.invalid) return { raw: args, truncated: false };
  return rawInput(message, located, isCut);
}

/**
 * Returns what the model wrote as the input of a call. LangChain's streaming
 * completes text that was cut off (`{"to": "Ann` → `{"to": "Ann"}`; core 1.4.0;
 * repair-ai-message.test); only the text itself, kept in the chunks or in a
 * provider's form of the call, shows that. Anthropic without streaming, Google
 * and Bedrock keep no text: there, only the stop reason shows it.
 */
function rawInput(
  { response_metadata }: AIMessage,
  { call, invalid, sites }: LocatedCall,
  isCut: boolean,
): Pick<ReadCall, "raw" | "truncated"> {
  const { model_provider, output } = (response_metadata ?? {}) as SentMetadata;
  const text = sites.map(({ args }) => args).find(isString);
  const truncated = isCut || isUnfinished(sites, output);
  const isObject = OBJECT_WIRES.has(model_provider);
  if (invalid) {
    const written = text ?? call.args ?? "";
    const isValue = truncated && isObject && isString(written);
    return { raw: isValue ? parseArgs(written) : written, truncated };
  }
  // If a provider's whole answer has no text, that of a streamed one does not
  // clear a call either.
  const isWhole = isWholeText(text, call.args, truncated && !isObject);
  return { raw: isWhole ? call.args : text, truncated };
}

/** What providers say of a message. */
interface SentMetadata {
  readonly model_provider?: unknown;
  readonly output?: readonly { readonly status?: unknown }[];
}

/** OpenAI's responses say whether each call was finished. */
function isUnfinished(
  sites: readonly CallSite[],
  output: SentMetadata["output"],
): boolean {
  const inOutput = sites.filter(({ place }) => place === "output");
  return inOutput.some(({ index }) => output?.[index]?.status === "incomplete");
}

/**
 * They carry objects in whole answers: complete text does not show that the
 * model had finished (anthropic 1.5.11, aws 1.4.5, google-genai 2.3.2, ollama
 * 1.3.0; is-cut-off.test).
 */
const OBJECT_WIRES = new Set<unknown>(
  "anthropic bedrock-converse google-genai google-vertexai ollama".split(" "),
);

/**
 * Whether arguments are other than LangChain's reading of a call's text:
 * someone edited them.
 */
function isEditOf(text: string, args: unknown): boolean {
  const chunk = {
    type: "tool_call_chunk" as const,
    id: "_",
    name: "_",
    args: text,
    index: 0,
  };
  const streamed = () =>
    new AIMessageChunk({ content: "", tool_call_chunks: [chunk] });
  const read = parseExactly(text) ?? streamed().tool_calls?.[0]?.args;
  return !jsonEquals(read as JsonValue, args as JsonValue);
}

/** Whether the parsed value may stand for the text: it is all of it. */
function isWholeText(
  text: string | undefined,
  args: unknown,
  truncated: boolean,
): boolean {
  if (text === undefined) return true;
  if (text.trim() === "") return isJsonObject(args);
  return standsFor(text, args, truncated);
}

/** Whether parsed arguments are all of a text, or an edit of it. */
export function standsFor(
  text: string,
  args: unknown,
  truncated: boolean,
): boolean {
  // A truncated call needs its text: complete JSON clears it.
  if (!truncated && parseExactly(text) !== undefined) return true;
  return isEditOf(text, args);
}
