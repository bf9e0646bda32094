import { opensContainer } from "../edits/parse-text.ts";
import { foldName } from "../names.ts";
import { type BareField, type FieldKind, fieldKind } from "./field-kind.ts";
import { isBalanced } from "./is-balanced.ts";
import { isCall } from "./is-call.ts";
import { isCutText } from "./is-cut-text.ts";
import { isGarbled } from "./is-garbled.ts";
import { isRefusal } from "./is-refusal.ts";
import { isSaid } from "./is-said.ts";
import { isScaffold } from "./is-scaffold.ts";
import { namesNoValue } from "./names-no-value.ts";

/**
 * Checks whether a bare text is plainly the value of a field: no fragment of JSON or of a call, no
 * scaffold of an agent's turn, no refusal, and not a word for "no value". A selector, a query, a
 * command, a path, a phrase or prose is one. In doubt it is none.
 *
 * @param text The text.
 * @param field The field.
 */
export function isPlainValue(text: string, field: BareField): boolean {
  const trimmed = text.trim();
  const kind = fieldKind(field.name, field.description);
  return (
    hasSubstance(trimmed, kind) &&
    (!opensContainer(trimmed) || opensOtherwise(trimmed, kind)) &&
    !isWhollyQuoted(trimmed) &&
    !namesNoValue(trimmed, field.name) &&
    !isFragment(trimmed, kind) &&
    !isGarbled(trimmed) &&
    !isCutText(trimmed, kind) &&
    !isSaid(trimmed, kind) &&
    !speaksOfKeys(trimmed, field) &&
    !isCall(trimmed, field, kind) &&
    !isScaffold(trimmed, field.toolName, isMarkup(trimmed, kind, field.keys)) &&
    !isRefusal(trimmed, kind.isMessage) &&
    !isIntention(trimmed, kind) &&
    isBalanced(trimmed, kind.isRegex)
  );
}

/** An attribute in a selector, a set of characters in a regular expression. */
function opensOtherwise(text: string, { isSelector, isRegex }: FieldKind): boolean {
  return (isSelector && ATTRIBUTE.test(text)) || (isRegex && /^\[[^\]"'{[,\s]{1,60}\]/.test(text));
}

/** `[data-id="5"]`, `[data-open]`: no list begins so. */
const ATTRIBUTE =
  /^\[[A-Za-z][\w-]{0,60}(?:[~|^$*]?=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w-]{1,200})(?: [is])?)?\]/;

/** A letter, a digit, a picture, or one of the signs that are a place or a pattern by themselves. */
function hasSubstance(text: string, { isRegex }: FieldKind): boolean {
  if (isRegex && /[\^$*+[]/.test(text)) return true;
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text) || PLACES.has(text);
}

const PLACES: ReadonlySet<string> = new Set([".", "..", "./", "../", "/", "*", "**", "~", "~/"]);

/** Wholly in quotes, so that it is open whether they belong to it. */
function isWhollyQuoted(text: string): boolean {
  const [first, last] = [text.charAt(0), text.charAt(text.length - 1)];
  if (text.length < 2 || !["''", "``", "“”", "‘’", "«»", "„“", "’’"].includes(first + last)) {
    return false;
  }
  return !text.slice(1, -1).includes(first);
}

/** A whole element of HTML or XML, where code is wanted: not a tag of a template, nor a field's. */
function isMarkup(text: string, { isStrict }: FieldKind, keys: readonly string[]): boolean {
  const name = /^<([A-Za-z][\w:-]{0,40})(?:\s[^<>]{0,500})?>/.exec(text)?.[1];
  if (!isStrict || name === undefined || keys.includes(name) || TEMPLATE_TAG.test(name))
    return false;
  return text.endsWith(`</${name}>`);
}

const TEMPLATE_TAG =
  /^(?:tool|think|thought|reason|reflect|action|observ|answer|respon|result|output|input|arg|param|invoke|function|call|user|system|assistant|human|query|quer|untrusted|document|context|quot|example|search|json|final|plan|code$|command|sql$|script$)/i;

