import type { JsonValue, Repair, RepairLevel } from "../types.ts";
import { hasTwinKeys, type Parsed, parse, type Step } from "./parse.ts";
import { isContainer, parseExactly } from "./parse-exactly.ts";
import { findOpening, namesTool, whatFollows, withoutThoughts } from "./prose.ts";
import { readPythonCall } from "./python-call.ts";
import { closingQuotes, isBlank, LOOSE_DIALECT, skipBlanks } from "./tokens.ts";

/** How far reading goes, for whom, and how long. */
export interface ReadingPolicy {
  /** `strict` takes nothing but exact JSON, `eager` also what a known lead-in hands over. */
  readonly level: RepairLevel;
  /** The tool that the text was given to. */
  readonly toolName?: string;
  /** Called once a value that is read; it throws where a limit is reached. */
  readonly step?: Step | undefined;
}

/** What `JSON.parse` makes of a text; `undefined` for no JSON. */
export interface ExactJson {
  readonly value: JsonValue | undefined;
}

/** What a text turned out to be. */
export type ParsedToolInput =
  /** A value. Text that is no JSON at all is a string value, so that a fixer can take it. */
  | {
      readonly kind: "value";
      readonly value: JsonValue;
      readonly repairs: readonly Repair[];
      /** The value is text that holds JSON which could not be taken: it is not what was meant. */
      readonly unread?: true;
      /** The value is taken only where the schema accepts it as it is. */
      readonly mustFit?: true;
      /** The value is text, and was a string of JSON: `"#buy"`, quotes included. */
      readonly isQuoted?: true;
    }
  /** Text that ends too early; `completed` is the value where only closing braces are missing. */
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  /** Several values one after another: which one was meant is not known. */
  | { readonly kind: "several" };

/**
 * Reads what the model wrote as JSON. Pure, never throws but what `policy.step` throws, and costs
 * time linear in the length.
 *
 * Text that is JSON is parsed as `JSON.parse` does it: of a key written twice the last value
 * counts, and integers beyond 2^53 are rounded. Otherwise, but at level `strict`, JSON that was
 * encoded twice is unwrapped, and faults of syntax are repaired where one reading is possible.
 * Where two are, something was left out (`...`), a comment says something, or the text is no JSON,
 * the text itself is the value, untouched; `unread` tells the JSON among them. No string that was
 * cut off is ever closed, and JSON in a model's thoughts is never taken. Around the JSON, a code
 * fence and control tags may stand; at `eager`, a known lead-in too. Any other text beside it may
 * quote, deny or limit it, and so it is not taken.
 *
 * @param text What the model wrote.
 * @param policy The level, the name of the tool that the text was given to, and the limits.
 * @param known What `JSON.parse` makes of the text, where that was asked before.
 * @returns The value and its repairs, at most one; or that the text was cut off, or holds several
 * values, which is told at every level.
 */
export function parseToolInput(
  text: string,
  policy: ReadingPolicy,
  known?: ExactJson,
): ParsedToolInput {
  const trimmed = trimBlanks(text);
  if (trimmed === "") return { kind: "value", value: "", repairs: [] };
  const exact = known === undefined ? parseExactly(trimmed) : known.value;
  const isLoose = policy.level !== "strict";
  if (exact !== undefined) {
    const inner = isLoose ? unwrapEncoded(exact, policy) : undefined;
    return inner ? toParsed(inner, "parse-json", exact) : untouched(exact, exact !== text);
  }
  const found = findJson(trimmed, policy);
  return found && (isLoose || found.kind !== "value")
    ? toParsed(found, "json-syntax", text)
    : untouched(text, false);
}

/** The value as it is. Text in which there is JSON, or are thoughts, is not what was meant. */
function untouched(value: JsonValue, isExact: boolean): ParsedToolInput {
  const isText = typeof value === "string";
  const isUnread = isText && looksLikeJson(trimBlanks(value));
  const marks = { ...(isUnread && { unread: true }), ...(isText && isExact && { isQuoted: true }) };
  return { kind: "value", value, repairs: [], ...(marks as { unread?: true; isQuoted?: true }) };
}

/** What a text that is not JSON as it stands holds; `undefined` when nothing certain. */
type FoundJson =
  | { readonly kind: "value"; readonly value: JsonValue; readonly level?: "eager" }
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  | { readonly kind: "several" }
  | undefined;

