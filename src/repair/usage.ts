import { cutText, isContainer, isJsonObject } from "./json.ts";
import type { ToolLike } from "./types.ts";

/**
 * A check of an option. `undefined` counts as absent: then the default applies.
 */
export interface Check {
  /** In words, after "must be". */
  readonly must: string;
  readonly isMet: (value: unknown) => boolean;
  /** The words that are valid, for a hint at the one that was meant. */
  readonly words?: readonly string[];
  /** The check for each item, if it is an array. */
  readonly each?: Check;
  /** The check for each entry, if it is a record. */
  readonly entries?: Check;
  /** The checks for the options in it, if it is an object of options. */
  readonly parts?: Readonly<Record<string, Check>>;
}

/** A check of every option: one that is forgotten does not compile. */
export type Checks<Options> = {
  readonly [Name in keyof Required<Options>]: Check;
};

/** The options of one function: an example of a call, and a check for each. */
export interface OptionsUsage {
  readonly of: string;
  /** A call of it with options, for errors. */
  readonly example: string;
  readonly checks: Readonly<Record<string, Check>>;
}

/**
 * Checks options by name and value, so that a misspelt one never passes in
 * silence.
 */
export function checkOptions(
  options: unknown,
  { of, example, checks }: OptionsUsage,
): void {
  if (options === undefined) return;
  const kind = nameThing(options);
  if (!isJsonObject(options) || kind !== "an object") {
    const what = kind === "an object" ? "an object that inherits" : kind;
    throw new TypeError(
      `The options of ${of} must be an object, as in ${example}; this is ${what}.`,
    );
  }
  checkNames(of, options, checks);
}

function checkNames(
  of: string,
  options: object,
  checks: OptionsUsage["checks"],
): void {
  const names = Object.keys(checks);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const hint =
        askIfMeant(name, names) || ` Its options are ${names.join(", ")}.`;
      throw new TypeError(`There is no option "${name}" of ${of}.${hint}`);
    }
    if (value === undefined) continue;
    if (!check.isMet(value))
      throw wrongValue(`option "${name}" of ${of}`, value, check);
    if (check.parts && isJsonObject(value))
      checkNames(`${of}, in "${name}"`, value, check.parts);
  }
}

export function checkArguments<Name extends string>(
  call: string,
  args: { readonly [Each in Name]?: unknown },
  checks: Readonly<Record<Name, Check>>,
): void {
  for (const [name, value] of Object.entries(args) as [Name, unknown][]) {
    if (!checks[name].isMet(value))
      throw wrongValue(`${name} of ${call}`, value, checks[name]);
  }
}

/** The error for a value that a check does not pass. */
export function wrongValue(
  what: string,
  value: unknown,
  check: Check,
): TypeError {
  const { must, words = [], each, entries } = check;
  const isList = Array.isArray(value);
  const part = isList
    ? each
    : nameThing(value) === "an object"
      ? entries
      : undefined;
  for (const [key, item] of part ? Object.entries(value as object) : []) {
    if (part?.isMet(item) === false)
      return wrongValue(
        `${isList ? `element ${key}` : `"${key}"`} of the ${what}`,
        item,
        part,
      );
  }
  const hint = typeof value === "string" ? askIfMeant(value, words) : "";
  return new TypeError(
    `The ${what} must be ${must}, not ${nameThing(value)}.${hint}`,
  );
}

/** Warns, once, of fixers under a name that is probably a misspelling. */
export function warnOfFixerNames(
  fixers: object | undefined,
  tools: readonly unknown[],
): void {
  if (fixers === undefined || warned.has(fixers)) return;
  for (const { name, meant } of misspeltFixerNames(fixers, tools)) {
    warned.add(fixers);
    warnProcess(
      `toolmend has fixers for "${name}", but no such tool. Did you mean "${meant}"?`,
      "TOOLMEND_UNKNOWN_TOOL",
    );
  }
}

/** Warns as Node.js does, where there is a process. */
export function warnProcess(says: string, code: string): void {
  globalThis.process?.emitWarning?.(says, { code });
}

/** A name that fixers stand under, and the tool that was probably meant. */
interface MisspeltName {
  readonly name: string;
  readonly meant: string;
}

/**
 * Finds the names of fixers that are similar to that of a tool without fixers.
 * A record may hold those of other agents' tools, too.
 */
