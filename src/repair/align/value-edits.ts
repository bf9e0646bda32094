import { isJsonObject } from "../json/json-value.ts";
import { readExactNumber } from "../read/numbers.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { isWholeText, showsForm } from "./bare-text.ts";
import { contentOf, elementsOf, opensContainer } from "./envelope.ts";
import { stemsOf, wordsOf } from "./names.ts";
import type { Proposal, Want } from "./types.ts";
import {
  ANSWERS,
  isNoArguments,
  isNothing,
  isNullWord,
  LIST_TEXTS,
  NAMES_TRUTH,
  namesNothing,
} from "./vocabulary.ts";
import {
  choicesIn,
  choicesOf,
  jsonNumberOf,
  listParts,
  mayBeSeveral,
  nearChoice,
  sameChoice,
} from "./written-values.ts";

type Proposals = readonly Proposal[];

/** Longer texts are no number, word or choice. */
const MAX_WORD = 200;

/**
 * The edits of a single value. Adding one is adding a row; the catalogue in scripts/edits then asks
 * for an example, three inputs that it must refuse, and a sentence for the documentation.
 */
export const valueEdits = [
  {
    name: "read-number",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node }: Want): Proposals {
      if (typeof value !== "string" || value.length > MAX_WORD) return [];
      const wanted = node.of("number");
      const text = jsonNumberOf(unquoted(value));
      if (text === undefined || wanted.length === 0) return [];
      const takesFraction = wanted.some(({ type }) => type === "number");
      return /e/i.test(text) && !takesFraction ? [] : one(readExactNumber(text));
    },
  },
  {
    name: "read-boolean",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node }: Want): Proposals {
      if (typeof value !== "string" || node.of("boolean").length === 0) return [];
      const word = unquoted(value.slice(0, MAX_WORD)).toLowerCase();
      return word === "true" || word === "false" ? one(word === "true") : [];
    },
  },
  {
    name: "read-null",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node }: Want): Proposals {
      if (typeof value !== "string" || node.of("null").length === 0) return [];
      return isNullWord(value) ? one(null) : [];
    },
  },
  {
    name: "write-scalar",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node, run }: Want): Proposals {
      const texts = node.of("string");
      if (texts.length === 0) return [];
      if (typeof value === "boolean") {
        const isNamed = texts.some(({ values, description }) =>
          values === undefined ? NAMES_TRUTH.test(description) : values.includes(String(value)),
        );
        return isNamed ? one(String(value), "the field names true or false") : [];
      }
      if (typeof value !== "number") return [];
      const spellings = run.spellings();
      if (spellings.has(value)) return one(spellings.get(value));
      const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
      return isExact && !String(value).includes("e") ? one(String(value)) : [];
    },
  },
  {
    name: "write-json",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node, place, run: { objectAsText } }: Want): Proposals {
      if (value === null || typeof value !== "object" || node.of("string").length === 0) return [];
      const isAsked = Array.isArray(objectAsText)
        ? objectAsText.includes(place.path)
        : objectAsText;
      return isAsked ? one(JSON.stringify(value)) : [];
    },
  },
  {
    name: "respell-choice",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node }: Want): Proposals {
      if (typeof value !== "string" || value.length > MAX_WORD) return [];
      const choice = sameChoice(unquoted(value), choicesOf(node));
      return one(choice, "the same but for case, spacing or punctuation");
    },
  },
  {
    name: "clean-text",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node }: Want): Proposals {
      if (typeof value !== "string" || value.length > 10_000 || freeTexts(node).length === 0) {
        return [];
      }
      return one(cleaned(value, node), "the schema takes only what stands inside");
    },
  },
  {
    name: "parse-text",
    level: "safe",
    cost: 1,
    unpacks: true,
    propose(value: JsonValue, { node, run }: Want): Proposals {
      if (typeof value !== "string" || !PACKED.test(value)) return [];
      if (node.of("object").length + node.of("array").length === 0) return [];
      return one(run.parse(value), "the text is JSON, where no text is wanted");
    },
  },
  {
    name: "drop-null",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, want: Want): Proposals {
      return value === null && want.place.isOptional && !asksForNothing(want)
        ? leftOut("nothing is given, and nothing need be")
        : [];
    },
  },
  {
    name: "no-arguments",
    level: "safe",
    cost: 1,
    propose(value: JsonValue, { node, place }: Want): Proposals {
      if (place.depth > 0 || isJsonObject(value) || !node.accepts({})) return [];
      const [only, ...others] = node.of("object");
      const takesNone = others.length === 0 && only?.properties.size === 0 && takesNoKeys(only);
      const isEmpty = value === null || (typeof value === "string" && value.trim() === "");
      if (isEmpty) return one({}, "nothing is given, and nothing need be");
      const isNone = Array.isArray(value)
        ? value.length === 0
        : typeof value === "string" && isNoArguments(value);
      return takesNone && isNone ? one({}, "the tool takes no arguments") : [];
    },
  },
  {
    name: "drop-empty-text",
    level: "safe",
    cost: 2,
    propose(value: JsonValue, want: Want): Proposals {
      if (typeof value !== "string" || !want.place.isOptional) return [];
      return isAbsent(value, want.node) && !asksForNothing(want)
        ? leftOut("nothing is given, and nothing need be")
        : [];
    },
  },
  {
    name: "read-yes-no",
    level: "eager",
    cost: 2,
    propose(value: JsonValue, { node, place }: Want): Proposals {
      if (typeof value === "object" || node.of("boolean").length === 0) return [];
      const word = String(value).trim().toLowerCase();
      const takesBoth = node.accepts(true) && node.accepts(false);
      // `no` for `no_cache` may repeat the name, or deny it.
      if (!takesBoth || wordsOf(place.key).includes(word)) return [];
      return one(ANSWERS.get(word), "the word answers yes or no");
    },
  },
  {
    name: "wrap-in-array",
    level: "safe",
    cost: 2,
    fits: "snug",
    maxRest: 3,
    propose(value: JsonValue, want: Want): Proposals {
      const { node, place } = want;
      if (value === null || Array.isArray(value) || place.inList) return [];
      if (node.of("array").length === 0) return [];
      if (typeof value === "string") {
        const takesText = elementsOf(want).some(
          ({ type, values }) => type !== "object" && values === undefined,
        );
        if (opensContainer(value) || isNothing(value)) return [];
        if (takesText && mayBeSeveral(value)) return [];
      }
      return one([value], "one value for a list of such");
    },
  },
  {
    name: "wrap-bare-value",
    level: "safe",
    cost: 2,
    fits: "snug",
    maxRest: 1,
    propose(value: JsonValue, want: Want): Proposals {
      if (want.place.depth > 0 || value === null || isJsonObject(value)) return [];
      return want.node.of("object").flatMap((variant) => asOnlyField(value, variant, want));
    },
  },
  {
    name: "unwrap-array",
    level: "safe",
    cost: 2,
    fits: "known",
    unpacks: true,
    propose(value: JsonValue, { node }: Want): Proposals {
      const item = onlyItem(value);
      if (item === null || (typeof item !== "object" && freeTexts(node).length > 0)) return [];
      const isMisplaced = isJsonObject(item) && node.of("object").length === 0;
      return isMisplaced ? [] : one(item, "the only element of a list, wanted by itself");
    },
  },
  {
    name: "unwrap-envelope",
    level: "safe",
    cost: 2,
    fits: "known",
    unpacks: true,
    propose(value: JsonValue, want: Want): Proposals {
      if (!isJsonObject(value)) return [];
      const inner = contentOf(value, want);
      return inner === null ? [] : one(inner, "it stands in an envelope that is not declared");
    },
  },
  {
    name: "list-from-numbered-keys",
    level: "safe",
    cost: 2,
    fits: "snug",
    propose(value: JsonValue, { node }: Want): Proposals {
      if (!isJsonObject(value) || node.of("array").length === 0) return [];
      const keys = Object.keys(value);
      const isNumbered = keys.length > 0 && keys.every((key, index) => key === String(index));
      if (!isNumbered) return [];
      return one(Object.values(value) as JsonValue[], "the keys are positions from 0 on");
    },
  },
  {
    name: "split-choices",
    level: "safe",
    cost: 2,
    propose(value: JsonValue, want: Want): Proposals {
      if (typeof value !== "string" || opensContainer(value)) return [];
      const choices = want.node.of("array").flatMap(({ itemAt }) => {
        const item = itemAt(0);
        return item === undefined ? [] : choicesOf(item);
      });
      if (choices.length === 0) return [];
      const parts = choicesIn(value, (part) => sameChoice(part, choices) !== undefined);
      return one(parts, "every part is one of the choices");
    },
  },
  {
    name: "split-text",
    level: "eager",
    cost: 3,
    propose(value: JsonValue, want: Want): Proposals {
      if (typeof value !== "string" || opensContainer(value)) return [];
      if (want.node.of("array").length === 0) return [];
      return one(listParts(value, want), "a plain list, parted by one sign");
    },
  },
  {
    name: "correct-choice",
    level: "eager",
    cost: 3,
    isAsked: true,
    propose(value: JsonValue, { node }: Want): Proposals {
      if (typeof value !== "string" || value.length > MAX_WORD) return [];
      const near = nearChoice(value, choicesOf(node));
      return near === undefined ? [] : [near];
    },
  },
  {
    name: "unwrap-text",
    level: "eager",
    cost: 3,
    maxRest: 1,
    unpacks: true,
    propose(value: JsonValue, { node }: Want): Proposals {
      const item = onlyItem(value);
      if (item === null || typeof item === "object" || freeTexts(node).length === 0) return [];
      const wantsList = freeTexts(node).some(({ description }) =>
        stemsOf(description.slice(0, 900)).some((word) => LIST_TEXTS.has(word)),
      );
      return wantsList ? [] : one(item, "the only element of a list, wanted by itself");
    },
  },
] as const;

