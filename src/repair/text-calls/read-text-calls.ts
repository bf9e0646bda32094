import { isJsonObject, parseExactly, whyNotJson } from "../json.ts";
import { hasTwinKeys } from "../read/parse.ts";
import { endsTurn } from "../read/prose.ts";
import { PYTHON_DIALECT, skipBlanks } from "../read/tokens.ts";
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
  readToken,
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
    named?.includes(format) ?? marker === "token";
  const formats = textFormats.filter(isRead);
  const names = tools.map(({ name }) => name);
  const readings = matchText(text, formats, names).flatMap((matched) => {
    const isBehindProse =
      matched.lead !== "" && matched.format.mayFollowProse === true;
    const calls = matched.calls.map((call) => {
      const tool = tools.find(({ name }) => name === call.name);
      return tool && toTextCall(call, tool, isBehindProse);
    });
    const isKnown = calls.every((call) => call !== undefined);
    return isKnown
      ? [{ format: matched.format.format, calls, lead: matched.lead }]
      : [];
  });
  const distinct = new Set(
    readings.map(({ lead, calls }) => JSON.stringify([lead, calls])),
  );
  return distinct.size === 1 ? readings[0] : undefined;
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
  const isLong = text.length > MAX_LENGTH;
  const body =
    isLong || INDENTED.test(text) ? undefined : textBehindThoughts(text);
  if (body === undefined || body === "") return [];
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
    if (read !== undefined) calls.push(...callsOf(read));
    if (read === undefined || calls.length > MAX_CALLS) return undefined;
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
  const sentence = readMarkedSentence(cursor, format);
  if (sentence !== undefined) {
    return mayStandBeforeCall(`${sentence.text}\n`, names)
      ? sentence
      : undefined;
  }
  const { call, marker, mayFollowProse } = format;
  const [first = ""] = call;
  const hasLead = marker === "token" || mayFollowProse;
  if (!hasLead || typeof first === "function") return { text: "", end: 0 };
  const end = mayFollowProse ? startOfLine(text, first) : startOf(text, first);
  const lead = text.slice(0, end);
  return end >= 0 && mayStandBeforeCall(lead, names)
    ? { text: lead.trim(), end }
    : undefined;
}

function readMarkedSentence(
  cursor: Cursor,
  { sentence }: TextFormat,
): CallLead | undefined {
  const from = sentence && readToken(sentence.open, cursor)?.end;
  if (sentence === undefined || from === undefined) return undefined;
  const to = cursor.text.indexOf(sentence.close, from);
  if (to < 0) return undefined;
  return {
    text: cursor.text.slice(from, to).trim(),
    end: to + sentence.close.length,
  };
}

function startOf(text: string, token: CallToken): number {
  return typeof token === "string"
    ? text.indexOf(token)
    : text.search(new RegExp(token, ""));
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
  const mustBeDeclared = (key: string) => isBehindProse || /\s/.test(key);
  const keys = (args.children ?? []).map(([key]) => key).filter(mustBeDeclared);
  if (keys.some((key) => !isDeclared(key, node))) return undefined;
  const written = toJsonArguments(args, node);
  const json =
    written === undefined || takesString ? written : withoutEncoding(written);
  if (json === undefined || hasTwinKeys(json)) return undefined;
  const value = parseExactly(json);
  if (value !== undefined && !mayBeInput(value, tool, node)) return undefined;
  const level = args.level ?? (value === undefined ? "safe" : "strict");
  return { name, args: json, level, ...(id === undefined ? {} : { id }) };
}

function toJsonArguments(
  { text, children }: WrittenValue,
  node: SchemaNode,
): string | undefined {
  return children === undefined ? text || "{}" : toObject(children, node);
}

