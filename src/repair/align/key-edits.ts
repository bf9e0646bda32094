import { isJsonObject, jsonEquals, ownAt } from "../json.ts";
import type { SchemaNode } from "../schema/node.ts";
import { declaredNames } from "../schema/part.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { foldName, inFull, isSameName, quoted, slipOf, stemOf, stemsOf, wordsOf } from "./names.ts";
import { edit, type KeyEdit, type KeyWant } from "./types.ts";
import {
  formAndThing,
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
import { fitsAt, opensContainer } from "./written-values.ts";

/** A longer key is no name. */
const MAX_NAME = 100;
/** A key with more parts is no path to a declared place. */
const MAX_PARTS = 8;

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
    const [inside, beside] = [true, false].map((isInside) =>
      Object.entries(object).filter(([key]) => unknown.includes(key) === isInside),
    );
    const whole = Object.fromEntries([...(beside ?? []), [to, Object.fromEntries(inside ?? [])]]);
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
  return value !== true && variants.every(({ values }) => values?.length !== 1);
}

/** Why a key differs from the intended one: a slip, or a piece of JSON after its quote. */
function whyMisspelt(key: string, name: string, { object, run }: KeyWant): string | undefined {
  const [start = "", ...rest] = key.split('"');
  if (rest.length > 0 && isSameName(start, name)) return "a piece of JSON is stuck to it";
  const slip = slipOf(key, name, false);
  // A word twice may be a degree (`great_great_aunt`), unless it is short and only distinguishes the
  // name from one beside it: `to_to_unit` beside `from_unit`.
  const isShort = /(?:^|_)(\p{L}{1,2})_\1_/u.test(key);
  const isSure =
    slip === "one doubled word" && isShort && Object.keys(object).some((one) => isPair(name, one));
  return isSure ? slip : slipOf(key, name, !run.isForHints);
}

/** Whether two names of several words differ in one of them. */
function isPair(one: string, other: string): boolean {
  const [ones, others] = [wordsOf(one), wordsOf(other)];
  const differing = ones.filter((word, at) => word !== others[at]);
  return ones.length === others.length && ones.length > 1 && differing.length === 1;
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
  let whole = object;
  for (const key of unknown) {
    const [outer = "", ...inner] = key.split(".", MAX_PARTS + 1);
    const node = variant.properties.get(outer);
    // If other keys are allowed, only a missing one shows that the key is not meant literally.
    const isWanted = variant.closed || missing.includes(outer);
    if (!isWanted || inner.length === 0 || inner.length >= MAX_PARTS) return undefined;
    const { [key]: value = null, ...rest } = whole;
    const held = insert(ownAt(rest, outer) ?? {}, inner, value, node);
    if (held === undefined) return undefined;
    whole = { ...rest, [outer]: held };
  }
  return unknown.length === 0 ? undefined : whole;
}

/** An object with a value put at keys inside it that are declared and still absent. */
function insert(
  holder: JsonValue,
  [key = "", ...inner]: readonly string[],
  value: JsonValue,
  node: SchemaNode | undefined,
): JsonObject | undefined {
  const declared = node?.of("object").find(({ properties }) => properties.has(key));
  if (declared === undefined || !isJsonObject(holder)) return undefined;
  const held = ownAt(holder, key);
  if (inner.length === 0) return held === undefined ? { ...holder, [key]: value } : undefined;
  const after = insert(held ?? {}, inner, value, declared.properties.get(key));
  return after && { ...holder, [key]: after };
}

/** Flags and amounts can be recognized only by the name. */
const isFigure = (value: JsonValue) => typeof value === "number" || typeof value === "boolean";

const sharesStem = (one: string, other: string): boolean =>
  stemsOf(one).some((word) => stemsOf(other).includes(word));

