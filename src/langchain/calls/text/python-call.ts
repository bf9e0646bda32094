import { readExactNumber } from "../../../repair/json/exact-number.ts";
import type { JsonObject, JsonValue } from "../../../repair/types.ts";
import type { TextCall } from "./text-call.ts";

/** A text that is being read; `at` moves on. */
interface Reader {
  readonly text: string;
  at: number;
}

const WORDS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["True", true],
  ["False", false],
  ["None", null],
  ["true", true],
  ["false", false],
  ["null", null],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

const MAX_DEPTH = 32;

/** Llama, Gemini: `name(key="value")`, in a list of one, in a fence or bare; literals only. */
export function pythonCall(text: string): readonly TextCall[] {
  const fenced = /^```(?:python|py|tool_code)?[ \t]*\n([\s\S]*?)\n?```$/.exec(text)?.[1] ?? text;
  const body = fenced.trim().replace(/^\[([\s\S]*)\]$/, "$1");
  const reader: Reader = { text: body.trim(), at: 0 };
  try {
    const call = readCall(reader);
    skip(reader);
    return reader.at === reader.text.length ? [call] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function readCall(reader: Reader): TextCall {
  const name = readPattern(reader, /[A-Za-z_][\w.-]*/y);
  expect(reader, "(");
  const named: JsonObject = {};
  const placed: JsonValue[] = [];
  while (!readSign(reader, ")")) {
    const key = tryPattern(reader, /([A-Za-z_]\w*)\s*=(?!=)/y)?.replace(/\s*=$/, "");
    const value = readLiteral(reader, 0);
    if (key === undefined) placed.push(value);
    else if (Object.hasOwn(named, key) || key === "__proto__") throw new SyntaxError("key");
    else named[key] = value;
    if (readSign(reader, ")")) break;
    expect(reader, ",");
  }
  const hasNamed = Object.keys(named).length > 0;
  if (placed.length === 0) return { name, args: named };
  // What the second of two unnamed ones is for, is not known.
  if (placed.length > 1 || hasNamed) throw new SyntaxError("unnamed arguments");
  return { name, args: placed[0] };
}

function readLiteral(reader: Reader, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new SyntaxError("too deep");
  if (readSign(reader, "[")) return readItems(reader, depth);
  if (readSign(reader, "{")) return readEntries(reader, depth);
  const quote = tryPattern(reader, /["']/y);
  if (quote !== undefined) return readQuoted(reader, quote);
  const number = tryPattern(reader, /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (number !== undefined) return toNumber(number);
  const word = readPattern(reader, /[A-Za-z]+/y);
  const value = WORDS.get(word);
  if (value === undefined) throw new SyntaxError("not a literal");
  return value;
}

/** A number whose spelling says no more than its value. `007`, too many digits, `3.10`: it may be an id. */
function toNumber(text: string): number {
  const number = readExactNumber(text);
  if (number === undefined) throw new SyntaxError("number");
  return number;
}

function readItems(reader: Reader, depth: number): JsonValue[] {
  const items: JsonValue[] = [];
  while (!readSign(reader, "]")) {
    items.push(readLiteral(reader, depth + 1));
    if (readSign(reader, "]")) break;
    expect(reader, ",");
  }
  return items;
}

function readEntries(reader: Reader, depth: number): JsonObject {
  const entries: [string, JsonValue][] = [];
  while (!readSign(reader, "}")) {
    const key = readLiteral(reader, depth + 1);
    if (typeof key !== "string" || key === "__proto__") throw new SyntaxError("key");
    expect(reader, ":");
    entries.push([key, readLiteral(reader, depth + 1)]);
    if (readSign(reader, "}")) break;
    expect(reader, ",");
  }
  return Object.fromEntries(entries);
}

function readQuoted(reader: Reader, quote: string): string {
  let value = "";
  for (;;) {
    const character = reader.text[reader.at++];
    if (character === undefined || character === "\n") throw new SyntaxError("not closed");
    if (character === quote) return value;
    if (character !== "\\") {
      value += character;
      continue;
    }
    const escaped = ESCAPES.get(reader.text[reader.at++] ?? "");
    if (escaped === undefined) throw new SyntaxError("escape");
    value += escaped;
  }
}

function skip(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at++;
}

function readSign(reader: Reader, character: string): boolean {
  skip(reader);
  if (reader.text[reader.at] !== character) return false;
  reader.at++;
  return true;
}

function expect(reader: Reader, character: string): void {
  if (!readSign(reader, character)) throw new SyntaxError(`${character} expected`);
}

function tryPattern(reader: Reader, pattern: RegExp): string | undefined {
  skip(reader);
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function readPattern(reader: Reader, pattern: RegExp): string {
  const found = tryPattern(reader, pattern);
  if (found === undefined) throw new SyntaxError(`${pattern} expected`);
  return found;
}
