import { isJsonObject } from "../json/json-value.ts";
import { type Node, parse, writeJson } from "../read/parse.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import { JSON_DIALECT, LOOSE_DIALECT, skipBlanks } from "../read/tokens.ts";
import type { JsonValue } from "../types.ts";
import type { Cursor, Found, WrittenCall } from "./text-format.ts";

/** Reads an object that is a call, or a list of such: `{"name": …, "arguments": {…}}`. */
function readCallObjects(cursor: Cursor): Found<readonly WrittenCall[]> {
  const json = readJsonAt(cursor);
  if (json === undefined) return undefined;
  const { level, value, node } = json.value;
  if (!(Array.isArray(value) ? value : [value]).every(saysOnlyCall)) return undefined;
  const ones = node.kind === "list" ? (node.parts?.map(([, part]) => part) ?? []) : [node];
  const calls = ones.map((one) => toWrittenCall(one, cursor.text, level));
  const isRead = calls.every((call) => call !== undefined) && calls.length > 0;
  return isRead ? { value: calls, end: json.end } : undefined;
}

/** What a call may say of itself. Anything else is a record of one, or what came of it. */
const TYPES: ReadonlySet<unknown> = new Set([
  "function",
  "tool",
  "tool_use",
  "tool_call",
  "function_call",
]);

/** Whether what stands beside a name and arguments does not speak against them. */
function saysOnlyCall(value: JsonValue): boolean {
  const call = readCallObject(value);
  if (!isJsonObject(value) || call === undefined) return true;
  return Object.entries(value).every(([key, said]) => {
    const word = foldCallKey(key);
    if (word === "type") return TYPES.has(said);
    if (word === "thought" || word === "log" || word === "messagelog") return false;
    // In OpenAI's form a call has `arguments`; a definition has `parameters`.
    return word !== "function" || !isJsonObject(said) || !Object.hasOwn(said, "parameters");
  });
}

/** Reads a list of calls: never a lone object. */
export function readCallList(cursor: Cursor): Found<readonly WrittenCall[]> {
  return cursor.text.charAt(cursor.at) === "[" ? readCallObjects(cursor) : undefined;
}

/** Reads calls in objects or lists that follow each other, without a comma. */
export function readCallLines(cursor: Cursor): Found<readonly WrittenCall[]> {
  const calls: WrittenCall[] = [];
  let end = cursor.at;
  for (;;) {
    const found = readCallObjects({ text: cursor.text, at: skipBlanks(cursor.text, end) });
    if (found === undefined) break;
    calls.push(...found.value);
    end = found.end;
  }
  return calls.length === 0 ? undefined : { value: calls, end };
}

/** The same between marks that the prompt has around definitions: those have `parameters`. */
export function readCallsWithArguments(cursor: Cursor): Found<readonly WrittenCall[]> {
  const found = readCallLines(cursor);
  const source = cursor.text.slice(cursor.at, found?.end);
  return /"parameters"\s*:/.test(source) ? undefined : found;
}

/** The same without a marker: `{"name": "x"}` alone is anything. */
export function readBareCalls(cursor: Cursor): Found<readonly WrittenCall[]> {
  const found = readCallLines(cursor);
  return found?.value.every(({ args }) => args !== NO_ARGUMENTS) ? found : undefined;
}

/** Reads a list of objects whose only key is the tool's name: `[{"click": {…}}]`. */
export function readKeyedCalls(cursor: Cursor): Found<readonly WrittenCall[]> {
  const json = cursor.text.charAt(cursor.at) === "[" ? readJsonAt(cursor) : undefined;
  if (json === undefined || json.value.level !== undefined) return undefined;
  const calls = json.value.node.parts?.map(([, part]) => toKeyedCall(part, cursor.text));
  return calls?.every((call) => call !== undefined) && calls.length > 0
    ? { value: calls, end: json.end }
    : undefined;
}

const NO_ARGUMENTS: WrittenCall["args"] = { kind: "json", text: "{}" };

/** The arguments keep their text, or where that has a fault of syntax, the spelling of their numbers. */
function toWrittenCall(
  { kind, parts = [] }: Node,
  text: string,
  level: WrittenCall["level"],
): WrittenCall | undefined {
  const byKey = new Map(parts);
  if (kind !== "object" || byKey.size < parts.length) return undefined;
  const known = keysOfCall([...byKey.keys()]);
  if (known === undefined) return undefined;
  const at = (key: string | undefined) => (key === undefined ? undefined : byKey.get(key));
  const [named, args, id] = [at(known.name), at(known.args), at(known.id)?.value];
  const withId = typeof id === "string" ? { id } : {};
  if (args === undefined && named?.kind === "object") {
    const isFunction = foldCallKey(known.name) === "function";
    const inner = isFunction ? toWrittenCall(named, text, level) : undefined;
    return inner && { ...inner, ...withId };
  }
  if (typeof named?.value !== "string") return undefined;
  const json =
    args && (level === undefined ? text.slice(args.from, args.to) : writeJson(args, text));
  const written = json === undefined ? NO_ARGUMENTS : ({ kind: "json", text: json } as const);
  return { name: named.value, args: written, ...withId, ...(level !== undefined && { level }) };
}

