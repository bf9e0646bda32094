import { SWITCHABLE_EDITS } from "./edit-switches.ts";
import { wrongUse } from "./errors/likeness.ts";
import { isJsonObject } from "./json/json-value.ts";
import { LEVELS } from "./level-allows.ts";
import { DEFAULT_LIMITS } from "./limits.ts";
import type { ToolLike, UndeclaredKeys } from "./types.ts";

/** The options of one function: an example of a call, and a check for each. */
export interface OptionsUsage {
  /** The function. */
  readonly of: string;
  /** A call of it with options, for errors. */
  readonly example: string;
  readonly checks: Readonly<Record<string, Check>>;
}

/** Earlier checks: options that serve many calls are checked once. */
const checked = new WeakMap<object, OptionsUsage>();

/** Checks options by name and value, so that a misspelt one never passes in silence. */
export function checkOptions(options: unknown, usage: OptionsUsage): void {
  if (options === undefined || checked.get(options as object) === usage) return;
  assertOptionsObject(options, usage);
  checkNames(usage.of, options, usage.checks);
  checked.set(options, usage);
}

function assertOptionsObject(
  options: unknown,
  { of, example }: OptionsUsage,
): asserts options is object {
  const isPlain = isPlainRecord(options);
  const kind = nameThing(options);
  if (isPlain && kind === "an object") return;
  const what = kind === "an object" ? "an object that inherits" : kind;
  throw wrongUse(`The options of ${of} must be an object, as in ${example}; this is ${what}.`);
}

function checkNames(of: string, options: object, checks: Readonly<Record<string, Check>>): void {
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) throw unknownOption(of, name, Object.keys(checks));
    if (value !== undefined) checkValue(of, name, value, check);
  }
}

function checkValue(of: string, name: string, value: unknown, check: Check): void {
  if (check.isMet(value)) {
    const isObject = typeof value === "object" && value !== null;
    if (check.parts && isObject) checkNames(`${of}, in "${name}"`, value, check.parts);
    return;
  }
  throw wrongValue(`option "${name}" of ${of}`, value, check);
}

function unknownOption(of: string, name: string, names: readonly string[]): TypeError {
  const shown = `${names.slice(0, 24).join(", ")}${names.length > 24 ? ", …" : ""}`;
  const hint = askIfMeant(name, names) || ` Its options are ${shown}.`;
  return wrongUse(`There is no option "${name}" of ${of}.${hint}`);
}

/** Checks the arguments of a function. */
export function checkArguments(
  call: string,
  args: Readonly<Record<string, readonly [value: unknown, check: Check]>>,
): void {
  for (const [name, [value, check]] of Object.entries(args)) {
    if (!check.isMet(value)) throw wrongValue(`${name} of ${call}`, value, check);
  }
}

/** Makes the error of an invalid value. */
function wrongValue(what: string, value: unknown, check: Check): TypeError {
  const { must, words = [], each } = check;
  if (each !== undefined && Array.isArray(value)) {
    const at = value.findIndex((one) => !each.isMet(one));
    return wrongValue(`element ${at} of the ${what}`, value[at], each);
  }
  const hint = typeof value === "string" ? askIfMeant(value, words) : "";
  return wrongUse(`The ${what} must be ${must}, not ${nameThing(value)}.${hint}`);
}

/** Checks for a tool, or for the parts of one that toolmend needs. */
export function checkTool(tool: unknown, of: string): asserts tool is ToolLike {
  const given = tool as Partial<ToolLike> | null | undefined;
  const isRecord = given !== null && typeof given === "object";
  if (isRecord && typeof given.name === "string" && isObjectLike(given.schema)) return;
  throw wrongUse(`${of} needs a tool, with a name and a schema; this is ${whatInstead(tool)}.`);
}

/**
 * Checks for a list of tools. Leaves its other items alone: a provider's own tools are plain data.
 */
export function checkToolList(tools: unknown, of: string): asserts tools is readonly unknown[] {
  if (Array.isArray(tools)) {
    const at = tools.findIndex((tool) => !isObjectLike(tool));
    if (at < 0) return;
    throw wrongUse(
      `${of} needs an array of tools; element ${at} of it is ${nameThing(tools[at])}.`,
    );
  }
  const kind = nameThing(tools);
  const hint = kind.startsWith("the tool ") ? " Put it in brackets: [tool]." : "";
  throw wrongUse(`${of} needs an array of tools; this is ${kind}.${hint}`);
}

