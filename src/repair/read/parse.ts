import { jsonEquals } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";
import { isKeyAhead, isLiteralItem, isMemberAhead, readString } from "./strings.ts";
import {
  closingBracket,
  type Dialect,
  fail,
  isClosingBracket,
  JSON_DIALECT,
  nextToken,
  type Source,
  skipBlanks,
  type Token,
  Unreadable,
} from "./tokens.ts";
import { JSON_NUMBER, readWord } from "./words.ts";

/** A value, and its place in the text. */
export interface Node {
  readonly kind: "object" | "list" | "string" | "number" | "literal" | "bare";
  readonly value: JsonValue;
  readonly from: number;
  readonly to: number;
  /** The parts of an object or list; the keys of a list's are `""`. */
  readonly parts?: readonly Part[];
}

type Part = readonly [key: string, node: Node];

/** Called for each value, so that a limit can stop the reading by throwing. */
export type Step = () => void;

export type Parsed =
  | {
      readonly kind: "value";
      readonly node: Node;
      /** A superfluous bracket of this kind behind the value may have closed something inside. */
      readonly unsureBracket: string;
      /** Whether an object has one key twice, with different values. */
      readonly hasTwins: boolean;
    }
  /** The text ends within it. `completed` is the value if only closing braces are missing. */
  | { readonly kind: "truncated"; readonly completed?: Node }
  | { readonly kind: "refused" };

interface ParseOptions {
  /** Whether it begins at the first key of an object whose brace is missing. */
  readonly impliedBrace?: boolean;
  /** Whether it is the named arguments of a call in parentheses: `(a=1, b="x")`. */
  readonly isCall?: boolean;
  readonly step?: Step | undefined;
}

/** Deeper brackets are not read: no sensible limit of depth is higher. */
const MAX_DEPTH = 200;

interface Reader extends Source {
  readonly step: Step | undefined;
  /** The open brackets, outermost first. */
  readonly open: string[];
  /** The brackets that held one of their own kind with more behind it. */
  readonly followed: Set<string>;
  /** What was read last. */
  last: Node | undefined;
  /** Whether a comma stood before the last closing bracket. */
  lastTrailed: boolean;
  hasInnerQuotes: boolean;
  hasTwins: boolean;
  /** Whether the text ended after a complete value, and whether only braces were missing then. */
  isCut: boolean;
  mayComplete: boolean;
}

/**
 * Parses the value that begins at a place of a text. It loses nothing: everything up to its end is
 * in the value, with its place, or is punctuation, white space or a comment without content.
 */
export function parse(
  text: string,
  start: number,
  dialect: Dialect,
  { impliedBrace = false, isCall = false, step }: ParseOptions = {},
): Parsed {
  const reader: Reader = {
    text,
    dialect,
    step,
    at: start,
    open: [],
    followed: new Set(),
    last: undefined,
    lastTrailed: false,
    hasInnerQuotes: false,
    hasTwins: false,
    isCut: false,
    mayComplete: true,
  };
  try {
    const node =
      impliedBrace || isCall
        ? readContainer(reader, isCall ? "(" : "{", impliedBrace ? 0 : 1, true)
        : readValue(reader);
    if (reader.isCut)
      return reader.mayComplete ? { kind: "truncated", completed: node } : { kind: "truncated" };
    const root = node.kind === "object" ? "{" : "[";
    const unsureBracket = reader.followed.has(root) ? closingBracket(root) : "";
    return { kind: "value", node, unsureBracket, hasTwins: reader.hasTwins };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { kind: error.why === "cut" ? "truncated" : "refused" };
  }
}

/**
 * Whether an object in JSON text has one key twice, with different values. Parses only if `value`,
 * the result of `JSON.parse`, has fewer keys than the text may have.
 */
export function hasTwinKeys(text: string, value?: JsonValue): boolean {
  if (value !== undefined && (text.match(KEY_END)?.length ?? 0) <= countKeys(value)) return false;
  const parsed = parse(text.trim(), 0, JSON_DIALECT);
  return parsed.kind === "value" && parsed.hasTwins;
}

/** The end of a key, and the same inside a string. */
const KEY_END = /"\s*:/g;

function countKeys(value: JsonValue): number {
  if (value === null || typeof value !== "object") return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += countKeys(inner as JsonValue);
  return count;
}

function readValue(reader: Reader): Node {
  reader.step?.();
  const token = nextToken(reader, true);
  if (token === "end") throw new Unreadable("cut");
  if (token === "quote") return readText(reader);
  if (token === "word") return readBare(reader);
  const isOpening = "{[".includes(token) || (token === "(" && reader.dialect.hasTuples);
  return isOpening ? readContainer(reader, token, 1) : fail();
}

function readText(reader: Reader): Node {
  const from = reader.at;
  const { value, end, hasInnerQuotes } = readString(reader, reader.open, endOfJson);
  reader.hasInnerQuotes ||= hasInnerQuotes;
  reader.at = end;
  return remember(reader, { kind: "string", value, from, to: end });
}

