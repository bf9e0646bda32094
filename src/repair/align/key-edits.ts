import { isJsonObject, jsonEquals } from "../json/json-value.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import { declaredNames } from "../schema/part.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { opensContainer } from "./envelope.ts";
import { fitsAt } from "./fits.ts";
import { foldName, inFull, isSameName, quoted, slipOf, stemOf, stemsOf, wordsOf } from "./names.ts";
import type { KeyChange, KeyWant } from "./types.ts";
import {
  FORM_OF,
  type Form,
  formatOf,
  formOf,
  hasForm,
  isNoArguments,
  isNothing,
  NAME_KEYS,
  namesForm,
  PLACEHOLDERS,
  QUALIFIERS,
  REMARKS,
} from "./vocabulary.ts";

type Changes = readonly KeyChange[];

/** A name without a sign that may carry meaning: `amount>=`. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{M}\p{N}\s_.-]*$/u;
/** A longer key is no name. */
const MAX_NAME = 100;
/** More keys that spell out paths are not looked at. */
const MAX_PATHS = 50;

/** The edits of an object's keys, the surest first; they are tried in this order. */
export const keyEdits = [
  {
    name: "respell-key",
    level: "safe",
    cost: 1,
    isForIgnored: true,
    propose: (want: KeyWant): Changes =>
      pairKeys(want, (key, name) => foldName(key) === foldName(name))
        .filter(([key, name]) => isSameName(key, name, typeof want.object[key] === "string"))
        .map(([rename, to]) => ({ rename, to })),
  },
  {
    name: "nest-keys",
    level: "safe",
    cost: 2,
    propose(want: KeyWant): Changes {
      const whole = nested(want);
      return whole === undefined ? [] : [{ whole, why: "each part of the key is declared" }];
    },
  },
  {
    name: "correct-key",
    level: "eager",
    cost: 3,
    isForIgnored: true,
    propose: (want: KeyWant): Changes =>
      pairKeys(want, (key, name) => whyMisspelt(key, name, want) !== undefined).map(
        ([rename, to]) => ({ rename, to, why: whyMisspelt(rename, to, want) }),
      ),
  },
  {
    name: "rename-only-key",
    level: "eager",
    cost: 4,
    propose(want: KeyWant): Changes {
      const { unknown, missing } = want;
      const [[from, ...others], [to, ...more]] = [unknown, missing];
      if (from === undefined || to === undefined || others.length + more.length > 0) return [];
      const why = mayBeMeantFor(from, to, want) ? evidenceFor(from, to, want) : undefined;
      return why === undefined ? [] : [{ rename: from, to, why }];
    },
  },
  {
    name: "fill-default",
    level: "eager",
    cost: 4,
    propose({ object, variant, missing, run }: KeyWant): Changes {
      const isDeclared = Object.entries(object).every(([key, value]) => {
        const node = variant.keyAt(key);
        return node !== undefined && fitsAt(value as JsonValue, node, "snug");
      });
      const why = "the schema declares it, and nothing else was written";
      return missing.flatMap((fill) => {
        const node = variant.properties.get(fill);
        const value = node?.default;
        if (!isDeclared || node === undefined || value === undefined) return [];
        return decidesNothing(value, node, fill, run.toolName)
          ? [{ fill, value: structuredClone(value), why }]
          : [];
      });
    },
  },
  {
    name: "drop-key",
    level: "safe",
    cost: 2,
    isForIgnored: true,
    propose(want: KeyWant): Changes {
      const { object, unknown, variant, branches, place, run } = want;
      if (place.path === "" && branches.length === 1 && variant.properties.size === 0) {
        return unknown
          .filter((key) => isNoArgument(key, object[key] as JsonValue))
          .map((drop) => ({ drop, why: "the tool takes no arguments" }));
      }
      const { drops, strays } = run.undeclared;
      if (!variant.closed || !drops || strays !== undefined) return [];
      const dropped = unknown.flatMap((drop) => {
        const why = whyDropped(drop, want);
        return why === undefined ? [] : [{ drop, why }];
      });
      return dropped.length === Object.keys(object).length ? [] : dropped;
    },
  },
] as const;

