import { isContainer, parseExactly } from "../json.ts";
import { writtenNumbersOf } from "../read/numbers.ts";
import { nodeToJson, parse } from "../read/parse.ts";
import type { Node } from "../read/parser.ts";
import { readPythonCall } from "../read/read-tool-input.ts";
import {
  endOf,
  JSON_DIALECT,
  LOOSE_DIALECT,
  matchAt,
  OPENING_BRACKETS,
  skipBlanks,
} from "../read/tokens.ts";
import { withoutOuterBreaks } from "../text.ts";
import type { JsonValue } from "../types.ts";
import { keysOfCall } from "./json-calls.ts";
import {
  callsOf,
  firstOf,
  type Match,
  optional,
  type Reader,
  repeat,
  type TextPosition,
  type WrittenCall,
  type WrittenEntry,
  type WrittenValue,
} from "./text-format.ts";

/** Reads calls in objects or lists that follow each other, without a comma. */
export const readCallLines: Reader = repeat([
  (cursor) => readCallsOfValue(cursor, toNamedCall),
]);

/**
 * The same between marks of a model, where a template may have left a surplus
 * pair of braces.
 */
export const readMarkedCalls: Reader = (cursor) =>
  readBracedCall(cursor) ?? readCallLines(cursor);

/**
 * Reads one call in a surplus pair of braces:
 * `{{"name": "click", "arguments": {}}}`.
 */
const readBracedCall: Reader = ({ text, at }) => {
  if (!text.startsWith("{{", at)) return undefined;
  const inner = readCallsOfValue({ text, at: at + 1 }, toNamedCall);
  if (inner === undefined) return undefined;
  const close = skipBlanks(text, inner.end);
  if (text.charAt(close) !== "}") return undefined;
  const calls = inner.calls.map(asFaulty);
  return { calls, end: close + 1 };
};

/** A call that takes a repair to be read. */
function asFaulty(call: WrittenCall): WrittenCall {
  const { level = "safe" } = call.args;
  return { ...call, args: { ...call.args, level } };
}

/**
 * The same between marks that the prompt has around definitions: those have
 * `parameters`.
 */
export const readCallsWithArguments: Reader = (cursor) => {
  const match = readCallLines(cursor);
  const source = cursor.text.slice(cursor.at, match?.end);
  return /"parameters"\s*:/.test(source) ? undefined : match;
};

/** The same without a marker: `{"name": "x"}` alone is anything. */
export const readBareCalls: Reader = (cursor) => {
  const match = readCallLines(cursor);
  if (match === undefined) return undefined;
  const haveArguments = callsOf(match).every(({ args }) => args.text !== "");
  return haveArguments ? match : undefined;
};

/** Reads one list of calls: never a lone object. */
export const readCallList: Reader = (cursor) => readList(cursor, toNamedCall);

/**
 * Reads one list of objects whose only key is the tool's name:
 * `[{"click": {…}}]`.
 */
export const readKeyedCalls: Reader = (cursor) => readList(cursor, toKeyedCall);

type Level = WrittenValue["level"];
type ToCall = (
  node: Node,
  text: string,
  level: Level,
) => WrittenCall | undefined;

