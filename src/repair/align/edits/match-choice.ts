import { lazy } from "../../drive.ts";
import type { SchemaNode } from "../../schema/node.ts";
import type { JsonValue } from "../../types.ts";
import { editDistance, foldName, givesConsent, slipOfChoice } from "../names.ts";
import { VALUES } from "../reasons.ts";
import type { Edit, Want } from "./edit.ts";
import { isCaseFree } from "./is-case-free.ts";

/** A value of an enum that differs in case, spacing or punctuation: `"New York"`, `NEW_YORK`. */
export const respellChoice: Edit = {
  name: "respell-choice",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (!isChoiceSized(value)) return [];
    const { choices, all, byFold } = choicesOf(want.node);
    if (choices.length === 0) return [];
    const bare = unquoted(value.trim());
    if (all.has(bare)) return [bare];
    const folded = foldChoice(bare);
    const [only, ...others] = byFold().get(folded) ?? [];
    if (only === undefined || others.length > 0 || folded === "") return [];
    if (isTypedByHand(want) || isQuestioned(bare, only)) return [];
    return lettersAndDigitsOf(only) === lettersAndDigitsOf(bare) || isCaseFree(bare, only, choices)
      ? [only]
      : [];
  },
  reason: () => VALUES.sameChoice,
};

/** A value of an enum with a slip of the keyboard in it, if no other is near. */
export const correctChoice: Edit = {
  name: "correct-choice",
  level: "eager",
  cost: 3,
  propose(value, want) {
    if (!isChoiceSized(value)) return [];
    const { choices } = choicesOf(want.node);
    if (choices.length > MAX_CORRECTED || isTypedByHand(want)) return [];
    const [only, ...others] = choices.filter((choice) => slipOfChoice(value, choice) !== undefined);
    if (only === undefined || others.length > 0) return [];
    const folded = foldName(value);
    const isNearAnother = choices.some(
      (choice) => choice !== only && editDistance(folded, foldName(choice)) <= NEAR,
    );
    return isNearAnother ? [] : [only];
  },
  reason: (before, after) => slipOfChoice(String(before), String(after)),
};

/** Of more choices than this, some are near to anything. */
const MAX_CORRECTED = 500;
/** As near as this, another choice may have been meant. */
const NEAR = 2;

/** Text that is short enough to be a choice. */
function isChoiceSized(value: JsonValue): value is string {
  return typeof value === "string" && value.length <= 200;
}

/** The texts that a place has to choose from: looked up, not compared with each. */
interface Choices {
  readonly choices: readonly string[];
  readonly all: ReadonlySet<string>;
  readonly byFold: () => ReadonlyMap<string, readonly string[]>;
}

const known = new WeakMap<SchemaNode, Choices>();

function choicesOf(node: SchemaNode): Choices {
  const found = known.get(node) ?? collectChoices(node);
  known.set(node, found);
  return found;
}

function collectChoices(node: SchemaNode): Choices {
  const values = node.variants().flatMap((variant) => variant.values ?? []);
  const all = new Set(values.filter((value): value is string => typeof value === "string"));
  const choices = [...all];
  return { choices, all, byFold: lazy(() => groupByFold(choices)) };
}

function groupByFold(choices: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const choice of choices) {
    const folded = foldChoice(choice);
    const group = groups.get(folded);
    if (group === undefined) groups.set(folded, [choice]);
    else group.push(choice);
  }
  return groups;
}

/** One text alone is taken, to be written exactly so: `DELETE`, at a place that gives consent. */
function isTypedByHand(want: Want): boolean {
  const { choices: texts } = choicesOf(want.node);
  const isAlone = texts.length === 1 && want.node.variants().length === 1;
  const [only = ""] = texts;
  const isShouted = only.length > 2 && only === only.toUpperCase() && /\p{L}{3}/u.test(only);
  return isAlone && (isShouted || givesConsent(want.place.key ?? ""));
}

/** `done?` is not yet `done`. */
function isQuestioned(text: string, choice: string): boolean {
  return text.includes("?") && !choice.includes("?");
}

/** `ß` is `SS` in upper case: two choices that differ in it alone are not told apart. */
function foldChoice(text: string): string {
  return foldName(text.toUpperCase());
}

function lettersAndDigitsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

function unquoted(text: string): string {
  const [first = ""] = text;
  const isQuoted = text.length > 2 && `"'\``.includes(first) && text.endsWith(first);
  return isQuoted ? text.slice(1, -1).trim() : text;
}