/**
 * Whether a default decides nothing for the model: a number, `false`, an empty value, or "all". A
 * text may be a consent, and so may a value that is the only one or one of a choice.
 */
function decidesNothing(
  value: JsonValue,
  node: SchemaNode,
  key: string,
  toolName: string,
): boolean {
  if (node.variants().some(({ values }) => values !== undefined)) return false;
  if (typeof value === "string") {
    const [all, ...of] = stemsOf(value);
    return (
      all === "all" &&
      of.every((word) => stemsOf(key).includes(word)) &&
      wordsOf(toolName).includes("get")
    );
  }
  if (value !== null && typeof value === "object") return Object.keys(value).length === 0;
  return value !== true;
}

/** Why a key differs from the intended one: a slip, or a piece of JSON after its quote. */
function whyMisspelt(key: string, name: string, { object, run }: KeyWant): string | undefined {
  const [start = "", ...rest] = key.split('"');
  const isStuck = rest.length > 0 && isSameName(start, name);
  if (isStuck) return "a piece of JSON is stuck to it";
  const slip = slipOf(key, name, false);
  // A word twice may be a degree (`great_great_aunt`), unless it only distinguishes the name from
  // one beside it: `to_to_unit` beside `from_unit`.
  const isSure =
    slip === "one doubled word" && Object.keys(object).some((beside) => isPair(name, beside));
  return isSure ? slip : slipOf(key, name, !run.isForHints);
}

/** Whether two names differ in one word only. */
function isPair(one: string, other: string): boolean {
  const [ones, others] = [wordsOf(one), wordsOf(other)];
  return (
    ones.length === others.length &&
    ones.length > 1 &&
    ones.filter((word, at) => word !== others[at]).length === 1
  );
}

/** Pairs each undeclared key with the only absent key like it, if no other key resembles that. */
function pairKeys(
  { unknown, absent, object, variant, costAt }: KeyWant,
  isLike: (key: string, name: string) => boolean,
): [string, string][] {
  const names = [...variant.properties.keys()];
  const pairs = unknown.flatMap((key): [string, string][] => {
    if (key.length > MAX_NAME) return [];
    const [to, ...others] = names.filter((name) => isLike(key, name));
    return to === undefined || others.length > 0 || !absent.includes(to) ? [] : [[key, to]];
  });
  return pairs.filter(
    ([from, to]) =>
      pairs.filter(([, other]) => other === to).length === 1 &&
      costAt(object[from] as JsonValue, to) !== undefined,
  );
}

/** The object, with keys that spell out a path turned into nested objects. */
function nested({ unknown, missing, object, variant }: KeyWant): JsonObject | undefined {
  const paths = unknown.map((key) => key.replace(/\[([^[\]]*)\]/g, ".$1").split("."));
  // Any other key may belong to the same object.
  const areAll = paths.length > 0 && paths.every((path) => path.length > 1);
  if (!areAll || paths.length > MAX_PATHS) return undefined;
  // If other keys are allowed, only missing ones show that these are not meant literally.
  const isMissed = (path: readonly string[]) => missing.includes(path[0] ?? "");
  if (!variant.closed && !paths.every(isMissed)) return undefined;
  const whole = structuredClone(object) as { [key: string]: JsonValue };
  for (const [nth, path] of paths.entries()) {
    const key = unknown[nth] ?? "";
    if (!isDeclaredPath(path, variant)) return undefined;
    let at = whole;
    for (const part of path.slice(0, -1)) {
      if (!Object.hasOwn(at, part)) at[part] = {};
      const inner = at[part];
      if (inner === undefined || !isJsonObject(inner)) return undefined;
      at = inner as typeof whole;
    }
    const last = path.at(-1) ?? "";
    if (Object.hasOwn(at, last)) return undefined;
    at[last] = object[key] as JsonValue;
    delete whole[key];
  }
  return whole;
}

