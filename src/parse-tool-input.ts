import { afterContainer } from "./parse/after-container.ts";
import { closingQuotes } from "./parse/characters.ts";
import { findEmbeddedJson } from "./parse/find-embedded-json.ts";
import { readJson } from "./parse/read-json.ts";
import { skipBlanks } from "./parse/skip-space.ts";
import type { JsonValue, Repair } from "./types.ts";

/** How a text was cut off. */
export type Truncation =
  /** Inside a string, number or word, or where a value must follow. Never completed. */
  | "inside-value"
  /** After a complete value: only closing brackets are missing. */
  | "closing-brackets";

/** What a text turned out to be. */
export type ParsedToolInput =
  /** A value. Text that is no JSON at all is a string value, so that a fixer can take it. */
  | { readonly kind: "value"; readonly value: JsonValue; readonly repairs: readonly Repair[] }
  /** Text that ends too early. `completed` is the value with the closing brackets put in. */
  | { readonly kind: "truncated"; readonly where: Truncation; readonly completed?: JsonValue }
  /** Several values one after another: which one was meant is not known. */
  | { readonly kind: "several" };

/** What a text that is not JSON as it stands holds; `undefined` when nothing certain. */
type Found =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  | { readonly kind: "several" }
  | undefined;

/**
 * Reads what the model wrote as JSON. Pure, never throws, and costs time linear in the length.
 *
 * Text that is JSON is parsed as `JSON.parse` does it: of a key written twice the last value
 * counts, and integers beyond 2^53 are rounded. Otherwise, with `syntaxRepair`, JSON that was
 * encoded twice is unwrapped, and faults of syntax are repaired where one reading is possible.
 * Where two are, something was left out (`...`), or the text is no JSON, the text itself is the
 * value, untouched. No string that was cut off is ever closed.
 *
 * @param text What the model wrote.
 * @param options `syntaxRepair`: whether anything but exact JSON is read; not at level `strict`.
 * @returns The value and its repairs, at most one; or that the text was cut off, or holds several
 * values, which is told at every level.
 */
export function parseToolInput(
  text: string,
  { syntaxRepair }: { readonly syntaxRepair: boolean },
): ParsedToolInput {
  const trimmed = text.trim();
  if (trimmed === "") return { kind: "value", value: "", repairs: [] };
  const exact = parseExactly(trimmed);
  if (exact !== undefined) {
    const unwrapped = syntaxRepair ? unwrapEncoded(exact) : undefined;
    if (!unwrapped) return { kind: "value", value: exact, repairs: [] };
    return toParsed(unwrapped, "parse-json", exact);
  }
  const found = syntaxRepair ? findJson(trimmed) : findUnusable(trimmed);
  return found ? toParsed(found, "json-syntax", text) : { kind: "value", value: text, repairs: [] };
}

function toParsed(found: NonNullable<Found>, fixer: string, before: JsonValue): ParsedToolInput {
  switch (found.kind) {
    case "several":
      return found;
    case "truncated":
      return found.completed === undefined
        ? { kind: "truncated", where: "inside-value" }
        : { kind: "truncated", where: "closing-brackets", completed: found.completed };
    case "value": {
      const { value } = found;
      return {
        kind: "value",
        value,
        repairs: [{ fixer, path: "", before, after: value, level: "safe" }],
      };
    }
  }
}

/** A string that holds JSON of an object or array, however often it is encoded. */
function unwrapEncoded(value: JsonValue): Found {
  let inner = value;
  while (typeof inner === "string") {
    const text: string = inner.trim();
    const parsed = parseExactly(text);
    if (parsed === undefined) {
      const found = STARTS_CONTAINER.test(text) ? findInContainer(text) : undefined;
      return found?.kind === "value" || BEGINS_AS_JSON.test(text) ? found : undefined;
    }
    inner = parsed;
  }
  return typeof value === "string" && isContainer(inner)
    ? { kind: "value", value: inner }
    : undefined;
}

