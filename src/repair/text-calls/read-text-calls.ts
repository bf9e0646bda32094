import { isJsonObject, parseExactly, whyNotJson } from "../json.ts";
import { hasTwinKeys } from "../read/parse.ts";
import { endsTurn } from "../read/prose.ts";
import {
  OPENING_BRACKETS,
  PYTHON_DIALECT,
  skipBlanks,
} from "../read/tokens.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import { type SchemaNode, toSchemaNode, type Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue, RepairLevel, ToolLike } from "../types.ts";
import { anArray, aString, checkArguments, checkOptions } from "../usage.ts";
import { aFormatList, type TextFormatName } from "./format-names.ts";
import { textFormats } from "./formats.ts";
import { readCallObject } from "./json-calls.ts";
import { mayStandBeforeCall, textBehindThoughts } from "./lead.ts";
import { readWholeJson } from "./readers.ts";
import {
  type CallToken,
  type Cursor,
  callsOf,
  readPieces,
  type TextFormat,
  type WrittenCall,
  type WrittenEntry,
  type WrittenValue,
} from "./text-format.ts";

/** A call that a model wrote as text. */
export interface TextCall {
  /** The name of an offered tool, as it is written. */
  readonly name: string;
  /**
   * The arguments as JSON text, or nearly, as the model wrote them:
   * `repairToolInput` reads it.
   */
  readonly args: string;
  /** The id that the model gave the call, where its format has one. */
  readonly id?: string;
  /**
   * What reading the call takes: `"safe"` where its JSON has faults of syntax,
   * else `"strict"`.
   */
  readonly level: RepairLevel;
}

/** The calls of a text. */
export interface TextCalls {
  /** The name of their format in docs/text-calls.md. */
  readonly format: string;
  /** The calls, in their order. */
  readonly calls: readonly TextCall[];
  /** The plain text before them; `""` if empty. */
  readonly lead: string;
}

const MAX_DEPTH = 200;
/** The longest text that is read, in characters. */
const MAX_LENGTH = 1_000_000;
/** The most calls that one message may hold. */
const MAX_CALLS = 128;

/**
 * Reads the tool calls that a model wrote as text, in one of the formats that
 * models use. Thoughts before them are passed over; nothing in them is a call.
 * A sentence may stand before calls that a token opens. Else a text is calls
 * and nothing but calls, or it is text: prose behind them or between them, two
 * formats in one text, a call that was cut off or a tool that was not offered,
 * and nothing is read.
 *
 * Whether the model only quotes what it was shown, this cannot know: see
 * `rescueTextToolCalls`.
 *
 * @param text What the model wrote.
 * @param tools The tools that were offered.
 * @param options Which `formats` are read, by their names in
 *   docs/text-calls.md. Default: all that a token opens, which prose has none
 *   of. JSON, Python and the like are read where they are named; of these, only
 *   `invoke` and `function-tag` may follow a sentence, at the start of a line.
 * @returns The calls; `undefined` if the text has no reading, or several.
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
  options: { readonly formats?: readonly TextFormatName[] | undefined } = {},
): TextCalls | undefined {
  checkArguments(
    "readTextCalls(text, tools)",
    { text, tools },
    { text: aString, tools: anArray },
  );
  const example = 'readTextCalls(text, tools, { formats: ["json"] })';
  checkOptions(options, {
    of: "readTextCalls",
    example,
    checks: { formats: aFormatList },
  });
  const named = options.formats as readonly string[] | undefined;
  const isRead = ({ format, marker }: TextFormat) =>
    named === undefined ? marker === "token" : named.includes(format);
  const names = tools.map(({ name }) => name);
  const readings: TextCalls[] = [];
  for (const matched of matchText(text, textFormats.filter(isRead), names)) {
    const reading = toTextCalls(matched, tools);
    if (reading !== undefined) readings.push(reading);
  }
  const distinct = new Set(
    readings.map(({ lead, calls }) => JSON.stringify([lead, calls])),
  );
  return distinct.size === 1 ? readings[0] : undefined;
}

function toTextCalls(
  { format, lead, calls: written }: MatchedCalls,
  tools: readonly ToolLike[],
): TextCalls | undefined {
  const isBehindProse = lead !== "" && format.mayFollowProse === true;
  const calls = written.map((call) => {
    const tool = tools.find(({ name }) => name === call.name);
    return tool && toTextCall(call, tool, isBehindProse);
  });
  if (!calls.every((call) => call !== undefined)) return undefined;
  return { format: format.format, calls, lead };
}

/**
 * What a text holds in one format: the plain text before the calls, and the
 * calls.
 */
