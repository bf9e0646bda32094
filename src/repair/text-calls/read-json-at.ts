import { type Node, parse } from "../read/parse.ts";
import { JSON_DIALECT, LOOSE_DIALECT } from "../read/tokens.ts";
import type { Cursor, Found } from "./text-format.ts";

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