function toParsed(
  found: NonNullable<FoundJson>,
  fixer: string,
  before: JsonValue,
): ParsedToolInput {
  if (found.kind !== "value") return found;
  const { value, level = "safe" } = found;
  const repairs: readonly Repair[] = [{ fixer, path: "", before, after: value, level }];
  return { kind: "value", value, repairs, ...(level === "eager" && { mustFit: true }) };
}

/** Finds the one object or array in a text that is not JSON as it stands. */
function findJson(text: string, policy: ReadingPolicy): FoundJson {
  const body = withoutThoughts(text);
  if (body === undefined) return { kind: "truncated" };
  const exact = body === text ? undefined : parseExactly(body);
  if (isContainer(exact)) return { kind: "value", value: exact };
  const ofCall = readOwnCall(body, policy);
  if (ofCall !== undefined) return ofCall;
  if (LOOSE_DIALECT.quotes.includes(body.charAt(0)) && !body.startsWith("```"))
    return findInQuotes(body, policy);
  const opening = findOpening(body, policy.toolName);
  if (opening === undefined) return isCutAmid(body, policy) ? { kind: "truncated" } : undefined;
  const { start, hasLeadIn } = opening;
  const found = readAt(body, start, policy);
  if (start === 0) return found ?? findDecoded(body, policy);
  if (hasLeadIn && found?.kind === "truncated") return { kind: "truncated" };
  if (found?.kind !== "value") return found;
  if (isTemplate(found.value) || (hasLeadIn && policy.level !== "eager")) return undefined;
  return hasLeadIn ? { ...found, level: "eager" } : found;
}

/** JSON amid other text is not taken, but that it was cut off is told: no fixer may close it. */
function isCutAmid(text: string, { step }: ReadingPolicy): boolean {
  let at = 0;
  for (let tries = 0; tries < 20; tries++) {
    JSON_START.lastIndex = at;
    const start = JSON_START.exec(text)?.index;
    if (start === undefined) return false;
    const parsed = parse(text, start, LOOSE_DIALECT, { step });
    if (parsed.kind === "truncated") return true;
    at = parsed.kind === "value" ? parsed.node.to : start + 1;
  }
  return false;
}

