import type { FieldKind } from "./field-kind.ts";

/**
 * Checks whether a bare text breaks off: its last word or sign asks for another, or what it began has
 * no end.
 *
 * @param text The text, without white space around it.
 * @param kind What the field takes.
 */
export function isCutText(text: string, { isCode, isStrict, isLink, isEmail }: FieldKind): boolean {
  if (SCHEME.test(text) || (isLink && /^https?:?$/i.test(text))) return true;
  if (/^[a-z][a-z\d+.-]{1,20}:\/\/\S{1,2000}$/i.test(text) && LINK_CUT.test(text)) return true;
  if (isEmail && isHalfAddress(text)) return true;
  if (
    /(?:&(?:quot|apos|lt|gt|amp|#\d{1,5})|\\u[\da-f]{0,3}|\n\s{0,8}(?:[-*>]|\d{1,2}\.))$/i.test(
      text,
    )
  )
    return true;
  if (/(?:^|\n)`{1,2}$/.test(text)) return true;
  if (text.startsWith("-----BEGIN") && !text.includes("-----END")) return true;
  if (/^eyJ[\w-]{10,}\.[\w-]*\.?$/.test(text)) return true;
  if (!isCode) return HALF_SENTENCE.test(text.slice(-200));
  if (SQL.test(text) && SQL_OPEN.test(text.slice(-40))) return true;
  return isStrict && (OPERATOR_OPEN.test(text.slice(-40)) || isOpenBlock(text));
}

const SCHEME = /^[a-z][a-z\d+-]{1,20}:\/{1,2}$/i;
const LINK_CUT = /(?:[?&]|%[\da-f]?)$/i;

/** An address without its sign, its domain or the end of its domain. */
function isHalfAddress(text: string): boolean {
  if (text.lastIndexOf("<") > text.lastIndexOf(">")) return true;
  return !/\s/.test(text) && !/^[^@]{1,100}@[^@.]{1,100}(?:\.[^@.,]{1,100}){1,10}$/.test(text);
}

/** No sentence of several words ends so. */
const HALF_SENTENCE = /\S\s+\S{1,100}\s+(?:the|an|and|my|your|our|their|because|than|und|oder|et)$/;

const SQL =
  /^(?:SELECT|INSERT|UPDATE|DELETE|WITH|DROP|CREATE|ALTER|select|insert into|delete from)\s/;
const SQL_OPEN =
  /\s(?:from|where|and|or|on|by|set|values|in|join|inner|left|right|table|into|like|having|limit|offset|between|is|not|as|union|distinct|case|when|then|else)$/i;

const OPERATOR_OPEN = /(?:\||&&|(?<!\})\s\+|\s[<>]|;\s{0,3}(?:do|then|else))$/;

/** A comment or a here-document without its end. */
function isOpenBlock(text: string): boolean {
  const comment = text.lastIndexOf("/* ");
  if (comment >= 0 && (comment === 0 || /\s/.test(text.charAt(comment - 1)))) {
    if (text.indexOf("*/", comment) < 0) return true;
  }
  const mark = /(?:^|[^<])<<[-~]?\s{0,3}['"]?([A-Za-z_]\w{0,30})['"]?/.exec(text)?.[1];
  return mark !== undefined && !text.split("\n").some((line) => line.trim() === mark);
}