/** A piece that something was cut from, before it or behind it. */
function isFragment(text: string, { isCode, isStrict, isMessage }: FieldKind): boolean {
  if (/^(?:[,;)\]}=]|:(?![\w:-])|=>|->)/.test(text) && !/^=[\w(]/.test(text)) return true;
  if (/(?:^|[^\\])[,:([{=]$/.test(text) && !BASE64.test(text)) return true;
  if (/\{["']|\[\{/.test(text)) return true;
  if (
    /(?:^|[^\\])(?:\\\\){0,20}\\$/.test(text.slice(-50)) &&
    !/(?:^|\s)[A-Za-z]:\\$|^[A-Za-z]:\\/.test(text)
  )
    return true;
  if (!isStrict && !isMessage && /^(?:[a-z]+_\w{1,60}|[a-z]+[A-Z]\w{1,60})\s{0,3}:\s/.test(text))
    return true;
  if (isCode) return false;
  if (ASSIGNMENT.test(text.slice(0, 200)) || /\w\[\s?["']/.test(text)) return true;
  if (isMessage) return false;
  const lines = text.split("\n", 50).filter((line) => line.trim() !== "");
  return (
    lines.length > 1 && lines.every((line) => /^\s{0,8}-?\s?[A-Za-z_][\w-]{0,30}\s?:\s/.test(line))
  );
}

const BASE64 = /^(?:[\w+/-]{4})*[\w+/-]{2,3}={1,2}$/;
/** `term = "tents"`, `term=tents`. */
const ASSIGNMENT =
  /^(?:(?:let|const|var|my|set|export)\s)?[$@]?[A-Za-z_][\w.]{1,60}\s{0,3}:?=(?!=)\s{0,3}\S/;

/** Whether it names a declared key as JSON, code, YAML and command lines do, or is one. */
function speaksOfKeys(text: string, { keys, toolName }: BareField): boolean {
  if ([...keys, toolName].some((name) => isCutName(text, name))) return true;
  const folded = new Set(keys.map((key) => foldName(key)));
  const isKey = (word: string | undefined) => word !== undefined && folded.has(foldName(word));
  if (text.length <= 200 && (isKey(text) || isKey(text.replace(/[^\p{L}\p{N}_ -]/gu, ""))))
    return true;
  if (isKey(/^--?([\w-]{1,60})(?:\s|=)/.exec(text)?.[1])) return true;
  if (isKey(/^([\w-]{1,60})\s{0,3}(?:["'`]|-\s|,?\s{0,3}\n)/.exec(text)?.[1])) return true;
  for (const [, key] of text.matchAll(/\[\s?["']([^"'\]]{1,60})["']\s?\]/g))
    if (isKey(key)) return true;
  return text.split("\n").some((line) => isKey(HEAD.exec(line.slice(0, 200))?.[1]));
}

/** The beginning of a name, cut off before what follows it. */
function isCutName(text: string, name: string): boolean {
  return text.length >= 4 && name.toLowerCase().startsWith(text.toLowerCase());
}

/** What stands before the first colon, arrow or equals sign of a line. */
const HEAD =
  /^\s{0,20}(?:(?:let|const|var|my|set|export|local)\s)?[^\p{L}\p{N}\s]{0,4}\s?([^:=]{1,100}?)["'`*_]{0,3}\s{0,5}(?:[:=]|[-=]>)/u;

/** "I'll click the button": what the assistant is about to do, where no message is wanted. */
function isIntention(text: string, { isMessage }: FieldKind): boolean {
  const start = text.slice(0, 100).replace(/’/g, "'");
  return !isMessage && INTENTION.test(start);
}

const INTENTION =
  /^(?:(?:sure|certainly|okay|ok|alright|great|first|next|now|so|then|well)[,.!:]? +){0,2}(?:i'll|i will|i'm going to|i am going to|i need to|i have to|i should|i must|i think|i would|i'd|i'm now|i am now|i now|i can|i could|let me|let's|let us|we need to|we should|we will|we'll)\b/i;
