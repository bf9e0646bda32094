import { parse, writeJson } from "./parse.ts";
import { PYTHON_DIALECT } from "./tokens.ts";

/** A call in Python: its arguments are literals. */
export interface PythonCall {
  readonly name: string;
  /** Its arguments as JSON, the numbers as they were written. */
  readonly json: string;
  readonly end: number;
}

const NAME = /\s*([A-Za-z_][\w.-]*)\s*\(/y;
const KEYWORD = /\s*([A-Za-z_]\w*)[ \t]*=(?!=)/y;
const SEPARATOR = /\s*([,)])/y;
const END = /\s*\)/y;

/**
 * Reads one call, `click(selector="#buy")`. A variable, an expression or another call for an argument
 * makes it none, and so do two arguments without a name: what the second is for is not known.
 *
 * @param cursor Where its name stands.
 */
export function readPythonCall({
  text,
  at,
}: {
  readonly text: string;
  readonly at: number;
}): PythonCall | undefined {
  const opening = matchFrom(NAME, text, at);
  if (opening === undefined) return undefined;
  const named = new Map<string, string>();
  const placed: string[] = [];
  let end = matchFrom(END, text, opening.end)?.end;
  for (let next = opening.end; end === undefined; ) {
    const key = matchFrom(KEYWORD, text, next);
    // a literal by itself: in a list, whose end the closing parenthesis of the call stands for
    const from = key?.end ?? next;
    const value = readLiteral(text, from);
    if (value === undefined || (key !== undefined && named.has(key.word))) return undefined;
    if (key === undefined) placed.push(value.json);
    else named.set(key.word, value.json);
    const separator = matchFrom(SEPARATOR, text, value.end);
    if (separator === undefined) return undefined;
    next = separator.end;
    end = separator.word === ")" ? next : matchFrom(END, text, next)?.end;
  }
  const { word: name } = opening;
  const [only] = placed;
  if (only !== undefined)
    return placed.length === 1 && named.size === 0 ? { name, json: only, end } : undefined;
  const entries = [...named].map(([key, json]) => `${JSON.stringify(key)}:${json}`);
  return { name, json: `{${entries.join(",")}}`, end };
}

function readLiteral(
  text: string,
  at: number,
): { readonly json: string; readonly end: number } | undefined {
  const parsed = parse(text, at, PYTHON_DIALECT);
  if (parsed.kind !== "value" || parsed.hasTwins) return undefined;
  return { json: writeJson(parsed.node, text), end: parsed.node.to };
}

function matchFrom(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly word: string; readonly end: number } | undefined {
  pattern.lastIndex = at;
  const [found, word = ""] = pattern.exec(text) ?? [];
  return found === undefined ? undefined : { word, end: pattern.lastIndex };
}