const JSON_START = /\{\s*["'“]|\[\s*\{\s*["'“]|(?<![\w\])])\[\s*["'“]/g;

/** Finds the object or array in a string, however often it is encoded. */
function unwrapEncoded(value: JsonValue, policy: ReadingPolicy): FoundJson {
  let inner = value;
  let text = "";
  while (typeof inner === "string") {
    text = inner.trim();
    const parsed = parseExactly(text);
    if (parsed === undefined) {
      const found = STARTS_CONTAINER.test(text) ? readAt(text, 0, policy) : undefined;
      return found?.kind === "value" || BEGINS_AS_JSON.test(text) ? found : undefined;
    }
    inner = parsed;
  }
  const isPacked = typeof value === "string" && isContainer(inner) && !hasTwinKeys(text);
  return isPacked ? { kind: "value", value: inner } : undefined;
}

/** What may begin an object, an array or a tuple. */
const STARTS_CONTAINER = /^(?:[{｛［[]|\(\s*["'\d(-])/;
/** What hardly begins anything but JSON: a string in quotes may well be a lone bracket. */
const BEGINS_AS_JSON = /^(?:\{\s*["'“]|\[\s*["'“{[\d-])/;

function readAt(
  text: string,
  start: number,
  { step }: ReadingPolicy,
  impliedBrace = false,
): FoundJson {
  const parsed: Parsed = parse(text, start, LOOSE_DIALECT, { step, impliedBrace });
  if (parsed.kind === "refused") return undefined;
  if (parsed.kind === "truncated") {
    const { completed } = parsed;
    return { kind: "truncated", ...(completed && { completed: completed.value }) };
  }
  const { node, unsureBracket } = parsed;
  const after = whatFollows(text, node.to, unsureBracket);
  if (after === "another") return { kind: "several" };
  return after === "nothing" ? { kind: "value", value: node.value } : undefined;
}

/** JSON whose quotes are all escaped (`{\"a\": 1}`) or written as HTML entities. */
function findDecoded(text: string, policy: ReadingPolicy): FoundJson {
  // there `\\t` is a tab, or the backslash of a path whose writer doubled each once
  if (/^[{[][\s{[]*\\"/.test(text) && !/(?<!\\)\\\\[nrtbfu]/.test(text)) {
    const decoded = parseExactly(`"${text.replace(/\r?\n/g, "\\n")}"`);
    return decoded === undefined ? undefined : unwrapEncoded(decoded, policy);
  }
  if (!/^[{[][\s{[]*&(?:quot|#34);/.test(text) || text.includes('"')) return undefined;
  const decode = (_: string, name: string) => ENTITIES[name] ?? "";
  return unwrapEncoded(text.replace(/&(quot|#34|apos|#39|lt|gt|amp);/g, decode), policy);
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ quot: '"', "#34": '"', apos: "'", "#39": "'", lt: "<", gt: ">", amp: "&" },
};

/** `'{"a": 1}'`, the same cut off, or an object without its opening brace: `"a": 1}`. */
function findInQuotes(text: string, policy: ReadingPolicy): FoundJson {
  if (!"{[".includes(text.charAt(skipBlanks(text, 1)) || "-")) {
    const found = text.endsWith("}") ? readAt(text, 0, policy, true) : undefined;
    return found?.kind === "value" ? found : undefined;
  }
  const closing = closingQuotes(text.charAt(0));
  if (closing.includes(text.charAt(text.length - 1)) && text.length > 1)
    return unwrapEncoded(text.slice(1, -1), policy);
  const found = unwrapEncoded(text.slice(1), policy) ?? findDecoded(text.slice(1), policy);
  return found && (found.kind !== "value" || closing === '"') ? { kind: "truncated" } : undefined;
}

/** A text that is nothing but a call of the tool it was given to: `click({"a": 1})`, `click(a="x")`. */
function readOwnCall(text: string, { toolName }: ReadingPolicy): FoundJson {
  const [, fenced] = /^```(?:python|py|tool_code|javascript|js)?\n(.*)\n```$/s.exec(text) ?? [];
  const code = (fenced ?? text).trim();
  const from = /^(?:functions?\.|tools?\.)?/.exec(code)?.[0].length ?? 0;
  const call = readPythonCall({ text: code, at: from });
  if (call === undefined || !namesTool(call.name, toolName)) return undefined;
  if (code.slice(call.end).replace(";", "").trim() !== "") return undefined;
  const read = parse(call.json, 0, LOOSE_DIALECT); // a number with more digits than it holds is text
  return read.kind === "value" && read.node.kind === "object"
    ? { kind: "value", value: read.node.value }
    : undefined;
}

/**
 * Whether JSON is a pattern for an input rather than one: with placeholders
 * (`{"q": "<your query>"}`), or with types for values (`{"q": "string"}`), as a schema has them.
 */
function isTemplate(value: JsonValue): boolean {
  if (typeof value === "string")
    return /^(?:<[^<>/]{1,100}>|\.{3}|…|string|number|integer|boolean|object|array)$/i.test(value);
  return isContainer(value) && Object.values(value).some((inner) => isTemplate(inner as JsonValue));
}

/**
 * Tells whether a text that was read as no JSON holds what nobody writes but for JSON: an object
 * with a key, a list of objects, strings or numbers, a key without its brace, or thoughts. A selector
 * (`a[href="x"]`), a template (`Hello {name}`), a style (`div{color:red}`) or code (`f(x)[0]`)
 * holds none.
 */
function looksLikeJson(text: string): boolean {
  return ANYWHERE.some((sign) => sign.test(text)) || AT_START.some((sign) => sign.test(text));
}

const ANYWHERE: readonly RegExp[] = [
  /[{｛](?:\s*,)?\s*(?:\\*["'“”„‟‘’‚`＂]|&(?:quot|#34);)/,
  /[{｛]\s*[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s*:\s*["'“{[]/u,
  /[[［]\s*[{｛]/,
  /(?:^|[\s(:=,>])[[［]\s*\\*["'“]/,
];

const AT_START: readonly RegExp[] = [
  /^(?:[{｛]\s*){1,2}[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s*[:=]/u,
  /^[{｛]\s*\/[/*]/,
  /^(?:[[［]\s*){1,64}-?\d[\d.]*\s*,/,
  /^["'“][^"'“”\n]{1,100}["'”]\s*[:=]/,
  /^(?:[[{(]\s*){64}/,
  /^<(?:think|thinking|thought|thoughts|reasoning|reflection)>/i,
];

/** Without white space at both ends, marks that are not seen included. */
function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charAt(end - 1))) end--;
  return text.slice(skipBlanks(text, 0), end);
}