function isObjectLike(thing: unknown): boolean {
  return thing !== null && (typeof thing === "object" || typeof thing === "function");
}

function whatInstead(thing: unknown): string {
  const kind = nameThing(thing);
  if (kind === "an array") return "an array: wrapTools takes several tools";
  if (kind !== "an object" && !kind.startsWith("the tool ")) return kind;
  const { name, schema } = thing as { name?: unknown; schema?: unknown };
  const lacks = [
    ...(typeof name === "string" ? [] : [`its name is ${nameThing(name)}`]),
    ...(isObjectLike(schema) ? [] : [`its schema is ${nameThing(schema)}`]),
  ];
  return `an object of which ${lacks.join(" and ")}`;
}

/** A check of an option. `undefined` counts as absent: then the default applies. */
export interface Check {
  /** In words, after "must be". */
  readonly must: string;
  readonly isMet: (value: unknown) => boolean;
  /** The words that are valid, for a hint at the one that was meant. */
  readonly words?: readonly string[];
  /** The check for each item, if it is an array. */
  readonly each?: Check;
  /** The checks for the options in it, if it is an object of options. */
  readonly parts?: Readonly<Record<string, Check>>;
}

/** A check of every option: one that is forgotten does not compile. */
export type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

export const aBoolean: Check = { must: "true or false", isMet: isOf("boolean") };
export const aFunction: Check = { must: "a function", isMet: isOf("function") };
export const aString: Check = { must: "a text", isMet: isOf("string") };
export const anArray: Check = { must: "an array", isMet: Array.isArray };
export const anObject: Check = { must: "an object", isMet: isPlainObject };
const aCount: Check = {
  must: "a number of at least 0",
  isMet: (value) => typeof value === "number" && value >= 0,
};
export const anAbortSignal: Check = {
  must: "an AbortSignal",
  isMet: (value) =>
    typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === "function" &&
    typeof (value as Partial<AbortSignal>).addEventListener === "function",
};
export const aRegistry: Check = {
  must: 'a registry, as createFixerRegistry returns it, or lists of fixers, as in { click: [renameKey("element", "selector")] }',
  isMet: (value) =>
    isRegistry(value) || (isPlainRecord(value) && Object.values(value).every(isListOfFunctions)),
};

/** Checks for a tool, or a provider's own, which is plain data. */
export const aTool: Check = {
  must: "a tool",
  isMet: (value) => value !== null && (typeof value === "object" || typeof value === "function"),
};

/** Functions that make a sink, often passed by mistake instead of one. */
const SINK_MAKERS: readonly string[] = ["jsonlSink", "otelSink"];

export const aSink: Check = {
  must: "a listener, as (event) => … is one, or what jsonlSink(file) and otelSink() return",
  isMet: (value) => typeof value === "function" && !SINK_MAKERS.includes(value.name),
};

export function oneOf(...words: readonly string[]): Check {
  const quoted = words.map((word) => `"${word}"`);
  const must =
    quoted.length === 1
      ? String(quoted[0])
      : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return { must, words, isMet: (value) => words.includes(value as string) };
}

/** Checks each item of a list. */
export function arrayOf(one: Check): Check {
  return {
    must: `an array, each of it ${one.must}`,
    each: one,
    isMet: (value) => Array.isArray(value) && value.every(one.isMet),
  };
}

/** Passes if one of two checks does. */
export function either(first: Check, second: Check): Check {
  const words = [...(first.words ?? []), ...(second.words ?? [])];
  const isMet = (value: unknown) => first.isMet(value) || second.isMet(value);
  const { each } = second;
  return { must: `${first.must}, or ${second.must}`, words, isMet, ...(each && { each }) };
}

/** Checks an object with options of its own. */
export function optionsOf(parts: Readonly<Record<string, Check>>): Check {
  return { must: `an object with ${Object.keys(parts).join(", ")}`, isMet: isPlainRecord, parts };
}

function isPlainObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isOf(type: string): (value: unknown) => boolean {
  return (value) => typeof value === type;
}

export const aLevel: Check = oneOf(...LEVELS);

/** The policies for undeclared keys that are a word. */
const UNDECLARED_POLICIES: readonly Extract<UndeclaredKeys, string>[] = [
  "repair",
  "refuse",
  "leave",
];

export const anUndeclaredPolicy: Check = either(oneOf(...UNDECLARED_POLICIES), {
  must: "{ allow: [names] }",
  isMet: (value) => isNames((value as { allow?: unknown } | null)?.allow),
});

/** Checks where an object may become text. */
export const aTextPolicy: Check = either(aBoolean, {
  must: 'an array of JSON Pointers, as in ["/body"]',
  isMet: (value) => isNames(value) && value.every((path) => path === "" || path.startsWith("/")),
});

/** Checks the bounds of the work. */
export const someLimits: Check = optionsOf(
  Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, aCount])),
);

/** Checks the switches of single edits. */
export const editSwitches: Check = {
  ...optionsOf(Object.fromEntries(SWITCHABLE_EDITS.map((name) => [name, aBoolean]))),
  must: 'an object such as { "correct-key": true }',
};

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/**
 * Checks for an object as `{ … }` writes it, of any realm, without inherited fields that a copy
 * would lose, such as a level.
 */
export function isPlainRecord(value: unknown): value is object {
  if (!isJsonObject(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.hasOwn(prototype, "hasOwnProperty");
}

/**
 * Names a wrong argument, for the errors of wrong use: its kind, and the value itself only for a
 * short text, a number or a boolean.
 */
export function nameThing(thing: unknown): string {
  if (typeof thing === "string") return JSON.stringify(cutText(thing, 40));
  if (typeof thing === "function") return "a function";
  if (Array.isArray(thing)) return "an array";
  if (thing === null || typeof thing !== "object") return String(thing);
  if (valueAt(thing, "forTool")) return "a fixer registry";
  if (valueAt(thing, "invoke") && valueAt(thing, "schema"))
    return `the tool ${nameThing(valueAt(thing, "name"))}`;
  if (valueAt(thing, "~standard")) return "a schema";
  if (valueAt(thing, "bindTools")) return "a chat model";
  if (valueAt(thing, "agent") && valueAt(thing, "tools")) return "an AgentExecutor";
  if (valueAt(thing, "tool_calls")) return "a message";
  const kind = Object.getPrototypeOf(thing)?.constructor?.name;
  return typeof kind === "string" && kind !== "Object" && kind !== ""
    ? `an instance of ${kind}`
    : "an object";
}

/** The value under a key; a getter that throws counts as absent. */
function valueAt(thing: object, key: string): unknown {
  try {
    return (thing as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Finds the name that was probably meant, for messages only: it never decides what runs. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const bound = Math.max(1, Math.floor(name.length / 3));
  const ranked = names
    .map((candidate) => ({
      candidate,
      distance: distance(foldLoosely(name), foldLoosely(candidate)),
    }))
    .filter((entry) => entry.distance <= bound)
    .sort((left, right) => left.distance - right.distance);
  const [best, second] = ranked;
  return best !== undefined && best.distance !== second?.distance ? best.candidate : undefined;
}

/** Asks, for a message, whether the one closest name was meant. */
export function askIfMeant(
  name: string,
  names: readonly string[],
  show: (close: string) => string = (close) => close,
): string {
  const close = closestName(name, names);
  return close === undefined ? "" : ` Did you mean "${show(close)}"?`;
}

function foldLoosely(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** Levenshtein's distance, in two rows. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** Cuts a text to a length, with an ellipsis for the rest. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;
}

function isListOfFunctions(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "function");
}

/** Merges options: the last one that gives a field counts. A field that is `undefined` counts as absent. */
export function mergeGiven<Options extends object>(
  ...parts: readonly (Partial<Options> | undefined)[]
): Options {
  const fields = parts.flatMap((part) => (part === undefined ? [] : Object.entries(part)));
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Options;
}

/** Whether something is a registry, as `createFixerRegistry` returns it. */
function isRegistry(value: unknown): boolean {
  return typeof (value as { forTool?: unknown } | null)?.forTool === "function";
}
