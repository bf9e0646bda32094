import { toPointer } from "../../../json/json-pointer.ts";
import { jsonEquals } from "../../../json/json-value.ts";
import type { JsonObject, JsonValue, Repair } from "../../../types.ts";
import {
  absentKeys,
  holdsDeclared,
  isPacked,
  type Keyed,
  type KeyWant,
  undeclaredKeys,
  withoutKeys,
} from "../../keys.ts";
import {
  areOpposite,
  foldName,
  indexNames,
  isGeneric,
  isOperator,
  namesRole,
  wordsOf,
} from "../../names.ts";
import { DROPPED } from "../../reasons.ts";
import type { EditName } from "../edit.ts";
import { fitCost, type KeyStep } from "./key-step.ts";
import { saysOfCall } from "./says-of-call.ts";

/**
 * A key that the schema forbids and that asks for nothing: it is empty, repeats what stands at a
 * declared key, names the tool, or holds what the model thinks. All else may change what is meant.
 * Of a tool that takes no arguments, the placeholders that clients put in, wherever they stand.
 */
export const dropKey: KeyStep = {
  name: "drop-key",
  level: "safe",
  cost: 2,
  take(keyed, want) {
    const { object } = keyed;
    const unknown = undeclaredKeys(object, want.variant);
    if (takesNothing(want)) return drop(keyed, this, unknown, (key) => whyPlaceholder(key, object));
    if (!mayDrop(want)) return keyed;
    return drop(keyed, this, unknown, (key) => emptyReason(key, object, want));
  },
};

/**
 * A key that the schema forbids and whose text says why the call is made, where no declared field
 * that is free could be meant.
 */
export const dropRemark: KeyStep = {
  name: "drop-remark",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    if (!mayDrop(want) || takesNothing(want)) return keyed;
    const { object } = keyed;
    const isMeant = (key: string) =>
      want.branches.some(({ properties }) => properties.has(key)) ||
      want.run.declaredNames.has(foldName(key)) ||
      absentKeys(object, want.variant).some((name) => fitCost(object[key], name, want) === 0);
    return drop(keyed, this, undeclaredKeys(object, want.variant), (key) =>
      saysOfCall(key, object[key], want.run.toolName) !== "motive" ||
      mayBeMeant(key, object, want) ||
      isMeant(key)
        ? undefined
        : DROPPED.motive,
    );
  },
};

/** Whether keys may go for being forbidden: not where the schema has nothing against them. */
function mayDrop({ variant, run: { undeclared } }: KeyWant): boolean {
  return variant.closed && undeclared.drops && undeclared.strays === undefined;
}

/** Something declared must be left: what is dropped whole was not meant for this tool. */
function drop(
  keyed: Keyed,
  { name, level, cost }: EditName,
  unknown: readonly string[],
  reasonFor: (key: string) => string | undefined,
): Keyed {
  const { object } = keyed;
  const changes = unknown.flatMap<Repair>((key) => {
    const reason = reasonFor(key);
    const change = { fixer: name, path: toPointer([key]), before: object[key], after: undefined };
    return reason === undefined ? [] : [{ ...change, level, reason }];
  });
  const isWhole = changes.length === Object.keys(object).length;
  const isMeantFor = changes.every(({ reason }) => reason === DROPPED.placeholder);
  if (changes.length === 0 || (isWhole && !isMeantFor)) return keyed;
  const dropped = new Set(changes.map(({ path }) => path));
  return {
    object: withoutKeys(
      object,
      unknown.filter((key) => dropped.has(toPointer([key]))),
    ),
    cost: keyed.cost + cost * changes.length,
    changes: [...keyed.changes, ...changes],
  };
}