export function misspeltFixerNames(
  fixers: object,
  tools: readonly unknown[],
): readonly MisspeltName[] {
  const names = tools.map((tool) => (tool as Partial<ToolLike>).name ?? "");
  const withFixers = namesWithFixers(fixers);
  const pair = JSON.stringify([withFixers, names]);
  if (compared.get(fixers) === pair) return [];
  const misspelt: MisspeltName[] = [];
  for (const name of withFixers) {
    const meant = names.includes(name) ? undefined : closestName(name, names);
    if (meant === undefined || withFixers.includes(meant)) continue;
    misspelt.push({ name, meant });
  }
  if (misspelt.length === 0) compared.set(fixers, pair);
  return misspelt;
}

/** The names of tools that have fixers. */
export function namesWithFixers(fixers: object): readonly string[] {
  const { registeredTools } = fixers as { readonly registeredTools?: unknown };
  return typeof registeredTools === "function"
    ? registeredTools()
    : Object.keys(fixers);
}

const warned = new WeakSet<object>();
/**
 * The names of fixers and tools that were compared last and fit: an agent asks
 * at every turn.
 */
const compared = new WeakMap<object, string>();

/** Checks for a tool, or for the parts of one that toolmend needs. */
export function checkTool(tool: unknown, of: string): asserts tool is ToolLike {
  const { name, schema } = (tool ?? {}) as { name?: unknown; schema?: unknown };
  if (
    typeof tool === "object" &&
    typeof name === "string" &&
    aTool.isMet(schema)
  )
    return;
  const facts = `whose name is ${nameThing(name)} and whose schema is ${nameThing(schema)}`;
  const kind = nameThing(tool);
  const more = Array.isArray(tool) ? ": wrapTools takes several tools" : "";
  const what = kind === "an object" ? ` ${facts}` : more;
  throw new TypeError(
    `${of} needs a tool, with a name and a schema; this is ${kind}${what}.`,
  );
}

/**
 * Checks for a list of tools. Leaves its items alone: a provider's own tools
 * are plain data.
 */
export function checkToolList(
  tools: unknown,
  of: string,
): asserts tools is readonly unknown[] {
  if (arrayOf(aTool).isMet(tools)) return;
  const kind = nameThing(tools);
  const hint = kind.startsWith("the tool ")
    ? " Put it in brackets: [tool]."
    : "";
  const list = Array.isArray(tools) ? tools : [];
  const at = list.findIndex((tool) => !aTool.isMet(tool));
  const what =
    at < 0
      ? `this is ${kind}`
      : `element ${at} of it is ${nameThing(list[at])}`;
  throw new TypeError(`${of} needs an array of tools; ${what}.${hint}`);
}

export function check(must: string, isMet: Check["isMet"]): Check {
  return { must, isMet };
}

export const aBoolean: Check = check(
  "true or false",
  (value) => typeof value === "boolean",
);
export const aFunction: Check = check(
  "a function",
  (value) => typeof value === "function",
);
export const aString: Check = check(
  "a string",
  (value) => typeof value === "string",
);
export const anArray: Check = check("an array", Array.isArray);

export const anObject: Check = check(
  "an object",
  (value) => isContainer(value) && !Array.isArray(value),
);
export const aCount: Check = check(
  "a number of at least 0",
  (value) => typeof value === "number" && value >= 0,
);
export const anAbortSignal: Check = check("an AbortSignal", (value) =>
  aFunction.isMet(Object(value).throwIfAborted),
);

/** Checks for a tool, or a provider's own, which is plain data. */
export const aTool: Check = check(
  "a tool",
  (value) => isContainer(value) || typeof value === "function",
);