function isDeclaredPath([first = "", ...others]: readonly string[], variant: Variant): boolean {
  const node = variant.properties.get(first);
  if (node === undefined || others.length === 0) return node !== undefined;
  return node.of("object").some((inner) => isDeclaredPath(others, inner));
}

/** Whether a value may stand at a key, with no other meaning possible. */
function mayBeMeantFor(from: string, to: string, want: KeyWant): boolean {
  const { object, variant, absent, costAt } = want;
  const value = object[from] ?? null;
  const node = variant.properties.get(to);
  if (from.length > MAX_NAME || !PLAIN_NAME.test(from) || node === undefined) return false;
  if (new Set(wordsOf(from)).size < wordsOf(from).length) return false;
  if (value === null || (typeof value === "string" && isNothing(value))) return false;
  if (node.default !== undefined || (costAt(value, to) ?? 2) > 1) return false;
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  if (!fitsAt(value, node, "known") || keys.some((key) => variant.properties.has(key)))
    return false;
  const words = stemsOf(from);
  return !absent.some(
    (name) =>
      name !== to &&
      (slipOf(from, name, false) !== undefined ||
        stemsOf(name).some((word) => words.includes(word))),
  );
}

/**
 * The evidence that a key was meant for a field: a word that both names share, a description that
 * calls the field a form of the key's thing, or a format that both name.
 */
function evidenceFor(from: string, to: string, want: KeyWant): string | undefined {
  const value = want.object[from] as JsonValue;
  const word = sharedWord(from, to, value, want);
  if (word !== undefined) return `the names share ${quoted(word)}`;
  const node = want.variant.properties.get(to);
  // Flags and amounts can be recognized only by the name.
  if (node === undefined || typeof value === "number" || typeof value === "boolean") {
    return undefined;
  }
  const others = [...want.variant.properties].filter(([name]) => name !== to);
  if (others.some(([name]) => stemsOf(name).some((each) => stemsOf(from).includes(each)))) {
    return undefined;
  }
  // A field whose name is only a form has no other side, as "city to avoid" has.
  const isMere = stemsOf(to).every((word) => formOf(word) !== undefined);
  const isOnlyOne =
    isFormOf(node, from, value) && !others.some(([, other]) => speaksOf(other, from));
  if (isMere && isOnlyOne) return `the description of ${quoted(to)} speaks of it`;
  return nameFormat(from, to, value) ? "both names say what format the text has" : undefined;
}

/** The word that makes two names one, if no other field has it. */
function sharedWord(from: string, to: string, value: JsonValue, want: KeyWant): string | undefined {
  if (foldName(from) === foldName(to) || !isOneThing(from, to, value, want.run.toolName)) {
    return undefined;
  }
  const others = [...want.variant.properties.keys()].filter((name) => name !== to);
  const taken = new Set(others.flatMap(stemsOf));
  return stemsOf(from).find((word) => stemsOf(to).includes(word) && !taken.has(word));
}

/**
 * Whether two names share a word, and the rest of either is a form that the value has, or a word of
 * the tool's name. For a flag or an amount, the words must be equal.
 */
