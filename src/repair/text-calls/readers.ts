import { parse, writeJson } from "../read/parse.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import { LOOSE_DIALECT, skipBlanks } from "../read/tokens.ts";
import { readJsonAt, readWholeJson } from "./json-calls.ts";
import type {
  Cursor,
  Found,
  ReadAt,
  WrittenArguments,
  WrittenEntry,
  WrittenValue,
} from "./text-format.ts";

/** Reads arguments that are a JSON object. Faults of syntax are for the pipeline to repair. */
export function readJsonArguments({ text, at }: Cursor): Found<WrittenArguments> {
  const json = text.charAt(at) === "{" ? readJsonAt({ text, at }) : undefined;
  if (json === undefined) return undefined;
  const { text: source, level } = json.value;
  return { value: { kind: "json", text: source, level }, end: json.end };
}

/** Reads what one of two readers does; the second where the first does not. */
export function firstOf<Value>(first: ReadAt<Value>, second: ReadAt<Value>): ReadAt<Value> {
  return (cursor) => first(cursor) ?? second(cursor);
}

/** Reads a token as no arguments. */
export function noneAt(token: string): ReadAt<WrittenArguments> {
  return ({ text, at }) =>
    text.startsWith(token, at)
      ? { value: { kind: "tree", children: [] }, end: at + token.length }
      : undefined;
}

/** Reads arguments between two tokens. */
export function within(
  open: string,
  read: ReadAt<WrittenArguments>,
  close: string,
): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    if (!text.startsWith(open, at)) return undefined;
    const found = read({ text, at: skipBlanks(text, at + open.length) });
    const end = skipBlanks(text, found?.end ?? at);
    return found && text.startsWith(close, end) ? { ...found, end: end + close.length } : undefined;
  };
}

/** How arguments are tagged: `<parameter=city>Paris</parameter>`. */
export interface TagForm {
  /**
   * The opening tag, a sticky pattern. Its first group is the key; a second tells text (`true`,
   * `string`) from JSON (`false`, any other type).
   */
  readonly open: RegExp;
  readonly close: string;
  /** What stands between the key and the value, where the key has a tag of its own. */
  readonly between?: string;
  /** What no value may contain: it would be another argument's beginning. */
  readonly never: string;
  /**
   * What is not the value's: a line break after the opening tag and one before the closing one
   * (`"lines"`), or these, CDATA and entities (`"xml"`). Default: `"none"`.
   */
  readonly padding?: "lines" | "xml" | "none";
}

/** Reads arguments that stand in tags, one after another, until something else follows. */
export function readTagged(form: TagForm): ReadAt<WrittenArguments> {
  const { between = "", close, never, open, padding } = form;
  return ({ text, at }) => {
    const children = new Map<string, WrittenValue>();
    let end = at;
    for (;;) {
      open.lastIndex = skipBlanks(text, end);
      const [tag, key, type] = open.exec(text) ?? [];
      if (tag === undefined || key === undefined) break;
      const start = between === "" ? open.lastIndex : skipBlanks(text, open.lastIndex);
      const from = start + between.length;
      const to = text.startsWith(between, start) ? text.indexOf(close, from) : -1;
      const written = text.slice(from, to);
      if (to < 0 || children.has(key) || written.includes(never)) return undefined;
      const value = padding === "xml" ? readXmlText(written) : written;
      if (value === undefined) return undefined;
      children.set(key, {
        text: padding === "lines" ? withoutLineBreaks(value) : value,
        is: type === undefined ? type : type === "true" || type === "string" ? "text" : "json",
      });
      end = to + close.length;
    }
    return { value: { kind: "tree", children: [...children] }, end };
  };
}

const MAX_DEPTH = 32;

/**
 * Reads arguments that are elements, within each other or not: `<city>Paris</city><days>3</days>`.
 *
 * @param mark What stands before each tag, in formats with such a token; without it, it is XML.
 */
export function readElements(mark = ""): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    const elements: Elements = { text, mark, at };
    const children = readChildren(elements, 0);
    return children && { value: { kind: "tree", children }, end: elements.at };
  };
}

interface Elements {
  readonly text: string;
  readonly mark: string;
  at: number;
}

const TAG = /<([A-Za-z_][\w.-]*)>/y;

function readChildren(elements: Elements, depth: number): WrittenEntry[] | undefined {
  const { text, mark } = elements;
  const children: WrittenEntry[] = [];
  for (;;) {
    const start = skipBlanks(text, elements.at);
    TAG.lastIndex = skipBlanks(text, start + mark.length);
    const key = text.startsWith(mark, start) ? TAG.exec(text)?.[1] : undefined;
    if (key === undefined) return children;
    elements.at = TAG.lastIndex;
    const value = depth === MAX_DEPTH ? undefined : readElement(elements, key, depth);
    if (value === undefined) return undefined;
    children.push([key, value]);
  }
}

