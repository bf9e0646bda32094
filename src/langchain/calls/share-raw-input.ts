import { digestOf, type ValueDigest } from "../../repair/json/digest.ts";
import { getAt, setAt, toPointer } from "../../repair/json/json-pointer.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";

/**
 * What a model wrote, without the long parts that its call still has: a message holds those once.
 * `readSharedInput` puts them together.
 */
export interface SharedInput {
  /** What is left: `null`, or text with a gap, where a part was taken out. */
  readonly rest: JsonValue;
  readonly parts: readonly SharedPart[];
  /** Of the whole, by which it is seen that the call still has the parts. */
  readonly whole: ValueDigest;
}

/** A part that the call has. */
interface SharedPart {
  /** Where it stood in what the model wrote, as a JSON Pointer. */
  readonly path: string;
  /** Where it stands in the call's arguments. */
  readonly at: string;
  /** Where it begins in the text at `path`. Default: it is all that stood there. */
  readonly start?: number;
  /** How often it was written as JSON in that text. Default: 0, as it is. */
  readonly escaped?: number;
}

/** Parts that are shorter are not worth their place in the record, in characters of JSON. */
const MIN_LENGTH = 1_000;

/** The most parts that are taken out, and the most texts that are looked for in one. */
const MAX_PARTS = 100;
const MAX_TEXTS = 8;

/** The most places that are compared with one part. */
const MAX_TRIES = 4;

/** As many characters as a text is first looked for by. */
const BEGINNING = 32;

/** What is nested deeper is kept as it is. */
const MAX_DEPTH = 64;

/**
 * Takes out of what a model wrote what its call has all the same.
 *
 * @param raw What the model wrote.
 * @param args The arguments that the call has now.
 * @returns What is to be kept instead; `undefined` where they share nothing long.
 */
export function shareRawInput(raw: JsonValue, args: JsonObject): SharedInput | undefined {
  const known = knownPartsOf(args);
  if (known.byLength.size === 0) return undefined;
  const parts: SharedPart[] = [];
  for (const part of longPartsOf(raw)) {
    const isTaken = parts.some(
      ({ path, start }) => start === undefined && isWithin(part.path, path),
    );
    if (!isTaken) parts.push(...findPart(part, known));
    if (parts.length >= MAX_PARTS) break;
  }
  if (parts.length === 0) return undefined;
  const rest = parts.toReversed().reduce((value, part) => takeOut(value, part, args), raw);
  const whole = putTogether(rest, parts, args);
  // Nobody is to rely on it but where it is what the model wrote.
  if (whole === undefined || !jsonEquals(whole, raw)) return undefined;
  return { rest, parts, whole: digestOf(JSON.stringify(whole)) };
}

/**
 * Puts together what `shareRawInput` took apart.
 *
 * @param shared What was kept.
 * @param args The arguments that the call has now.
 * @returns What the model wrote; `undefined` where the call is another one now, as after a human's
 * edit.
 */
export function readSharedInput(
  { rest, parts, whole }: SharedInput,
  args: JsonValue | undefined,
): JsonValue | undefined {
  const raw = putTogether(rest, parts, args);
  return raw !== undefined && digestOf(JSON.stringify(raw)).hash === whole.hash ? raw : undefined;
}

/** A part of a value that is long, and where it stands. */
interface LongPart {
  readonly path: string;
  readonly value: JsonValue;
  readonly length: number;
}

/** Returns the long parts of a value, the larger ones before those within them. */
function longPartsOf(root: JsonValue): readonly LongPart[] {
  const parts: LongPart[] = [];
  let isTooDeep = false;
  const visit = (value: JsonValue | undefined, path: readonly PropertyKey[]): number => {
    isTooDeep ||= path.length > MAX_DEPTH;
    if (isTooDeep) return 0;
    if (value === null || typeof value !== "object") {
      const length = typeof value === "string" ? value.length + 2 : `${value}`.length;
      if (length > MIN_LENGTH)
        parts.push({ path: toPointer(path), value: value as JsonValue, length });
      return length;
    }
    const at = parts.length;
    const keys = Object.keys(value);
    const isList = Array.isArray(value);
    let length = 1;
    for (const key of keys) {
      const own = (value as JsonObject)[key];
      length += visit(own, [...path, key]) + 1 + (isList ? 0 : key.length + 3);
    }
    if (length > MIN_LENGTH) parts.splice(at, 0, { path: toPointer(path), value, length });
    return length;
  };
  visit(root, []);
  return isTooDeep ? [] : parts;
}

