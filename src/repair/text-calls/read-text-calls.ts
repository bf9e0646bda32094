import { type SchemaNode, toSchemaNode } from "../align/schema-node.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { ToolLike } from "../types.ts";
import { textFormats } from "./formats.ts";
import { matchFormat } from "./match-format.ts";
import { afterThoughts } from "./thoughts.ts";
import { toArguments } from "./to-arguments.ts";

/** A call that a model wrote as text. */
export interface TextCall {
  /** The name of an offered tool, as it is written. */
  readonly name: string;
  /** The arguments as JSON text, as the model wrote them: `repairToolInput` reads it. */
  readonly args: string;
  /** The id that the model gave the call, where its format has one. */
  readonly id?: string;
}

/** The calls of a text. */
export interface TextCalls {
  /** The format in which they are written. */
  readonly format: string;
  /** The calls, in their order. */
  readonly calls: readonly TextCall[];
  /** The plain text before them; `""` where there is none. */
  readonly lead: string;
}

/** The longest text that is read, in characters. */
const MAX_LENGTH = 1_000_000;

/**
 * Reads the tool calls that a model wrote as text, in one of the formats that models use. Thoughts
 * before them are passed over; nothing in them is a call. A text is calls, and nothing but calls
 * behind the first, or it is text: prose within a marker or behind it, two formats in one text, a
 * call that was cut off or a tool that was not offered, and there are none.
 *
 * @param text What the model wrote.
 * @param tools The tools that were offered.
 * @returns The calls; `undefined` where there are none, or more than one reading.
 * @example
 * ```ts
 * const found = readTextCalls('<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>', [click]);
 * found?.calls[0]; // { name: "click", args: '{"selector": "#a"}' }
 * ```
 */
export function readTextCalls(text: string, tools: readonly ToolLike[]): TextCalls | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const body = afterThoughts(text);
  if (body === undefined || body === "") return undefined;
  const readings = textFormats.flatMap((format) => {
    const matched = matchFormat(body, format);
    const calls = matched?.calls.map((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      const args = tool && toArguments(call.args, viewOf(tool));
      const { name, id } = call;
      return args === undefined ? undefined : { name, args, ...(id === undefined ? {} : { id }) };
    });
    const isRead = matched && calls?.every((call) => call !== undefined);
    return isRead ? [{ format: format.format, calls, lead: matched.lead }] : [];
  });
  const [first, ...others] = readings;
  const isSure = others.every((other) => isSameReading(other as TextCalls, first as TextCalls));
  return isSure ? (first as TextCalls | undefined) : undefined;
}

function isSameReading(one: TextCalls, other: TextCalls): boolean {
  return JSON.stringify([one.lead, one.calls]) === JSON.stringify([other.lead, other.calls]);
}

function viewOf(tool: ToolLike): SchemaNode | undefined {
  try {
    return toSchemaNode(compileSchema(tool.schema).jsonSchema, "2020-12");
  } catch {
    return undefined;
  }
}
