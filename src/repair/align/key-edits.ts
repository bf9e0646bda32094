import { isJsonObject, jsonEquals, ownAt } from "../json.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import { declaredNames } from "../schema/part.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { foldName, inFull, isSameName, quoted, slipOf, stemOf, stemsOf, wordsOf } from "./names.ts";
import { edit, type KeyEdit, type KeyWant } from "./types.ts";
import {
  formatOf,
  formOf,
  hasForm,
  headOf,
  isNoArguments,
  isNothing,
  NAME_KEYS,
  namesForm,
  PLACEHOLDERS,
  QUALIFIERS,
  REMARKS,
} from "./vocabulary.ts";
import { fitsAt, opensContainer } from "./written-values.ts";

/** A longer key is no name. */
const MAX_NAME = 100;

/** The edits of an object's keys, the surest first; they are tried in this order. */
export const keyEdits: readonly KeyEdit[] = [
  edit("respell-key", "safe", { cost: 1, isForIgnored: true }, (want) =>
    pairKeys(want, (key, name) => (foldName(key) === foldName(name) ? "" : undefined)).filter(
      ({ from, to }) => isSameName(from, to, typeof want.object[from] === "string"),
    ),
  ),
  edit("nest-keys", "safe", { cost: 2 }, (want) => {
    const whole = nested(want);
    return whole === undefined ? [] : [{ whole, why: "each part of the key is declared" }];
  }),
  edit("correct-key", "eager", { cost: 3, isForIgnored: true }, (want) =>
    pairKeys(want, (key, name) => whyMisspelt(key, name, want)),
  ),
  edit("rename-only-key", "eager", { cost: 4 }, (want) => {
    const [[from, ...others], [to, ...more]] = [want.unknown, want.missing];
    if (from === undefined || to === undefined || others.length + more.length > 0) return [];
    const why = mayBeMeantFor(from, to, want) ? evidenceFor(from, to, want) : undefined;
    return why === undefined ? [] : [{ from, to, why }];
  }),
  edit("gather-keys", "eager", { cost: 4 }, (want) => {
    const { object, unknown, missing, variant } = want;
    const [to, ...more] = missing;
    // A key alone may be another thing's: a `name` is not the author's.
    if (to === undefined || more.length > 0 || unknown.length < 2) return [];
    const isHeld = (name: string, keys: "some" | "every") =>
      (variant.properties.get(name)?.of("object") ?? []).some(({ properties }) =>
        unknown[keys]((key) => properties.has(key)),
      );
    const others = [...variant.properties.keys()].filter((name) => name !== to);
    if (!isHeld(to, "every") || others.some((name) => isHeld(name, "some"))) return [];
    const beside = Object.entries(object).filter(([key]) => !unknown.includes(key));
    const inside = Object.fromEntries(unknown.map((key) => [key, object[key]])) as JsonObject;
    const whole = { ...Object.fromEntries(beside), [to]: inside };
    return [{ whole, why: `only ${quoted(to)} declares these keys` }];
  }),
  edit("fill-default", "eager", { cost: 4 }, (want) => {
    const { object, variant, missing } = want;
    const areDeclared = Object.entries(object).every(([key, value]) => {
      const node = variant.keyAt(key);
      return node !== undefined && fitsAt(value as JsonValue, node, "snug");
    });
    const why = "the schema declares it, and nothing else was written";
    return missing.flatMap((to) => {
      const value = variant.properties.get(to)?.default;
      const isFilledIn = areDeclared && value !== undefined && mayBeFilledIn(value, to, want);
      return isFilledIn ? [{ to, value: structuredClone(value), why }] : [];
    });
  }),
  edit("drop-key", "safe", { cost: 2, isForIgnored: true }, (want) => {
    const { object, unknown, variant, node, place, run } = want;
    if (place.path === "" && node.of("object").length === 1 && variant.properties.size === 0) {
      return unknown
        .filter((key) => {
          const value = object[key] as JsonValue;
          const isNamed = PLACEHOLDERS.test(key) && typeof value === "string";
          return isNoArguments(value) || (isNamed && PLACEHOLDERS.test(value));
        })
        .map((from) => ({ from, why: "the tool takes no arguments" }));
    }
    const { drops, strays } = run.undeclared;
    if (!variant.closed || !drops || strays !== undefined) return [];
    const dropped = unknown
      .map((from) => ({ from, why: whyDropped(from, want) }))
      .filter(({ why }) => why !== undefined);
    return dropped.length === Object.keys(object).length ? [] : dropped;
  }),
];

/** Whether a default may be filled in: no consent, and no constant, which is a tag. */
function mayBeFilledIn(value: JsonValue, key: string, { variant }: KeyWant): boolean {
  const variants = variant.properties.get(key)?.variants() ?? [];
  return (
    !JSON.stringify(value).includes("true") && variants.every(({ values }) => values?.length !== 1)
  );
}

