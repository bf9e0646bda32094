import { lazy } from "../drive.ts";
import { isContainer, parseExactly } from "../json.ts";
import { limitIssue, OverLimit, type RepairOptions, type RepairPolicy } from "../policy.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import {
  type InputIssue,
  ISSUE,
  type JsonValue,
  type ReachedLimit,
  type Repair,
  type RepairLevel,
} from "../types.ts";
import { type WrittenNumbers, writtenNumbersOf } from "./numbers.ts";
import { hasTwinKeys, parse, type Step, writeJson } from "./parse.ts";
import { findOpening, namesTool, whatFollows, withoutThoughts } from "./prose.ts";
import {
  asPunctuation,
  closingQuotes,
  LOOSE_DIALECT,
  matchesAt,
  PYTHON_DIALECT,
  skipBlanks,
} from "./tokens.ts";

/** The result of reading what the model wrote: a value, or the reason to refuse it. */
export type ReadToolInput = (ReadValue & LazyFacts) | Refused;

interface ReadValue {
  readonly ok: true;
  readonly value: JsonValue;
  readonly repairs: readonly Repair[];
  /** Whether closing brackets were added. */
  readonly truncated?: true;
  /** Whether it is text that holds unusable JSON: only a fixer knows what it is. */
  readonly unread?: true;
  /** Whether it stood behind a lead-in: then it must fit unchanged. */
  readonly mustFit?: true;
}

interface LazyFacts {
  /** How its numbers are written, including text inside text. */
  readonly numbers: () => WrittenNumbers;
  /**
   * Whether JSON text has one key twice, with different values: `JSON.parse` took the last, and
   * once anything must be repaired, which one was meant is unknown.
   */
  readonly hasTwinKeys: () => boolean;
}

interface Refused {
  readonly ok: false;
  readonly issue: InputIssue;
  /** The limit that the input exceeds. */
  readonly limit?: ReachedLimit;
}

/** How far reading goes, and what is known of the text. */
interface Reading {
  /** `strict` takes only exact JSON, `eager` also JSON behind a known lead-in. */
  readonly level: RepairLevel;
  /** The tool that the text was given to. */
  readonly toolName?: string;
  /** Called for each value; throws if a limit is reached. */
  readonly step?: Step | undefined;
  /** The result of `JSON.parse`, if it is known; its value is `undefined` for no JSON. */
  readonly exact?: { readonly value: JsonValue | undefined } | undefined;
}

/** The content of a text. */
type Found =
  | { readonly kind: "value"; readonly value: JsonValue; readonly mustFit?: true }
  /** Text that ends too early; `completed` is the value where only closing braces are missing. */
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  /** Several values one after another: which one was meant is unknown. */
  | { readonly kind: "several" };

/**
 * Reads what the model wrote as JSON. Parses text, unless the tool takes a string; refuses text
 * that was cut off or holds several values.
 */
export function readToolInput(
  raw: unknown,
  schema: CompiledSchema,
  policy: RepairPolicy,
  about: Pick<RepairOptions, "truncated" | "parsed"> & Pick<Reading, "exact" | "step">,
): ReadToolInput {
  const read = readRaw(raw, schema, policy, about);
  if (!read.ok) return read;
  const isJson = !read.truncated && read.repairs.every(({ fixer }) => fixer === "parse-json");
  return {
    ...read,
    numbers: lazy(() => writtenNumbersOf(raw, isJson)),
    hasTwinKeys: lazy(() => typeof raw === "string" && hasTwinKeys(raw, read.value)),
  };
}

