import { isJsonObject } from "../../../repair/json.ts";
import {
  decodeBase64,
  decodeText,
  type ShownText,
  withoutBase64,
} from "./shown-texts.ts";

/** A call, as it was written and as it would be run. */
export interface QuotedCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * Checks whether the model was shown a call: then the model may quote it rather
 * than make it. The call is compared as a value, by its name and the content of
 * each field, in any notation: JSON in JSON, HTML, Python, a tag for each
 * field, a table, another order. Numbers are compared by value. Base64 may
 * continue from one text to the next.
 */
export function isQuoted(
  calls: readonly QuotedCall[],
  shown: readonly ShownText[],
): boolean {
  const sought = calls.filter(({ name }) => signsOf(name).length > 0).map(seek);
  const holdsCall = (decoded: string, by: ShownText["by"]) => {
    const folded = new Set([decoded, withPlainNumbers(decoded)].map(fold));
    return [...folded].some((text) =>
      sought.some((call) => isIn(text, by, call)),
    );
  };
  for (const { text, by } of shown) {
    const decoded = [...decodeText(text), withoutBase64(text)];
    if (decoded.some((version) => holdsCall(version, by))) return true;
  }
  const all = shown.map(({ text }) => text).join("\n");
  return decodeBase64(all).some((version) => holdsCall(version, "stranger"));
}

/** What quotes as many fields of a call quotes the call. */
const MAX_FIELDS = 64;

/** A call that is looked for in folded texts. */
interface SoughtCall {
  readonly isEmpty: boolean;
  readonly name: RegExp;
  /**
   * The name, and the values right behind it: `pay("bob", 5)`, `$ pay bob 5`.
   */
  readonly inOrder: RegExp;
  /** The same where it can only be code. */
  readonly inCode: RegExp;
  /** Each key and its value near each other. */
  readonly pairs: readonly RegExp[];
  /**
   * How long a quotation may be: about as long as the call, in any notation.
   */
  readonly reach: number;
}

function seek({ name, args }: QuotedCall): SoughtCall {
  const fields = fieldsOf(args, "").slice(0, MAX_FIELDS);
  const isEmpty = fields.length === 0;
  const called = toPattern(name);
  const values =
    SCAFFOLD +
    fields.map((field) => ANY_SIGNS + anyOf(field.values, false)).join("");
  const inCode = isEmpty
    ? `(?<=[<\\]>])${called}|${called}(?=${NO_ARGUMENTS})`
    : `(?:(?<=[($\`]\\s*)${called}|${called}(?=["'\`]?\\s*[(:=]))${values}`;
  return {
    isEmpty,
    name: new RegExp(called, "gu"),
    inOrder: unicode(isEmpty ? toPattern(name, true) : called + values),
    inCode: unicode(inCode),
    pairs: fields.some(({ key }) => key !== "") ? fields.map(toPair) : [],
    reach: 8 * JSON.stringify(args ?? "").length + 120 * fields.length + 800,
  };
}

function isIn(text: string, by: ShownText["by"], call: SoughtCall): boolean {
  // A text that mentions a tool does not call it, and a user may ask for it in
  // the same words: "Pay Bob 5". A stranger's intent is unknown.
  const isSpeech = call.isEmpty ? by !== "stranger" : by === "user";
  const pattern = isSpeech ? call.inCode : call.inOrder;
  return pattern.test(text) || (call.pairs.length > 0 && hasPairs(text, call));
}

function hasPairs(text: string, { name, pairs, reach }: SoughtCall): boolean {
  let seen = -1;
  for (const { index } of text.matchAll(name)) {
    // What one window held is not searched again: the cost stays linear.
    if (index <= seen) continue;
    const window = text.slice(Math.max(0, index - reach), index + 2 * reach);
    if (pairs.every((pair) => pair.test(window))) return true;
    seen = index + reach;
  }
  return false;
}

/** Behind a name: `()`, `"}`, `/>`. */
const NO_ARGUMENTS = "[\"'`]?\\s*\\(\\s*\\)|[\"'`]\\s*[,}\\]|]|\\s?[{[/>]";