interface MatchedCalls {
  readonly format: TextFormat;
  readonly lead: string;
  readonly calls: readonly WrittenCall[];
}

/**
 * Reads a text in each of the formats. It must hold calls and nothing else:
 * prose within a marker, between two calls or behind the last makes it no call.
 * Before the first, thoughts are passed over, and a sentence may stand where a
 * token opens the call.
 */
export function matchText(
  text: string,
  formats: readonly TextFormat[],
  names: readonly string[] = [],
): readonly MatchedCalls[] {
  if (text.length > MAX_LENGTH || INDENTED.test(text)) return [];
  const body = textBehindThoughts(text);
  // all of it is thoughts, or none of it is anything
  if (!body) return [];
  const longestFirst = [...names].sort(
    (left, right) => right.length - left.length,
  );
  const cursor = { text: body, at: 0, names: longestFirst };
  return formats.flatMap((format) => matchFormat(cursor, format) ?? []);
}

/** A first line that Markdown shows as code. */
const INDENTED = /^(?:[^\S\n]*\n)*(?: {4}| {0,3}\t)/;

function matchFormat(
  cursor: Cursor,
  format: TextFormat,
): MatchedCalls | undefined {
  const { text } = cursor;
  const { call, isStopToken, marker } = format;
  const lead = readLead(cursor, format);
  if (lead === undefined) return undefined;
  // Several blocks of code are a list of examples.
  const isBlock = call[0] instanceof RegExp && marker === "none";
  const mayRepeat = typeof call[0] !== "function" && !isBlock;
  const calls: WrittenCall[] = [];
  let at = lead.end;
  do {
    const read = readPieces(call, { ...cursor, at }, isStopToken);
    if (read === undefined) return undefined;
    calls.push(...callsOf(read));
    if (calls.length > MAX_CALLS) return undefined;
    at = skipBlanks(text, read.end);
    if (endsTurn(text, at)) return { format, lead: lead.text, calls };
  } while (mayRepeat);
  return undefined;
}

/** The sentence before the first call, and where the call begins. */
interface CallLead {
  readonly text: string;
  readonly end: number;
}

function readLead(cursor: Cursor, format: TextFormat): CallLead | undefined {
  const { text, names } = cursor;
  const sentence = readMarkedSentence(text, format);
  if (sentence !== undefined) {
    return mayStandBeforeCall(`${sentence.text}\n`, names)
      ? sentence
      : undefined;
  }
  const end = startOfCall(text, format);
  if (end < 0) return undefined;
  const lead = text.slice(0, end);
  return mayStandBeforeCall(lead, names)
    ? { text: lead.trim(), end }
    : undefined;
}

function readMarkedSentence(
  text: string,
  { sentence }: TextFormat,
): CallLead | undefined {
  if (sentence === undefined) return undefined;
  const { open, close } = sentence;
  const mark = open.find((opening) => text.startsWith(opening));
  if (mark === undefined) return undefined;
  const to = text.indexOf(close, mark.length);
  if (to < 0) return undefined;
  return { text: text.slice(mark.length, to).trim(), end: to + close.length };
}

