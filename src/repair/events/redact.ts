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

/** All that there are, the least first. */
const CONTENTS: readonly Content[] = ["none", "keys", "full"];

/**
 * Changes a value before it is written.
 *
 * @param value A string, a number or a boolean. Text that could not be read as JSON comes whole.
 * @param path Where it stands in the input, as a JSON Pointer.
 * @returns What is written in its stead.
 */
export type Redact = (value: unknown, path: string) => unknown;

/** How much is written. */
export interface ContentOptions {
  readonly content: Content;
  readonly redact?: Redact | undefined;
}

/** The content that is asked for, else what `TOOLMEND_CONTENT` of the environment says, else `none`. */
export function contentOrDefault(content: Content | undefined): Content {
  if (content !== undefined) return content;
  return CONTENTS.find((one) => one === readEnvironment("TOOLMEND_CONTENT")) ?? "none";
}

/** Returns a variable of the environment, in runtimes that have one. */
export function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

/** What is written where a redaction throws, and the nesting down to which values are redacted. */
const FAILED = "[redact threw]";
const MAX_DEPTH = 64;

/** Redacts every value of an input. Text that is JSON stays text, and each value in it has its own path. */
export function redactValue(
  value: unknown,
  redact: Redact | undefined,
  path: readonly string[] = [],
): unknown {
  if (redact === undefined || value === null || value === undefined) return value;
  if (path.length > MAX_DEPTH) return FAILED;
  const redactField = (field: unknown, key: string | number) =>
    redactValue(field, redact, [...path, String(key)]);
  if (Array.isArray(value)) return value.map(redactField);
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(entries.map(([key, field]) => [key, redactField(field, key)]));
  }
  try {
    const parsed = typeof value === "string" ? parseExactly(value) : undefined;
    const held = isContainer(parsed) ? parsed : undefined;
    // An input that is JSON text has no value of its own.
    const isWhole = held !== undefined && path.length === 0;
    const clean = isWhole ? value : redact(value, toPointer(path));
    // What is no JSON throws here, and not where it is written.
    if (typeof clean === "object" || typeof clean === "bigint") JSON.stringify(clean);
    if (held === undefined || clean !== value) return clean;
    const text = JSON.stringify(redactValue(held, redact, path));
    // Its own spelling, where nothing was to be hidden.
    return text === JSON.stringify(held) ? value : text;
  } catch {
    return FAILED;
  }
}

/** What stands for the name of a tool that nobody offers. */
const UNKNOWN_TOOL = "_unknown";

/** The name of an event's tool where it is the application's, and not made up by a model. */
export function offeredName({ toolName, isOffered }: InputEvent): string {
  return isOffered ? toolName : UNKNOWN_TOOL;
}

/** Ids as some models write them: `functions.search:0`. */
const NAMED = /^(?:functions\.)?(.+):\d+$/s;

/** Returns the id of a call; its hash where it may hold the name of a tool that a model made up. */
export function redactCallId(id: string | undefined, event: InputEvent): string | undefined {
  if (id === undefined) return undefined;
  const { toolName, isOffered } = event;
  const madeUp = [
    isOffered ? undefined : toolName,
    event.kind === "call" ? event.nameRepair?.before : undefined,
  ];
  const named = NAMED.exec(id)?.[1];
  const isOwn = named === undefined || (isOffered && named === toolName);
  const isSafe = isOwn && !madeUp.some((name) => name && id.includes(name));
  return isSafe ? cutText(id, 200) : `id-${digestOf(id).hash.slice(0, 16)}`;
}

/** The shape of a value: what is known of it without the value itself. */
export interface Shape {
  /** A type of JSON Schema; `deep` is what is nested too deeply. */
  readonly type: string;
  /** Of a text or list, the least length of its class: 0, 1, 9, 33, 129, 1025. */
  readonly length?: number;
  /** What a text looks like: `json`, `number`, `boolean`, `null`, `date`, `date-time`, `email`, `uri`, `uuid`. */
  readonly format?: string;
  /** The first item of a list. */
  readonly items?: Shape;
  readonly keys?: { readonly [key: string]: Shape };
}

/** The least lengths of the classes of texts and lists. */
const CLASSES: readonly number[] = [1025, 129, 33, 9, 1, 0];

/** The deepest shape, the most keys and the longest one, and the longest text that has a format. */
const MOST = { depth: 6, keys: 40, key: 100, format: 400 };

/** What a text looks like, the first that fits. */
const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["json", /^[{[].*[}\]]$/s],
  ["number", /^[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?$/],
  ["boolean", /^(?:true|false|yes|no)$/i],
  ["null", /^(?:null|none|undefined)$/i],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["date-time", /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/],
  ["uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i],
  ["uri", /^[a-z][a-z\d+.-]{1,20}:\/\/\S+$/i],
  ["email", /^[^\s@]{1,64}@[^\s@]{1,255}$/],
];

/** Returns the names of keys, types, classes of length and formats of a value, and none of the values. */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (typeof value === "string") return textShape(value);
  const within = (one: unknown) => shapeOf(one, depth + 1);
  if (depth < MOST.depth && Array.isArray(value)) {
    const items = value.length > 0 && { items: within(value[0]) };
    return { type: "array", length: classOf(value.length), ...items };
  }
  if (depth >= MOST.depth || !isJsonObject(value)) return { type: "deep" };
  const named = Object.entries(value).slice(0, MOST.keys);
  const keys = named.map(([key, one]) => [key.slice(0, MOST.key), within(one)]);
  return { type: "object", keys: Object.fromEntries(keys) };
}

function textShape(text: string): Shape {
  const shape = { type: "string", length: classOf(text.length) };
  const looked = text.length <= MOST.format ? text.trim() : "";
  const [format] = FORMATS.find(([, pattern]) => pattern.test(looked)) ?? [];
  return format === undefined ? shape : { ...shape, format };
}

function classOf(length: number): number {
  return CLASSES.find((least) => length >= least) ?? 0;
}
