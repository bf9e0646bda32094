import { type SchemaNode, toSchemaNode } from "../align/schema-node.ts";
import { whyNotJson } from "../json/json-value.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import { splitThoughts } from "../read/without-thoughts.ts";
import { checksOf } from "../schema/compile-json-schema.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { JsonObject, RepairLevel, ToolLike } from "../types.ts";
import { announcesCalls } from "./announces-calls.ts";
import { textFormats } from "./formats.ts";
import { type MatchedCalls, matchFormat } from "./match-format.ts";
import { readWholeJson } from "./read-json-at.ts";
import { partsOfJson } from "./scan-json.ts";
import type { TextFormat, WrittenCall } from "./text-format.ts";
import { toArguments } from "./to-arguments.ts";

/** A call that a model wrote as text. */
export interface TextCall {
  /** The name of an offered tool, as it is written. */
  readonly name: string;
  /** The arguments as JSON text, or nearly, as the model wrote them: `repairToolInput` reads it. */
  readonly args: string;
  /** The id that the model gave the call, where its format has one. */
  readonly id?: string;
  /** What reading the call takes: `"safe"` where its JSON has faults of syntax, else `"strict"`. */
  readonly level: RepairLevel;
}

/** The calls of a text. */
export interface TextCalls {
  /** The format in which they are written, as docs/text-calls.md names it. */
  readonly format: string;
  /** The calls, in their order. */
  readonly calls: readonly TextCall[];
  /** The plain text before them; `""` where there is none. */
  readonly lead: string;
}

/** The longest text that is read, in characters. */
const MAX_LENGTH = 1_000_000;
const MAX_DEPTH = 200;

/**
 * Reads the tool calls that a model wrote as text, in one of the formats that models use. Thoughts
 * before them are passed over; nothing in them is a call. A text is calls, and nothing but calls
 * behind the first, or it is text: prose within a marker or behind it, two formats in one text, a
 * call that was cut off or a tool that was not offered, and there are none.
 *
 * Whether the model only quotes what it was shown, this cannot know: see `rescueTextToolCalls`.
 *
 * @param text What the model wrote.
 * @param tools The tools that were offered.
 * @returns The calls; `undefined` where there are none, or more than one reading.
 * @example
 * ```ts
 * const found = readTextCalls('<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>', [click]);
 * found?.calls[0]; // { name: "click", args: '{"selector": "#a"}', level: "strict" }
 * ```
 */
export function readTextCalls(text: string, tools: readonly ToolLike[]): TextCalls | undefined {
  const readings = matchText(text).flatMap((matched) => {
    const { format, lead } = matched;
    const calls = matched.calls.map((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool && toTextCall(call, tool);
    });
    const names = matched.calls.map(({ name }) => name);
    const isRead = calls.every((call) => call !== undefined) && announcesCalls(lead, names);
    return isRead ? [{ format: format.format, calls, lead }] : [];
  });
  const [first, ...others] = readings;
  return others.every((other) => isSameReading(other, first)) ? first : undefined;
}

/**
 * Reads a text in every format.
 *
 * @param text What the model wrote.
 * @param formats The formats. Default: all.
 * @returns What it holds in each format in which it is nothing but calls, and plain text before them.
 */
export function matchText(
  text: string,
  formats: readonly TextFormat[] = textFormats,
): readonly MatchedCalls[] {
  if (text.length > MAX_LENGTH) return [];
  const split = splitThoughts(text.trim());
  const body = split?.rest.trim() ?? "";
  if (split === undefined || body === "" || endsWithinCall(split.unopened)) return [];
  return formats.flatMap((format) => matchFormat(body, format) ?? []);
}

/**
 * Whether what is taken for thoughts, as it ends in their closing mark, may be a call that was cut
 * off in a value that holds that mark.
 */
function endsWithinCall(thoughts: string): boolean {
  if (thoughts === "") return false;
  if (thoughts.replace(/\\./g, "").split('"').length % 2 === 0) return true;
  if (/^<[A-Za-z_][\w.-]*>/.test(thoughts) || thoughts.split("```").length % 2 === 0) return true;
  if (TAGS_OF_CALLS.some(([open, close]) => isOpenIn(thoughts, open, close))) return true;
  return textFormats.some(({ open, close, call }) => {
    const [first, ...others] = call;
    const opening = open ?? (typeof first === "string" ? first : undefined);
    const last = others.at(-1);
    const closing = close ?? (typeof last === "string" ? last : undefined);
    if (opening === undefined || closing === undefined) return false;
    return isOpenIn(thoughts, opening, closing);
  });
}

const TAGS_OF_CALLS = [
  ["<function", "</function>"],
  ["<invoke ", "</invoke>"],
  ["<parameter", "</parameter>"],
  ["<param ", "</param>"],
  ['<|"|>', '<|"|>}'],
] as const;

function isOpenIn(text: string, open: string, close: string): boolean {
  return text.lastIndexOf(open) > text.lastIndexOf(close);
}

function toTextCall(call: WrittenCall, tool: ToolLike): TextCall | undefined {
  if (call.level === "eager") return undefined;
  const { takesString } = compileSchema(tool.schema);
  const written = toArguments(call.args, () => schemaNodeOf(tool));
  const args = written === undefined || takesString ? written : withoutEncoding(written);
  if (args === undefined || repeatsKey(args)) return undefined;
  const value = parseExactly(args);
  if (value !== undefined && whyNotJson(value, MAX_DEPTH) !== undefined) return undefined;
  const level = call.level ?? (value === undefined ? "safe" : "strict");
  return { name: call.name, args, level, ...(call.id === undefined ? {} : { id: call.id }) };
}

/** Whether an argument is given twice: of its values JSON would keep the last. */
function repeatsKey(args: string): boolean {
  const keys = args.startsWith("{") ? (partsOfJson(args)?.keys ?? []) : [];
  return new Set(keys).size < keys.length;
}

/** Arguments that are JSON in a string: no more than that may stand in it. */
function withoutEncoding(args: string): string | undefined {
  const inner = args.startsWith('"') ? parseExactly(args) : undefined;
  if (typeof inner !== "string" || !/^\s*[{[]/.test(inner)) return args;
  const json = readWholeJson(inner);
  return json === undefined || json.level === "eager" ? undefined : json.text;
}

function isSameReading(one: TextCalls, other: TextCalls | undefined): boolean {
  return JSON.stringify([one.lead, one.calls]) === JSON.stringify([other?.lead, other?.calls]);
}

const nodes = new WeakMap<object, SchemaNode>();

/** The view of a tool's schema, made once; `undefined` where it cannot be viewed. */
function schemaNodeOf(tool: ToolLike): SchemaNode | undefined {
  const { jsonSchema } = compileSchema(tool.schema);
  if (typeof jsonSchema === "boolean") return undefined;
  try {
    const node = nodes.get(jsonSchema) ?? toSchemaNode(checksOf(jsonSchema as JsonObject));
    nodes.set(jsonSchema, node);
    return node;
  } catch {
    return undefined;
  }
}
