import type { JsonValue } from "../types.ts";
import { Fault } from "./faults.ts";
import { JSON_NUMBER } from "./numbers.ts";
import { type Node, type ParseOptions, Parser } from "./parser.ts";
import { type Dialect, JSON_DIALECT } from "./tokens.ts";

export type Parsed =
  | {
      readonly kind: "value";
      readonly node: Node;
      /** Whether an object has one key twice, with different values. */
      readonly hasTwins: boolean;
      /**
       * What is in doubt: a bracket that was left out, or a list of one word,
       * perhaps a placeholder.
       */
      readonly doubt: Fault | undefined;
    }
  /**
   * The text ends within it. `completed` is the value if only closing braces
   * are missing.
   */
  | {
      readonly kind: "truncated";
      readonly fault: Fault;
      readonly completed?: Node;
    }
  | { readonly kind: "rejected"; readonly fault: Fault };

/**
 * Parses the value that begins at a place of a text. It loses nothing:
 * everything up to its end is in the value, with its place, or is punctuation,
 * white space or a comment without content.
 */
export function parse(
  text: string,
  start: number,
  dialect: Dialect,
  options: ParseOptions = {},
): Parsed {
  const parser = new Parser(text, start, dialect, options);
  try {
    const node = options.isCall ? parser.object("(") : parser.value();
    const { cut, doubt, hasTwins, mayComplete } = parser;
    if (cut === undefined) return { kind: "value", node, hasTwins, doubt };
    return {
      kind: "truncated",
      fault: cut,
      ...(mayComplete && { completed: node }),
    };
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    return { kind: fault.isCut ? "truncated" : "rejected", fault };
  }
}

/**
 * Whether an object in JSON text has one key twice, with different values.
 * Parses only if `value`, the result of `JSON.parse`, has fewer keys than the
 * text may have.
 */
export function hasTwinKeys(text: string, value?: JsonValue): boolean {
  const count = (json: string) => json.match(KEY_ENDS)?.length ?? 0;
  if (value !== undefined && count(text) <= count(JSON.stringify(value)))
    return false;
  const parsed = parse(text.trim(), 0, JSON_DIALECT);
  return parsed.kind === "value" && parsed.hasTwins;
}

/** The end of a key, and the same inside a string. */
const KEY_ENDS = /"\s*:/g;

/** Writes a value as JSON text, with its numbers as they were written. */
export function nodeToJson(
  { kind, value, from, to, parts = [] }: Node,
  text: string,
): string {
  const inner = parts.map(([key, node]) => {
    return (
      (kind === "object" ? `${JSON.stringify(key)}:` : "") +
      nodeToJson(node, text)
    );
  });
  if (kind === "object") return `{${inner.join(",")}}`;
  if (kind === "list") return `[${inner.join(",")}]`;
  const written = text.slice(from, to);
  return kind === "number" && JSON_NUMBER.test(written)
    ? written
    : JSON.stringify(value);
}