function readRaw(
  raw: unknown,
  schema: CompiledSchema,
  { level, limits, toolName }: RepairPolicy,
  { truncated, parsed, exact, step }: Parameters<typeof readToolInput>[3],
): ReadValue | Refused {
  const accept = (value: JsonValue, found: Partial<ReadValue> = {}) =>
    ({ repairs: [], ...found, ok: true, value }) as const;
  const acceptWithin = (value: JsonValue, found?: Partial<ReadValue>) => {
    const issue = limitIssue(value, limits);
    return issue === undefined ? accept(value, found) : ({ ok: false, ...issue } as const);
  };
  const isText = typeof raw === "string";
  if (isText && raw.length > limits.maxLength) {
    const what = `${raw.length} characters long,`;
    const { issue, limit } = new OverLimit("maxLength", limits.maxLength, what);
    return { ok: false, issue, limit };
  }
  if (truncated && (!isText || schema.takesString)) return CUT_OFF;
  if (!isText) return raw === undefined ? accept(null) : acceptWithin(raw as JsonValue);
  if (schema.takesString) return accept(raw);
  const read = parseToolInput(raw, { level, toolName, step, exact });
  if (read.kind === "several") return SEVERAL;
  const repair = { path: "", before: raw };
  if (read.kind === "truncated") {
    const { completed: after } = read;
    if (level !== "eager" || truncated || after === undefined) return CUT_OFF;
    const repairs = [{ ...repair, fixer: "close-brackets", after, level }];
    return acceptWithin(after, { repairs, truncated: true });
  }
  const { kind: _, value, ...found } = read;
  if (found.unread && !truncated) return accept(value, found);
  if (truncated && (found.repairs.length > 0 || !isContainer(value))) return CUT_OFF;
  if (found.repairs.length > 0) return acceptWithin(value, found);
  // `1.0`, `1e3`, too many digits: as text, a bare number loses nothing
  const isOtherNumber = typeof value === "number" && String(value) !== raw.trim();
  if (isOtherNumber || (parsed && !isContainer(value))) return accept(raw);
  const repairs = [{ ...repair, fixer: "parse-json", after: value, level: "strict" } as const];
  return accept(value, parsed ? { repairs } : {});
}

function refuse(code: string, message: string): Refused {
  return { ok: false, issue: { path: "", code, message } };
}

const CUT_OFF = refuse(ISSUE.cutOff, "cut off before the end: what is missing is not known");
const SEVERAL = refuse(ISSUE.several, "several JSON values one after another, where one is wanted");

/**
 * Reads what the model wrote as JSON. Pure; throws only what `reading.step` throws; takes time linear
 * in the length.
 *
 * Plain JSON goes through `JSON.parse`. Otherwise, except at level `strict`, JSON that was encoded
 * twice is unwrapped, and syntax is repaired if only one reading is possible. With two readings, an
 * omission (`...`), a comment with content, or text that is no JSON, the value is the text itself;
 * `unread` marks the JSON among these. A string that was cut off is never closed, and JSON in a
 * model's thoughts is never taken. A code fence and control tags may surround the JSON; at `eager`,
 * a known lead-in too. Any other text beside it may quote, deny or limit it.
 */
export function parseToolInput(
  text: string,
  reading: Reading,
):
  | (Extract<Found, { kind: "value" }> & Pick<ReadValue, "repairs" | "unread">)
  | Exclude<Found, { kind: "value" }> {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "value", value: "", repairs: [] };
  const exact = reading.exact === undefined ? parseExactly(trimmed) : reading.exact.value;
  const isJson = exact !== undefined;
  const before = isJson ? exact : text;
  const found = isJson ? unwrapEncoded(exact, reading) : findJson(trimmed, reading);
  const isStrict = reading.level === "strict";
  if (found === undefined || (isStrict && (isJson || found.kind === "value"))) {
    // text that contains JSON or thoughts is not what was meant
    const rest = typeof before === "string" ? before.trim() : "";
    const isUnread = signsOfJson().some((sign) => sign.test(rest));
    return { kind: "value", value: before, repairs: [], ...(isUnread && { unread: true }) };
  }
  if (found.kind !== "value") return found;
  const fixer = isJson ? "parse-json" : "json-syntax";
  const level = found.mustFit ? "eager" : "safe";
  return { ...found, repairs: [{ fixer, path: "", before, after: found.value, level }] };
}

