import { AIMessage } from "@langchain/core/messages";
import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import { type LocatedCall, locateCalls } from "../calls/call-sites.ts";
import { rawInputs } from "../calls/raw-input.ts";
import type { AnsweredCall } from "../correct/correction-messages.ts";
import type { HeardAnswer } from "./hear-answers.ts";

/** The call that a chain ended in, in a message that holds it and no other. */
export interface FoundCall {
  readonly message: AIMessage;
  readonly call: AnsweredCall & { readonly error: ToolInputError };
  /** What the model had been asked; `undefined` where it was not heard. */
  readonly asked?: HeardAnswer["asked"];
}

/**
 * Finds the call that a chain ended in. Of a message with several calls, that one alone is kept: what
 * became of the others in the chain is not known, and each must have an answer.
 *
 * @param thrown What the chain threw: toolmend's error, or LangChain's.
 * @param answers What the chain's models were heard to answer.
 * @param attempt Counts the attempts, for the id of a call that has none.
 * @returns `undefined` when it cannot be told which tool was called.
 */
export function findRefusedCall(
  thrown: Error,
  answers: readonly HeardAnswer[],
  attempt: number,
): FoundCall | undefined {
  const own = ToolInputError.isInstance(thrown) ? thrown : undefined;
  const causingData = own === undefined ? outputOf(thrown) : own.causingData;
  for (const { asked, message } of answers.toReversed()) {
    const located = locateCalls(message);
    const inputs = rawInputs(message, located);
    const at = matching(located, own?.toolCall?.id, causingData);
    const found = located[at];
    if (found === undefined) continue;
    const id = own?.toolCall?.id || found.call.id || `call_${attempt}`;
    const error = own ?? toToolInputError(thrown, found.call.name ?? "", causingData);
    const raw = inputs[at]?.raw;
    const isOnly = located.length === 1 && id === found.call.id;
    if (isOnly) return { asked, message, call: { id, located: found, raw, error } };
    return { asked, ...alone(textOf(message), id, raw, error, found.call.name) };
  }
  return own && alone("", own.toolCall?.id ?? `call_${attempt}`, own.causingData, own);
}

/** Older versions of core have no `text`. */
function textOf({ text, content }: AIMessage): string {
  return text ?? (typeof content === "string" ? content : "");
}

function matching(
  located: readonly LocatedCall[],
  id: string | undefined,
  causingData: JsonValue | undefined,
): number {
  const byId = id ? located.findIndex(({ call }) => call.id === id) : -1;
  if (byId >= 0) return byId;
  const isCause = ({ call, sites }: LocatedCall) =>
    [call.args, ...sites.map(({ args }) => args)].some((args) =>
      jsonEquals(args as JsonValue | undefined, causingData),
    );
  const byInput = located.findIndex(isCause);
  return byInput >= 0 || located.length !== 1 ? byInput : 0;
}

function alone(
  content: string,
  id: string,
  raw: unknown,
  error: ToolInputError,
  name: string = error.toolName,
): Pick<FoundCall, "message" | "call"> {
  const tool_calls = [{ type: "tool_call" as const, id, name, args: {} }];
  const message = new AIMessage({ content, tool_calls });
  const [located] = locateCalls(message);
  return { message, call: { id, located: located as LocatedCall, raw, error } };
}

/** LangChain keeps the input as text. */
function outputOf(thrown: Error): JsonValue | undefined {
  const { output } = thrown as { output?: unknown };
  if (typeof output !== "string") return undefined;
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    return output;
  }
}

/** LangChain's error names neither the tool nor the issues, but its message may. */
function toToolInputError(
  cause: Error,
  toolName: string,
  causingData: JsonValue | undefined,
): ToolInputError {
  const details = cause.message.split("\n").slice(1).join(" ").replace(/\s+/g, " ").trim();
  const message = details === "" ? "did not match the tool's schema" : details;
  const issues = [{ path: "", code: "invalid", message }];
  return new ToolInputError({ toolName, causingData: causingData ?? "", issues, cause });
}