function toKeyedCall({ kind, parts = [] }: Node, text: string): WrittenCall | undefined {
  const [[name, args] = [], ...others] = parts;
  if (kind !== "object" || name === undefined || others.length > 0 || args?.kind !== "object")
    return undefined;
  return { name, args: { kind: "json", text: text.slice(args.from, args.to) } };
}

/** The keys of a call's name, as `foldCallKey` makes them. `function` holds it, or the whole call. */
const NAME_KEYS: ReadonlySet<string> = new Set([
  "name",
  "tool",
  "toolname",
  "function",
  "functionname",
  "action",
]);
/** The keys of its arguments. */
const ARGS_KEYS: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "parameters",
  "params",
  "input",
  "toolinput",
  "actioninput",
  "kwargs",
]);
const ID_KEYS: ReadonlySet<string> = new Set(["id", "callid", "toolcallid"]);
/** What may stand beside them and says nothing of what is called. */
const OTHER_KEYS: ReadonlySet<string> = new Set(["type", "thought", "log", "messagelog"]);

/**
 * Reads a value as a call: an object that holds a tool's name and its arguments and nothing else, in
 * any of the spellings in use (`{action, action_input}`, `{name, args}`, OpenAI's `{function}`), or a
 * list of one.
 *
 * @param value The value.
 * @returns The call, its arguments `undefined` where there are none; `undefined` when it is no call.
 */
export function readCallObject(
  value: unknown,
): { readonly name: string; readonly args: JsonValue | undefined } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? readCallObject(value[0]) : undefined;
  if (!isJsonObject(value)) return undefined;
  const keys = keysOfCall(Object.keys(value));
  const named = keys && value[keys.name];
  if (keys === undefined || named === undefined) return undefined;
  if (keys.args === undefined && isJsonObject(named)) return readCallObject(named);
  if (keys.args === undefined && keys.name === "name") return undefined;
  return typeof named === "string"
    ? { name: named, args: keys.args === undefined ? undefined : value[keys.args] }
    : undefined;
}

interface CallKeys {
  readonly name: string;
  readonly args: string | undefined;
  readonly id: string | undefined;
}

/** A name and arguments, and nothing else but an id and what says nothing. */
function keysOfCall(keys: readonly string[]): CallKeys | undefined {
  const folded = keys.map((key) => [key, foldCallKey(key)] as const);
  const among = (set: ReadonlySet<string>) =>
    folded.filter(([, key]) => set.has(key)).map(([key]) => key);
  const [args, ...moreArgs] = among(ARGS_KEYS);
  const [name, ...moreNames] = among(NAME_KEYS);
  const [id, ...moreIds] = among(ID_KEYS);
  if (name === undefined || [...moreArgs, ...moreNames, ...moreIds].length > 0) return undefined;
  const isKnown = folded.every(([key, word]) =>
    [name, args, id].includes(key) ? true : OTHER_KEYS.has(word),
  );
  return isKnown ? { name, args, id } : undefined;
}

function foldCallKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}

/** JSON in a text. */
export interface JsonAt {
  /** As it is written. */
  readonly text: string;
  readonly value: Node["value"];
  /** The value, and where its parts stand in the text that it was read from. */
  readonly node: Node;
  /**
   * `undefined` where it is JSON as it stands; `"safe"` where its syntax has a fault; `"eager"` where
   * only closing brackets are missing.
   */
  readonly level: "safe" | "eager" | undefined;
}

/**
 * Reads one JSON object or array. Its syntax may have faults, but no word of prose may stand in it,
 * a comment included: it may say not to do what stands there.
 *
 * @param cursor Where its bracket stands.
 */
export function readJsonAt({ text, at }: Cursor): Found<JsonAt> {
  if (!/[{[]/.test(text.charAt(at))) return undefined;
  const exact = parse(text, at, JSON_DIALECT);
  if (exact.kind === "value") return found(text, exact.node, undefined);
  const read = parse(text, at, LOOSE_DIALECT);
  if (read.kind === "value") return found(text, read.node, "safe");
  return read.kind === "truncated" && read.completed !== undefined
    ? { ...found(text, read.completed, "eager"), end: endOfUnclosed(text) }
    : undefined;
}

function found(text: string, node: Node, level: JsonAt["level"]): NonNullable<Found<JsonAt>> {
  const source = text.slice(node.from, node.to);
  return { value: { text: source, value: node.value, node, level }, end: node.to };
}

/** JSON whose closing brackets are missing goes on to the end of the text, or of the fence around it. */
function endOfUnclosed(text: string): number {
  const fence = /\n(?:```|~~~)\s*$/.exec(text.slice(-40));
  return fence === null ? text.length : Math.max(text.lastIndexOf("```"), text.lastIndexOf("~~~"));
}

/**
 * Reads a text that is one JSON object or array and nothing else.
 *
 * @param text The text.
 */
export function readWholeJson(text: string): JsonAt | undefined {
  const trimmed = text.trim();
  const json = readJsonAt({ text: trimmed, at: 0 });
  return json?.end === trimmed.length ? json.value : undefined;
}

/**
 * Reads the arguments of a call that writes them as JSON.
 *
 * @param call The call.
 * @returns Their value, or JSON text where a number in it has a spelling of its own; `undefined`
 * where they are no JSON.
 */
export function readArguments({ args }: WrittenCall): JsonValue | undefined {
  if (args.kind !== "json") return undefined;
  const { text } = args;
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
