import { isContainer, parseExactly } from "../json.ts";
import { type InputIssue, ISSUE, type JsonValue } from "../types.ts";
import { type Content, faultyAt, type Reading, readAt } from "./content.ts";
import { Fault, issueOfFault, type Rejection } from "./faults.ts";
import { hasTwinKeys, parse } from "./parse.ts";
import {
  closingQuotes,
  LOOSE_DIALECT,
  OPENING_BRACKETS,
  skipBlanks,
} from "./tokens.ts";

/**
 * Finds the object or array in a string, at any depth of encoding; `undefined`
 * in any other text.
 */
export function unwrapEncoded(
  value: string,
  reading: Reading,
): Content | undefined {
  const text = value.trim();
  const inner = parseExactly(text);
  if (typeof inner === "string") return unwrapEncoded(inner, reading);
  if (isContainer(inner)) {
    if (!hasTwinKeys(text, inner)) return { kind: "value", value: inner };
    return { kind: "rejected", rejection: twinKeysIn(text) };
  }
  if (inner !== undefined || !STARTS_CONTAINER.test(text)) return undefined;
  const content = readAt(text, 0, reading);
  if (content.kind === "value" || BEGINS_AS_JSON.test(text)) return content;
  // no cut-off: what only looks like JSON may be a text
  return { kind: "rejected", rejection: content.rejection };
}

/** JSON text that has one key twice, with different values. */
function twinKeysIn(text: string): Rejection {
  const parsed = parse(text, skipBlanks(text, 0), LOOSE_DIALECT);
  const fault =
    parsed.kind === "rejected" ? parsed.fault : new Fault("twin_keys", 0);
  return { fault, text };
}

/** The issue with JSON text that has one key twice, with different values. */
export function twinKeysIssue(text: string): InputIssue {
  return issueOfFault(
    ISSUE.ambiguous,
    "could be meant in more than one way",
    twinKeysIn(text),
  );
}

/** The beginning of an object, an array or a tuple. */
const STARTS_CONTAINER = /^(?:[{｛［[]|\(\s*["'\d(-])/;
/**
 * What hardly begins anything but JSON: a quoted string may be a lone bracket.
 */
const BEGINS_AS_JSON = /^(?:\{\s*["'“]|\[\s*["'“{[\d-])/;

/** JSON whose quotes are all escaped: `{\"a\": 1}`. */
export function findEscaped(
  text: string,
  reading: Reading,
): Content | undefined {
  if (!BEGINS_ESCAPED.test(text) || DOUBLED_ESCAPE.test(text)) return undefined;
  const onOneLine = text.replaceAll("\r\n", "\\n").replaceAll("\n", "\\n");
  const decoded = parseExactly(`"${onOneLine}"`);
  if (typeof decoded !== "string") return undefined;
  return unwrapEncoded(decoded, reading);
}

/** `{\"a`, `[{ \"a`; not `{"a`. */
const BEGINS_ESCAPED = /^[{[][\s{[]*\\"/;
/** `\\t`: a tab, or the backslash of a path whose writer doubled each once. */
const DOUBLED_ESCAPE = /(?<!\\)\\\\[nrtbfu]/;

/**
 * Reads a text that begins with a quote: `'{"a": 1}'`, the same cut off, or
 * `'a', 'b'`.
 */
export function findInQuotes(text: string, reading: Reading): Content {
  const items = readItems(text, reading);
  if (items !== undefined) return { kind: "value", value: items };
  const noJson = faultyAt(text, "text_before", 0);
  if (!OPENING_BRACKETS.has(text.charAt(skipBlanks(text, 1)))) return noJson;
  const closing = closingQuotes(text.charAt(0));
  if (closing.includes(text.slice(-1)))
    return unwrapEncoded(text.slice(1, -1), reading) ?? noJson;
  const content = findUnclosed(text.slice(1), reading);
  if (content === undefined || content.kind === "rejected")
    return content ?? noJson;
  // whole JSON behind a quote that may be an apostrophe
  if (content.kind === "value" && closing !== '"') return noJson;
  return faultyAt(text, "open_string", text.length);
}

/** Finds JSON, also with escaped quotes, behind a quote that is not closed. */
function findUnclosed(text: string, reading: Reading): Content | undefined {
  const plain = unwrapEncoded(text, reading);
  const isRead = plain !== undefined && plain.kind !== "rejected";
  return isRead ? plain : (findEscaped(text, reading) ?? plain);
}

/**
 * Reads a list without its brackets, each item in the same quotes: `'a', 'b'`.
 */
function readItems(text: string, { step }: Reading): JsonValue | undefined {
  const quote = text.charAt(0);
  if (!text.endsWith(closingQuotes(quote).charAt(0))) return undefined;
  const list = `[${text}]`;
  const parsed = parse(list, 0, LOOSE_DIALECT, { step });
  if (parsed.kind !== "value" || parsed.node.to !== list.length)
    return undefined;
  const { value, parts = [] } = parsed.node;
  if (parts.length < 2) return undefined;
  const areQuoted = parts.every(
    ([, { kind, from }]) => kind === "string" && list.charAt(from) === quote,
  );
  const gaps = parts
    .slice(1)
    .map(([, { from }], index) => list.slice(parts[index]?.[1].to, from));
  const isList = areQuoted && gaps.every((gap) => gap.trim() === ",");
  return isList ? value : undefined;
}
