import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";

/** The most signs of a text that are looked at. */
const MAX_SIGNS = 60;

/** Kinds of text that are known by their form. */
const FORMS: readonly (readonly [string, RegExp])[] = [
  ["uri", /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ["date", /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.+Z-]+)?$/],
  ["number", /^[+-]?\d+(?:\.\d+)?$/],
];

/**
 * Names the kind of a value, to tell what may stand in the same place: a URL, a date, an id of the form
 * `A-9`. Numbers, flags and words of prose are of no kind: what looks alike need not mean the same.
 *
 * @param value The value.
 * @returns `undefined` where it says nothing of the place.
 */
export function valueKind(value: JsonValue): string | undefined {
  if (typeof value === "string") return textKind(value.trim());
  if (Array.isArray(value)) {
    const [first] = value as JsonValue[];
    const inside = first === undefined ? undefined : valueKind(first);
    return inside === undefined ? undefined : `[${inside}]`;
  }
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value).sort();
  return keys.length < 2 ? undefined : `{${keys.join(",")}}`;
}

function textKind(text: string): string | undefined {
  if (text === "") return undefined;
  const form = FORMS.find(([, pattern]) => text.length < 2_000 && pattern.test(text));
  if (form !== undefined) return form[0];
  if (text.length > MAX_SIGNS || /\s/.test(text)) return undefined;
  const kind = text.replace(/\p{L}+/gu, "a").replace(/\p{N}+/gu, "9");
  return /^[a9]$/.test(kind) ? undefined : kind;
}