/** Finds the one object or array in a text that is not plain JSON. */
function findJson(text: string, reading: Reading): Found | undefined {
  const body = withoutThoughts(text);
  if (body === undefined) return { kind: "truncated" };
  const ofCall = readOwnCall(body, reading);
  if (ofCall !== undefined) return ofCall;
  if (LOOSE_DIALECT.quotes.includes(body.charAt(0)) && !body.startsWith("```"))
    return findInQuotes(body, reading);
  const opening = findOpening(body, reading.toolName);
  if (opening === undefined) return isCutAmid(body, reading) ? { kind: "truncated" } : undefined;
  const { start, hasLeadIn } = opening;
  const found = readAt(body, start, reading);
  if (start === 0) return found ?? findEscaped(body, reading);
  if (found?.kind !== "value") return found && (hasLeadIn ? { kind: found.kind } : found);
  if (isTemplate(found.value) || (hasLeadIn && reading.level !== "eager")) return undefined;
  return hasLeadIn ? { ...found, mustFit: true } : found;
}

/** JSON amid other text is never taken, but a cut-off is reported: no fixer may close it. */
function isCutAmid(text: string, { step }: Reading): boolean {
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

/** Finds the object or array in a string, at any depth of encoding. */
function unwrapEncoded(value: JsonValue, reading: Reading): Found | undefined {
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const inner = parseExactly(text);
  if (typeof inner === "string") return unwrapEncoded(inner, reading);
  if (isContainer(inner) && !hasTwinKeys(text, inner)) return { kind: "value", value: inner };
  if (inner !== undefined) return undefined;
  const found = STARTS_CONTAINER.test(text) ? readAt(text, 0, reading) : undefined;
  return found?.kind === "value" || BEGINS_AS_JSON.test(text) ? found : undefined;
}

/** The beginning of an object, an array or a tuple. */
const STARTS_CONTAINER = /^(?:[{｛［[]|\(\s*["'\d(-])/;
/** What hardly begins anything but JSON: a quoted string may be a lone bracket. */
const BEGINS_AS_JSON = /^(?:\{\s*["'“]|\[\s*["'“{[\d-])/;

function readAt(text: string, start: number, { step }: Reading): Found | undefined {
  const parsed = parse(text, start, LOOSE_DIALECT, { step });
  if (parsed.kind === "refused") return undefined;
  if (parsed.kind === "truncated") {
    const { completed } = parsed;
    return { kind: "truncated", ...(completed && { completed: completed.value }) };
  }
  const { value, to } = parsed.node;
  const unsureBracket = mayCloseInside(value) ? asPunctuation(text.charAt(to - 1)) : undefined;
  const after = whatFollows(text, to, unsureBracket);
  if (after === "another") return { kind: "several" };
  return after === "nothing" ? { kind: "value", value } : undefined;
}

/** Whether a superfluous bracket at the end may have closed a part: one like its whole, not its last. */
function mayCloseInside(value: JsonValue): boolean {
  const parts = isContainer(value) ? (Object.values(value) as JsonValue[]) : [];
  return parts.some((part, index) => {
    const isAlike = isContainer(part) && Array.isArray(part) === Array.isArray(value);
    return (isAlike && index < parts.length - 1) || mayCloseInside(part);
  });
}

/** JSON whose quotes are all escaped: `{\"a\": 1}`. */
function findEscaped(text: string, reading: Reading): Found | undefined {
  // there `\\t` is a tab, or the backslash of a path whose writer doubled each once
  if (!/^[{[][\s{[]*\\"/.test(text) || /(?<!\\)\\\\[nrtbfu]/.test(text)) return undefined;
  const decoded = parseExactly(`"${text.replace(/\r?\n/g, "\\n")}"`);
  return decoded === undefined ? undefined : unwrapEncoded(decoded, reading);
}

/** `'{"a": 1}'`, or the same cut off. */
function findInQuotes(text: string, reading: Reading): Found | undefined {
  if (!/[{[]/.test(text.charAt(skipBlanks(text, 1)))) return undefined;
  const closing = closingQuotes(text.charAt(0));
  if (closing.includes(text.at(-1) ?? "")) return unwrapEncoded(text.slice(1, -1), reading);
  const found = unwrapEncoded(text.slice(1), reading) ?? findEscaped(text.slice(1), reading);
  return found && (found.kind !== "value" || closing === '"') ? { kind: "truncated" } : undefined;
}

/** Reads a text that is only a call of its own tool: `click({"a": 1})`, `click(a="x")`. */
function readOwnCall(text: string, { toolName }: Reading): Found | undefined {
  const [, fenced] = /^```(?:python|py|tool_code|javascript|js)?\n(.*)\n```$/s.exec(text) ?? [];
  const code = (fenced ?? text).trim().replace(/^(?:functions?|tools?)\./, "");
  const call = readPythonCall({ text: code, at: 0 });
  if (call === undefined || !namesTool(call.name, toolName)) return undefined;
  if (!/^\s*;?\s*$/.test(code.slice(call.end))) return undefined;
  const read = parse(call.args.text, 0, LOOSE_DIALECT); // a number with more digits than it holds is text
  const isObject = read.kind === "value" && read.node.kind === "object";
  return isObject ? { kind: "value", value: read.node.value } : undefined;
}

/** A call in Python: its arguments are literals. */
export interface PythonCall {
  readonly name: string;
  /** Its arguments as JSON, with numbers as written. */
  readonly args: { readonly text: string };
  readonly end: number;
}

/**
 * Reads one call, `click(selector="#buy")`. It is none if an argument is a variable, an expression
 * or another call, or if two arguments have no name: the purpose of the second is unknown.
 */
export function readPythonCall(cursor: { text: string; at: number }): PythonCall | undefined {
  const { text, at } = cursor;
  CALL.lastIndex = at;
  const name = CALL.exec(text)?.[1];
  if (name === undefined) return undefined;
  const start = CALL.lastIndex;
  const named = parse(text, start - 1, PYTHON_DIALECT, { isCall: true });
  const read = named.kind === "value" ? named : parse(text, start, PYTHON_DIALECT);
  if (read.kind !== "value" || read.hasTwins) return undefined;
  const args = { text: writeJson(read.node, text) };
  if (read === named) return { name, args, end: read.node.to };
  const isEnded = matchesAt(CALL_END, text, read.node.to);
  return isEnded ? { name, args, end: CALL_END.lastIndex } : undefined;
}

const CALL = /\s*([A-Za-z_][\w.-]*)\s*\(/y;
const CALL_END = /\s*,?\s*\)/y;

/**
 * Whether JSON is a pattern for an input rather than an input: with placeholders (`{"q": "<your
 * query>"}`), or with types for values (`{"q": "string"}`), as in a schema.
 */
function isTemplate(value: JsonValue): boolean {
  if (typeof value === "string")
    return /^(?:<[^<>/]{1,100}>|\.{3}|…|string|number|integer|boolean|object|array)$/i.test(value);
  return isContainer(value) && Object.values(value).some((inner) => isTemplate(inner as JsonValue));
}

/**
 * What occurs only in JSON: an object with a key, a list of objects, strings or numbers, a key
 * without its brace, or thoughts. A selector (`a[href="x"]`), a template (`Hello {name}`), a style
 * (`div{color:red}`) or code (`f(x)[0]`) has none of it.
 */
const signsOfJson = (): readonly RegExp[] => [
  /[{｛](?:\s*,)?\s*(?:\\*["'“”„‟‘’‚`＂]|&(?:quot|#34);)/,
  /[{｛]\s*[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s*:\s*["'“{[]/u,
  /[[［]\s*[{｛]/,
  /(?:^|[\s(:=,>])[[［]\s*\\*["'“]/,
  /^(?:[{｛]\s*){1,2}[\p{L}_$][\p{L}\p{N}_$-]{0,99}\s*[:=]/u,
  /^[{｛]\s*\/[/*]/,
  /^(?:[[［]\s*){1,64}-?\d[\d.]*\s*,/,
  /^["'“][^"'“”\n]{1,100}["'”]\s*[:=]/,
  /^(?:[[{(]\s*){64}/,
  /^<(?:think|thinking|thought|thoughts|reasoning|reflection)>/i,
];
