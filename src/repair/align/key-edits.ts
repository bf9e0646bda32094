import { isJsonObject, jsonEquals } from "../json/json-value.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { opensContainer } from "./envelope.ts";
import { fitsAt } from "./fits.ts";
import { foldName, isSameName, quoted, slipOf, stemsOf } from "./names.ts";
import { evidenceFor, isOneThing } from "./rename-evidence.ts";
import type { KeyChange, KeyWant } from "./types.ts";
import { isNoArguments, isNothing, NAME_KEYS, PLACEHOLDERS, REMARKS } from "./vocabulary.ts";

type Changes = readonly KeyChange[];

/** A longer key is no name. */
const MAX_NAME = 100;
/** More keys that spell out paths are not looked at. */
const MAX_PATHS = 50;

/** The edits of an object's keys, in the order in which they are tried: the surest first. */
export const keyEdits = [
  {
    name: "respell-key",
    level: "safe",
    cost: 1,
    isForIgnored: true,
    propose: (want: KeyWant): Changes =>
      pairKeys(want, (key, name) => isSameName(key, name)).map(([rename, to]) => ({ rename, to })),
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
    name: "gather-keys",
    level: "eager",
    cost: 4,
    propose(want: KeyWant): Changes {
      const [to, ...more] = want.missing;
      if (to === undefined || more.length > 0 || !areOnlyOf(to, want)) return [];
      const parts = Object.entries(want.object);
      const isInner = ([key]: [string, unknown]) => want.unknown.includes(key);
      const outer = Object.fromEntries(parts.filter((part) => !isInner(part)));
      const inner = Object.fromEntries(parts.filter(isInner));
      const whole = { ...outer, [to]: inner } as JsonObject;
      return [{ whole, why: `only ${quoted(to)} declares these keys` }];
    },
  },
  {
    name: "fill-default",
    level: "eager",
    cost: 4,
    propose({ object, variant, missing }: KeyWant): Changes {
      const isDeclared = Object.entries(object).every(([key, value]) => {
        const node = variant.keyAt(key);
        return node !== undefined && fitsAt(value as JsonValue, node, "snug");
      });
      if (!isDeclared) return [];
      return missing.flatMap((fill) => {
        const value = variant.properties.get(fill)?.default;
        const isSaid = value !== undefined && value !== true;
        const why = "the schema declares it, and nothing else was written";
        return isSaid ? [{ fill, value: structuredClone(value), why }] : [];
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

/** What makes a key another than it was meant to be: a slip, or a piece of JSON after its quote. */
function whyMisspelt(key: string, name: string, { run }: KeyWant): string | undefined {
  const [start = "", ...rest] = key.split('"');
  const isStuck = rest.length > 0 && isSameName(start, name);
  return isStuck ? "a piece of JSON is stuck to it" : slipOf(key, name, run.minLetters);
}

/** Each undeclared key with the only absent key that it is like, where no other is like that one. */
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

/** The object with keys that spell out a path made into the objects that they name. */
function nested({ unknown, object, variant }: KeyWant): JsonObject | undefined {
  const paths = unknown.map((key) => key.replace(/\[([^[\]]*)\]/g, ".$1").split("."));
  // Any other key may belong into the same object.
  const areAll = paths.length > 0 && paths.every((path) => path.length > 1);
  if (!areAll || paths.length > MAX_PATHS) return undefined;
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

/** Whether a value may stand at a key, and nothing else could be meant by it. */
function mayBeMeantFor(from: string, to: string, want: KeyWant): boolean {
  const { object, variant, absent, costAt } = want;
  const value = object[from] ?? null;
  const node = variant.properties.get(to);
  if (from.length > MAX_NAME || !/^[\p{L}_]/u.test(from) || node === undefined) return false;
  if (value === null || (typeof value === "string" && isNothing(value))) return false;
  if (node.default !== undefined || (costAt(value, to) ?? 2) > 1) return false;
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  if (!fitsAt(value, node, "known") || keys.some((key) => variant.properties.has(key)))
    return false;
  const words = stemsOf(from);
  return !absent.some(
    (name) =>
      name !== to &&
      (slipOf(from, name) !== undefined || stemsOf(name).some((word) => words.includes(word))),
  );
}

/** Whether one field declares all undeclared keys, they are all that it needs, and no other has one. */
function areOnlyOf(to: string, { object, unknown, variant }: KeyWant): boolean {
  const declares = (node: SchemaNode, key: string) =>
    node.of("object").some(({ properties }) => properties.has(key));
  const isWhole = variant.properties
    .get(to)
    ?.of("object")
    .some(
      ({ properties, required }) =>
        unknown.every((key) => properties.has(key)) &&
        [...required].every((key) => unknown.includes(key)),
    );
  const others = [...variant.properties].filter(([name]) => name !== to);
  const isShared = others.some(([, node]) => unknown.some((key) => declares(node, key)));
  // One key beside others may be meant for the whole: an `id`, a `name`.
  const isAll = unknown.length > 1 || Object.keys(object).length === 1;
  return unknown.length > 0 && isAll && isWhole === true && !isShared;
}

/** Whether what stands at a key is written only where a tool takes no arguments. */
function isNoArgument(key: string, value: JsonValue): boolean {
  if (value !== null && typeof value === "object") return Object.keys(value).length === 0;
  const isEmpty = value === null || (typeof value === "string" && isNoArguments(value));
  return isEmpty || (PLACEHOLDERS.test(key) && /^\S{0,40}$/.test(String(value)));
}

/** Why a key that the schema forbids asks for nothing; `undefined` where it may ask for something. */
function whyDropped(key: string, want: KeyWant): string | undefined {
  const { object, variant, branches, absent, run } = want;
  const value = object[key] as JsonValue;
  if (branches.some(({ properties }) => properties.has(key)) || run.isDeclared(key))
    return undefined;
  const folded = foldName(key);
  const isNear = absent.some(
    (name) =>
      slipOf(key, name) !== undefined ||
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
