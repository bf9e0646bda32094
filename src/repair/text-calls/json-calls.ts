import { isJsonObject } from "../json/json-value.ts";
import { type Node, parse, writeJson } from "../read/parse.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import { JSON_DIALECT, LOOSE_DIALECT, skipBlanks } from "../read/tokens.ts";
import type { JsonValue } from "../types.ts";
import type { Cursor, Found, Reader, WrittenCall, WrittenValue } from "./text-format.ts";

/** Reads calls in objects or lists that follow each other, without a comma. */
export const readCallLines: Reader = ({ text, at }) => {
  const calls: WrittenCall[] = [];
  for (let end = at; ; ) {
    const found = readCallsOfValue({ text, at: skipBlanks(text, end) }, toNamedCall);
    if (found === undefined) return calls.length === 0 ? undefined : { calls, end };
    calls.push(...found.calls);
    end = found.end;
  }
};

/** The same between marks that the prompt has around definitions: those have `parameters`. */
export const readCallsWithArguments: Reader = (cursor) => {
  const found = readCallLines(cursor);
  const source = cursor.text.slice(cursor.at, found?.end);
  return /"parameters"\s*:/.test(source) ? undefined : found;
};

/** The same without a marker: `{"name": "x"}` alone is anything. */
export const readBareCalls: Reader = (cursor) => {
  const found = readCallLines(cursor);
  return found?.calls?.every(({ args }) => args.text !== "") ? found : undefined;
};

/** Reads one list of calls: never a lone object. */
export const readCallList: Reader = (cursor) =>
  cursor.text.charAt(cursor.at) === "[" ? readCallsOfValue(cursor, toNamedCall) : undefined;

/** Reads one list of objects whose only key is the tool's name: `[{"click": {…}}]`. */
export const readKeyedCalls: Reader = (cursor) =>
  cursor.text.charAt(cursor.at) === "[" ? readCallsOfValue(cursor, toKeyedCall) : undefined;

type Level = WrittenValue["level"];
type ToCall = (node: Node, text: string, level: Level) => WrittenCall | undefined;

/** Reads an object that is a call, or a list of such. */
function readCallsOfValue(
  cursor: Cursor,
  toCall: ToCall,
): (Found & Required<Pick<Found, "calls">>) | undefined {
  const json = readJsonAt(cursor);
  if (json === undefined) return undefined;
  const ones = json.kind === "list" ? (json.parts ?? []).map(([, part]) => part) : [json];
  const calls = ones.map((one) => toCall(one, cursor.text, json.level));
  const isRead = calls.every((call) => call !== undefined) && calls.length > 0;
  return isRead ? { calls, end: json.end } : undefined;
}

/**
 * The arguments keep their text, or where that has a fault of syntax, the spelling of their
 * numbers. What says more than its call is a record of one, what came of it, or a definition: in
 * OpenAI's form a call has `arguments`, and a definition `parameters`.
 */
const toNamedCall: ToCall = ({ kind, parts = [] }, text, level) => {
  const byKey = new Map(parts);
  const known = keysOfCall([...byKey.keys()]);
  if (kind !== "object" || byKey.size < parts.length || known === undefined) return undefined;
  const saysMore = known.others.some((key) => {
    return foldCallKey(key) !== "type" || !TYPES.includes(byKey.get(key)?.value);
  });
  if (saysMore) return undefined;
  const [named, args, id] = [known.name, known.args, known.id].map((key = "") => byKey.get(key));
  const withId = typeof id?.value === "string" ? { id: id.value } : {};
  if (args === undefined && named?.kind === "object") {
    const isDefinition = named.parts?.some(([key]) => key === "parameters");
    const isFunction = foldCallKey(known.name) === "function" && !isDefinition;
    const inner = isFunction ? toNamedCall(named, text, level) : undefined;
    return inner && { ...inner, ...withId };
  }
  if (typeof named?.value !== "string") return undefined;
  return { name: named.value, args: toWritten(args, text, level), ...withId };
};

function toWritten(args: Node | undefined, text: string, level: Level): WrittenValue {
  if (args === undefined) return { text: "", level };
  return { text: level ? writeJson(args, text) : text.slice(args.from, args.to), level };
}

const toKeyedCall: ToCall = ({ kind, parts = [] }, text, level) => {
  const [[name, args] = [], ...others] = parts;
  const isCall = kind === "object" && others.length === 0 && args?.kind === "object";
  if (!isCall || name === undefined || level !== undefined) return undefined;
  return { name, args: toWritten(args, text, level) };
};

