import { partsOf, readString, scanJson, skipSpace } from "./scan-json.ts";
import type { Cursor, Found, WrittenCall } from "./text-format.ts";

/** The keys of a call's name. `function` holds it in some formats, or the whole call in others. */
const NAME_KEYS: ReadonlySet<string> = new Set([
  "name",
  "tool",
  "tool_name",
  "function",
  "function_name",
  "action",
]);
/** The keys of its arguments. */
const ARGS_KEYS: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "parameters",
  "params",
  "input",
  "tool_input",
  "action_input",
  "kwargs",
]);
const ID_KEYS: ReadonlySet<string> = new Set(["id", "call_id", "tool_call_id"]);

/** Reads an object that is a call, or a list of such: `{"name": …, "arguments": {…}}`. */
export function readCallObjects(cursor: Cursor): Found<readonly WrittenCall[]> {
  const json = scanJson(cursor.text, cursor.at);
  if (json === undefined) return undefined;
  const sources = json.value.startsWith("[") ? partsOf(json.value)?.sources : [json.value];
  const calls = sources?.map(toCall);
  return calls !== undefined && calls.length > 0 && calls.every((call) => call !== undefined)
    ? { value: calls, end: json.end }
    : undefined;
}

/** Reads a list of calls: never a lone object. */
export function readCallList(cursor: Cursor): Found<readonly WrittenCall[]> {
  return cursor.text.charAt(cursor.at) === "[" ? readCallObjects(cursor) : undefined;
}

/** Reads one object that is a call. */
export function readCallObject(cursor: Cursor): Found<readonly WrittenCall[]> {
  return cursor.text.charAt(cursor.at) === "{" ? readCallObjects(cursor) : undefined;
}

/** Reads calls in objects that follow each other, without a comma. */
export function readCallLines(cursor: Cursor): Found<readonly WrittenCall[]> {
  const calls: WrittenCall[] = [];
  let end = cursor.at;
  for (;;) {
    const found = readCallObject({ text: cursor.text, at: skipSpace(cursor.text, end) });
    if (found === undefined) break;
    calls.push(...found.value);
    end = found.end;
  }
  return calls.length === 0 ? undefined : { value: calls, end };
}

/** Reads a list of objects whose only key is the tool's name: `[{"click": {…}}]`. */
export function readKeyedCalls({ text, at }: Cursor): Found<readonly WrittenCall[]> {
  const json = text.charAt(at) === "[" ? scanJson(text, at) : undefined;
  const calls = json && partsOf(json.value)?.sources.map(toKeyedCall);
  return json && calls?.every((call) => call !== undefined)
    ? { value: calls, end: json.end }
    : undefined;
}

function toKeyedCall(source: string): WrittenCall | undefined {
  const { keys, sources } = partsOf(source) ?? {};
  const [name, ...others] = keys ?? [];
  const [args = ""] = sources ?? [];
  if (name === undefined || others.length > 0 || !args.startsWith("{")) return undefined;
  return { name, args: { kind: "json", text: args } };
}

/** A name and arguments, and nothing else but an id and a type. Without arguments there are none. */
function toCall(source: string): WrittenCall | undefined {
  const { keys, sources = [] } = partsOf(source) ?? {};
  if (keys === undefined || new Set(keys).size < keys.length) return undefined;
  const entries = keys.map((key, index) => [key, sources[index] ?? ""] as const);
  const ids = entries.filter(([key]) => ID_KEYS.has(key));
  const rest = entries.filter(([key]) => !ID_KEYS.has(key) && key !== "type");
  const [only] = rest;
  const id = readString(ids[0]?.[1] ?? "");
  if (rest.length === 1 && only?.[0] === "function" && only[1].startsWith("{")) {
    const inner = toCall(only[1]);
    return inner && id !== undefined ? { ...inner, id } : inner;
  }
  const names = rest.filter(([key]) => NAME_KEYS.has(key));
  const args = rest.filter(([key]) => ARGS_KEYS.has(key));
  const name = readString(names[0]?.[1] ?? "");
  if (name === undefined || names.length + args.length !== rest.length) return undefined;
  if (names.length !== 1 || args.length > 1) return undefined;
  const text = args[0]?.[1] ?? "{}";
  return { name, args: { kind: "json", text }, ...(id === undefined ? {} : { id }) };
}