function isOneThing(from: string, to: string, value: JsonValue, toolName: string): boolean {
  const isAmount = typeof value === "number" || typeof value === "boolean";
  // Nothing but a word twice may be a degree: `great_great`.
  if (!PLAIN_NAME.test(from)) return false;
  if (isAmount && inFull(from) !== inFull(to)) return false;
  const [written, declared] = [stemsOf(from), stemsOf(to)];
  const longer = written.length > declared.length ? written : declared;
  const shared = written.filter((word) => declared.includes(word));
  if (shared.length === 0 || shared.length < Math.min(written.length, declared.length))
    return false;
  // A verb and a noun: in a longer name of a tool, its words distinguish things
  // (`swap_left_and_right`).
  const ofTool = new Set(wordsOf(toolName).length > 2 ? [] : stemsOf(toolName));
  const isPlace = (word: string) => ofTool.has(word) && !namesForm(word);
  // A `query_text` is a `query`; a `patient_note` is no `patient`.
  const isForm = shared.every((word) => formOf(word) !== undefined);
  const last = longer.findLastIndex((word) => shared.includes(word));
  return longer.every((word, at) => {
    if (shared.includes(word) || isPlace(word) || (isForm && QUALIFIERS.has(word))) return true;
    const form = formOf(word);
    if ((form?.isContent === true && !isForm) || !hasForm(value, word)) return false;
    // Before a noun it says which one, unless it says the same: a `file_path` is a `path`.
    if (at < last) return isAnotherWord(form, longer[last] ?? "");
    return longer === declared || form?.isTyped !== true;
  });
}

/** Whether a form is also called by a word. Numbers of all kinds are one form, and no two of them the same. */
function isAnotherWord(form: Form | undefined, word: string): boolean {
  const isOneKind = form?.isFormat === true || form?.isTyped !== true;
  return isOneKind && form?.words.has(word) === true;
}

/** Whether a description calls the field a form of the key's thing, and the value has that form. */
function isFormOf(node: SchemaNode, key: string, value: JsonValue): boolean {
  return node.variants().some(({ description }) => {
    const [, form = "", thing = ""] = FORM_OF.exec(description.slice(0, 500)) ?? [];
    const word = stemOf(form.toLowerCase());
    const isForm = formOf(word)?.isContent !== true && hasForm(value, word);
    return isForm && thing.toLowerCase() === wordsOf(key).join(" ");
  });
}

/** Whether a description mentions a key anywhere. */
const speaksOf = (node: SchemaNode, key: string): boolean =>
  node.variants().some(({ description }) => {
    const said = stemsOf(description.slice(0, 500));
    return stemsOf(key).every((word) => said.includes(word));
  });

function nameFormat(from: string, to: string, value: JsonValue): boolean {
  const form = typeof value === "string" ? formatOf(value) : undefined;
  const names = [...stemsOf(from), ...stemsOf(to)];
  return form !== undefined && names.every((word) => form.words.has(word));
}

/** Whether a key of a tool without arguments has an empty value, or a mere placeholder. */
function isNoArgument(key: string, value: JsonValue): boolean {
  if (value !== null && typeof value === "object") return Object.keys(value).length === 0;
  const isEmpty = value === null || (typeof value === "string" && isNoArguments(value));
  return isEmpty || (PLACEHOLDERS.test(key) && PLACEHOLDERS.test(String(value)));
}

/** Why a forbidden key asks for nothing; `undefined` if it may ask for something. */
function whyDropped(key: string, want: KeyWant): string | undefined {
  const { object, variant, branches, absent, run } = want;
  const value = object[key] as JsonValue;
  if (
    branches.some(({ properties }) => properties.has(key)) ||
    declaredNames(run.schema.jsonSchema).has(key)
  )
    return undefined;
  const folded = foldName(key);
  const isNear = absent.some(
    (name) =>
      slipOf(key, name, false) !== undefined ||
      folded.includes(foldName(name)) ||
      foldName(name).includes(folded),
  );
  if (value === null) return "nothing stands there";
  if (isNear) return undefined;
  if (typeof value === "string" && value.trim() === "") return "nothing stands there";
  const repeats = [...variant.properties.keys()].some(
    (name) =>
      Object.hasOwn(object, name) &&
      jsonEquals(object[name], value) &&
      (isSameName(name, key) || isOneThing(key, name, value, run.toolName)),
  );
  if (repeats) return "a declared key says the same";
  if (typeof value !== "string") return undefined;
  if (NAME_KEYS.has(folded) && foldName(value) === foldName(run.toolName)) {
    return "it names the tool that is called";
  }
  return REMARKS.test(key) && !opensContainer(value) ? "a remark is no argument" : undefined;
}