/** What a call may say of itself. */
const TYPES: readonly unknown[] = "function tool tool_use tool_call function_call".split(" ");
/** What the keys of a call hold, without case and separators. `function` holds the name, or the whole call. */
const KEYS = {
  name: "name tool toolname function functionname action".split(" "),
  args: "arguments args parameters params input toolinput actioninput kwargs".split(" "),
  id: "id callid toolcallid".split(" "),
  /** What may stand beside them and says nothing of what is called. */
  other: "type thought log messagelog".split(" "),
};

/**
 * Reads a value as a call: an object that holds a tool's name and its arguments and nothing else,
 * in any of the spellings in use (`{action, action_input}`, `{name, args}`, OpenAI's
 * `{function}`), or a list of one. `undefined` when it is no call.
 */
export function readCallObject(
  value: unknown,
): { readonly name: string; readonly args: JsonValue | undefined } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? readCallObject(value[0]) : undefined;
  if (!isJsonObject(value)) return undefined;
  const keys = keysOfCall(Object.keys(value));
  if (keys === undefined) return undefined;
  const [named, args] = [value[keys.name], keys.args && value[keys.args]];
  if (keys.args === undefined && isJsonObject(named)) return readCallObject(named);
  if (keys.args === undefined && keys.name === "name") return undefined;
  return typeof named === "string" ? { name: named, args } : undefined;
}

/** A name and arguments, and nothing else but an id and what says nothing. */
function keysOfCall(keys: readonly string[]) {
  const among = (known: readonly string[]) =>
    keys.filter((key) => known.includes(foldCallKey(key)));
  const [[name, ...names], [args, ...moreArgs]] = [among(KEYS.name), among(KEYS.args)];
  const [[id, ...ids], others] = [among(KEYS.id), among(KEYS.other)];
  const known = [name, args, id].filter((key) => key !== undefined).length + others.length;
  const isCall = known === keys.length && [...names, ...moreArgs, ...ids].length === 0;
  return name !== undefined && isCall ? { name, args, id, others } : undefined;
}

function foldCallKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}

/** JSON in a text: its value, where its parts stand, and its source. */
export interface JsonAt extends Node {
  readonly text: string;
  readonly end: number;
  /** As of `WrittenValue`: `"eager"` where only closing brackets are missing. */
  readonly level: Level;
}

/**
 * Reads one JSON object or array. Its syntax may have faults, but no word of prose may stand in
 * it, a comment included: it may say not to do what stands there.
 */
export function readJsonAt({ text, at }: Cursor): JsonAt | undefined {
  if (!/[{[]/.test(text.charAt(at))) return undefined;
  const toJson = (node: Node, level: Level, end = node.to) => {
    return { ...node, text: text.slice(node.from, node.to), level, end };
  };
  const exact = parse(text, at, JSON_DIALECT);
  if (exact.kind === "value") return toJson(exact.node, undefined);
  const read = parse(text, at, LOOSE_DIALECT);
  if (read.kind === "value") return toJson(read.node, "safe");
  if (read.kind !== "truncated" || read.completed === undefined) return undefined;
  // what is not closed goes on to the end of the text, or of the fence around it
  const isFenced = /\n(?:```|~~~)\s*$/.test(text.slice(-40));
  const end = Math.max(text.lastIndexOf("```"), text.lastIndexOf("~~~"));
  return toJson(read.completed, "eager", isFenced ? end : text.length);
}

/** Reads a text that is one JSON object or array and nothing else. */
export function readWholeJson(text: string): JsonAt | undefined {
  const json = readJsonAt({ text: text.trim(), at: 0 });
  return json?.end === text.trim().length ? json : undefined;
}

/**
 * Reads the arguments of a call as their value, or as JSON text where a number in it has a spelling
 * of its own. `undefined` where they are no JSON.
 */
export function readArguments({ args: { text } }: WrittenCall): JsonValue | undefined {
  const value = parseExactly(text);
  if (value === null || typeof value !== "object") return value;
  const read = parse(text.trim(), 0, JSON_DIALECT);
  if (read.kind !== "value") return undefined;
  return hasOwnSpelling(read.node, text.trim()) ? writeJson(read.node, text.trim()) : value;
}

function hasOwnSpelling({ kind, value, from, to, parts = [] }: Node, text: string): boolean {
  if (kind === "number") return text.slice(from, to) !== String(value);
  return parts.some(([, part]) => hasOwnSpelling(part, text));
}
