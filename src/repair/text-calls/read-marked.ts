import { skipBlanks } from "../read/tokens.ts";
import type { ReadAt, WrittenArguments } from "./text-format.ts";

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
  reader.at = skipBlanks(text, reader.at);
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
    reader.at = skipBlanks(text, reader.at);
    if (text.charAt(reader.at) === close) break;
    const key = sign === "{" ? readMarkedKey(reader, keys) : "";
    const value = key === undefined ? undefined : readMarkedValue(reader);
    if (value === undefined) return undefined;
    parts.push(`${key}${value}`);
    reader.at = skipBlanks(text, reader.at);
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
  reader.at = skipBlanks(reader.text, reader.at);
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
