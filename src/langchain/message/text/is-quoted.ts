import { isJsonObject } from "../../../repair/json/json-value.ts";
import { decodeBase64, decodeText, type ShownText } from "./shown-texts.ts";

/** A call, as it was written and as it would be run. */
export interface QuotedCall {
  readonly name: string;
  readonly args: unknown;
}

/**
 * Checks whether a call stands in what the model was shown: then the model may quote it, and what
 * it quotes is somebody else's. The call is compared as a value, by its name and what each field
 * holds, whatever the notation: JSON in JSON, HTML, Python, a tag for each field, a table, another
 * order. Numbers are compared by value. Base64 may go on from one text to the next.
 */
export function isQuoted(calls: readonly QuotedCall[], shown: readonly ShownText[]): boolean {
  const sought = calls.map(toSought).filter(({ name }) => name !== "");
  const holds = (decoded: string, by: ShownText["by"]) =>
    [...new Set([decoded, withPlainNumbers(decoded)])].some((text) => {
      const folded = foldText(text);
      return sought.some((call) => holdsCall(folded, call, by));
    });
  const all = shown.map(({ text }) => text).join("\n");
  return (
    shown.some(({ text, by }) => decodeText(text).some((decoded) => holds(decoded, by))) ||
    decodeBase64(all).some((decoded) => holds(decoded, "stranger"))
  );
}

/** A value in a call, and its key, as `foldSigns` makes them. */
interface SoughtField {
  readonly key: string;
  /** Each spelling of the value. */
  readonly values: readonly string[];
}

interface SoughtCall {
  readonly name: string;
  readonly fields: readonly SoughtField[];
  /** How far a quotation may reach: it is about as long as the call, in whatever notation. */
  readonly reach: number;
}

/** What quotes as many fields of a call quotes the call. */
const MAX_FIELDS = 64;

function toSought({ name, args }: QuotedCall): SoughtCall {
  const fields = soughtFieldsOf(args, "").slice(0, MAX_FIELDS);
  const length = fields.map(({ key, values: [value = ""] }) => key + value).join("").length;
  return { name: foldSigns(name), fields, reach: 4 * length + 60 * fields.length + 400 };
}

/** Each value in an object or array, after its key. */
function soughtFieldsOf(value: unknown, key: string): readonly SoughtField[] {
  if (Array.isArray(value)) return value.flatMap((item) => soughtFieldsOf(item, ""));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, child]) => soughtFieldsOf(child, name));
  }
  const written = `${value ?? ""}`;
  const values = [written, withPlainNumbers(written)].flatMap((one) => decodeText(one));
  const field = {
    key: foldSigns(decodeText(key).join(" ")),
    values: [...new Set(values.map(foldSigns))].filter((one) => one !== ""),
  };
  return field.key === "" && field.values.length === 0 ? [] : [field];
}