interface CallsAt {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

function readList(place: TextPosition, toCall: ToCall): CallsAt | undefined {
  const isList = place.text.startsWith("[", place.at);
  return isList ? readCallsOfValue(place, toCall) : undefined;
}

/** Reads an object that is a call, or a list of such. */
function readCallsOfValue(
  place: TextPosition,
  toCall: ToCall,
): CallsAt | undefined {
  const json = readJsonAt(place);
  if (json === undefined) return undefined;
  const { kind, parts = [], level, end } = json;
  const nodes = kind === "list" ? parts.map(([, part]) => part) : [json];
  const calls = nodes.map((node) => toCall(node, place.text, level));
  if (calls.length === 0) return undefined;
  return calls.every((call) => call !== undefined) ? { calls, end } : undefined;
}

/**
 * The arguments keep their text, or, after a fault of syntax, the spelling of
 * their numbers. What says more than its call is a record of one, what came of
 * it, or a definition: in OpenAI's form a call has `arguments`, and a
 * definition `parameters`.
 */
const toNamedCall: ToCall = ({ kind, parts = [] }, text, level) => {
  if (kind !== "object") return undefined;
  const byKey = new Map(parts);
  const isTwice = byKey.size < parts.length;
  const known = keysOfCall([...byKey.keys()]);
  if (known === undefined || known.other !== undefined || isTwice)
    return undefined;
  const valueAt = (key = "") => byKey.get(key);
  const isOfType =
    known.type === undefined || TYPES.includes(valueAt(known.type)?.value);
  if (!isOfType) return undefined;
  const [named, args, id] = [known.name, known.args, known.id].map(valueAt);
  const withId = typeof id?.value === "string" ? { id: id.value } : {};
  if (typeof named?.value === "string")
    return { name: named.value, args: toWritten(args, text, level), ...withId };
  const isWhole = known.name.toLowerCase() === "function";
  if (!isWhole || named === undefined || args !== undefined) return undefined;
  if (isDefinition(named)) return undefined;
  const inner = toNamedCall(named, text, level);
  return inner && { ...inner, ...withId };
};

function isDefinition({ parts = [] }: Node): boolean {
  return parts.some(([key]) => key === "parameters");
}

function toWritten(
  args: Node | undefined,
  text: string,
  level: Level,
): WrittenValue {
  if (args === undefined) return { text: "", level };
  return {
    text: level ? nodeToJson(args, text) : text.slice(args.from, args.to),
    level,
  };
}

const toKeyedCall: ToCall = ({ kind, parts = [] }, text, level) => {
  if (kind !== "object" || level !== undefined) return undefined;
  const [entry, ...more] = parts;
  if (entry === undefined || more.length > 0) return undefined;
  const [name, args] = entry;
  if (args.kind !== "object") return undefined;
  return { name, args: toWritten(args, text, level) };
};

/** What a call may say of itself. */
const TYPES: readonly unknown[] =
  "function tool tool_use tool_call function_call".split(" ");

/** JSON in a text: its value, where its parts stand, and its source. */
interface JsonAt extends Node {
  readonly text: string;
  readonly end: number;
  /**
   * As of `WrittenValue`: `"eager"` where only closing brackets are missing.
   */
  readonly level: Level;
}

/**
 * Reads one JSON object or array. Its syntax may have faults, but no word of
 * prose may stand in it, a comment included: it may say not to do what stands
 * there.
 */
function readJsonAt({ text, at }: TextPosition): JsonAt | undefined {
  if (!OPENING_BRACKETS.has(text.charAt(at))) return undefined;
  const toJson = (node: Node, level: Level, end = node.to) => {
    return { ...node, text: text.slice(node.from, node.to), level, end };
  };
  const exact = parse(text, at, JSON_DIALECT);
  if (exact.kind === "value") return toJson(exact.node, undefined);
  const read = parse(text, at, LOOSE_DIALECT);
  if (read.kind === "value") return toJson(read.node, "safe");
  if (read.kind !== "truncated" || read.completed === undefined)
    return undefined;
  // what is not closed goes on to the end of the text, or of the fence around
  // it
  return toJson(read.completed, "eager", endOfCode(text));
}

/** Where a text ends, or the fence around it closes. */
function endOfCode(text: string): number {
  const tail = text.slice(-40).trimEnd();
  const mark = ["```", "~~~"].find((fence) => tail.endsWith(`\n${fence}`));
  return mark === undefined ? text.length : text.lastIndexOf(mark);
}

/** Reads a text that is one JSON object or array and nothing else. */
export function readWholeJson(text: string): JsonAt | undefined {
  const trimmed = text.trim();
  const json = readJsonAt({ text: trimmed, at: 0 });
  return json?.end === trimmed.length ? json : undefined;
}

/**
 * Reads the arguments of a call as their value, or as JSON text where a number
 * in it has a spelling of its own. `undefined` where they are no JSON.
 */
export function readArguments({
  args: { text },
}: WrittenCall): JsonValue | undefined {
  const value = parseExactly(text);
  const isPlain =
    !isContainer(value) || writtenNumbersOf(text, true).spellings.size === 0;
  return isPlain ? value : text;
}

/**
 * Reads arguments that are a JSON object. Faults of syntax are for the pipeline
 * to repair.
 */
export const readJsonArguments: Reader = (cursor) => {
  if (!cursor.text.startsWith("{", cursor.at)) return undefined;
  const json = readJsonAt(cursor);
  return json && { args: json, end: json.end };
};

/**
 * Reads arguments that stand in tags, one after another:
 * `<parameter=city>Paris</parameter>`.
 *
 * @param tag What begins an argument; no value may contain it.
 * @param key What follows it, a sticky pattern. Its first group is the key; a
 *   second tells text (`true`, `string`) from JSON (`false`, any other type).
 * @param between What stands before the value, where the key has a tag of its
 *   own.
 * @param clean What is the value's of what stands in the tags. Default: all of
 *   it.
 * @param mayLackBetween Whether what stands before the value may be missing.
 */
export function readTagged(
  tag: string,
  key: RegExp,
  between: string,
  close: string,
  options: TaggedOptions = {},
): Reader {
  // Its own marks in a value: another argument may begin or end there.
  const tokens = `${tag}${close}`.match(/<\|[^|<>]+\|>/g) ?? [];
  const marks = [tag, between, ...tokens].filter((mark) => mark !== "");
  const form: TaggedForm = { ...options, tag, key, between, close, marks };
  return (cursor) => readTaggedArguments(form, cursor);
}

function readTaggedArguments(
  form: TaggedForm,
  { text, at }: TextPosition,
): Match | undefined {
  const children = new Map<string, WrittenValue>();
  let level: Level;
  let end = at;
  for (;;) {
    const head = readHead(form, text, end);
    if (head === undefined)
      return { args: { text: "", children: [...children], level }, end };
    const argument = readTaggedValue(form, text, head);
    if (argument === undefined || children.has(head.name)) return undefined;
    children.set(head.name, argument.value);
    if (argument.value.isUnopened) level = "safe";
    end = argument.end;
  }
}

export interface TaggedOptions {
  readonly clean?: Clean | undefined;
  readonly mayLackBetween?: boolean;
}

/** How arguments in tags are written. */
interface TaggedForm extends TaggedOptions {
  readonly tag: string;
  readonly key: RegExp;
  readonly between: string;
  readonly close: string;
  /** What no value may contain. */
  readonly marks: readonly string[];
}

/** What stands before an argument's value. */
interface ArgumentHead {
  readonly name: string;
  readonly type: string | undefined;
  readonly end: number;
}

function readHead(
  { tag, key }: TaggedForm,
  text: string,
  at: number,
): ArgumentHead | undefined {
  const start = skipBlanks(text, at);
  if (!text.startsWith(tag, start)) return undefined;
  const [, name, type] = matchAt(key, text, start + tag.length);
  return name === undefined ? undefined : { name, type, end: key.lastIndex };
}

/** A value, and where it ends. */
interface ValueAt {
  readonly value: WrittenValue;
  readonly end: number;
}

function readTaggedValue(
  { between, close, marks, clean, mayLackBetween }: TaggedForm,
  text: string,
  head: ArgumentHead,
): ValueAt | undefined {
  const open = between === "" ? head.end : skipBlanks(text, head.end);
  const isOpened = text.startsWith(between, open);
  if (!isOpened && !mayLackBetween) return undefined;
  const from = isOpened ? open + between.length : open;
  const to = text.indexOf(close, from);
  if (to < 0) return undefined;
  const written = text.slice(from, to);
  // What is left of a torn mark is no value.
  const excluded = isOpened ? marks : [...marks, "<", ">"];
  if (excluded.some((mark) => written.includes(mark))) return undefined;
  const value = clean === undefined ? written : clean(written);
  if (value === undefined) return undefined;
  const is = typeOf(head);
  return {
    value: { text: value, is, isUnopened: !isOpened },
    end: to + close.length,
  };
}

/** What the format says of an argument: a type, or whether it is text. */
function typeOf({ type }: ArgumentHead): WrittenValue["is"] {
  if (type === undefined) return undefined;
  return type === "true" || type === "string" ? "text" : "json";
}

/** The value of what stands in tags; `undefined` if that is in doubt. */
export type Clean = (written: string) => string | undefined;

/**
 * Reads arguments that are elements, within each other or not:
 * `<city>Paris</city><days>3</days>`. Another tag of the same name in a text
 * makes doubt.
 */
export function readElements(mark = ""): Reader {
  return ({ text, at }) => {
    const elements = readChildren({ text, mark }, at, 0);
    if (elements === undefined) return undefined;
    const { children, end } = elements;
    return { args: { text: "", children }, end };
  };
}

/** A text, and what stands before each of its tags. */
interface ElementSource {
  readonly text: string;
  readonly mark: string;
}

interface Elements {
  readonly children: readonly WrittenEntry[];
  readonly end: number;
}

function readChildren(
  source: ElementSource,
  at: number,
  depth: number,
): Elements | undefined {
  const children: WrittenEntry[] = [];
  let end = at;
  for (;;) {
    const tag = readOpenTag(source, end);
    if (tag === undefined) return { children, end };
    const element =
      depth < MAX_DEPTH ? readElement(source, tag, depth) : undefined;
    if (element === undefined) return undefined;
    children.push([tag.key, element.value]);
    end = element.end;
  }
}

interface OpenTag {
  readonly key: string;
  readonly end: number;
}

function readOpenTag(
  { text, mark }: ElementSource,
  at: number,
): OpenTag | undefined {
  const start = skipBlanks(text, at);
  if (!text.startsWith(mark, start)) return undefined;
  const from = skipBlanks(text, start + mark.length);
  const [, key] = matchAt(ELEMENT_TAG, text, from);
  return key === undefined ? undefined : { key, end: ELEMENT_TAG.lastIndex };
}

function readElement(
  source: ElementSource,
  { key, end: from }: OpenTag,
  depth: number,
): ValueAt | undefined {
  const { text, mark } = source;
  const closing = `${mark}</${key}>`;
  const inner = readChildren(source, from, depth + 1);
  if (inner?.children.length) {
    const close = skipBlanks(text, inner.end);
    const written = text.slice(from, close);
    const value = { text: written, children: inner.children };
    if (text.startsWith(closing, close))
      return { value, end: close + closing.length };
  }
  const to = text.indexOf(closing, from);
  if (to < 0) return undefined;
  const value = readElementText(text.slice(from, to), key, mark);
  return value && { value, end: to + closing.length };
}

function readElementText(
  written: string,
  key: string,
  mark: string,
): WrittenValue | undefined {
  if (written.includes(`<${key}>`)) return undefined;
  if (mark !== "")
    return written.includes(mark) ? undefined : { text: written };
  const text = readXmlText(written);
  if (text === undefined) return undefined;
  return { text, isTorn: /<\/?[A-Za-z]/.test(written) };
}

const MAX_DEPTH = 32;
/** `<city>`; not `<city id="1">`, `</city>`. */
export const ELEMENT_TAG: RegExp = /<([A-Za-z_][\w.-]*)>/y;

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** The text of an XML element: its CDATA, or what its entities stand for. */
export function readXmlText(written: string): string | undefined {
  const text = withoutOuterBreaks(written);
  const trimmed = text.trim();
  const isCdata =
    trimmed.startsWith("<![CDATA[") &&
    trimmed.indexOf("]]>") === trimmed.length - 3;
  if (isCdata) return trimmed.slice(9, -3);
  if (text.includes("CDATA[") || text.includes("]]>")) return undefined;
  return text.replace(ENTITY, decodeEntity).replaceAll("&amp;", "&");
}

/** `&lt;`, `&#60;`, `&#x3c;`; not `&amp;`, `&nbsp;`. */
const ENTITY = /&(lt|gt|quot|apos);|&#(\d{1,7});|&#x([\da-fA-F]{1,6});/g;

function decodeEntity(
  entity: string,
  name: string | undefined,
  code: string,
  hex: string | undefined,
): string {
  if (name !== undefined) return ENTITIES[name] ?? entity;
  const point = hex === undefined ? Number(code) : Number.parseInt(hex, 16);
  const isPoint = point > 0 && point <= 0x10ffff;
  return isPoint ? String.fromCodePoint(point) : entity;
}

/** Reads a JSON object, or else one text: the tool's `command`. */
export function readCommand(close: string): Reader {
  return (cursor) => {
    const { text, at } = cursor;
    if (text.startsWith("{", at)) return readJsonArguments(cursor);
    const end = text.indexOf(close, at);
    if (end < 0) return undefined;
    const written = text.slice(at, end).trim();
    if (written.includes("<tool:")) return undefined;
    const children: WrittenEntry[] = [];
    if (written !== "") children.push(["command", { text: written }]);
    return { args: { text: "", children }, end };
  };
}

/**
 * Reads arguments that are written as flags of a command, with JSON:
 * `--city "Paris" --days 3`.
 */
export const readFlags: Reader = ({ text, at }) => {
  const children = new Map<string, WrittenValue>();
  for (let end = at; ; ) {
    const [, key] = matchAt(FLAG, text, skipBlanks(text, end));
    if (key === undefined)
      return { args: { text: "", children: [...children] }, end };
    const flag = readJsonValue(text, FLAG.lastIndex);
    if (flag === undefined || children.has(key)) return undefined;
    children.set(key, flag.value);
    end = flag.end;
  }
};

/** `--city ` */
const FLAG = /--([A-Za-z_][\w-]*)\s+/y;
/** A JSON string, a number or a word of JSON. */
const SCALAR = new RegExp(
  [
    String.raw`"(?:[^"\\]|\\.)*"`,
    String.raw`-?[\d.]+(?:[eE][+-]?\d+)?(?![\w.])`,
    String.raw`(?:true|false|null)(?!\w)`,
  ].join("|"),
  "y",
);

/** Reads one JSON value without a fault. */
function readJsonValue(text: string, at: number): ValueAt | undefined {
  const json = readJsonAt({ text, at });
  if (json?.level !== undefined) return undefined;
  if (json !== undefined)
    return { value: { text: json.text, is: "json" }, end: json.end };
  const end = endOf(SCALAR, text, at);
  const written = text.slice(at, end);
  const value = parseExactly(written);
  if (value === undefined) return undefined;
  return typeof value === "string"
    ? { value: { text: value, is: "text" }, end }
    : { value: { text: written, is: "json" }, end };
}

/**
 * Reads `{key:value, …}` with keys without quotes, and strings between marks of
 * their own.
 */
export function readMarked(mark: string): Reader {
  const escaped = mark.replaceAll("|", "\\|");
  // Outside of them, a quote may begin a string, too.
  const part = new RegExp(`${escaped}([^]*?)${escaped}|[^"'\`“”‘’]`, "uy");
  return ({ text, at }) => {
    if (!text.startsWith("{", at)) return undefined;
    part.lastIndex = at;
    const json = toJsonStrings(text, part);
    if (json === undefined) return undefined;
    const read = parse(json, 0, LOOSE_DIALECT);
    if (read.kind !== "value" || read.node.to < json.length) return undefined;
    return { args: { text: nodeToJson(read.node, json) }, end: part.lastIndex };
  };
}

/**
 * The brackets at a pattern's place and what is in them, with JSON's strings
 * for those between marks.
 */
function toJsonStrings(text: string, part: RegExp): string | undefined {
  let json = "";
  let depth = 0;
  do {
    const [sign, string] = part.exec(text) ?? [];
    if (sign === undefined) return undefined;
    json += string === undefined ? sign : JSON.stringify(string);
    depth += DEPTHS.get(sign) ?? 0;
  } while (depth > 0);
  return json;
}

/** What a sign adds to the number of open brackets. */
const DEPTHS: ReadonlyMap<string, number> = new Map([
  ["{", 1],
  ["[", 1],
  ["}", -1],
  ["]", -1],
]);

/** Reads calls with literals for arguments, in a list: `[f(a=1), g()]`. */
export const readPythonList: Reader = firstOf([
  "[",
  repeat([readPythonCall], ","),
  optional(","),
  "]",
]);

/** The same, a line each: `name(key="value", n=3)`. */
export const readPythonLines: Reader = repeat(
  [readPythonCall],
  /(?<=\n\s*)(?=[A-Za-z_])/y,
);

/** Reads one call of a tool's method: `name.call(key="value")`. */
export const readPythonMethod: Reader = (cursor) => {
  const call = readPythonCall(cursor);
  if (!call?.name.endsWith(METHOD)) return undefined;
  return { ...call, name: call.name.slice(0, -METHOD.length) };
};

const METHOD = ".call";
