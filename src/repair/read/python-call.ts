import type { JsonValue } from "../types.ts";
import { namesTool } from "./lead-ins.ts";
import { nodeToJson, parse } from "./parse.ts";
import { LOOSE_DIALECT, matchAt, matchesAt, PYTHON_DIALECT } from "./tokens.ts";

/** A call in Python: its arguments are literals. */
interface PythonCall {
  readonly name: string;
  /** Its arguments as JSON, with numbers as written. */
  readonly args: { readonly text: string };
  readonly end: number;
}

/**
 * Reads one call, `click(selector="#buy")`. It is none if an argument is a
 * variable, an expression or another call, or if two arguments have no name:
 * the purpose of the second is unknown.
 */
export function readPythonCall(cursor: {
  text: string;
  at: number;
}): PythonCall | undefined {
  const { text, at } = cursor;
  const [, name] = matchAt(CALL, text, at);
  if (name === undefined) return undefined;
  const start = CALL.lastIndex;
  const named = parse(text, start - 1, PYTHON_DIALECT, { isCall: true });
  const read =
    named.kind === "value" ? named : parse(text, start, PYTHON_DIALECT);
  if (read.kind !== "value" || read.hasTwins) return undefined;
  const args = { text: nodeToJson(read.node, text) };
  if (read === named) return { name, args, end: read.node.to };
  const isEnded = matchesAt(CALL_END, text, read.node.to);
  return isEnded ? { name, args, end: CALL_END.lastIndex } : undefined;
}

const CALL = /\s*([A-Za-z_][\w.-]*)\s*\(/y;
const CALL_END = /\s*,?\s*\)/y;

/**
 * Reads a text that is only a call of its own tool: `click({"a": 1})`,
 * `click(a="x")`.
 */
export function readOwnCall(
  text: string,
  toolName: string | undefined,
): JsonValue | undefined {
  const fenced = CODE_FENCE.exec(text)?.[1];
  const code = (fenced ?? text).trim().replace(/^(?:functions?|tools?)\./, "");
  const call = readPythonCall({ text: code, at: 0 });
  if (call === undefined || !namesTool(call.name, toolName)) return undefined;
  if (!BEHIND_CALL.has(code.slice(call.end).trim())) return undefined;
  // a number with more digits than it holds is text
  const read = parse(call.args.text, 0, LOOSE_DIALECT);
  const isObject = read.kind === "value" && read.node.kind === "object";
  return isObject ? read.node.value : undefined;
}

const BEHIND_CALL = new Set(["", ";"]);
const CODE_FENCE = /^```(?:python|py|tool_code|javascript|js)?\n(.*)\n```$/s;