/** The index after plain JSON at an index. */
function endOfJson(text: string, at: number): number | undefined {
  const parsed = parse(text, at, JSON_DIALECT);
  return parsed.kind === "value" ? parsed.node.to : undefined;
}

function readBare(reader: Reader): Node {
  const { at: from, dialect, open, text } = reader;
  const inList = open.at(-1) !== "{";
  const mayBeText = dialect.isLoose && open[0] !== "(";
  const { end: to, kind, value } = readWord(reader, mayBeText);
  if (inList && /^0\d/.test(text.slice(from, to))) fail(); // [1,000]
  reader.at = to;
  return remember(reader, { kind, value, from, to });
}

/** An object, list or tuple whose bracket has `width` signs. */
function readContainer(
  reader: Reader,
  bracket: string,
  width: 0 | 1,
  isObject = bracket === "{",
): Node {
  const { text, at: from, dialect } = reader;
  if (reader.open.length >= MAX_DEPTH) fail();
  reader.open.push(bracket);
  reader.at += width;
  if (
    isObject &&
    width === 1 &&
    dialect.isLoose &&
    DOUBLED.test(text.slice(reader.at, reader.at + 20))
  )
    return readDoubled(reader, from);
  const parts: Part[] = [];
  const keys = new Map<string, JsonValue>();
  let before: "start" | "value" | "comma" = "start";
  let separator = "";
  for (;;) {
    const token = nextToken(reader, !isObject && before !== "value");
    if (token === "end") return endCut(reader, from, parts, isObject && before === "value");
    if (isClosingBracket(token)) {
      if (before === "comma" && (parts.length === 0 || !dialect.hasTuples)) fail();
      reader.lastTrailed = before === "comma";
      if (!closes(reader, bracket, token, parts)) continue;
      if (parts.length === 1 && before === "value" && !isObject) {
        if (bracket === "(") fail(); // ("x") is a text
        if (reader.open.length === 1 && parts[0]?.[1].kind === "bare") fail(); // [disabled]
      }
      reader.open.pop();
      return remember(reader, toNode(reader, isObject, from, parts));
    }
    if (token === ",") {
      separator = takeComma(reader, isObject, before, separator, parts);
      before = "comma";
      continue;
    }
    if (before === "value" && !mayLackComma(reader, token, parts)) fail();
    if (parts.at(-1)?.[1].kind === (isObject ? "object" : "list")) reader.followed.add(bracket);
    const key = isObject ? readKey(reader, token) : "";
    const node = readValue(reader);
    const twin = isObject ? keys.get(key) : undefined;
    if (twin !== undefined && !jsonEquals(twin, node.value)) {
      // `JSON.parse` takes the last; once anything is repaired, none is known
      if (dialect.isLoose) fail();
      reader.hasTwins = true;
    }
    if (isObject) keys.set(key, node.value);
    parts.push([key, node]);
    if (reader.isCut) return endCut(reader, from, parts, isObject);
    before = "value";
  }
}