/** At level strict: text that begins as JSON and was cut off, or goes on with another value. */
function findUnusable(text: string): Found {
  const found = STARTS_CONTAINER.test(text) ? findInContainer(text) : undefined;
  return found?.kind === "value" ? undefined : found;
}

function findJson(text: string): Found {
  const body = withoutThinking(text);
  const exact = body === text ? undefined : parseExactly(body);
  if (isContainer(exact)) return { kind: "value", value: exact };
  if (STARTS_CONTAINER.test(body)) return findInContainer(body) ?? findDecoded(body);
  if (closingQuotes(body.charAt(0)) !== undefined && !body.startsWith("```"))
    return findInQuotes(body);
  return findEmbeddedJson(body);
}

/** What hardly begins anything but JSON: a string in quotes may well be a lone bracket. */
const BEGINS_AS_JSON = /^(?:\{\s*["'“]|\[\s*["'“{[\d-])/;

/** What may begin an object, an array or a tuple. */
const STARTS_CONTAINER = /^(?:[{［｛[]|\(\s*["'\d(-])/;

function findInContainer(text: string): Found {
  const read = readJson(text, 0);
  if (read.kind === "refused") return undefined;
  if (read.kind === "truncated") return read;
  switch (afterContainer(text, read.end)) {
    case "nothing":
      return { kind: "value", value: read.value };
    case "another":
      return { kind: "several" };
    case "prose":
      return read.exact && isTelling(read.value) ? { kind: "value", value: read.value } : undefined;
    case "garbage":
      return undefined;
  }
}

/** JSON whose quotes are all escaped (`{\"a\": 1}`) or written as HTML entities. */
function findDecoded(text: string): Found {
  let decoded: unknown;
  if (/^[{[][\s{[]*\\"/.test(text)) {
    decoded = parseExactly(`"${text.replace(/\r?\n/g, "\\n")}"`);
  } else if (/^[{[][\s{[]*&(?:quot|#34);/.test(text) && !text.includes('"')) {
    decoded = text.replace(
      /&(quot|#34|apos|#39|lt|gt|amp);/g,
      (_, name: string) => ENTITIES[name] ?? "",
    );
  }
  return typeof decoded === "string" ? unwrapEncoded(decoded) : undefined;
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  "#34": '"',
  apos: "'",
  "#39": "'",
  lt: "<",
  gt: ">",
  amp: "&",
};

/** `'{"a": 1}'`, the same cut off, or an object without its opening brace: `"a": 1}`. */
function findInQuotes(text: string): Found {
  const inside = skipBlanks(text, 1);
  if (!"{[".includes(text.charAt(inside))) {
    const read = text.endsWith("}") ? readJson(text, 0, true) : undefined;
    return read?.kind === "value" && read.end === text.length
      ? { kind: "value", value: read.value }
      : undefined;
  }
  const closing = closingQuotes(text.charAt(0)) ?? "";
  if (closing.includes(text.charAt(text.length - 1)) && text.length > 1)
    return unwrapEncoded(text.slice(1, -1));
  const found = unwrapEncoded(text.slice(1)) ?? findDecoded(text.slice(1));
  return found && (found.kind !== "value" || closing === '"') ? { kind: "truncated" } : undefined;
}

/** Text without the thoughts that some models write before their answer. */
function withoutThinking(text: string): string {
  const tag = /^<(think|thinking|reasoning)>/.exec(text)?.[1];
  const close = tag === undefined ? -1 : text.indexOf(`</${tag}>`);
  return close < 0 || tag === undefined ? text : text.slice(close + tag.length + 3).trim();
}

/** Whether prose next to it makes no doubt that it is JSON: an object with keys, or several. */
function isTelling(value: JsonValue): boolean {
  const first = Array.isArray(value) ? value[0] : value;
  return isContainer(first) && !Array.isArray(first) && Object.keys(first).length > 0;
}

function isContainer(value: unknown): value is Extract<JsonValue, object> {
  return typeof value === "object" && value !== null;
}

function parseExactly(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
