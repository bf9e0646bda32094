import { cutText } from "../errors.ts";
import { digestOf } from "../json/digest.ts";
import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { isContainer, parseExactly } from "../read/parse-exactly.ts";
import type { InputEvent } from "./event.ts";

/**
 * How much of what a model wrote is in a log or a trace.
 *
 * - `none`: nothing: the schema's own paths, codes and counts, and the names of fixers without their
 *   parameters.
 * - `keys`: and the names of keys and tools, and the shapes of values: types, lengths, formats.
 * - `full`: and the values, as `redact` leaves them.
 */
export type Content = "none" | "keys" | "full";

/**
 * Changes a value before it is written.
 *
 * @param value A string, a number or a boolean. Text that could not be read as JSON comes whole.
 * @param path Where it stands in the input, as a JSON Pointer.
 * @returns What is written in its stead.
 */
export type Redact = (value: unknown, path: string) => unknown;

/** What is written where a redaction throws. */
const FAILED = "[redact threw]";

/** Nesting down to which is looked. */
const MAX_DEPTH = 64;

/**
 * Hands every value of an input to a redaction. Text that is JSON is looked into, and stays text.
 */
export function redactValue(value: unknown, redact: Redact | undefined): unknown {
  if (redact === undefined) return value;
  const isJson = typeof value === "string" && parsedIn(value) !== undefined;
  return isJson ? redactIn(value, [], redact) : redactAt(value, [], redact);
}

function redactAt(value: unknown, path: readonly string[], redact: Redact): unknown {
  if (value === null || value === undefined) return value;
  if (path.length > MAX_DEPTH) return FAILED;
  if (Array.isArray(value)) {
    return value.map((item, index) => redactAt(item, [...path, String(index)], redact));
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, field]) => [key, redactAt(field, [...path, key], redact)]),
    );
  }
  try {
    const clean = redact(value, toPointer(path));
    // What is no JSON throws here, and not where it is written.
    if (typeof clean === "object" || typeof clean === "bigint") JSON.stringify(clean);
    return typeof value === "string" && clean === value ? redactIn(value, path, redact) : clean;
  } catch {
    return FAILED;
  }
}

/** Text that is JSON holds values that have places of their own. */
function redactIn(text: string, path: readonly string[], redact: Redact): string {
  const held = parsedIn(text);
  if (held === undefined) return text;
  const clean = JSON.stringify(redactAt(held, path, redact));
  // Its own spelling, where nothing was to be hidden.
  return clean === JSON.stringify(held) ? text : clean;
}

/** What is in text that is an object or a list as JSON. */
function parsedIn(text: string): object | undefined {
  const value = parseExactly(text);
  return isContainer(value) ? value : undefined;
}

/** Ids as some models write them: `functions.search:0`. */
const NAMED = /^(?:functions\.)?(.+):\d+$/s;

/** The longest id that is told, in characters. */
const MAX_LENGTH = 200;

/**
 * Returns the id of a call without what a model wrote: an id may hold the name of the tool that it
 * called, which is told only where it is the application's. Another one stands as a hash.
 */
export function redactCallId(id: string | undefined, event: InputEvent): string | undefined {
  if (id === undefined) return undefined;
  const { toolName, isOffered } = event;
  const before = event.kind === "call" ? event.nameRepair?.before : undefined;
  const madeUp = [isOffered ? undefined : toolName, before];
  const named = NAMED.exec(id)?.[1];
  const isForeign = named !== undefined && !(isOffered && named === toolName);
  if (!isForeign && !madeUp.some((name) => name && id.includes(name))) {
    return cutText(id, MAX_LENGTH);
  }
  return `id-${digestOf(id).hash.slice(0, 16)}`;
}

/** What stands for the name of a tool that nobody offers. */
export const UNKNOWN_TOOL = "_unknown";

/**
 * Returns the name of an event's tool, as far as it is the application's, and not one that a model made up.
 */
export function offeredName({ toolName, isOffered }: InputEvent): string {
  return isOffered ? toolName : UNKNOWN_TOOL;
}

