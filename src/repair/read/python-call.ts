import { parse, writeJson } from "./parse.ts";
import { PYTHON_DIALECT } from "./tokens.ts";

/** A call in Python: its arguments are literals. */
export interface PythonCall {
  readonly name: string;
  /** Its arguments as JSON, with numbers as written. */
  readonly json: string;
  readonly end: number;
}

const OPENING = /\s*([A-Za-z_][\w.-]*)\s*\(/y;
const CLOSING = /\s*,?\s*\)/y;

/**
 * Reads one call, `click(selector="#buy")`. It is none if an argument is a variable, an expression
 * or another call, or if two arguments have no name: the purpose of the second is unknown.
 */
export function readPythonCall({
  text,
  at,
}: {
  readonly text: string;
  readonly at: number;
}): PythonCall | undefined {
  OPENING.lastIndex = at;
  const name = OPENING.exec(text)?.[1];
  if (name === undefined) return undefined;
  const start = OPENING.lastIndex;
  const named = parse(text, start - 1, PYTHON_DIALECT, { isCall: true });
  const read = named.kind === "value" ? named : parse(text, start, PYTHON_DIALECT);
  if (read.kind !== "value" || read.hasTwins) return undefined;
  const json = writeJson(read.node, text);
  if (read === named) return { name, json, end: read.node.to };
  CLOSING.lastIndex = read.node.to;
  return CLOSING.test(text) ? { name, json, end: CLOSING.lastIndex } : undefined;
}
