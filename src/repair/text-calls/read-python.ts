import type { Cursor, Found, WrittenCall } from "./text-format.ts";

/** A text that is being read; `at` moves on. */
interface Reader {
  readonly text: string;
  at: number;
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
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

/** Reads calls in a list: `[f(a=1), g()]`. */
export function readPythonList(cursor: Cursor): Found<readonly WrittenCall[]> {
  return readWith(cursor, (reader) => {
    expect(reader, "[");
    const calls = [readPythonCall(reader)];
    while (!acceptSign(reader, "]")) {
      expect(reader, ",");
      if (acceptSign(reader, "]")) break;
      calls.push(readPythonCall(reader));
    }
    return calls;
  });
}

/** Reads calls with literals for arguments, a line each: `name(key="value", n=3)`. */
export function readPythonLines(cursor: Cursor): Found<readonly WrittenCall[]> {
  return readWith(cursor, (reader) => {
    const calls = [readPythonCall(reader)];
    for (;;) {
      const { at } = reader;
      skip(reader);
      if (!/\n/.test(reader.text.slice(at, reader.at)) || !/[A-Za-z_]/.test(here(reader))) {
        reader.at = at;
        return calls;
      }
      calls.push(readPythonCall(reader));
    }
  });
}

/** Reads one call. */
export function readPythonOne(cursor: Cursor): Found<readonly WrittenCall[]> {
  return readWith(cursor, (reader) => [readPythonCall(reader)]);
}

/** Reads one call of a tool's method: `name.call(key="value")`. */
export function readPythonMethod(cursor: Cursor): Found<readonly WrittenCall[]> {
  const found = readPythonOne(cursor);
  const calls = found?.value.map(({ name, ...call }) => ({ ...call, name: name.slice(0, -5) }));
  const isMethod = found?.value.every(({ name }) => name.endsWith(".call"));
  return isMethod && calls !== undefined ? { value: calls, end: found?.end ?? 0 } : undefined;
}

function readWith(
  { text, at }: Cursor,
  read: (reader: Reader) => readonly WrittenCall[],
): Found<readonly WrittenCall[]> {
  const reader: Reader = { text, at };
  try {
    return { value: read(reader), end: reader.at };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function readPythonCall(reader: Reader): WrittenCall {
  const name = expectPattern(reader, /[A-Za-z_][\w.-]*/y);
  expect(reader, "(");
  const named = new Map<string, string>();
  const placed: string[] = [];
  while (!acceptSign(reader, ")")) {
    const key = tryPattern(reader, /([A-Za-z_]\w*)[ \t]*=(?!=)/y)?.replace(/[ \t]*=$/, "");
    const json = readLiteral(reader, 0);
    if (key === undefined) placed.push(json);
    else if (named.has(key)) throw new SyntaxError("a key twice");
    else named.set(key, json);
    if (acceptSign(reader, ")")) break;
    expect(reader, ",");
  }
  if (placed.length === 0) {
    const entries = [...named].map(([key, json]) => `${JSON.stringify(key)}:${json}`);
    return { name, args: { kind: "json", text: `{${entries.join(",")}}` } };
  }
  // What the second of two unnamed ones is for, is not known.
  const [only = "{}"] = placed;
  if (placed.length > 1 || named.size > 0) throw new SyntaxError("unnamed arguments");
  return { name, args: { kind: "json", text: only } };
}

/** A literal, as JSON text: a number keeps its spelling. A variable or an expression is none. */
function readLiteral(reader: Reader, depth: number): string {
  if (depth > MAX_DEPTH) throw new SyntaxError("too deep");
  if (acceptSign(reader, "[")) return `[${readItems(reader, depth).join(",")}]`;
  if (acceptSign(reader, "{")) return `{${readEntries(reader, depth).join(",")}}`;
  const quote = tryPattern(reader, /"""|'''|["']/y);
  if (quote !== undefined) return JSON.stringify(readPythonString(reader, quote));
  const number = tryPattern(reader, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y);
  if (number !== undefined) return number;
  const word = WORDS.get(expectPattern(reader, /[A-Za-z]+(?![\w.([])/y));
  if (word === undefined) throw new SyntaxError("not a literal");
  return word;
}

function readItems(reader: Reader, depth: number): string[] {
  const items: string[] = [];
  while (!acceptSign(reader, "]")) {
    items.push(readLiteral(reader, depth + 1));
    if (acceptSign(reader, "]")) break;
    expect(reader, ",");
  }
  return items;
}

function readEntries(reader: Reader, depth: number): string[] {
  const entries: string[] = [];
  const keys = new Set<string>();
  while (!acceptSign(reader, "}")) {
    const key = readLiteral(reader, depth + 1);
    if (!key.startsWith('"') || keys.has(key)) throw new SyntaxError("key");
    keys.add(key);
    expect(reader, ":");
    entries.push(`${key}:${readLiteral(reader, depth + 1)}`);
    if (acceptSign(reader, "}")) break;
    expect(reader, ",");
  }
  return entries;
}

function readPythonString(reader: Reader, quote: string): string {
  const parts: string[] = [];
  for (;;) {
    if (reader.text.startsWith(quote, reader.at)) {
      reader.at += quote.length;
      return parts.join("");
    }
    const sign = reader.text[reader.at++];
    if (sign === undefined || (sign === "\n" && quote.length === 1)) {
      throw new SyntaxError("not closed");
    }
    parts.push(sign === "\\" ? readEscape(reader) : sign);
  }
}

function readEscape(reader: Reader): string {
  const code = tryHere(reader, /u[\da-fA-F]{4}|x[\da-fA-F]{2}/y);
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
  const sign = ESCAPES.get(reader.text[reader.at++] ?? "");
  if (sign === undefined) throw new SyntaxError("escape");
  return sign;
}

function here(reader: Reader): string {
  return reader.text[reader.at] ?? "";
}

function skip(reader: Reader): void {
  while (reader.at < reader.text.length && here(reader).trim() === "") reader.at++;
}

function acceptSign(reader: Reader, sign: string): boolean {
  skip(reader);
  if (here(reader) !== sign) return false;
  reader.at++;
  return true;
}

function expect(reader: Reader, sign: string): void {
  if (!acceptSign(reader, sign)) throw new SyntaxError(`${sign} expected`);
}

function tryPattern(reader: Reader, pattern: RegExp): string | undefined {
  skip(reader);
  return tryHere(reader, pattern);
}

function tryHere(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function expectPattern(reader: Reader, pattern: RegExp): string {
  const found = tryPattern(reader, pattern);
  if (found === undefined) throw new SyntaxError(`${pattern} expected`);
  return found;
}
