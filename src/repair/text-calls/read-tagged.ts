import { scanJson, skipSpace } from "./scan-json.ts";
import type { Cursor, Found, ReadAt, WrittenArguments, WrittenEntry } from "./text-format.ts";

/** How arguments are tagged: `<parameter=city>Paris</parameter>`. */
export interface TagForm {
  /** The opening tag: its first group is the key; a second tells text (`true`) from JSON (`false`). */
  readonly open: RegExp;
  /** The closing tag. */
  readonly close: string;
  /** What stands between the key and the value, where the key has a tag of its own. */
  readonly between?: string;
  /** What no value may contain: it would be another argument's beginning. */
  readonly never: string;
}

/**
 * Creates a reader of arguments that stand in tags, one after another, until something else follows.
 *
 * @param form The tags.
 */
export function readTagged(form: TagForm): ReadAt<WrittenArguments> {
  return (cursor) => {
    const { text } = cursor;
    const children: WrittenEntry[] = [];
    const keys = new Set<string>();
    let end = cursor.at;
    for (;;) {
      form.open.lastIndex = skipSpace(text, end);
      const [tag, key, isText] = form.open.exec(text) ?? [];
      if (tag === undefined || key === undefined) break;
      const from = afterKey(text, form.open.lastIndex, form);
      const to = from === undefined ? -1 : text.indexOf(form.close, from);
      if (from === undefined || to < 0 || keys.has(key)) return undefined;
      const value = text.slice(from, to);
      if (value.includes(form.never)) return undefined;
      keys.add(key);
      children.push([
        key,
        isText === "true"
          ? { text: value, is: "text" }
          : { text: inner(value), ...(isText === undefined ? {} : { is: "json" }) },
      ]);
      end = to + form.close.length;
    }
    return { value: { kind: "tree", children }, end };
  };
}

function afterKey(text: string, at: number, { between }: TagForm): number | undefined {
  if (between === undefined) return at;
  const start = skipSpace(text, at);
  return text.startsWith(between, start) ? start + between.length : undefined;
}

/** A line break after the opening tag and one before the closing one are the format's; so is CDATA. */
function inner(value: string): string {
  const text = value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  const trimmed = text.trim();
  return trimmed.startsWith("<![CDATA[") && trimmed.endsWith("]]>") ? trimmed.slice(9, -3) : text;
}

/** Reads arguments that are a JSON object. Faults of syntax are for the pipeline to repair. */
export function readJsonArguments({ text, at }: Cursor): Found<WrittenArguments> {
  const json = text.charAt(at) === "{" ? scanJson(text, at) : undefined;
  return json && { value: { kind: "json", text: json.value }, end: json.end };
}

/**
 * Creates a reader of `{key:value, …}` with keys without quotes, and strings between marks of their
 * own.
 *
 * @param mark What stands before and behind a string.
 */
export function readMarked(mark: string): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    if (text.charAt(at) !== "{") return undefined;
    const reader = { text, at, mark, depth: 0 };
    const json = readMarkedValue(reader);
    return json === undefined ? undefined : { value: { kind: "json", text: json }, end: reader.at };
  };
}

interface MarkedReader {
  readonly text: string;
  readonly mark: string;
  at: number;
  depth: number;
}

const MAX_DEPTH = 32;
const KEY = /[^\s{}[\]:,<>"']+/y;
const BARE = /[^\s{}[\]:,<>"']+(?:[ ][^\s{}[\]:,<>"']+)*/y;
const JSON_SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

function readMarkedValue(reader: MarkedReader): string | undefined {
  const { text, mark } = reader;
  reader.at = skipSpace(text, reader.at);
  const sign = text.charAt(reader.at);
  if (text.startsWith(mark, reader.at)) return readMarkedString(reader);
  if (sign !== "{" && sign !== "[") {
    const word = take(reader, BARE);
    return word === undefined || JSON_SCALAR.test(word) ? word : JSON.stringify(word);
  }
  if (reader.depth === MAX_DEPTH) return undefined;
  reader.depth += 1;
  reader.at += 1;
  const close = sign === "{" ? "}" : "]";
  const parts: string[] = [];
  const keys = new Set<string>();
  for (;;) {
    reader.at = skipSpace(text, reader.at);
    if (text.charAt(reader.at) === close) break;
    const key = sign === "{" ? readMarkedKey(reader, keys) : "";
    const value = key === undefined ? undefined : readMarkedValue(reader);
    if (value === undefined) return undefined;
    parts.push(`${key}${value}`);
    reader.at = skipSpace(text, reader.at);
    if (text.charAt(reader.at) === ",") reader.at += 1;
    else if (text.charAt(reader.at) !== close) return undefined;
  }
  reader.at += 1;
  reader.depth -= 1;
  return `${sign}${parts.join(",")}${close}`;
}

function readMarkedKey(reader: MarkedReader, keys: Set<string>): string | undefined {
  const key = reader.text.startsWith(reader.mark, reader.at)
    ? readMarkedString(reader)
    : JSON.stringify(take(reader, KEY));
  reader.at = skipSpace(reader.text, reader.at);
  if (key === undefined || keys.has(key) || reader.text.charAt(reader.at) !== ":") return undefined;
  keys.add(key);
  reader.at += 1;
  return `${key}:`;
}

function readMarkedString(reader: MarkedReader): string | undefined {
  const from = reader.at + reader.mark.length;
  const to = reader.text.indexOf(reader.mark, from);
  if (to < 0) return undefined;
  reader.at = to + reader.mark.length;
  return JSON.stringify(reader.text.slice(from, to));
}

function take(reader: MarkedReader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}
