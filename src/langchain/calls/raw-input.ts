import type { AIMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonObject } from "../../repair/types.ts";
import type { LocatedCall } from "./call-sites.ts";
import { isCutOff } from "./is-cut-off.ts";

/** What the model wrote as the input of a call. */
export interface RawInput {
  /** Text where LangChain could not read it, or read it by completing it; else the value. */
  readonly raw: unknown;
  /** Whether the message is known to be cut off in this call. */
  readonly truncated: boolean;
}

/**
 * Gives what the model wrote as the input of each call. LangChain's streaming completes text that
 * was cut off (`{"to": "Ann` → `{"to": "Ann"}`): the text itself, kept in the chunks or in a
 * provider's form of the call, tells. Anthropic without streaming, Google and Bedrock keep no text:
 * there, only the reason why the model stopped tells.
 *
 * @param message The message.
 * @param located Its calls, in the order in which the model made them.
 */
export function rawInputs(
  message: AIMessage,
  located: readonly LocatedCall[],
): readonly RawInput[] {
  const cutOff = isCutOff(message);
  const isObject = OBJECT_WIRES.has(`${message.response_metadata?.model_provider}`);
  return located.map(({ call, invalid, sites }, index) => {
    const text = sites.map(({ args }) => args).find((args) => typeof args === "string");
    const isLast = index === located.length - 1;
    const truncated = (cutOff && isLast) || isIncompleteItem(message, sites);
    // Where a whole answer has no text, that of a streamed one does not clear a call either.
    const isCleared = truncated && !isObject;
    if (invalid) {
      const written = text ?? call.args ?? "";
      return { raw: truncated && isObject ? parsed(written) : written, truncated };
    }
    return { raw: isWholeText(text, call.args, isCleared) ? call.args : text, truncated };
  });
}

/**
 * Those whose whole answers carry objects: complete text says nothing of whether the model had
 * finished. Some stream text, of others LangChain makes it.
 */
const OBJECT_WIRES: ReadonlySet<string> = new Set([
  ...["anthropic", "bedrock-converse"],
  ...["google-genai", "google-vertexai", "ollama"],
]);

/** The value of text that is JSON. */
function parsed(written: unknown): unknown {
  try {
    return typeof written === "string" ? JSON.parse(written) : written;
  } catch {
    return written;
  }
}

/** Whether the parsed value may stand for the text: it is all of it. */
function isWholeText(text: unknown, args: unknown, truncated: boolean): boolean {
  if (typeof text !== "string") return true;
  if (text.trim() === "") return !truncated && isJsonObject(args) && hasNoKeys(args);
  try {
    JSON.parse(text);
    // `truncated` asks for the text: that it is complete JSON clears the call.
    return !truncated;
  } catch {
    return false;
  }
}

function hasNoKeys(args: JsonObject): boolean {
  return Object.keys(args).length === 0;
}

/** OpenAI's responses say of each call whether it was finished. */
function isIncompleteItem(message: AIMessage, sites: LocatedCall["sites"]): boolean {
  const { output } = message.response_metadata as { output?: readonly { status?: unknown }[] };
  return sites.some(
    ({ place, index }) => place === "output" && output?.[index]?.status === "incomplete",
  );
}
