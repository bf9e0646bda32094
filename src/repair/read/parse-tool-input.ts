import { parseExactly } from "../json.ts";
import type { JsonValue, Repair, RepairLevel } from "../types.ts";
import { findOpening } from "./around.ts";
import {
  type Certainty,
  type Content,
  faulty,
  faultyAt,
  type Reading,
  readAt,
  type Several,
  type Truncated,
  truncated,
} from "./content.ts";
import { findEscaped, findInQuotes, unwrapEncoded } from "./encoded.ts";
import { Fault, type Rejection } from "./faults.ts";
import { hasSignOfJson, isTemplate } from "./json-signs.ts";
import { parse } from "./parse.ts";
import { withoutThoughts } from "./prose.ts";
import { readOwnCall } from "./python-call.ts";
import { readParameterElements } from "./tagged.ts";
import { JSON_DIALECT, LOOSE_DIALECT } from "./tokens.ts";

/** The content of a text. */
export type ParsedInput =
  | ({
      readonly kind: "value";
      readonly value: JsonValue;
      readonly repairs: readonly Repair[];
      /**
       * Whether it is text that holds unusable JSON: only a fixer knows what it
       * is.
       */
      readonly unread?: true;
    } & Certainty)
  | Truncated
  | Several;

/**
 * Reads what the model wrote as JSON. Pure; throws only what `reading.step`
 * throws; takes time linear in the length.
 *
 * Plain JSON goes through `JSON.parse`. Otherwise, except at level `strict`,
 * JSON that was encoded twice is unwrapped, and syntax is repaired if only one
 * reading is possible. With two readings, an omission (`...`), a comment with
 * content, or text that is no JSON, the value is the text itself; `unread`
 * marks the JSON among these, and `rejection` says what is wrong with it. A
 * string that was cut off is never closed, and JSON in a model's thoughts is
 * never taken. A code fence and control tags may surround the JSON; at `eager`,
 * a known lead-in too. Any other text beside it may quote, deny or limit it.
 */
export function parseToolInput(text: string, reading: Reading): ParsedInput {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "value", value: "", repairs: [] };
  const exact =
    reading.exact === undefined ? parseExactly(trimmed) : reading.exact.value;
  return exact === undefined
    ? readFaulty(text, reading)
    : readExact(exact, reading);
}

/** Reads JSON: a string may hold the JSON that is meant. */
function readExact(value: JsonValue, reading: Reading): ParsedInput {
  if (typeof value !== "string") return asText(value);
  const content = unwrapEncoded(value, reading);
  if (content?.kind === "rejected") return asText(value, content.rejection);
  if (content === undefined || reading.level === "strict") return asText(value);
  if (content.kind !== "value") return content;
  return repaired(content, "parse-json", value, "safe");
}

/** Reads text that is not JSON. */
function readFaulty(text: string, reading: Reading): ParsedInput {
  const trimmed = text.trim();
  const content = findJson(trimmed, reading);
  if (content.kind === "rejected") return asText(text, content.rejection);
  if (content.kind !== "value") return content;
  if (reading.level === "strict")
    return asText(text, { fault: exactFault(trimmed), text: trimmed });
  const level = content.mustFit ? "eager" : "safe";
  return repaired(content, "json-syntax", text, level);
}

function repaired(
  content: Extract<Content, { kind: "value" }>,
  fixer: string,
  before: JsonValue,
  level: RepairLevel,
): ParsedInput {
  const after = content.value;
  return { ...content, repairs: [{ fixer, path: "", before, after, level }] };
}

/**
 * A text by itself; `unread` if it contains JSON or thoughts, because then it
 * is not what was meant.
 */
function asText(value: JsonValue, rejection?: Rejection): ParsedInput {
  const asIs = { kind: "value", value, repairs: [] } as const;
  if (typeof value !== "string" || !hasSignOfJson(value.trim())) return asIs;
  return { ...asIs, unread: true, rejection };
}

/** What keeps a text from being JSON as `JSON.parse` reads it. */
function exactFault(text: string): Fault {
  if (!BEGINS_JSON.has(text.charAt(0))) return new Fault("text_before", 0);
  const parsed = parse(text, 0, JSON_DIALECT);
  if (parsed.kind !== "value") return parsed.fault;
  return new Fault("text_behind", parsed.node.to);
}

const BEGINS_JSON = new Set('{["');

/** Finds the one object or array in a text that is not plain JSON. */
function findJson(text: string, reading: Reading): Content {
  const body = withoutThoughts(text);
  if (body === undefined) return truncated(text, new Fault("open_thought", 0));
  const own = readOwnCall(body, reading.toolName);
  if (own !== undefined) return { kind: "value", value: own };
  const elements =
    reading.declares && readParameterElements(body, reading.declares);
  if (elements instanceof Fault) return faulty(body, elements);
  if (elements !== undefined) return { kind: "value", value: elements };
  if (QUOTES.has(body.charAt(0)) && !body.startsWith("```"))
    return findInQuotes(body, reading);
  return findBracket(body, reading);
}

const QUOTES = new Set(LOOSE_DIALECT.quotes);

/** Reads the JSON behind the marks and the lead-in of a text. */
function findBracket(text: string, reading: Reading): Content {
  const opening = findOpening(text, reading.toolName);
  if (opening === undefined) {
    const cut = cutAmid(text, reading);
    if (cut !== undefined) return truncated(text, cut);
    return faultyAt(text, "text_before", 0);
  }
  const { start, hasLeadIn } = opening;
  if (start === 0) return readFromStart(text, reading);
  const content = readAt(text, start, reading);
  if (content.kind === "truncated" && hasLeadIn)
    return truncated(text, content.rejection.fault);
  if (content.kind !== "value") return content;
  if (isTemplate(content.value)) return faultyAt(text, "pattern", start);
  if (!hasLeadIn) return content;
  if (reading.level !== "eager") return faultyAt(text, "text_before", 0);
  return { ...content, mustFit: true };
}

/**
 * Reads a text that begins with a bracket: JSON, perhaps with all its quotes
 * escaped.
 */
function readFromStart(text: string, reading: Reading): Content {
  const escaped = findEscaped(text, reading);
  if (escaped?.kind === "value") return escaped;
  const content = readAt(text, 0, reading);
  return content.kind === "rejected" ? (escaped ?? content) : content;
}

/**
 * JSON amid other text is never taken, but a cut-off is reported: no fixer may
 * close it.
 */
function cutAmid(text: string, { step }: Reading): Fault | undefined {
  let at = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    JSON_START.lastIndex = at;
    const start = JSON_START.exec(text)?.index;
    if (start === undefined) return undefined;
    const parsed = parse(text, start, LOOSE_DIALECT, { step });
    if (parsed.kind === "truncated") return parsed.fault;
    at = parsed.kind === "value" ? parsed.node.to : start + 1;
  }
  return undefined;
}

const MAX_TRIES = 20;
const JSON_START = /\{\s*["'“]|\[\s*\{\s*["'“]|(?<![\w\])])\[\s*["'“]/g;