function one(after: JsonValue | undefined, why?: string): Proposals {
  return after === undefined ? [] : [{ after, why }];
}

function leftOut(why: string): Proposals {
  return [{ after: undefined, why }];
}

/** Text without the one pair of quotes around it. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  const [first = ""] = trimmed;
  const isQuoted = trimmed.length > 1 && trimmed.endsWith(first) && `"'\``.includes(first);
  return isQuoted ? trimmed.slice(1, -1).trim() : trimmed;
}

/** Text that begins and ends as JSON, a tuple or a quoted text does. */
const PACKED = /^\s*(?:\[.*\]|\{.*\}|\(.*\)|(["'`]).*\1)\s*$/s;

function freeTexts(node: SchemaNode): readonly Variant[] {
  return node.of("string").filter(({ values }) => values === undefined);
}

/** The only element of a list; null for no such thing. */
function onlyItem(value: JsonValue): JsonValue {
  return Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : null;
}

/** What a format or pattern takes of a text: without spaces, one pair of quotes or angle brackets. */
function cleaned(text: string, node: SchemaNode): string | undefined {
  const trimmed = text.trim();
  if (trimmed !== text && node.accepts(trimmed)) return trimmed;
  const ways = new Set([unquoted(trimmed), trimmed.replace(/^<([^<>\s]*)>$/, "$1")]);
  const taken = [...ways].filter((way) => way !== trimmed && way !== "" && node.accepts(way));
  return taken.length === 1 ? taken[0] : undefined;
}

/** Whether a text can only mean that nothing is given. "none" may be meant where there are choices. */
function isAbsent(text: string, node: SchemaNode): boolean {
  const word = text.slice(0, MAX_WORD).trim().toLowerCase();
  if (text.length >= MAX_WORD) return false;
  if (["", "null", "undefined"].includes(word)) return true;
  const isChoice = node.variants().some(({ values }) => values !== undefined);
  return word === "none" && !isChoice && isEmptyDefault(node.default);
}

function isEmptyDefault(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === "";
}

/**
 * Whether the field's or the tool's description gives a meaning to nothing, as "null clears it".
 * Where nothing is the default, leaving out means the same.
 */
function asksForNothing({ node, run }: Want): boolean {
  const { default: value } = node;
  // To leave out a flag that is on by default is to set it: it may be a consent.
  if (value === true) return true;
  if (value === null || (typeof value === "string" && isNothing(value))) return false;
  const said = [run.toolDescription, ...node.variants().map(({ description }) => description)];
  return said.some(namesNothing);
}

function takesNoKeys({ keyAt }: Variant): boolean {
  return keyAt("_") === undefined;
}

/** A bare value as the only field that is required, or that there is. */
function asOnlyField(value: JsonValue, variant: Variant, { run }: Want): Proposals {
  const { properties, required } = variant;
  const [name, ...others] = required.size > 0 ? required : properties.keys();
  const node = name === undefined ? undefined : properties.get(name);
  if (name === undefined || node === undefined || others.length > 0) return [];
  if (Array.isArray(value) && node.of("array").length === 0) return [];
  if (typeof value !== "string") return one({ [name]: value });
  const description = node.variants()[0]?.description ?? "";
  const field = { name, description, keys: [...properties.keys()], toolName: run.toolName };
  const text = run.bareText === "string" ? value : unquoted(value);
  if (run.bareText === "none" || !isWholeText(text, field)) return [];
  const isShown = run.bareText === "string" || showsForm(text, field);
  return isShown ? one({ [name]: text.trim() }) : [];
}