/** Why a key asks for nothing; `undefined` where it may ask for something. */
function emptyReason(key: string, object: JsonObject, want: KeyWant): string | undefined {
  const value = object[key] as JsonValue;
  if (want.branches.some(({ properties }) => properties.has(key))) return undefined;
  // At `eager` it is that key, and has its value: what is dropped here must not come to mean something there.
  const isSlip = indexNames(want.variant.properties)
    .slipsOf(key)
    .some(([name]) => !Object.hasOwn(object, name));
  if (isEmpty(value)) return isSlip && value !== null ? undefined : DROPPED.empty;
  if (mayBeMeant(key, object, want)) return undefined;
  const repeated = Object.keys(object).some(
    (name) => want.variant.properties.has(name) && repeats(key, name, object),
  );
  if (repeated) return DROPPED.repeats;
  if (want.run.declaredNames.has(foldName(key))) return undefined;
  if (NAME_KEYS.has(foldName(key)) && isName(value, want.run.toolName)) return DROPPED.name;
  return saysOfCall(key, value, want.run.toolName) === "thought" ? DROPPED.thought : undefined;
}

/** Keys that say which tool a call is for, folded. */
const NAME_KEYS: ReadonlySet<string> = new Set(
  "name tool toolname function functionname action".split(" "),
);

function isName(value: JsonValue, toolName: string): boolean {
  return typeof value === "string" && foldName(value) === foldName(toolName);
}

/** Whether a key could be a declared one in another spelling, or an envelope of such. */
function mayBeMeant(key: string, object: JsonObject, { variant }: KeyWant): boolean {
  const value = object[key] as JsonValue;
  if (holdsDeclared(value, variant) || (typeof value === "string" && isPacked(value))) return true;
  const names = indexNames(variant.properties);
  if (names.findNear(key, (name) => !Object.hasOwn(object, name)) !== undefined) return true;
  const sames = [...names.alike(foldName(key)), ...names.slipsOf(key).map(([name]) => name)];
  return sames.some(
    (name) => Object.hasOwn(object, name) && !jsonEquals(object[name], object[key]),
  );
}

/**
 * Whether a key says again what a declared one says. A number or flag may be the same by chance:
 * then the names must have a word in common.
 */
function repeats(key: string, name: string, object: JsonObject): boolean {
  const value = object[key];
  if (!Object.hasOwn(object, name) || !jsonEquals(object[name], value)) return false;
  const [words, others] = [wordsOf(key), wordsOf(name)];
  if (foldName(key) === foldName(name)) return true;
  // Whoever reviews, and where one goes by, may be the same and is another thing all the same.
  const besides = words.filter((word) => !others.includes(word));
  if (isOperator(key) || areOpposite(words, others) || namesRole(besides.join(" "))) return false;
  if (namesRole(name) && besides.length === words.length) return false;
  const isTelling =
    typeof value === "object" ||
    (typeof value === "string" && value.trim().length >= 3 && /\p{L}/u.test(value));
  const isAmount = typeof value === "number" || typeof value === "boolean";
  return (
    isTelling || (besides.length < words.length && (!isAmount || isGeneric(besides.join(" "))))
  );
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || (typeof value === "string" && value.trim() === "")) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** Whether the tool declares no arguments at all. */
function takesNothing({ variant, branches, place }: KeyWant): boolean {
  return place.path === "" && branches.length === 1 && variant.properties.size === 0;
}

/** Keys that say that nothing stands there, folded. */
const NO_NAMES: ReadonlySet<string> = new Set(
  "randomstring dummy placeholder noop noparams noparameters noargs noarguments noinput unused empty none nothing".split(
    " ",
  ),
);
/** Texts that say so. */
const NO_VALUES: ReadonlySet<string> = new Set(["{}", "[]", "null", "none", "undefined"]);

/** Why a key of a tool without arguments holds none. */
function whyPlaceholder(key: string, object: JsonObject): string | undefined {
  const value = object[key] as JsonValue;
  const isNothing =
    isEmpty(value) || (typeof value === "string" && NO_VALUES.has(value.trim().toLowerCase()));
  const folded = foldName(key);
  const isNamedSo = folded === "" || NO_NAMES.has(folded.replace(/(?:param|arg|input|value)$/, ""));
  const isShort = typeof value !== "object" && String(value).length <= 40;
  return isNothing || (isNamedSo && isShort) ? DROPPED.placeholder : undefined;
}
