import { isJsonObject } from "../../json/json-value.ts";
import type { JsonValue } from "../../types.ts";
import { isPlainValue } from "../bare/is-plain-value.ts";
import { unpackBare } from "../bare/unpack-bare.ts";
import { isOperator, isUnit, namesRole, wordsOf } from "../names.ts";
import { fieldIsTheThing, onlyTaker, VALUES } from "../reasons.ts";
import { type Edit, elementsOf, type Want } from "./edit.ts";
import { hasFixedLength } from "./has-fixed-length.ts";
import { meansNothing } from "./omissions.ts";
import { opensContainer } from "./parse-text.ts";

/** Signs and words that may part a list written as text. */
const DELIMITER = /[,;|\n\t•·،、，；]|\s(?:and|or|&|\+|\/|y|et|und)\s/i;

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
  reason: () => VALUES.loneValue,
};

/** One row where a list of rows is wanted, each of just as many elements. */
export const wrapArrayInArray: Edit = {
  name: "wrap-row",
  fits: "snug",
  maxRest: 0,
  level: "eager",
  cost: 2,
  propose(value, want) {
    if (!Array.isArray(value) || value.length === 0 || want.place.isElement) return [];
    const items = value as JsonValue[];
    const isRow = want.of("array").some(({ itemAt }) => {
      const row = itemAt(0);
      return row !== undefined && hasFixedLength(items, { node: row });
    });
    return isRow ? [[items]] : [];
  },
  reason: () => VALUES.wholeRow,
};

/** The bare value of the only field that is required, or that there is: `"#buy"`. */
export const wrapBareValue: Edit = {
  name: "wrap-bare-value",
  fits: "snug",
  level: "safe",
  cost: 2,
  propose: (value, want) => (want.place.depth === 0 ? asOnlyField(value, want) : []),
};

/**
 * The same further in: `{"user": "Ada"}` for `{"user": {"name": "Ada"}}`. Only where the field is
 * what a thing is called or consists of, or has its name: not a bound, a unit or what is left out.
 */
export const wrapNestedValue: Edit = {
  name: "wrap-nested-value",
  fits: "snug",
  maxRest: 1,
  level: "eager",
  cost: 3,
  propose(value, want) {
    const isGuess = want.place.depth === 0 || !want.isFirst || typeof value === "object";
    if (isGuess) return [];
    return asOnlyField(value, want).filter((after) => whyNested(value, after, want) !== undefined);
  },
  reason: whyNested,
};

/** What a thing is called, and what it consists of. */
const CALLED: ReadonlySet<string> = new Set(["name", "title", "label"]);
const CONTENT: ReadonlySet<string> = new Set(["value", "text", "content"]);

/**
 * What says that a value is the one of the field within, and not a part, a bound or a measure of
 * the place: the field's name says nothing more than the place's, or the field alone takes text of
 * this form.
 */
function whyNested(value: JsonValue, after: JsonValue, want: Want): string | undefined {
  const [field = ""] = Object.keys(after ?? {});
  const own = wordsOf(want.place.key ?? "");
  const words = wordsOf(field).filter((word) => !own.includes(word));
  const isThing = words.every(
    (word) => CONTENT.has(word) || (typeof value === "string" && CALLED.has(word)),
  );
  // A measure without its unit, an amount without its currency, is not whole.
  const isMeasure = want
    .of("object")
    .some(({ properties }) => [...properties.keys()].some((key) => wordsOf(key).some(isMeasured)));
  if (isMeasure && typeof value === "number") return undefined;
  if (isThing) return fieldIsTheThing(field);
  if (words.some(isUnit) || isOperator(field) || namesRole(field)) return undefined;
  const node = want.of("object").map(({ keyAt }) => keyAt(field))[0];
  if (typeof value !== "string" || node === undefined || !node.accepts(value)) return undefined;
  const isChoice = node.variants().some(({ values }) => values !== undefined);
  return isChoice || ANY_TEXT.some((text) => node.accepts(text))
    ? undefined
    : onlyTaker(field, "text of this form");
}

/** Whether a word says what something is measured in. */
function isMeasured(word: string): boolean {
  return /^(?:units?|uom|currency|currencies|scale|denomination|einheit|währung|waehrung|unidad|moneda|unité|devise)$/u.test(
    word,
  );
}

/** A field that takes one of these takes text of any form. */
const ANY_TEXT = ["x", "some words", "7"];

function asOnlyField(value: JsonValue, want: Want): JsonValue[] {
  if (value === null || isJsonObject(value)) return [];
  if (typeof value === "string" && meansNothing(value)) return [];
  return want.of("object").flatMap(({ properties, required }) => {
    const fields = required.size > 0 ? [...required] : [...properties.keys()];
    const [field] = fields;
    if (field === undefined || fields.length !== 1) return [];
    const wanted = properties.get(field)?.variants() ?? [];
    const description = wanted.map((variant) => variant.description).join(" ");
    const bare = {
      name: field,
      description,
      keys: [...properties.keys()],
      toolName: want.run.toolName,
    };
    const inner = typeof value === "string" ? unpackBare(value, field, description) : value;
    if (typeof inner === "string" && !isPlainValue(inner, bare)) return [];
    // A list goes where a list is wanted: it is not taken apart first.
    const takesIt = !Array.isArray(value) || wanted.some(({ type }) => type === "array");
    return takesIt ? [{ [field]: inner }] : [];
  });
}

function mayBeList(text: string, want: Want): boolean {
  if (opensContainer(text)) return true;
  if (!DELIMITER.test(text)) return false;
  return elementsOf(want).some(({ type, values }) => type !== "object" && values === undefined);
}
