import { isJsonObject } from "../json/json-value.ts";
import { spellNumbers } from "../json/spell-numbers.ts";
import { writtenNumbersOf } from "../json/written-numbers.ts";
import type { JsonValue } from "../types.ts";
import { foldCallKey, keysOfCall, readCallObject } from "./call-object.ts";
import { leadsToCall } from "./leads-to-call.ts";
import { type JsonAt, readJsonAt } from "./read-json-at.ts";
import { partsOfJson, passSpace, readJsonString } from "./scan-json.ts";
import type { Cursor, Found, WrittenCall } from "./text-format.ts";

/** Reads an object that is a call, or a list of such: `{"name": …, "arguments": {…}}`. */
function readCallObjects(cursor: Cursor): Found<readonly WrittenCall[]> {
  const json = readJsonAt(cursor);
  if (json === undefined) return undefined;
  const { level, text, value } = json.value;
  if (!(Array.isArray(value) ? value : [value]).every(saysOnlyCall)) return undefined;
  const calls = level === undefined ? callsOfSource(text) : callsOfValue(json.value);
  return calls && calls.length > 0 ? { value: calls, end: json.end } : undefined;
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
    if (word === "thought") return typeof said === "string" && leadsToCall(said, call.name);
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
    const found = readCallObjects({ text: cursor.text, at: passSpace(cursor.text, end) });
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
  const calls = partsOfJson(json.value.text)?.sources.map(toKeyedCall);
  return calls?.every((call) => call !== undefined) && calls.length > 0
    ? { value: calls, end: json.end }
    : undefined;
}

const NO_ARGUMENTS: WrittenCall["args"] = { kind: "json", text: "{}" };

/** Calls in JSON as it stands: the arguments keep their text. */
function callsOfSource(text: string): readonly WrittenCall[] | undefined {
  const sources = text.startsWith("[") ? partsOfJson(text)?.sources : [text];
  const calls = sources?.map(toWrittenCall);
  return calls?.every((call) => call !== undefined) ? calls : undefined;
}

function toWrittenCall(source: string): WrittenCall | undefined {
  const { keys, sources = [] } = partsOfJson(source) ?? {};
  if (keys === undefined || new Set(keys).size < keys.length) return undefined;
  const known = keysOfCall(keys);
  if (known === undefined) return undefined;
  const sourceOf = (key: string | undefined) =>
    key === undefined ? undefined : sources[keys.indexOf(key)];
  const named = sourceOf(known.name) ?? "";
  const id = readJsonString(sourceOf(known.id) ?? "");
  if (known.args === undefined && named.startsWith("{")) {
    const inner = foldCallKey(known.name) === "function" ? toWrittenCall(named) : undefined;
    return inner && id !== undefined ? { ...inner, id } : inner;
  }
  const name = readJsonString(named);
  const args = sourceOf(known.args);
  if (name === undefined) return undefined;
  return {
    name,
    args: args === undefined ? NO_ARGUMENTS : { kind: "json", text: args },
    ...(id === undefined ? {} : { id }),
  };
}

/** Calls in JSON whose syntax had to be repaired: its numbers keep their spelling. */
function callsOfValue({ text, value, level }: JsonAt): readonly WrittenCall[] | undefined {
  const { spellings } = writtenNumbersOf(text);
  const calls = (Array.isArray(value) ? value : [value]).map((one): WrittenCall | undefined => {
    const call = readCallObject(one);
    if (call === undefined) return undefined;
    if (call.args === undefined) return { name: call.name, args: NO_ARGUMENTS, level };
    const spelled = spellNumbers(call.args, spellings);
    if (spelled === undefined || (typeof spelled === "number" && spellings.has(spelled))) {
      return undefined;
    }
    const isText = typeof spelled === "string" && typeof call.args !== "string";
    const args = isText ? spelled : JSON.stringify(spelled);
    return { name: call.name, args: { kind: "json", text: args }, level };
  });
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function toKeyedCall(source: string): WrittenCall | undefined {
  const { keys, sources } = partsOfJson(source) ?? {};
  const [name, ...others] = keys ?? [];
  const [args = ""] = sources ?? [];
  if (name === undefined || others.length > 0 || !args.startsWith("{")) return undefined;
  return { name, args: { kind: "json", text: args } };
}