/** A value in a call: the pattern of its key, and each spelling of it. */
interface SoughtField {
  readonly key: string;
  readonly values: readonly string[];
}

function fieldsOf(value: unknown, key: string): readonly SoughtField[] {
  if (Array.isArray(value)) return value.flatMap((item) => fieldsOf(item, ""));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, child]) =>
      fieldsOf(child, name),
    );
  }
  const written = `${value ?? ""}`;
  const spellings = [written, withPlainNumbers(written)].flatMap((text) =>
    decodeText(text),
  );
  const folded = new Set(spellings.map(fold));
  const values = [...folded].filter((spelling) => signsOf(spelling).length > 0);
  const pattern =
    signsOf(key).length > 0 ? toPattern(decodeText(key).join(" ")) : "";
  return pattern === "" && values.length === 0
    ? []
    : [{ key: pattern, values }];
}

function toPair({ key, values }: SoughtField): RegExp {
  const keyPattern = unicode(key);
  if (values.length === 0) return keyPattern;
  const value = anyOf(values);
  const isKeyWithin = values.some((spelling) => keyPattern.test(spelling));
  return unicode(
    isKeyWithin ? value : `${key}${GAP}${value}|${value}${GAP}${key}`,
  );
}

/** A pattern that takes a letter of any script as one sign. */
function unicode(pattern: string): RegExp {
  return new RegExp(pattern, "u");
}

const SIGN = "[\\p{L}\\p{N}]";
const EACH_SIGN = new RegExp(SIGN, "gu");
const ANY_SIGNS = "[^\\p{L}\\p{N}]*";

/**
 * How far a notation may set a value apart from its key:
 * `"city" string="true">Paris`.
 */
const GAP = `(?:${ANY_SIGNS}${SIGN}){0,60}?${ANY_SIGNS}`;

/**
 * From this length on, what is sought is not found by chance within other
 * words.
 */
const TELLING_LENGTH = 8;
/** Longer texts are compared up to this length. */
const MAX_SIGNS = 100;

/** The letters and digits of a text, with any signs between them. */
function toPattern(text: string, isWord?: boolean): string {
  const signs = signsOf(text);
  const pattern = signs.slice(0, MAX_SIGNS).join(ANY_SIGNS);
  const isShort = signs.length < TELLING_LENGTH;
  return (isWord ?? isShort) ? `(?<!${SIGN})${pattern}(?!${SIGN})` : pattern;
}

/** Names of fields between a call's name and its values. */
const FIELD_NAMES =
  "actioninput toolinput input args argument arguments parameter parameters with on".split(
    " ",
  );

const SCAFFOLD = `(?:${ANY_SIGNS}${anyOf(FIELD_NAMES, false)})*`;

function anyOf(values: readonly string[], isWord?: boolean): string {
  return `(?:${values.map((value) => toPattern(value, isWord)).join("|")})`;
}

function signsOf(text: string): readonly string[] {
  return fold(text).match(EACH_SIGN) ?? [];
}

/** A text without case, accents and long runs of other signs. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}]{9,}/gu, (run) => run.slice(0, 4) + run.slice(-4));
}

/**
 * A text with each number in the spelling of its value: `1.25e3`, `1,250.0` and
 * `0x4e2` are `1250`.
 */
function withPlainNumbers(text: string): string {
  return text
    .replace(/(?![0-9])\p{Nd}/gu, toDigit)
    .replace(NUMBER, (written) => {
      const value = Number(written.replace(/[_,'’\s]/g, ""));
      return Number.isFinite(value) ? `${value}` : written;
    });
}

const IN_BASE = String.raw`0x[\da-f]+|0b[01]+|0o[0-7]+`;
const IN_GROUPS = String.raw`\d[\d_]*(?:[,'’ \u00a0\u202f]\d{3})*`;
const DECIMAL = String.raw`(?:${IN_GROUPS}(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?`;
/** `0x4e2`, `1,250.0`, `.5e-3`; of `1,25`, `1` and `25`. */
const NUMBER = new RegExp(`${IN_BASE}|${DECIMAL}`, "giu");

/** The digits of a script follow each other. */
function toDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let place = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(place - 1))) place -= 1;
  return `${(code - place) % 10}`;
}
