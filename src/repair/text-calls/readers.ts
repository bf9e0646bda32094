import { parse, writeJson } from "../read/parse.ts";
import { type PythonCall, readPythonCall } from "../read/parse-tool-input.ts";
import { LOOSE_DIALECT, skipBlanks } from "../read/tokens.ts";
import { readJsonAt } from "./json-calls.ts";
import type {
  ReadArguments,
  ReadCalls,
  WrittenCall,
  WrittenEntry,
  WrittenValue,
} from "./text-format.ts";

/** Reads arguments that are a JSON object. Faults of syntax are for the pipeline to repair. */
export const readJsonArguments: ReadArguments = (cursor) =>
  cursor.text.charAt(cursor.at) === "{" ? readJsonAt(cursor) : undefined;

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
export function readTagged(form: TagForm): ReadArguments {
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
    return { value: { text: "", children: [...children] }, end };
  };
}

const MAX_DEPTH = 32;

/**
 * Reads arguments that are elements, within each other or not: `<city>Paris</city><days>3</days>`.
 */
export function readElements(mark = ""): ReadArguments {
  return ({ text, at }) => {
    const elements: Elements = { text, mark, at };
    const children = readChildren(elements, 0);
    return children && { value: { text: "", children }, end: elements.at };
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

/** Reads a JSON object, or else one text: the tool's `command`. */
export function readCommand(close: string): ReadArguments {
  return ({ text, at }) => {
    if (text.charAt(at) === "{") return readJsonArguments({ text, at });
    const end = text.indexOf(close, at);
    const written = text.slice(at, end).trim();
    if (end < 0 || written.includes("<tool:")) return undefined;
    const children: WrittenEntry[] = written === "" ? [] : [["command", { text: written }]];
    return { value: { text: "", children }, end };
  };
}

/** Reads `{key:value, …}` with keys without quotes, and strings between marks of their own. */
export function readMarked(mark: string): ReadArguments {
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
    return { value: { text: writeJson(read.node, json) }, end };
  };
}

/** A string has marks here. */
const QUOTES = "\"'`“”‘’";

/** Reads calls with literals for arguments, in a list: `[f(a=1), g()]`. */
export const readPythonList: ReadCalls = ({ text, at }) => {
  const calls: WrittenCall[] = [];
  if (text.charAt(at) !== "[") return undefined;
  for (let next = at + 1; ; ) {
    const call = readPythonCall({ text, at: next });
    if (call === undefined) return undefined;
    calls.push(toWritten(call));
    next = skipBlanks(text, call.end);
    if (text.charAt(next) === ",") next = skipBlanks(text, next + 1);
    else if (text.charAt(next) !== "]") return undefined;
    if (text.charAt(next) === "]") return { value: calls, end: next + 1 };
  }
};

/** The same, a line each: `name(key="value", n=3)`. */
export const readPythonLines: ReadCalls = ({ text, at }) => {
  const calls: WrittenCall[] = [];
  for (let from = at; ; ) {
    const call = readPythonCall({ text, at: from });
    if (call === undefined) return undefined;
    calls.push(toWritten(call));
    from = skipBlanks(text, call.end);
    const isNext = text.slice(call.end, from).includes("\n");
    if (!isNext || !/[A-Za-z_]/.test(text.charAt(from))) return { value: calls, end: call.end };
  }
};

/** Reads one call. */
export const readPythonOne: ReadCalls = (cursor) => {
  const call = readPythonCall(cursor);
  return call && { value: [toWritten(call)], end: call.end };
};

/** Reads one call of a tool's method: `name.call(key="value")`. */
export const readPythonMethod: ReadCalls = (cursor) => {
  const call = readPythonCall(cursor);
  if (!call?.name.endsWith(".call")) return undefined;
  return { value: [toWritten({ ...call, name: call.name.slice(0, -5) })], end: call.end };
};

function toWritten({ name, json }: PythonCall): WrittenCall {
  return { name, args: { text: json } };
}
