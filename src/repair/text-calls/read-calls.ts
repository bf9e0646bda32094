import { isJsonObject } from "../json/json-value.ts";
import { type Node, writeJson } from "../read/parse.ts";
import { skipBlanks } from "../read/tokens.ts";
import type { JsonValue } from "../types.ts";
import { announcesCalls } from "./announces-calls.ts";
import { foldCallKey, keysOfCall, readCallObject } from "./call-object.ts";
import { readJsonAt } from "./read-json-at.ts";
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
    if (word === "thought") return typeof said === "string" && announcesCalls(said.trim());
    if (word === "log" || word === "messagelog") return false;
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