/** Arguments that are JSON in a string: no more than that may stand in it. */
function withoutEncoding(args: string): string | undefined {
  const inner = args.startsWith('"') ? parseExactly(args) : undefined;
  if (typeof inner !== "string" || !/^\s*[{[]/.test(inner)) return args;
  const json = readWholeJson(inner);
  return json === undefined || json.level === "eager" ? undefined : json.text;
}

function mayBeInput(
  value: JsonValue,
  tool: ToolLike,
  node: SchemaNode,
): boolean {
  if (whyNotJson(value, MAX_DEPTH) !== undefined) return false;
  return !isJsonObject(value) || !isNoInput(value, tool, node);
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
  const inner = readCallObject(args);
  const callsOther = inner !== undefined && inner.name !== tool.name;
  const isSchema = args.type === "object" || isJsonObject(args.properties);
  const known = Object.keys(args).map((key) => isDeclared(key, node));
  return (
    (callsOther && known.includes(false)) || (isSchema && !known.includes(true))
  );
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
  const byKey = new Map<string, WrittenValue[]>();
  for (const [key, value] of children) {
    if (!byKey.get(key)?.push(value)) byKey.set(key, [value]);
  }
  const parts = [...byKey].map(([key, values]) => {
    const place = placeIn(node, (variant) => variant.keyAt(key));
    const [value, ...more] = values;
    const isOne = value !== undefined && more.length === 0;
    const json = isOne
      ? toJson(value, place)
      : takes(place, "array") && toList(values, place);
    return json ? `${JSON.stringify(key)}:${json}` : undefined;
  });
  return parts.every((part) => part !== undefined)
    ? `{${parts.join(",")}}`
    : undefined;
}

function toJson(
  value: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  const { children } = value;
  if (children === undefined || takesOnlyText(node))
    return toScalar(value, node);
  const isList =
    takes(node, "array") && new Set(children.map(([key]) => key)).size === 1;
  const items = () => children.map(([, item]) => item);
  return isList ? toList(items(), node) : toObject(children, node);
}

function toList(
  values: readonly WrittenValue[],
  node: SchemaNode | undefined,
): string | undefined {
  const items = values.map((item, index) => {
    const place = placeIn(node, (variant) => variant.itemAt(index));
    return toJson(item, place);
  });
  return items.every((item) => item !== undefined)
    ? `[${items.join(",")}]`
    : undefined;
}

function toScalar(
  { text, is, isTorn, isUnopened }: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  if (isTorn === true && node !== undefined && !takesOnlyText(node))
    return undefined;
  const plain = text.trim();
  const mayBeProse = isUnopened === true && !takesOnlyText(node);
  if (mayBeProse && parseExactly(plain) === undefined) return undefined;
  // Where nothing is said of a place, text may stand there.
  const takesIt =
    node === undefined || node.accepts(text) || takes(node, "string");
  if (is === "json" || (is === undefined && !takesIt)) {
    return toJsonText(plain, node) ?? JSON.stringify(text);
  }
  // It may be the word or nothing; its quotes may be its own or not: engines
  // differ.
  const isNothing = /^(?:null|None)$/.test(plain) && takes(node, "null");
  const isString =
    plain.startsWith('"') && typeof parseExactly(plain) === "string";
  return is === undefined && (isNothing || isString)
    ? undefined
    : JSON.stringify(text);
}

/** A text as the JSON that it is; `undefined` where it is none. */
function toJsonText(
  text: string,
  node: SchemaNode | undefined,
): string | undefined {
  const { literals } = PYTHON_DIALECT;
  const meant = Object.hasOwn(literals, text) ? literals[text] : undefined;
  const isTaken = meant !== undefined && node?.accepts(meant) !== false;
  const word = isTaken ? JSON.stringify(meant) : text;
  return parseExactly(word) === undefined ? readWholeJson(word)?.text : word;
}

/** Whether a place takes text, and neither an object nor a list. */
function takesOnlyText(node: SchemaNode | undefined): boolean {
  return (
    takes(node, "string") && !takes(node, "object") && !takes(node, "array")
  );
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