/** How much is told. */
export interface ContentOptions {
  readonly content: Content;
  readonly redact?: Redact | undefined;
}

/** All that there are, the least first. */
const CONTENTS: readonly Content[] = ["none", "keys", "full"];

/**
 * Returns how much of what models write is told where nothing is said of it: what the environment's
 * `TOOLMEND_CONTENT` says, else nothing.
 */
export function contentOrDefault(content: Content | undefined): Content {
  if (content !== undefined) return content;
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const said = process?.env?.TOOLMEND_CONTENT;
  return CONTENTS.find((one) => one === said) ?? "none";
}

/** The shape of a value: what is known of it without the value itself. */
export type Shape =
  | { readonly type: "null" | "boolean" | "integer" | "number" }
  | {
      readonly type: "string";
      /** The least length of its class, in characters: 0, 1, 9, 33, 129, 1025. */
      readonly length: number;
      /** What it looks like: `json`, `number`, `boolean`, `null`, `date`, `date-time`, `email`, `uri`, `uuid`. */
      readonly format?: string;
      /** Where it is JSON: the shape of what it holds. */
      readonly holds?: Shape;
    }
  | { readonly type: "array"; readonly length: number; readonly items?: Shape }
  | {
      readonly type: "object";
      readonly keys: { readonly [key: string]: Shape };
      /** How many more keys it has, where it has many. */
      readonly more?: number;
    }
  /** What is nested too deeply to be looked at. */
  | { readonly type: "deep" };

/** The least lengths of the classes that texts and lists are told by. */
const CLASSES: readonly number[] = [1025, 129, 33, 9, 1, 0];

/** Nesting down to which a shape goes. */
const MAX_SHAPE_DEPTH = 6;

/** The most keys of an object that are named, and the longest name. */
const MAX_KEYS = 40;
const MAX_KEY_LENGTH = 100;

/** What a text looks like, the first that fits. */
const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["number", /^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/],
  ["boolean", /^(?:true|false|yes|no)$/i],
  ["null", /^(?:null|none|undefined)$/i],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["date-time", /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ["uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ["uri", /^[a-z][a-z\d+.-]{1,20}:\/\/\S+$/i],
  ["email", /^[^\s@]{1,64}@[^\s@]{1,255}$/],
];

/** The longest text that is looked at for its format. */
const MAX_LOOKED_AT = 400;

/** The longest text that is read as JSON. */
const MAX_READ = 100_000;

/**
 * Returns the shape of a value: the names of its keys, types, classes of length and formats, and none
 * of the values.
 */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (typeof value === "string") return textShape(value, depth);
  if (depth >= MAX_SHAPE_DEPTH) return { type: "deep" };
  if (Array.isArray(value)) {
    const length = classOf(value.length);
    return value.length === 0
      ? { type: "array", length }
      : { type: "array", length, items: shapeOf(value[0], depth + 1) };
  }
  if (!isJsonObject(value)) return { type: "deep" };
  const keys = Object.keys(value);
  const named = keys
    .slice(0, MAX_KEYS)
    .map((key) => [key.slice(0, MAX_KEY_LENGTH), shapeOf(value[key], depth + 1)]);
  const more = keys.length - named.length;
  return { type: "object", keys: Object.fromEntries(named), ...(more > 0 && { more }) };
}

function textShape(text: string, depth: number): Shape {
  const length = classOf(text.length);
  const holds = /^\s*[{[]/.test(text) && text.length <= MAX_READ ? parseExactly(text) : undefined;
  if (holds !== undefined) {
    return { type: "string", length, format: "json", holds: shapeOf(holds, depth + 1) };
  }
  const looked = text.length <= MAX_LOOKED_AT ? text.trim() : "";
  const [format] = FORMATS.find(([, pattern]) => pattern.test(looked)) ?? [];
  return { type: "string", length, ...(format !== undefined && { format }) };
}

function classOf(length: number): number {
  return CLASSES.find((least) => length >= least) ?? 0;
}