/** A text with each number in the spelling of its value: `1.25e3`, `1,250.0` and `0x4e2` are `1250`. */
function withPlainNumbers(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, toDigit).replace(NUMBER, (written) => {
    const value = Number(written.replace(/[_,'’\s]/g, ""));
    return Number.isFinite(value) ? `${value}` : written;
  });
}

const NUMBER =
  /0x[\da-f]+|0b[01]+|0o[0-7]+|(?:\d[\d_]*(?:[,'’ \u00a0\u202f]\d{3})*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?/giu;

/** The digits of a script follow each other. */
function toDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let place = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(place - 1))) place -= 1;
  return `${(code - place) % 10}`;
}

function holdsCall(text: FoldedText, sought: SoughtCall, by: ShownText["by"]): boolean {
  const { name, fields, reach } = sought;
  const hasKeys = fields.some(({ key }) => key !== "");
  // What one window holds is not looked at again, so that the cost is linear.
  let seen = -1;
  for (const at of findAll(text, name, 0)) {
    if (standsAt(text, at, sought, by)) return true;
    if (at <= seen || !hasKeys) continue;
    const window = { ...text, signs: text.signs.slice(0, at + name.length + 2 * reach) };
    const from = Math.max(0, at - reach);
    if (fields.every((field) => holdsField(window, from, field))) return true;
    seen = at + reach;
  }
  return false;
}

/** Whether the values follow the name at once, without their keys: `pay("bob", 5)`, `$ pay bob 5`. */
function standsAt(
  text: FoldedText,
  at: number,
  { name, fields }: SoughtCall,
  by: ShownText["by"],
): boolean {
  const { folded, signs, places } = text;
  const end = at + name.length;
  const from = (places[end - 1] ?? 0) + 1;
  const behind = folded.slice(from, from + 40);
  const before = folded.slice(Math.max(0, (places[at] ?? 0) - 20), places[at]);
  if (fields.length === 0) {
    // Whoever speaks of a tool does not call it; what a stranger means is not known.
    if (by === "stranger") return isEdge(text, at) && isEdge(text, end);
    const isEmptyCall = /^(?:["'`]?\s*\(\s*\)|["'`]\s*[,}\]|]|\s?[{[/>])/.test(behind);
    return isEmptyCall || /[<\]>]$/.test(before);
  }
  // A user may well ask for it in these words: "Pay Bob 5".
  const isInCode = /^["'`]?\s*[(:=]/.test(behind) || /(?:[($`]\s*|\$ )$/.test(before);
  if (by === "user" && !isInCode) return false;
  const first = end + (SCAFFOLD.exec(signs.slice(end, end + 80))?.[0].length ?? 0);
  let next = first;
  return fields.every(({ values }) => {
    if (next - first > TELLING_SIGNS) return true;
    const value = values.find((one) => signs.startsWith(one.slice(0, TELLING_SIGNS), next));
    next += value?.length ?? 0;
    return value !== undefined || values.length === 0;
  });
}

/** What stands there to this length, stands there. */
const TELLING_SIGNS = 100;

/** Names of fields between a call's name and its values. */
const SCAFFOLD = /^(?:actioninput|toolinput|input|args|arguments?|parameters?|with|on)+/;

/** How far a notation may set a value apart from its key: `"city" string="true">Paris`. */
const MAX_GAP = 60;

function holdsField(text: FoldedText, from: number, { key, values }: SoughtField): boolean {
  const keys = key === "" ? [] : [...findAll(text, key, from)];
  if (values.length === 0) return keys.length > 0;
  return values.some((value) => {
    let next = 0;
    for (const at of findAll(text, value, from)) {
      if (key === "") return true;
      while ((keys[next] ?? at) < at) next += 1;
      const before = at - key.length - (keys[next - 1] ?? Number.NEGATIVE_INFINITY);
      const after = (keys[next] ?? Number.POSITIVE_INFINITY) - at - value.length;
      if (Math.min(before, after) <= MAX_GAP) return true;
    }
    return false;
  });
}

/** A text, folded to what notations do not differ in. */
interface FoldedText {
  /** Without case and accents. */
  readonly folded: string;
  /** Its letters and digits. */
  readonly signs: string;
  /** Where each sign stands in the folded text, and a place behind its end. */
  readonly places: Uint32Array;
}

function foldText(text: string): FoldedText {
  const folded = fold(text);
  const places = new Uint32Array(folded.length + 1);
  const words: string[] = [];
  let length = 0;
  for (const { 0: word, index } of folded.matchAll(/[\p{L}\p{N}]+/gu)) {
    words.push(word);
    for (let at = 0; at < word.length; at++) places[length++] = index + at;
  }
  places[length] = folded.length + 1;
  return { folded, signs: words.join(""), places };
}

function foldSigns(text: string): string {
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, "");
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{M}+/gu, "");
}

/** From this length on, what is sought is not found by chance within other words. */
const TELLING_LENGTH = 8;

/** Finds folded signs as whole words; long ones, which a notation may have torn apart, also within words. */
function* findAll(text: FoldedText, sought: string, from: number): Iterable<number> {
  const { signs } = text;
  const isTelling = sought.length >= TELLING_LENGTH;
  for (let at = signs.indexOf(sought, from); at >= 0; at = signs.indexOf(sought, at + 1)) {
    if (isTelling || (isEdge(text, at) && isEdge(text, at + sought.length))) yield at;
  }
}

/** Whether a word begins or ends before a sign. */
function isEdge({ places }: FoldedText, at: number): boolean {
  return at === 0 || places[at] !== (places[at - 1] ?? 0) + 1;
}