/** The long parts of a call. */
interface KnownParts {
  readonly byLength: ReadonlyMap<number, readonly LongPart[]>;
  /** Those that are text, the longest first. */
  readonly texts: readonly LongPart[];
}

function knownPartsOf(args: JsonObject): KnownParts {
  const parts = longPartsOf(args);
  const byLength = new Map<number, LongPart[]>();
  for (const part of parts) {
    const alike = byLength.get(part.length);
    if (alike === undefined) byLength.set(part.length, [part]);
    else alike.push(part);
  }
  const texts = parts
    .filter(({ value }) => typeof value === "string")
    .sort((left, right) => right.length - left.length);
  return { byLength, texts };
}

function findPart({ path, value, length }: LongPart, known: KnownParts): readonly SharedPart[] {
  const alike = known.byLength.get(length) ?? [];
  const same = alike.slice(0, MAX_TRIES).find((one) => jsonEquals(one.value, value));
  if (same !== undefined) return [{ path, at: same.path }];
  return typeof value === "string" ? findInText(path, value, known) : [];
}

/** Text that holds the call as JSON, or nearly, as where it could not be read. */
function findInText(path: string, text: string, { texts }: KnownParts): readonly SharedPart[] {
  const shorter = texts.filter((one) => one.length - 2 <= text.length).slice(0, MAX_TEXTS);
  const found = shorter.flatMap(({ path: at, value }): readonly Found[] => {
    for (const escaped of [1, 0, 2]) {
      const form = writeAsJson(value as string, escaped);
      const start = indexOfForm(text, form);
      if (start >= 0) return [{ path, at, start, end: start + form.length, escaped }];
    }
    return [];
  });
  const inOrder = found.sort((left, right) => left.start - right.start);
  return inOrder
    .filter(({ start }, index) => inOrder.slice(0, index).every(({ end }) => end <= start))
    .map(({ end: _, ...part }) => part);
}

/** By its beginning, so that it takes no longer than the text is. */
function indexOfForm(text: string, form: string): number {
  const beginning = form.slice(0, BEGINNING);
  let start = text.indexOf(beginning);
  for (let tries = 0; start >= 0 && tries < MAX_TRIES; tries++) {
    if (text.startsWith(form, start)) return start;
    start = text.indexOf(beginning, start + 1);
  }
  return -1;
}

interface Found extends SharedPart {
  readonly start: number;
  readonly end: number;
}

function writeAsJson(text: string, times: number): string {
  return times === 0 ? text : writeAsJson(JSON.stringify(text).slice(1, -1), times - 1);
}

function takeOut(
  value: JsonValue | undefined,
  { path, start, at, escaped = 0 }: SharedPart,
  args: JsonValue,
): JsonValue {
  if (start === undefined) return setAt(value, path, null) as JsonValue;
  const text = getAt(value, path) as string;
  const { length } = writeAsJson(getAt(args, at) as string, escaped);
  const left = text.slice(0, start) + text.slice(start + length);
  return setAt(value, path, left) as JsonValue;
}

function putTogether(
  rest: JsonValue,
  parts: readonly SharedPart[],
  args: JsonValue | undefined,
): JsonValue | undefined {
  let value: JsonValue | undefined = rest;
  for (const { path, at, start, escaped = 0 } of parts) {
    const part = getAt(args, at);
    if (part === undefined) return undefined;
    if (start === undefined) {
      value = setAt(value, path, part);
      continue;
    }
    const text = getAt(value, path);
    if (typeof part !== "string" || typeof text !== "string") return undefined;
    value = setAt(
      value,
      path,
      text.slice(0, start) + writeAsJson(part, escaped) + text.slice(start),
    );
  }
  return value;
}

function isWithin(path: string, container: string): boolean {
  return path === container || path.startsWith(`${container}/`);
}
