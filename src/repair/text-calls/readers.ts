import { parse, writeJson } from "../read/parse.ts";
import { readPythonCall } from "../read/read-tool-input.ts";
import { LOOSE_DIALECT, skipBlanks } from "../read/tokens.ts";
import { readJsonAt } from "./json-calls.ts";
import {
  firstOf,
  type Reader,
  repeat,
  type WrittenEntry,
  type WrittenValue,
} from "./text-format.ts";

/** Reads arguments that are a JSON object. Faults of syntax are for the pipeline to repair. */
export const readJsonArguments: Reader = (cursor) => {
  const json = cursor.text.charAt(cursor.at) === "{" ? readJsonAt(cursor) : undefined;
  return json && { args: { text: json.text, level: json.level }, end: json.end };
};

/** What is not a tagged value's: line breaks within its tags; these, CDATA and entities; or nothing. */
export type Padding = "lines" | "xml" | "none";

/**
 * Reads arguments that stand in tags, one after another: `<parameter=city>Paris</parameter>`.
 *
 * @param tag What begins an argument; no value may contain it.
 * @param key What follows it, a sticky pattern. Its first group is the key; a second tells text
 * (`true`, `string`) from JSON (`false`, any other type).
 * @param form What stands `between` the key and the value, where the key has a tag of its own.
 */
export function readTagged(
  tag: string,
  key: RegExp,
  close: string,
  { between = "", padding }: { readonly between?: string; readonly padding?: Padding } = {},
): Reader {
  return ({ text, at }) => {
    const children = new Map<string, WrittenValue>();
    for (let end = at; ; ) {
      const start = skipBlanks(text, end);
      key.lastIndex = start + tag.length;
      const [, name, type] = (text.startsWith(tag, start) && key.exec(text)) || [];
      if (name === undefined) return { args: { text: "", children: [...children] }, end };
      const open = between === "" ? key.lastIndex : skipBlanks(text, key.lastIndex);
      const from = open + between.length;
      const to = text.startsWith(between, open) ? text.indexOf(close, from) : -1;
      const written = text.slice(from, to);
      if (to < 0 || children.has(name) || written.includes(tag)) return undefined;
      const value = padding === "xml" ? readXmlText(written) : written;
      if (value === undefined) return undefined;
      children.set(name, {
        text: padding === "lines" ? withoutLineBreaks(value) : value,
        is: type === undefined ? type : type === "true" || type === "string" ? "text" : "json",
      });
      end = to + close.length;
    }
  };
}

const MAX_DEPTH = 32;

/**
 * Reads arguments that are elements, within each other or not: `<city>Paris</city><days>3</days>`.
 */
export function readElements(mark = ""): Reader {
  return ({ text, at }) => {
    const elements: Elements = { text, mark, at };
    const children = readChildren(elements, 0);
    return children && { args: { text: "", children }, end: elements.at };
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
export function readCommand(close: string): Reader {
  return ({ text, at }) => {
    if (text.charAt(at) === "{") return readJsonArguments({ text, at });
    const end = text.indexOf(close, at);
    const written = text.slice(at, end).trim();
    if (end < 0 || written.includes("<tool:")) return undefined;
    const children: WrittenEntry[] = written === "" ? [] : [["command", { text: written }]];
    return { args: { text: "", children }, end };
  };
}

/** Reads `{key:value, …}` with keys without quotes, and strings between marks of their own. */
export function readMarked(mark: string): Reader {
  const escaped = mark.replaceAll("|", "\\|");
  // Outside of them, a quote may begin a string, too.
  const part = new RegExp(`${escaped}([^]*?)${escaped}|[^"'\`“”‘’]`, "uy");
  return ({ text, at }) => {
    if (text.charAt(at) !== "{") return undefined;
    const parts: string[] = [];
    part.lastIndex = at;
    for (let depth = 0; parts.length === 0 || depth > 0; ) {
      const [sign, string] = part.exec(text) ?? [];
      if (sign === undefined) return undefined;
      parts.push(string === undefined ? sign : JSON.stringify(string));
      depth += /^[{[]$/.test(sign) ? 1 : /^[}\]]$/.test(sign) ? -1 : 0;
    }
    const json = parts.join("");
    const read = parse(json, 0, LOOSE_DIALECT);
    if (read.kind !== "value" || read.node.to < json.length) return undefined;
    return { args: { text: writeJson(read.node, json) }, end: part.lastIndex };
  };
}

const readPythonOne: Reader = (cursor) => {
  const call = readPythonCall(cursor);
  return call && { calls: [{ name: call.name, args: { text: call.json } }], end: call.end };
};

/** Reads calls with literals for arguments, in a list: `[f(a=1), g()]`. */
export const readPythonList: Reader = firstOf(["[", repeat([readPythonOne], ","), /,?/y, "]"]);

/** The same, a line each: `name(key="value", n=3)`. */
export const readPythonLines: Reader = repeat([readPythonOne], /(?<=\n\s*)(?=[A-Za-z_])/y);

/** Reads one call of a tool's method: `name.call(key="value")`. */
export const readPythonMethod: Reader = (cursor) => {
  const { name = "", json = "", end = 0 } = readPythonCall(cursor) ?? {};
  if (!name.endsWith(".call")) return undefined;
  return { calls: [{ name: name.slice(0, -5), args: { text: json } }], end };
};