export function oneOf(...words: readonly string[]): Check {
  const quoted = words.map((word) => `"${word}"`);
  const must = quoted.join(", ").replace(/, ("[^"]*")$/, " or $1");
  return { must, words, isMet: (value) => words.includes(value as string) };
}

/** Checks each item of a list. */
export function arrayOf(each: Check): Check {
  const isMet = (value: unknown) =>
    Array.isArray(value) && value.every(each.isMet);
  return {
    must: `an array in which each element is ${each.must}`,
    each,
    isMet,
  };
}

export const aRegistry: Check = {
  must: 'a registry, as createFixerRegistry returns it, or lists of fixers, as in { click: [renameKey("element", "selector")] }',
  entries: {
    ...arrayOf(aFunction),
    must: 'an array, as in [renameKey("element", "selector")]',
  },
  isMet: (value) =>
    aFunction.isMet(Object(value).forTool) ||
    (isJsonObject(value) &&
      Object.values(value).every(arrayOf(aFunction).isMet)),
};

/** Passes if one of two checks does. */
export function either(first: Check, second: Check): Check {
  return {
    ...second,
    must: `${first.must}, or ${second.must}`,
    words: [...(first.words ?? []), ...(second.words ?? [])],
    isMet: (value) => first.isMet(value) || second.isMet(value),
  };
}

/** Checks an object with options of its own. */
export function optionsOf(parts: Readonly<Record<string, Check>>): Check {
  return {
    must: `an object with ${Object.keys(parts).join(", ")}`,
    isMet: isJsonObject,
    parts,
  };
}

/**
 * Names a wrong argument by its kind, and a short text, a number or a boolean
 * by its value.
 */
export function nameThing(argument: unknown): string {
  if (typeof argument === "string")
    return JSON.stringify(cutText(argument, 40));
  if (typeof argument === "function") return "a function";
  if (Array.isArray(argument)) return "an array";
  if (argument === null || typeof argument !== "object")
    return String(argument);
  const has = argument as Readonly<Record<string, unknown>>;
  if (has.invoke && has.schema) return `the tool ${nameThing(has.name)}`;
  const kind = Object.keys(KINDS).find((key) => has[key]);
  if (kind !== undefined) return KINDS[kind] as string;
  const { name } = Object.getPrototypeOf(argument)?.constructor ?? Object;
  return name === "Object" ? "an object" : `an instance of ${name}`;
}

/** Things that are often passed in place of others, by what they have. */
const KINDS: Readonly<Record<string, string>> = {
  forTool: "a fixer registry",
  "~standard": "a schema",
  bindTools: "a chat model",
  earlyStoppingMethod: "an AgentExecutor",
  tool_calls: "a message",
};

/** Asks, for a message, whether the one closest name was meant. */
export function askIfMeant(name: string, names: readonly string[]): string {
  const close = closestName(name, names);
  return close === undefined ? "" : ` Did you mean "${close}"?`;
}

/**
 * Finds the name that was probably meant, for messages only: it never decides
 * what runs.
 */
export function closestName(
  name: string,
  names: readonly string[],
): string | undefined {
  const bound = Math.max(1, Math.floor(name.length / 3));
  const fold = (text: string) => text.toLowerCase().replace(/[\s_-]/g, "");
  const [best, second] = names
    .map((close) => ({ close, distance: distance(fold(name), fold(close)) }))
    .filter((candidate) => candidate.distance <= bound)
    .sort((left, right) => left.distance - right.distance);
  return best?.distance === second?.distance ? undefined : best?.close;
}

/**
 * Counts the edits from one name to another, a row of the table for each
 * letter: a letter more, fewer or another one, or two neighbours that changed
 * places (`sfae`, `safe`).
 */
function distance(left: string, right: string): number {
  let twoAbove: readonly number[] = [];
  let above: readonly number[] = Array.from(
    { length: right.length + 1 },
    (_, column) => column,
  );
  for (let row = 0; row < left.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < right.length; column += 1) {
      const isSame = left[row] === right[column];
      const isSwapped =
        left[row] === right[column - 1] && left[row - 1] === right[column];
      const kept = costAt(above, column) + (isSame ? 0 : 1);
      const removed = costAt(above, column + 1) + 1;
      const added = costAt(current, column) + 1;
      const swapped = isSwapped ? costAt(twoAbove, column - 1) + 1 : kept;
      current.push(Math.min(kept, removed, added, swapped));
    }
    twoAbove = above;
    above = current;
  }
  return costAt(above, right.length);
}

function costAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

/**
 * Merges options: the last one that gives a field counts. A field that is
 * `undefined` counts as absent.
 */
export function mergeGiven<Options extends object>(
  ...parts: readonly (Partial<Options> | undefined)[]
): Options {
  const fields = parts.flatMap((part) => Object.entries(part ?? {}));
  return Object.fromEntries(
    fields.filter(([, value]) => value !== undefined),
  ) as Options;
}
