import { wrongUse } from "../errors/likeness.ts";
import { isJsonObject, whyNotJson } from "../json/json-value.ts";
import { hasTwinKeys } from "../read/parse.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { type SchemaNode, toSchemaNode } from "../schema/node.ts";
import type { JsonValue, RepairLevel, ToolLike } from "../types.ts";
import { type TextFormatName, textFormats, tokenFormats } from "./formats.ts";
import { readCallObject, readWholeJson } from "./json-calls.ts";
import { matchText } from "./match.ts";
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

const MAX_DEPTH = 200;

/**
 * Reads the tool calls that a model wrote as text, in one of the formats that models use. Thoughts
 * before them are passed over; nothing in them is a call. A sentence may stand before calls that a
 * token opens. Else a text is calls and nothing but calls, or it is text: prose behind them or
 * between them, two formats in one text, a call that was cut off or a tool that was not offered, and
 * there are none.
 *
 * Whether the model only quotes what it was shown, this cannot know: see `rescueTextToolCalls`.
 *
 * @param text What the model wrote.
 * @param tools The tools that were offered.
 * @param options Which `formats` are read, by their names in docs/text-calls.md. Default: all that a token
 * opens, which prose has none of. JSON, Python and the like are read where they are named.
 * @returns The calls; `undefined` where there are none, or more than one reading.
 * @throws TypeError for what is not a text, a list of tools or a format.
 * @example
 * ```ts
 * const found = readTextCalls('<tool_call>{"name": "click", "arguments": {"selector": "#a"}}</tool_call>', [click]);
 * found?.calls[0]; // { name: "click", args: '{"selector": "#a"}', level: "strict" }
 * readTextCalls('[click(selector="#a")]', [click], { formats: ["python-list"] }); // chosen: no token opens it
 * ```
 */
export function readTextCalls(
  text: string,
  tools: readonly ToolLike[],
  { formats }: { readonly formats?: readonly TextFormatName[] | undefined } = {},
): TextCalls | undefined {
  // In its own words: what checks the other functions is not loaded with the first fault.
  if (typeof text !== "string" || !Array.isArray(tools)) {
    const given = `${typeof text} and ${typeof tools}`;
    throw wrongUse(`readTextCalls(text, tools) needs a text and an array of tools, not ${given}.`);
  }
  const names = tools.map(({ name }) => name).sort((one, other) => other.length - one.length);
  const readings = matchText(text, formatsNamed(formats), names).flatMap((matched) => {
    const { format, lead } = matched;
    const calls = matched.calls.map((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool && toTextCall(call, tool);
    });
    const isRead = calls.every((call) => call !== undefined);
    return isRead ? [{ format: format.format, calls, lead }] : [];
  });
  const [first, ...others] = readings;
  return others.every((other) => isSameReading(other, first)) ? first : undefined;
}

/** The formats that are read. */
function formatsNamed(names: readonly TextFormatName[] | undefined): readonly TextFormat[] {
  if (names === undefined) return tokenFormats;
  const isKnown = (name: string) => textFormats.some(({ format }) => format === name);
  const unknown = Array.isArray(names) ? names.find((name) => !isKnown(name)) : names;
  if (unknown !== undefined) {
    throw wrongUse(
      `readTextCalls: formats has no "${unknown}". docs/text-calls.md lists the names.`,
    );
  }
  return textFormats.filter(({ format }) => names.includes(format as TextFormatName));
}

function toTextCall({ name, id, args }: WrittenCall, tool: ToolLike): TextCall | undefined {
  if (args.level === "eager") return undefined;
  const { takesString, jsonSchema } = compileSchema(tool.schema);
  const node = viewOf(jsonSchema);
  const written = toArguments(args, node);
  const json = written === undefined || takesString ? written : withoutEncoding(written);
  if (json === undefined || hasTwinKeys(json)) return undefined;
  const value = parseExactly(json);
  if (value !== undefined && whyNotJson(value, MAX_DEPTH) !== undefined) return undefined;
  if (isDefinition(value, node) || callsOther(value, tool, node)) return undefined;
  const level = args.level ?? (value === undefined ? "safe" : "strict");
  return { name, args: json, level, ...(id === undefined ? {} : { id }) };
}

/** The view of a tool's schema; `undefined` where it cannot be viewed. */
function viewOf(jsonSchema: Parameters<typeof toSchemaNode>[0] | boolean): SchemaNode | undefined {
  if (typeof jsonSchema === "boolean") return undefined;
  try {
    return toSchemaNode(jsonSchema);
  } catch {
    return undefined;
  }
}

/** Arguments that are JSON in a string: no more than that may stand in it. */
function withoutEncoding(args: string): string | undefined {
  const inner = args.startsWith('"') ? parseExactly(args) : undefined;
  if (typeof inner !== "string" || !/^\s*[{[]/.test(inner)) return args;
  const json = readWholeJson(inner);
  return json === undefined || json.level === "eager" ? undefined : json.text;
}

/** Whether arguments are a schema, perhaps the tool's own: then it is told of, and not called. */
function isDefinition(args: JsonValue | undefined, node: SchemaNode | undefined): boolean {
  if (!isJsonObject(args) || !(args.type === "object" || isJsonObject(args.properties)))
    return false;
  return !Object.keys(args).some((key) => isDeclared(key, node));
}

/** Whether arguments are themselves a call, of another tool: which one is meant is not known. */
function callsOther(
  args: JsonValue | undefined,
  tool: ToolLike,
  node: SchemaNode | undefined,
): boolean {
  const inner = readCallObject(args);
  if (inner === undefined || inner.name === tool.name || !isJsonObject(args)) return false;
  return !Object.keys(args).every((key) => isDeclared(key, node));
}

function isDeclared(key: string, node: SchemaNode | undefined): boolean {
  return node?.variants().some((one) => one.properties.has(key)) === true;
}

function isSameReading(one: TextCalls, other: TextCalls | undefined): boolean {
  return JSON.stringify([one.lead, one.calls]) === JSON.stringify([other?.lead, other?.calls]);
}
