import type { JsonValue } from "../types.ts";
import type { MismatchReading, ReadContainer } from "./container-outcome.ts";
import { keepsEveryToken } from "./keeps-every-token.ts";
import { parseExactly } from "./parse-exactly.ts";
import { readContainer } from "./read-container.ts";
import type { TextEdit } from "./skip-space.ts";

/** What a text holds from a bracket on. */
export type ReadJson =
  | {
      readonly kind: "value";
      readonly value: JsonValue;
      readonly end: number;
      /** Whether it is JSON as it stands, though the whole text is not. */
      readonly exact: boolean;
    }
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  | { readonly kind: "refused"; readonly at: number };

/**
 * Reads one object or array from text that may have faults of syntax, and makes sure that nothing
 * of the text was lost or made up.
 *
 * @param text The text.
 * @param start The index of its bracket, or of its first key with `impliedBrace`.
 * @param impliedBrace Whether the opening brace is missing.
 */
export function readJson(text: string, start: number, impliedBrace = false): ReadJson {
  const first = readContainer(text, start, { impliedBrace });
  const read = first.kind === "mismatched" ? readMismatched(text, start, impliedBrace) : first;
  if (read.kind === "refused") return read;
  if (read.kind === "mismatched") return { kind: "refused", at: text.length };
  const end = read.kind === "complete" ? read.end : text.length;
  const source = text.slice(start, end);
  const value = read.json === undefined ? undefined : parseExactly(read.json);
  if (read.kind === "truncated") {
    return value !== undefined && keeps(read)
      ? { kind: "truncated", completed: value }
      : { kind: "truncated" };
  }
  if (value === undefined || !keeps(read)) return { kind: "refused", at: end };
  const isTakenBack = read.edits.some(
    ({ from, to, json }) => json === "" && takesBack(text.slice(from, to)),
  );
  if (isTakenBack) return { kind: "refused", at: end };
  const isWhole = source.length === text.length;
  return { kind: "value", value, end, exact: !isWhole && parseExactly(source) !== undefined };

  function keeps({
    json = "",
    edits,
  }: {
    readonly json?: string;
    readonly edits: readonly TextEdit[];
  }): boolean {
    const moved = edits.map((edit) => ({ ...edit, from: edit.from - start, to: edit.to - start }));
    return keepsEveryToken(source, json, moved);
  }
}

/** Takes a bracket that does not fit in each way; the ways that lead to a value must agree. */
function readMismatched(text: string, start: number, impliedBrace: boolean): ReadContainer {
  const ways: readonly MismatchReading[] = ["insert", "replace", "skip"];
  const read = ways.map((mismatch) => readContainer(text, start, { mismatch, impliedBrace }));
  const complete = read.filter((way) => way.kind === "complete" && isRestEmpty(text, way.end));
  const [first] = complete;
  if (first?.kind === "complete") {
    const agree = complete.every((way) => way.kind === "complete" && way.json === first.json);
    return agree ? first : { kind: "refused", at: text.length };
  }
  const isCut = read.some(({ kind }) => kind === "truncated");
  return isCut ? { kind: "truncated", edits: [] } : { kind: "refused", at: text.length };
}

function isRestEmpty(text: string, from: number): boolean {
  return /^[\s}\])]*(?:```|$)/.test(text.slice(from));
}

/** Checks whether a comment inside JSON takes it back, or says that it is only an example. */
function takesBack(comment: string): boolean {
  return TAKING_BACK.test(comment.replace(/’/g, "'"));
}

const TAKING_BACK =
  /\b(?:not|never|cannot|no longer|don?'?t|\w{1,12}n't|wrong|instead|ignored?|disabled?|disabling|examples?|placeholders?|todo|fixme|dummy|samples?|obsolete|deprecated|cancel\w{0,5}|refus\w{1,4}|undo|fake|fill (?:in|me|this)|replace (?:this|me)|nicht|nie(?:mals)?|kein\w{0,2}|pas|jamais|nunca|niet|inte|ikke|aldrig)\b|не\s|нет|不|別|否|ない/i;
