import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../../repair/json/json-value.ts";
import { isAIMessage } from "../is-ai-message.ts";

/** A call, as it was written and as it would be run. */
export interface QuotedCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * Checks whether a call stands in what the model was shown: then the model may quote it, and what it
 * quotes is somebody else's. The call is compared as a value, by its name and what each field holds,
 * whatever the notation: JSON in JSON, HTML, Python, a tag for each field, another order or spacing.
 *
 * @param calls The call, in all forms that it has.
 * @param shown What the model was shown (see `shownTexts`).
 */
export function isQuoted(calls: readonly QuotedCall[], shown: readonly string[]): boolean {
  const sources = shown.map(decode);
  return calls.some((call) => sources.some((source) => holdsCall(source, call)));
}

/**
 * Collects what a model was shown: all text in its messages, and the arguments of its own calls, which
 * may hold text of others.
 *
 * @param messages The messages.
 */
export function shownTexts(messages: readonly BaseMessage[]): readonly string[] {
  return messages.flatMap((message) => {
    const args = isAIMessage(message)
      ? [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])].map(
          (call) => call.args,
        )
      : [];
    return [message.content, ...args].map(shownText);
  });
}

/**
 * Makes one text of a value.
 *
 * @param value Text, or anything that holds text.
 */
export function shownText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function holdsCall(source: string, { name, args }: QuotedCall): boolean {
  const called = spacedWords(name);
  if (called === "") return false;
  const fields = isJsonObject(args) || Array.isArray(args) ? wordsOfFields(args, "") : undefined;
  if (fields === undefined || fields.length === 0) return holdsBare(source, name, args);
  const words = spacedWords(source);
  // A call that is quoted is about as long as the call, in whatever notation.
  const length = fields.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  const reach = 4 * length + 60 * fields.length + 400;
  // What one window holds is not looked at again, so that the cost is linear.
  for (let at = words.indexOf(called); at >= 0; at = words.indexOf(called, at + reach)) {
    const near = words.slice(Math.max(0, at - reach), at + called.length + 2 * reach);
    if (fields.every((field) => holdsField(near, field))) return true;
  }
  return false;
}

/** A value in a call, and its key, as words. */
interface FieldWords {
  readonly key: string;
  readonly value: string;
}

/** Each value in an object or array, after its key. */
function wordsOfFields(value: unknown, key: string): readonly FieldWords[] {
  if (Array.isArray(value)) return value.flatMap((item) => wordsOfFields(item, ""));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, child]) => wordsOfFields(child, name));
  }
  const field = {
    key: spacedWords(decode(key)),
    value: value === null ? "" : spacedWords(decode(`${value}`)),
  };
  return field.key === "" && field.value === "" ? [] : [field];
}

/** How far a notation may set a value apart from its key: `"city" string="true">Paris`. */
const MAX_GAP = 60;

function holdsField(words: string, { key, value }: FieldWords): boolean {
  if (value === "" || key === "") return words.includes(`${key}${value}`);
  for (let at = words.indexOf(value); at >= 0; at = words.indexOf(value, at + 1)) {
    if (words.slice(Math.max(0, at - key.length - MAX_GAP), at + 1).includes(key)) return true;
  }
  return false;
}

/** A call of one bare value, or of none: what follows the name must look like a call. */
function holdsBare(source: string, name: string, args: unknown): boolean {
  const value = isJsonObject(args) || Array.isArray(args) ? "" : spacedWords(decode(String(args)));
  const text = source.toLowerCase();
  const called = name.toLowerCase();
  for (let at = text.indexOf(called); at >= 0; at = text.indexOf(called, at + 1)) {
    const rest = text.slice(at + called.length, at + called.length + 3 * value.length + 200);
    const isCall =
      value === "" ? /^["'`]?\s*\(\s*\)|^["'`]\s*[,}\]]/ : /^["'`\]]?\s*[(:,=>\n]|^["'`]/;
    const follows = spacedWords(rest).replace(SCAFFOLD, " ");
    if (isCall.test(rest) && follows.startsWith(value)) return true;
  }
  return false;
}

/** Names of fields between a call's name and its one value. */
const SCAFFOLD = /^ (?:(?:action|tool|input|args|arguments|parameters|parameter) )+/;

/** The words of a text, each between spaces: what notations do not differ in. */
function spacedWords(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return words === "" ? "" : ` ${words} `;
}

const ENTITIES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: " ",
  lbrace: "{",
  rbrace: "}",
};

/** How often a text may be encoded: JSON in JSON, escaped for HTML. */
const MAX_ENCODINGS = 4;

/** A text without what notations put into it: escapes, entities, marks that nobody sees. */
function decode(text: string): string {
  let decoded = text.replace(/\p{Cf}/gu, "");
  for (let round = 0; round < MAX_ENCODINGS; round++) {
    const next = decoded
      .replace(/&#x([0-9a-f]{1,6});/gi, (_, code) => character(Number.parseInt(code, 16)))
      .replace(/&#(\d{1,7});/g, (_, code) => character(Number(code)))
      .replace(/&([a-z]{2,6});/gi, (all, name) => ENTITIES[name.toLowerCase()] ?? all)
      .replace(/%([2-7][0-9a-f])/gi, (_, code) => character(Number.parseInt(code, 16)))
      .replace(/\\u([0-9a-f]{4})/gi, (_, code) => character(Number.parseInt(code, 16)))
      .replace(/\\x([2-7][0-9a-f])/gi, (_, code) => character(Number.parseInt(code, 16)))
      .replace(/\\[nrtbf]/g, " ")
      .replace(/\\(?=[^\w\s])/g, "");
    if (next === decoded) break;
    decoded = next;
  }
  return decoded;
}

function character(code: number): string {
  return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}