/** Where the first call may begin; `-1` if it begins nowhere. */
function startOfCall(
  text: string,
  { call: [first], marker, mayFollowProse }: TextFormat,
): number {
  if (first === undefined || typeof first === "function") return 0;
  if (mayFollowProse) return startOfLine(text, first);
  if (marker !== "token") return 0;
  return typeof first === "string"
    ? text.indexOf(first)
    : text.search(new RegExp(first, ""));
}

/** Where a token first begins a line; `-1` if it begins none. */
function startOfLine(text: string, token: CallToken): number {
  if (typeof token !== "string") return -1;
  if (text.startsWith(token)) return 0;
  const lineBreak = text.indexOf(`\n${token}`);
  return lineBreak < 0 ? -1 : lineBreak + 1;
}

function toTextCall(
  { name, id, args }: WrittenCall,
  tool: ToolLike,
  isBehindProse: boolean,
): TextCall | undefined {
  if (args.level === "eager") return undefined;
  const { takesString, jsonSchema } = compileSchema(tool.schema);
  const node = toSchemaNode(jsonSchema);
  if (mayHoldProse(args, node, isBehindProse)) return undefined;
  const written = toJsonArguments(args, node);
  const json = takesString ? written : withoutEncoding(written);
  if (json === undefined || hasTwinKeys(json)) return undefined;
  const value = parseExactly(json);
  if (value !== undefined && !mayBeInput(value, tool, node)) return undefined;
  const { level = value === undefined ? "safe" : "strict" } = args;
  return { name, args: json, level, ...(id === undefined ? {} : { id }) };
}

/** Whether a key that the tool does not declare may be a part of a sentence. */
function mayHoldProse(
  { children = [] }: WrittenValue,
  node: SchemaNode,
  isBehindProse: boolean,
): boolean {
  return children.some(([key]) => {
    const mayBeProse = isBehindProse || /\s/.test(key);
    return mayBeProse && !isDeclared(key, node);
  });
}

function toJsonArguments(
  { text, children }: WrittenValue,
  node: SchemaNode,
): string | undefined {
  if (children !== undefined) return toObject(children, node);
  return text === "" ? "{}" : text;
}

/** Arguments that are JSON in a string: no more than that may stand in it. */
function withoutEncoding(args: string | undefined): string | undefined {
  if (!args?.startsWith('"')) return args;
  const inner = parseExactly(args);
  if (typeof inner !== "string") return args;
  if (!OPENING_BRACKETS.has(inner.trimStart().charAt(0))) return args;
  const json = readWholeJson(inner);
  return json?.level === "eager" ? undefined : json?.text;
}

function mayBeInput(
  value: JsonValue,
  tool: ToolLike,
  node: SchemaNode,
): boolean {
  if (whyNotJson(value, MAX_DEPTH) !== undefined) return false;
  if (!isJsonObject(value)) return true;
  return !isNoInput(value, tool, node);
}

/**
 * Whether arguments are a schema, perhaps the tool's own, which only describes
 * a call, or are themselves a call of another tool: which one is meant is not
 * known.
 */
function isNoInput(
  args: JsonObject,
  tool: ToolLike,
  node: SchemaNode,
): boolean {
  const keys = Object.keys(args);
  const isKnown = (key: string) => isDeclared(key, node);
  const inner = readCallObject(args) ?? tool;
  if (inner.name !== tool.name && !keys.every(isKnown)) return true;
  const isSchema = args.type === "object" || isJsonObject(args.properties);
  return isSchema && !keys.some(isKnown);
}

function isDeclared(key: string, node: SchemaNode): boolean {
  return node.variants().some(({ properties }) => properties.has(key));
}

/**
 * Writes the arguments of a format without types as JSON text. A text is what
 * the schema of its place takes: text where text may stand, else the JSON that
 * it is, with its spelling kept. `undefined` where a key is given twice.
 */