/** Whether a name has no sign that may carry meaning (`amount>=`), and no word twice: `great_great_aunt`. */
function isPlainName(name: string): boolean {
  return (
    /^[\p{L}_][\p{L}\p{M}\p{N}\s_.-]{0,99}(?<!-)$/u.test(name) &&
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
  // A field whose name is only a form has no other side, as "city to avoid" has.
  const isMere = stemsOf(to).every((each) => formOf(each) !== undefined);
  const isOnlyOne =
    isFormOf(node, from, value, want.run.toolName) &&
    !others.some(([, other]) => speaksOf(other, from));
  if (isMere && isOnlyOne) return `the description of ${quoted(to)} speaks of it`;
  const format = typeof value === "string" ? formatOf(value) : undefined;
  const names = [...stemsOf(from), ...stemsOf(to)];
  const isNamed = format !== undefined && names.every((each) => format.words.has(each));
  return isNamed ? "both names say what format the text has" : undefined;
}

/** Whether names share a word, and the rest of either is a form of the value or the tool's word. */
function isOneThing(from: string, to: string, value: JsonValue, want: KeyWant): boolean {
  if (!isPlainName(from) || (isFigure(value) && inFull(from) !== inFull(to))) return false;
  // A text of several words may name several things.
  const [full, wanted] = [inFull(from).split(" "), inFull(to).split(" ")];
  const isPlural = (word: string) => !wanted.includes(word) && wanted.includes(stemOf(word));
  if (typeof value === "string" && full.some(isPlural)) return false;
  const [written, declared] = [stemsOf(from), stemsOf(to)];
  const longer = written.length > declared.length ? written : declared;
  const shared = written.filter((word) => declared.includes(word));
  const fewest = Math.min(written.length, declared.length);
  if (shared.length === 0 || shared.length < fewest) return false;
  // `no_loan` is no `loan_no`.
  if (declared.filter((word) => shared.includes(word)).join() !== shared.join()) return false;
  // A verb and a noun: in a longer name of a tool, its words distinguish things
  // (`swap_left_and_right`).
  const { toolName } = want.run;
  const node = want.variant.properties.get(to);
  const isSaid = node?.variants().some(({ description }) => description !== "");
  const ofTool = isSaid || wordsOf(toolName).length > 2 ? [] : stemsOf(toolName);
  const areForms = shared.every((word) => formOf(word) !== undefined);
  const isOther = !areForms && typeof value === "string" && formatOf(value) !== undefined;
  // A `query_text` is a query; an `email_body` is no address, and a `message_summary` no message.
  const showsForms = shared.every(
    (word) => formOf(word)?.isContent !== true && hasForm(value, word),
  );
  const last = longer.findLastIndex((word) => shared.includes(word));
  return longer.every((word, at) => {
    // A `page_url` is a `url` in `open_page`; a `user_password` is no `user` in `reset_password`.
    const isOfTool = at < last && ofTool.includes(word) && !namesForm(word);
    if (shared.includes(word) || isOfTool || (areForms && QUALIFIERS.has(word))) return true;
    const form = formOf(word);
    if ((form?.isContent === true && !showsForms) || !hasForm(value, word)) return false;
    if (at > last) return longer === declared || (form?.isProse === true && !isOther);
    // Before a noun it says which one, unless it says the same: a `file_path` is a `path`. Numbers
    // of all kinds are one form, and no two of them the same.
    const isOneKind = form?.isFormat === true || form?.isTyped !== true;
    return isOneKind && form?.words.has(longer[last] ?? "") === true;
  });
}

/** Whether a description calls the field a form of the key's thing, and the value has that form. */
function isFormOf(node: SchemaNode, key: string, value: JsonValue, toolName: string): boolean {
  return node.variants().some(({ description }) => {
    const [, form = "", thing = "", aim] = formAndThing(description.slice(0, 500)) ?? [];
    // "to click" for a tool that clicks, not "to exclude".
    if (aim !== undefined && !wordsOf(toolName).includes(aim)) return false;
    const word = stemOf(form.toLowerCase());
    const isForm = formOf(word)?.isContent !== true && hasForm(value, word);
    // "Name of the player" is a `player`, or a `player_name`.
    const named = wordsOf(key).filter((one) => !formOf(word)?.words.has(one));
    return isForm && thing.toLowerCase() === named.join(" ");
  });
}

/** Whether a description mentions a key anywhere. */
const speaksOf = (node: SchemaNode | undefined, key: string): boolean =>
  (node?.variants() ?? []).some(({ description }) => {
    const said = stemsOf(description.slice(0, 500));
    return stemsOf(key).every((word) => said.includes(word));
  });

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