/** Why a key differs from the intended one: a slip, or a piece of JSON after its quote. */
function whyMisspelt(key: string, name: string, { run }: KeyWant): string | undefined {
  const [start = "", ...rest] = key.split('"');
  if (rest.length > 0 && isSameName(start, name)) return "a piece of JSON is stuck to it";
  return slipOf(key, name, !run.isForHints);
}

/** Pairs each undeclared key with the only absent key like it, if no other key resembles that. */
function pairKeys(
  { unknown, absent, object, variant, costAt }: KeyWant,
  whyAlike: (key: string, name: string) => string | undefined,
) {
  const pairs = unknown.flatMap((from) => {
    const names = from.length > MAX_NAME ? [] : [...variant.properties.keys()];
    const alike = names.flatMap((to) => {
      const why = whyAlike(from, to);
      return why === undefined ? [] : [{ from, to, why }];
    });
    return alike.length === 1 ? alike : [];
  });
  return pairs.filter(
    ({ from, to }) =>
      absent.includes(to) &&
      pairs.filter((other) => other.to === to).length === 1 &&
      costAt(object[from] as JsonValue, to) !== undefined,
  );
}

/** The object with each `outer.inner` moved into the object at `outer`, if that declares it. */
function nested({ unknown, missing, object, variant }: KeyWant): JsonObject | undefined {
  let whole: JsonObject | undefined = object;
  for (const key of unknown) {
    const path = key.length > MAX_NAME ? [] : key.split(".");
    // If other keys are allowed, only a missing one shows that the key is not meant literally.
    const isWanted = variant.closed || missing.includes(path[0] ?? "");
    const { [key]: value = null, ...rest }: JsonObject = whole ?? {};
    whole = isWanted && path.length > 1 ? insert(rest, path, value, variant) : undefined;
    if (whole === undefined) return undefined;
  }
  return unknown.length === 0 ? undefined : whole;
}

/** An object with a value put at keys inside it that are declared and still absent. */
function insert(
  holder: JsonValue,
  [key = "", ...inner]: readonly string[],
  value: JsonValue,
  variant: Variant | undefined,
): JsonObject | undefined {
  const node = variant?.properties.get(key);
  if (node === undefined || !isJsonObject(holder)) return undefined;
  const held = ownAt(holder, key);
  if (inner.length === 0) return held === undefined ? { ...holder, [key]: value } : undefined;
  const inside = node.of("object").find(({ properties }) => properties.has(inner[0] ?? ""));
  const after = insert(held ?? {}, inner, value, inside);
  return after && { ...holder, [key]: after };
}

/** Flags and amounts can be recognized only by the name. */
const isFigure = (value: JsonValue) => typeof value === "number" || typeof value === "boolean";

const sharesStem = (one: string, other: string): boolean =>
  stemsOf(one).some((word) => stemsOf(other).includes(word));

/** Whether a name has no sign that may carry meaning (`amount>=`), and no word twice: `great_great_aunt`. */
function isPlainName(name: string): boolean {
  return (
    /^[\p{L}_](?:[\p{L}\p{M}\p{N}\s_.]|(?<=\p{L}|\p{N})-(?=\p{L}|\p{N})){0,99}$/u.test(name) &&
    new Set(wordsOf(name)).size === wordsOf(name).length
  );
}

/** Whether a value may stand at a key, with no other meaning possible. */
function mayBeMeantFor(from: string, to: string, want: KeyWant): boolean {
  const { object, variant, absent, costAt } = want;
  const value = object[from] ?? null;
  const node = variant.properties.get(to);
  if (![from, to].every(isPlainName) || node === undefined || node.default !== undefined)
    return false;
  if (isNothing(value) || (costAt(value, to) ?? 2) > 1 || !fitsAt(value, node, "known"))
    return false;
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  if (keys.some((key) => variant.properties.has(key))) return false;
  const others = absent.filter((name) => name !== to);
  return !others.some((name) => slipOf(from, name, false) !== undefined || sharesStem(name, from));
}

/** The evidence for a rename: a shared word, the description, or the format that both names say. */
function evidenceFor(from: string, to: string, want: KeyWant): string | undefined {
  const { object, variant } = want;
  const value = object[from] as JsonValue;
  const others = [...variant.properties].filter(([name]) => name !== to);
  // The word that makes two names one is no other field's.
  const word = stemsOf(from).find(
    (each) => stemsOf(to).includes(each) && !others.some(([name]) => stemsOf(name).includes(each)),
  );
  const isRespelt = foldName(from) === foldName(to);
  if (word !== undefined && !isRespelt && isOneThing(from, to, value, want)) {
    return `the names share ${quoted(word)}`;
  }
  const node = variant.properties.get(to);
  const isClear = !isFigure(value) && !others.some(([name]) => sharesStem(name, from));
  if (node === undefined || !isClear) return undefined;
  const isOf = (one: SchemaNode) => isDescribedBy(one, from, value, want.run.toolName);
  if (isOf(node) && !others.some(([, other]) => isOf(other))) {
    return `the description of ${quoted(to)} speaks of it`;
  }
  const keys = isJsonObject(value) && !sharesStem(from, to) ? Object.keys(value) : [];
  const declares = ([, other]: readonly [string, SchemaNode]) =>
    other.of("object").some(({ keyAt }) => keys.some((key) => keyAt(key) !== undefined));
  if (declares([to, node]) && !others.some(declares)) return `only ${quoted(to)} declares its keys`;
  const format = typeof value === "string" ? formatOf(value) : undefined;
  const names = [...stemsOf(from), ...stemsOf(to)];
  const isNamed = format !== undefined && names.every((each) => format.words.has(each));
  return isNamed ? "both names say what format the text has" : undefined;
}

