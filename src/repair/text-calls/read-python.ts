import { type PythonCall, readPythonCall } from "../read/python-call.ts";
import { skipBlanks } from "../read/tokens.ts";
import type { Cursor, Found, WrittenCall } from "./text-format.ts";

/** Reads calls in a list: `[f(a=1), g()]`. */
export function readPythonList({ text, at }: Cursor): Found<readonly WrittenCall[]> {
  const start = skipBlanks(text, at);
  if (text.charAt(start) !== "[") return undefined;
  const calls: WrittenCall[] = [];
  let next = start + 1;
  for (;;) {
    const call = readPythonCall({ text, at: next });
    if (call === undefined) return undefined;
    calls.push(toWritten(call));
    next = skipBlanks(text, call.end);
    if (text.charAt(next) === ",") next = skipBlanks(text, next + 1);
    else if (text.charAt(next) !== "]") return undefined;
    if (text.charAt(next) === "]") return { value: calls, end: next + 1 };
  }
}

/** Reads calls with literals for arguments, a line each: `name(key="value", n=3)`. */
export function readPythonLines({ text, at }: Cursor): Found<readonly WrittenCall[]> {
  const calls: WrittenCall[] = [];
  for (let from = at; ; ) {
    const call = readPythonCall({ text, at: from });
    if (call === undefined) return undefined;
    calls.push(toWritten(call));
    from = skipBlanks(text, call.end);
    const isNext = text.slice(call.end, from).includes("\n");
    if (!isNext || !/[A-Za-z_]/.test(text.charAt(from))) return { value: calls, end: call.end };
  }
}

/** Reads one call. */
export function readPythonOne(cursor: Cursor): Found<readonly WrittenCall[]> {
  const call = readPythonCall(cursor);
  return call && { value: [toWritten(call)], end: call.end };
}

/** Reads one call of a tool's method: `name.call(key="value")`. */
export function readPythonMethod(cursor: Cursor): Found<readonly WrittenCall[]> {
  const call = readPythonCall(cursor);
  if (call === undefined || !call.name.endsWith(".call")) return undefined;
  return { value: [toWritten({ ...call, name: call.name.slice(0, -5) })], end: call.end };
}

function toWritten({ name, json }: PythonCall): WrittenCall {
  return { name, args: { kind: "json", text: json } };
}