/** Elements, or text up to the closing tag. Another tag of the same name in a text makes doubt. */
function readElement(elements: Elements, key: string, depth: number): WrittenValue | undefined {
  const { text, at, mark } = elements;
  const closing = `${mark}</${key}>`;
  const children = readChildren(elements, depth + 1) ?? [];
  const close = skipBlanks(text, elements.at);
  if (children.length > 0 && text.startsWith(closing, close)) {
    elements.at = close + closing.length;
    return { text: text.slice(at, close), children };
  }
  const end = text.indexOf(closing, at);
  if (end < 0) return undefined;
  elements.at = end + closing.length;
  const inner = text.slice(at, end);
  if (inner.includes(mark === "" ? `<${key}>` : mark)) return undefined;
  const value = mark === "" ? readXmlText(inner) : inner;
  const isTorn = mark === "" && /<\/?[A-Za-z]/.test(inner);
  return value === undefined ? undefined : { text: value, isTorn };
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text of an XML element: its CDATA, or what its entities stand for. */
function readXmlText(written: string): string | undefined {
  const text = withoutLineBreaks(written);
  const trimmed = text.trim();
  if (trimmed.startsWith("<![CDATA[") && trimmed.indexOf("]]>") === trimmed.length - 3) {
    return trimmed.slice(9, -3);
  }
  if (text.includes("CDATA[") || text.includes("]]>")) return undefined;
  return text
    .replace(/&(lt|gt|quot|apos);|&#(\d{1,7});|&#x([\da-fA-F]{1,6});/g, (all, name, code, hex) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const point = hex === undefined ? Number(code) : Number.parseInt(hex, 16);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : all;
    })
    .replaceAll("&amp;", "&");
}

/** A text without the line break after an opening tag and the one before a closing tag. */
function withoutLineBreaks(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}

const LINE = /([A-Za-z_][\w-]*):[ \t]+([^\r\n]*)\r?\n/y;

/** Reads a flat YAML mapping, a key to a line, up to a closing tag. */
export function readYaml({ text, at }: Cursor): Found<WrittenArguments> {
  const children = new Map<string, WrittenValue>();
  let end = at;
  while (text.charAt(end) !== "<") {
    LINE.lastIndex = end;
    const [line, key, written = ""] = LINE.exec(text) ?? [];
    const value = readYamlScalar(written.trim());
    if (line === undefined || key === undefined || value === undefined || children.has(key)) {
      return undefined;
    }
    children.set(key, value);
    end = LINE.lastIndex;
  }
  return { value: { kind: "tree", children: [...children] }, end };
}

/** Plain text, quoted text or JSON, where it can be read in one way only. */
function readYamlScalar(written: string): WrittenValue | undefined {
  if (/^[[{]/.test(written)) return readWholeJson(written) && { text: written, is: "json" };
  if (written.startsWith('"')) {
    const text = parseExactly(written);
    return typeof text === "string" ? { text, is: "text" } : undefined;
  }
  if (written.startsWith("'")) {
    const inner = /^'((?:[^']|'')*)'$/.exec(written)?.[1];
    return inner === undefined ? undefined : { text: inner.replaceAll("''", "'"), is: "text" };
  }
  // An anchor, a tag, a block, a comment, another mapping.
  const isOther = /^[&*!|>%@`?,\]}#-]\s?$|^[&*!|>%@`#]|^[-?] |: |:$| #/.test(written);
  return written === "" || isOther ? undefined : { text: written };
}

/** Reads a JSON object, or else one text: the tool's `command`. */
export function readCommand(close: string): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    if (text.charAt(at) === "{") return readJsonArguments({ text, at });
    const end = text.indexOf(close, at);
    const written = text.slice(at, end).trim();
    if (end < 0 || written.includes("<tool:")) return undefined;
    const children: WrittenEntry[] = written === "" ? [] : [["command", { text: written }]];
    return { value: { kind: "tree", children }, end };
  };
}

/**
 * Reads `{key:value, …}` with keys without quotes, and strings between marks of their own.
 *
 * @param mark What stands before and behind a string.
 */
export function readMarked(mark: string): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    if (text.charAt(at) !== "{") return undefined;
    const parts: string[] = [];
    let end = at;
    for (let depth = 0; ; ) {
      if (text.startsWith(mark, end)) {
        const from = end + mark.length;
        end = text.indexOf(mark, from) + mark.length;
        if (end < from) return undefined;
        parts.push(JSON.stringify(text.slice(from, end - mark.length)));
        continue;
      }
      const sign = text.charAt(end++);
      if (sign === "" || QUOTES.includes(sign)) return undefined;
      parts.push(sign);
      depth += "{[".includes(sign) ? 1 : "}]".includes(sign) ? -1 : 0;
      if (depth === 0) break;
    }
    const json = parts.join("");
    const read = parse(json, 0, LOOSE_DIALECT);
    if (read.kind !== "value" || read.node.to < json.length) return undefined;
    return { value: { kind: "json", text: writeJson(read.node, json) }, end };
  };
}

/** A string has marks here. */
const QUOTES = "\"'`“”‘’";

/** A number or word as JSON writes it. */
export const JSON_SCALAR: RegExp =
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