/** Whether names share a word, and what one adds is a form of the value, or the tool's: no `product_id` for `product`. */
function isOneThing(from: string, to: string, value: JsonValue, want: KeyWant): boolean {
  const [full, wanted] = [inFull(from).split(" "), inFull(to).split(" ")];
  if (!isPlainName(from) || (isFigure(value) && full.join() !== wanted.join())) return false;
  // A text at a plural may name several things.
  const isPlural = full.some((word) => !wanted.includes(word) && wanted.includes(stemOf(word)));
  const names = [stemsOf(from), stemsOf(to)] as const;
  const [shorter, longer] = names[0].length < names[1].length ? names : names.toReversed();
  // The shared words in one order: `no_loan` is no `loan_no`.
  const isWithin = longer?.filter((word) => shorter?.includes(word)).join() === shorter?.join();
  if (!longer || !shorter || !isWithin || (isPlural && typeof value === "string")) return false;
  // In a longer name of a tool, words distinguish things; a description says which thing it is.
  const isSaid = want.variant.properties
    .get(to)
    ?.variants()
    .some((one) => one.description !== "");
  const tool = wordsOf(want.run.toolName);
  const ofTool = isSaid || tool.length > 3 ? [] : tool.map(stemOf);
  const areForms = shorter.every((word) => formOf(word) !== undefined);
  const isThing = shorter.some((word) => formOf(word)?.isFormat || !formOf(word)?.isTyped);
  const last = longer.findLastIndex((word) => shorter.includes(word));
  return longer.every((word, at) => {
    const form = formOf(word);
    if (shorter.includes(word) || (areForms && QUALIFIERS.has(word))) return true;
    if (!namesForm(word)) return ofTool.includes(word);
    const isMore = longer === names[0] && form?.isTyped === true;
    const isSame = shorter.every((each) => form?.words.has(each));
    // Before a noun it says which one: a `reply_to` is no `to`.
    return !isMore && (isSame || (isThing && at > last)) && hasForm(value, word);
  });
}

/** Whether a description begins with the key's words, or calls the field a form of them that the value has. */
function isDescribedBy(node: SchemaNode, key: string, value: JsonValue, toolName: string): boolean {
  const name = wordsOf(key).join(" ");
  return node.variants().some(({ description }) => {
    const [, first = "", thing = "", aim] = headOf(description.slice(0, 500).toLowerCase()) ?? [];
    // "to click" for a tool that clicks, not "to exclude".
    if (aim !== undefined && !wordsOf(toolName).includes(aim)) return false;
    const form = formOf(stemOf(first));
    if (first === name)
      return (
        form === undefined || ((form.isFormat || !form.isTyped) && hasForm(value, stemOf(first)))
      );
    // "Name of the player" is a `player`, or a `player_name`.
    const named = wordsOf(key).filter((one) => !form?.words.has(one));
    return form?.isContent !== true && hasForm(value, stemOf(first)) && thing === named.join(" ");
  });
}

/** Why a forbidden key asks for nothing; `undefined` if it may ask for something. */
function whyDropped(key: string, want: KeyWant): string | undefined {
  const { object, variant, node, absent, run } = want;
  const value = object[key] as JsonValue;
  const isDeclared = node.of("object").some(({ properties }) => properties.has(key));
  if (isDeclared || declaredNames(run.schema.jsonSchema).has(key)) return undefined;
  if (value === null) return "nothing stands there";
  const folded = foldName(key);
  const isWithin = (name: string) => folded.includes(name) || name.includes(folded);
  const isNear = (name: string) => slipOf(key, name, false) || isWithin(foldName(name));
  if (absent.some(isNear)) return undefined;
  if (typeof value === "string" && value.trim() === "") return "nothing stands there";
  const repeats = [...variant.properties.keys()].some(
    (name) =>
      Object.hasOwn(object, name) &&
      jsonEquals(object[name], value) &&
      (isSameName(name, key) || isOneThing(key, name, value, want)),
  );
  if (repeats) return "a declared key says the same";
  if (typeof value !== "string") return undefined;
  if (NAME_KEYS.has(folded) && foldName(value) === foldName(run.toolName)) {
    return "it names the tool that is called";
  }
  return REMARKS.test(key) && !opensContainer(value) ? "a remark is no argument" : undefined;
}
