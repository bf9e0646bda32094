import type { Check, Checking, Part } from "./checking.ts";
import { type Keywords, toRegExp } from "./keywords.ts";

interface Place {
  readonly check: Check | undefined;
  readonly isRequired: boolean;
}

/** The checks of an object's keys and of what stands at them. */
export function checkObjects(keywords: Keywords, { of }: Checking): Check[] {
  const { properties, patternProperties, additionalProperties, required } = keywords;
  const needed = new Set((required as readonly string[] | undefined) ?? []);
  const declared = new Map(entriesOf(properties).map(([key, part]) => [key, of(part)]));
  const patterns = entriesOf(patternProperties).map(
    ([source, part]) => [toRegExp(source) as RegExp, of(part)] as const,
  );
  const rest = additionalProperties === undefined ? undefined : of(additionalProperties as Part);
  if (declared.size + needed.size + patterns.length === 0 && rest === undefined) return [];
  const places = new Map<string, Place>();
  for (const key of [...declared.keys(), ...needed]) {
    places.set(key, { check: declared.get(key), isRequired: needed.has(key) });
  }

  /** Of a plain object, in one pass: the engine knows its keys' values as it goes through them. */
  function ofPlain(value: Readonly<Record<string, unknown>>): boolean {
    let found = 0;
    for (const key in value) {
      const place = places.get(key);
      if (place?.isRequired) found += 1;
      const check = place?.check ?? rest;
      if (check !== undefined && !check(value[key])) return false;
    }
    // A key may be there and not be seen: one that is not enumerable.
    return found === needed.size || ofAny(value);
  }

  function ofAny(value: Readonly<Record<string, unknown>>): boolean {
    for (const [key, { check, isRequired }] of places) {
      if (!Object.hasOwn(value, key)) {
        if (isRequired) return false;
      } else if (check !== undefined && !check(value[key])) return false;
    }
    if (rest === undefined && patterns.length === 0) return true;
    for (const key in value) {
      let isKnown = declared.has(key) && Object.hasOwn(value, key);
      for (const [pattern, check] of patterns) {
        if (!pattern.test(key)) continue;
        if (!check(value[key])) return false;
        isKnown = true;
      }
      if (!isKnown && rest !== undefined && !rest(value[key])) return false;
    }
    return true;
  }

  return [
    (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return true;
      const object = value as Readonly<Record<string, unknown>>;
      return patterns.length === 0 && hasPlainPrototype(object) ? ofPlain(object) : ofAny(object);
    },
  ];
}

/** Whether all that an object has is its own. */
function hasPlainPrototype(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function entriesOf(parts: unknown): [string, Part][] {
  return typeof parts === "object" && parts !== null ? Object.entries(parts) : [];
}