function toObject(
  children: readonly WrittenEntry[],
  node: SchemaNode | undefined,
): string | undefined {
  const byKey = new Map<string, [WrittenValue, ...WrittenValue[]]>();
  for (const [key, value] of children) {
    const values = byKey.get(key);
    if (values === undefined) byKey.set(key, [value]);
    else values.push(value);
  }
  const fields: string[] = [];
  for (const [key, values] of byKey) {
    const place = placeIn(node, (variant) => variant.keyAt(key));
    const json = toField(values, place);
    if (json === undefined) return undefined;
    fields.push(`${JSON.stringify(key)}:${json}`);
  }
  return `{${fields.join(",")}}`;
}

function toField(
  values: readonly [WrittenValue, ...WrittenValue[]],
  node: SchemaNode | undefined,
): string | undefined {
  if (values.length === 1) return toJson(values[0], node);
  return takes(node, "array") ? toList(values, node) : undefined;
}

function toJson(
  value: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  const { children } = value;
  if (children === undefined || takesOnlyText(node))
    return toScalar(value, node);
  const keys = new Set(children.map(([key]) => key));
  if (keys.size !== 1 || !takes(node, "array")) return toObject(children, node);
  const items = children.map(([, item]) => item);
  return toList(items, node);
}

function toList(
  values: readonly WrittenValue[],
  node: SchemaNode | undefined,
): string | undefined {
  const items = values.map((item, index) => {
    const place = placeIn(node, (variant) => variant.itemAt(index));
    return toJson(item, place);
  });
  return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
}

function toScalar(
  value: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  if (!isReadable(value, node)) return undefined;
  const { text, is = typeAt(text, node) } = value;
  switch (is) {
    case "text":
      return JSON.stringify(text);
    case "json":
      return toJsonText(text.trim(), node) ?? JSON.stringify(text);
    case undefined:
      return undefined;
  }
}

/** Whether it is known where a value begins and ends. */
function isReadable(
  { text, isTorn, isUnopened }: WrittenValue,
  node: SchemaNode | undefined,
): boolean {
  if (takesOnlyText(node)) return true;
  if (isTorn && node !== undefined) return false;
  return !isUnopened || parseExactly(text.trim()) !== undefined;
}

/** How a place takes a text; `undefined` where engines differ. */
function typeAt(
  text: string,
  node: SchemaNode | undefined,
): WrittenValue["is"] {
  // Where nothing is said of a place, text may stand there.
  const takesIt =
    node === undefined || node.accepts(text) || takes(node, "string");
  if (!takesIt) return "json";
  const plain = text.trim();
  const mayBeNothing = NOTHING.has(plain) && takes(node, "null");
  if (mayBeNothing) return undefined;
  if (!plain.startsWith('"')) return "text";
  // Its quotes may be its own or not.
  return typeof parseExactly(plain) === "string" ? undefined : "text";
}

/** It may be the word or nothing. */
const NOTHING: ReadonlySet<string> = new Set(["null", "None"]);

const LITERALS = new Map(Object.entries(PYTHON_DIALECT.literals));

/** A text as the JSON that it is; `undefined` where it is none. */
function toJsonText(
  text: string,
  node: SchemaNode | undefined,
): string | undefined {
  const meant = LITERALS.get(text);
  if (meant !== undefined && node?.accepts(meant) !== false)
    return JSON.stringify(meant);
  return parseExactly(text) === undefined ? readWholeJson(text)?.text : text;
}

/** Whether a place takes text, and neither an object nor a list. */
function takesOnlyText(node: SchemaNode | undefined): boolean {
  if (takes(node, "object") || takes(node, "array")) return false;
  return takes(node, "string");
}

function takes(node: SchemaNode | undefined, type: string): boolean {
  return node?.variants().some((variant) => variant.type === type) === true;
}

/** The first place that a variant has. */
function placeIn(
  node: SchemaNode | undefined,
  placeOf: (variant: Variant) => SchemaNode | undefined,
): SchemaNode | undefined {
  const places = node?.variants().map(placeOf);
  return places?.find((place) => place !== undefined);
}
