import { type Node, parse, writeJson } from "../read/parse.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import { JSON_DIALECT } from "../read/tokens.ts";
import type { JsonValue } from "../types.ts";
import type { WrittenCall } from "./text-format.ts";

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