const DOUBLED = /^\{\s*["'“]/;

/** `{{"a": 1}}`. */
function readDoubled(reader: Reader, from: number): Node {
  const inner = readContainer(reader, "{", 1);
  const token = reader.isCut ? "end" : nextToken(reader);
  if (token === "end") return endCut(reader, from, inner.parts ?? [], false);
  if (token !== "}") fail();
  reader.at += 1;
  reader.open.pop();
  return { ...inner, from, to: reader.at };
}

/**
 * Takes a comma. In an object it may precede the first key, or stand twice between two: no
 * content is lost there. In a list all separators are the same, and those of other scripts stand
 * between strings.
 */
function takeComma(
  reader: Reader,
  isObject: boolean,
  before: "start" | "value" | "comma",
  separator: string,
  parts: readonly Part[],
): string {
  const { text, dialect } = reader;
  const sign = text.charAt(reader.at);
  reader.at += 1;
  if (isObject) {
    const isKey = () => isKeyAhead(text, skipBlanks(text, reader.at, true));
    if (before !== "value" && !(dialect.isLoose && isKey())) fail();
    return sign;
  }
  const isMixed = separator !== "" && separator !== sign;
  const isOdd = "、，".includes(sign) && parts.at(-1)?.[1].kind !== "string";
  return before !== "value" || isMixed || isOdd ? fail() : sign;
}

function readKey(reader: Reader, token: Token): string {
  const { text, at, dialect } = reader;
  let key: string;
  let isPlain = true;
  const isQuoted = token === "quote";
  const isCall = reader.open.at(-1) === "(";
  if (isCall && isQuoted) fail();
  if (isQuoted) {
    const read = readString(reader, undefined, endOfJson);
    key = read.value;
    isPlain = /^[\p{L}\p{N}_$@#][^"\\:,;{}[\]]{0,99}$/u.test(key);
    reader.at = read.end;
  } else {
    NAME.lastIndex = at;
    const name = dialect.isLoose || isCall ? NAME.exec(text)?.[1] : undefined;
    if (name === undefined) return fail();
    key = name;
    reader.at = NAME.lastIndex;
  }
  const end = reader.at;
  const next = nextToken(reader, true);
  if (next === "end") throw new Unreadable("cut");
  if (isCall ? next === "=" : next === ":" || (next === "=" && dialect.isLoose)) {
    reader.at += next === "=" && text.charAt(reader.at + 1) === ">" ? 2 : 1;
  } else if (!dialect.isLoose || !isPlain || !mayLackColon(reader, next, end, isQuoted)) {
    fail();
  }
  return key;
}

const NAME = /([\p{L}_$][\p{L}\p{N}_$-]{0,99}|(?:0|[1-9]\d{0,14})(?![\w.]))["']?/uy;

/** A value right behind its key. A string must be separate: `{"a""b"}` may be one text. */
function mayLackColon(
  { text, at }: Reader,
  token: Token,
  keyEnd: number,
  isQuoted: boolean,
): boolean {
  if (token === "quote") return at > keyEnd;
  return isQuoted && /^(?:[{[]|-?\d|[tfnTFN][raouA-Z])/.test(text.slice(at, at + 2));
}

/** A member or element without a comma before it. */
function mayLackComma(
  { text, at, open, lastTrailed, dialect }: Reader,
  token: Token,
  parts: readonly Part[],
): boolean {
  const [, last] = parts.at(-1) ?? [];
  if (last === undefined || !dialect.isLoose) return false;
  // the comma may be the one at the end of the string, or inside the bracket
  if (last.kind === "string" ? /[,;:]$/.test(String(last.value)) : last.parts && lastTrailed)
    return false;
  const gap = text.slice(last.to, at);
  if (open.at(-1) === "{") return (gap !== "" || token === "quote") && isMemberAhead(text, at, gap);
  if (gap === "" && last.parts === undefined) return false;
  if (token === "quote") return !",;:]}".includes(text.charAt(at + 1));
  if (token === "{" || token === "[") return true;
  return (last.kind === "string" || /\n/.test(gap)) && isLiteralItem(text, at);
}

/** Takes a closing bracket, and says whether it closes what is open. */
function closes(reader: Reader, own: string, sign: string, parts: readonly Part[]): boolean {
  if (closingBracket(own) === sign) {
    reader.at += 1;
    return true;
  }
  const { dialect, open, text, lastTrailed, followed } = reader;
  const last = parts.at(-1)?.[1];
  if (!dialect.isLoose || own === "(" || last === undefined || tookBracket(last)) fail();
  const outer = open.slice(0, -1);
  if (outer.some((bracket) => closingBracket(bracket) === sign)) {
    // Its own is missing. Which of two alike lacks it is unknown, and so is whether one value is a
    // list.
    const isUnsure = own === "[" && (last.kind === "list" || parts.length < 2);
    if (outer.at(-1) === own || isUnsure) fail();
    return true;
  }
  // a superfluous one behind its like, if it can have closed nothing else
  const isAlike = last.parts !== undefined && text.charAt(last.to - 1) === sign;
  if (!isAlike || lastTrailed || followed.size > 0) fail();
  reader.at += 1;
  return false;
}

/** Whether a string may have swallowed an unmatched bracket, or lost one. */
function tookBracket(last: Node | undefined): boolean {
  if (last?.kind !== "string") return false;
  let depth = 0;
  for (const char of String(last.value))
    depth += "[{(".includes(char) ? 1 : "]})".includes(char) ? -1 : 0;
  return depth !== 0;
}

/** Handles the end of the text. Only a value that is certainly whole can be completed. */
function endCut(reader: Reader, from: number, parts: readonly Part[], isComplete: boolean): Node {
  const { last, hasInnerQuotes } = reader;
  const isSure =
    last?.kind === "string" ? /\S$/.test(String(last.value)) : last?.parts !== undefined;
  if (!isComplete || !isSure || hasInnerQuotes) reader.mayComplete = false;
  reader.isCut = true;
  return toNode(reader, reader.open.pop() === "{", from, parts);
}

function toNode({ at: to }: Reader, isObject: boolean, from: number, parts: readonly Part[]): Node {
  if (!isObject)
    return { kind: "list", value: parts.map(([, { value }]) => value), from, to, parts };
  const value: Record<string, JsonValue> = {};
  for (const [key, node] of parts) {
    if (key !== "__proto__") value[key] = node.value;
    else Object.defineProperty(value, key, { value: node.value, ...OWN });
  }
  return { kind: "object", value, from, to, parts };
}

const OWN = { enumerable: true, configurable: true, writable: true };

function remember(reader: Reader, node: Node): Node {
  reader.last = node;
  return node;
}

/** Writes a value as JSON text, with numbers written as in the text. */
export function writeJson({ kind, value, from, to, parts = [] }: Node, text: string): string {
  switch (kind) {
    case "object":
      return `{${parts.map(([key, node]) => `${JSON.stringify(key)}:${writeJson(node, text)}`).join(",")}}`;
    case "list":
      return `[${parts.map(([, node]) => writeJson(node, text)).join(",")}]`;
    case "number": {
      const written = text.slice(from, to);
      return JSON_NUMBER.test(written) ? written : JSON.stringify(value);
    }
    default:
      return JSON.stringify(value);
  }
}
