import { isJsonObject } from "../../json/json-value.ts";
import type { JsonValue } from "../../types.ts";
import { foldName } from "../names.ts";
import { repairToolName } from "../repair-tool-name.ts";
import { type Edit, elementsOf, type Want } from "./edit.ts";
import { meansNothing } from "./omissions.ts";
import { opensContainer } from "./parse-text.ts";

/** Signs that may part a list written as text. */
const DELIMITER = /[,;|\n]/;

/** A lone value where a list of such is wanted. Not text that may itself be a list. */
export const wrapInArray: Edit = {
  name: "wrap-in-array",
  fits: "snug",
  maxRest: 3,
  level: "safe",
  cost: 2,
  propose(value, want) {
    if (value === null || Array.isArray(value) || want.of("array").length === 0) return [];
    // `[1, 2]` for a list of rows is one row or several: not one for each.
    if (want.place.isElement) return [];
    if (typeof value === "string" && (mayBeList(value, want) || meansNothing(value))) return [];
    return [[value]];
  },
};

/** One row where a list of rows is wanted. */
export const wrapArrayInArray: Edit = {
  name: "wrap-row",
  fits: "snug",
  maxRest: 0,
  level: "eager",
  cost: 2,
  propose(value, want) {
    if (!Array.isArray(value) || value.length === 0 || want.place.isElement) return [];
    return want.of("array").length === 0 ? [] : [[value]];
  },
};

/** The bare value of the only field that is required, or that there is: `"#buy"`. */
export const wrapBareValue: Edit = {
  name: "wrap-bare-value",
  fits: "snug",
  level: "safe",
  cost: 2,
  propose: (value, want) => (want.place.depth === 0 ? asOnlyField(value, want) : []),
};

/** The same further in: `{"user": "Ada"}` for `{"user": {"name": "Ada"}}`. */
export const wrapNestedValue: Edit = {
  name: "wrap-nested-value",
  fits: "snug",
  maxRest: 1,
  level: "eager",
  cost: 3,
  propose(value, want) {
    const isGuess = want.place.depth === 0 || !want.isFirst || typeof value === "object";
    return isGuess ? [] : asOnlyField(value, want);
  },
};

function asOnlyField(value: JsonValue, want: Want): JsonValue[] {
  if (value === null || isJsonObject(value)) return [];
  if (typeof value === "string" && (opensContainer(value) || meansNothing(value))) return [];
  return want.of("object").flatMap(({ properties, required }) => {
    const fields = required.size > 0 ? [...required] : [...properties.keys()];
    const [field] = fields;
    if (field === undefined || fields.length !== 1) return [];
    const wanted = properties.get(field)?.variants() ?? [];
    // A list goes where a list is wanted: it is not taken apart first.
    if (typeof value === "string" && mayBeCall(value, [...properties.keys()], want)) return [];
    const takesIt = !Array.isArray(value) || wanted.some(({ type }) => type === "array");
    return takesIt ? [{ [field]: value }] : [];
  });
}

/** Whether a text looks like a call, or like several fields, written in a syntax of its own. */
function mayBeCall(text: string, keys: readonly string[], { run: { toolName } }: Want): boolean {
  const trimmed = text.trim();
  if (/^<\|?[\w-]+(?:[\s=|][^<>]*)?>/.test(trimmed)) return true;
  if (/\{["']|\[\{/.test(trimmed) || opensMoreThanItCloses(trimmed)) return true;
  const called = /^([\w.-]+)\s?\(/.exec(trimmed)?.[1];
  if (called !== undefined) {
    if (/\["/.test(trimmed) || repairToolName(called, [toolName], "safe").ok) return true;
    if (called === toolName) return true;
  }
  const folded = new Set(keys.map((key) => foldName(key)));
  if (folded.has(foldName(trimmed))) return true;
  const heads = trimmed.split("\n").map((line) => /^\s*([^:=]{1,100}?)\s*[:=]/.exec(line)?.[1]);
  return heads.some((head) => head !== undefined && folded.has(foldName(head)));
}

function opensMoreThanItCloses(text: string): boolean {
  return text.split("{").length > text.split("}").length;
}

function mayBeList(text: string, want: Want): boolean {
  if (opensContainer(text)) return true;
  if (!DELIMITER.test(text)) return false;
  return elementsOf(want).some(({ type, values }) => type !== "object" && values === undefined);
}
