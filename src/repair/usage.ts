import { cutText, isContainer, isJsonObject } from "./json.ts";
import { withoutSeparators } from "./text.ts";
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
  for (const [name, value] of Object.entries(options)) {
    const check = checkNamed(name, of, checks);
    if (value === undefined) continue;
    if (!check.isMet(value))
      throw wrongValue(`option "${name}" of ${of}`, value, check);
    if (check.parts && isJsonObject(value))
      checkNames(`${of}, in "${name}"`, value, check.parts);
  }
}

function checkNamed(
  name: string,
  of: string,
  checks: OptionsUsage["checks"],
): Check {
  const check = checks[name];
  if (check !== undefined && Object.hasOwn(checks, name)) return check;
  const names = Object.keys(checks);
  const hint =
    askIfMeant(name, names) || ` Its options are ${names.join(", ")}.`;
  throw new TypeError(`There is no option "${name}" of ${of}.${hint}`);
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
  const { must, words = [] } = check;
  const part = wrongPart(value, check);
  if (part !== undefined)
    return wrongValue(`${part.name} of the ${what}`, part.value, part.check);
  const hint = typeof value === "string" ? askIfMeant(value, words) : "";
  return new TypeError(
    `The ${what} must be ${must}, not ${nameThing(value)}.${hint}`,
  );
}

/** The first wrong element of a list, or entry of a record. */
function wrongPart(value: unknown, { each, entries }: Check) {
  const isList = Array.isArray(value);
  const check = isList ? each : entries;
  if (check === undefined) return undefined;
  if (!isList && nameThing(value) !== "an object") return undefined;
  for (const [key, part] of Object.entries(value as object)) {
    const name = isList ? `element ${key}` : `"${key}"`;
    if (!check.isMet(part)) return { name, value: part, check };
  }
  return undefined;
}

/** Warns, once, of fixers under a name that is probably a misspelling. */
export function warnOfFixerNames(
  fixers: object | undefined,
  tools: readonly unknown[],
): void {
  if (fixers === undefined) return;
  const names = namesWithFixers(fixers);
  warnOfNames("toolmend has fixers for", fixers, names, tools);
}

/**
 * Warns, once for each source, of names in it that are probably misspellings of
 * a tool's.
 *
 * @param what What the source says of them, before the name.
 */
export function warnOfNames(
  what: string,
  source: object,
  names: readonly string[],
  tools: readonly unknown[],
): void {
  if (warned.has(source)) return;
  for (const { name, meant } of misspeltNames(source, names, tools)) {
    warned.add(source);
    warnProcess(
      `${what} "${name}", but no such tool. Did you mean "${meant}"?`,
      "TOOLMEND_UNKNOWN_TOOL",
    );
  }
}

/** Warns as Node.js does, where there is a process. */
export function warnProcess(says: string, code: string): void {
  globalThis.process?.emitWarning?.(says, { code });
}

/** A name of no tool, and the tool that was probably meant. */
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
  return misspeltNames(fixers, namesWithFixers(fixers), tools);
}

/** Finds the given names that are similar to a tool's that is not given. */
function misspeltNames(
  source: object,
  given: readonly string[],
  tools: readonly unknown[],
): readonly MisspeltName[] {
  const names = tools.map((tool) => (tool as Partial<ToolLike>).name ?? "");
  const pair = JSON.stringify([given, names]);
  if (compared.get(source) === pair) return [];
  const misspelt: MisspeltName[] = [];
  for (const name of new Set(given)) {
    if (names.includes(name)) continue;
    const meant = closestName(name, names);
    if (meant === undefined) continue;
    if (given.includes(meant)) continue;
    misspelt.push({ name, meant });
  }
  if (misspelt.length === 0) compared.set(source, pair);
  return misspelt;
}

/** The names of tools that have fixers. */
export function namesWithFixers(fixers: object): readonly string[] {
  const { registeredTools } = fixers as { readonly registeredTools?: unknown };
  if (typeof registeredTools === "function") return registeredTools();
  return Object.keys(fixers);
}

const warned = new WeakSet<object>();
/**
 * The given names and the tools' that were compared last and fit, by source: an
 * agent asks at every turn.
 */
const compared = new WeakMap<object, string>();

/** Checks for a tool, or for the parts of one that toolmend needs. */
export function checkTool(tool: unknown, of: string): asserts tool is ToolLike {
  const { name, schema } = Object(tool) as Record<string, unknown>;
  const isNamed = typeof tool === "object" && typeof name === "string";
  if (isNamed && aTool.isMet(schema)) return;
  throw new TypeError(
    `${of} needs a tool, with a name and a schema; this is ${noToolInWords(tool, name, schema)}.`,
  );
}

function noToolInWords(tool: unknown, name: unknown, schema: unknown): string {
  if (Array.isArray(tool)) return "an array: wrapTools takes several tools";
  const kind = nameThing(tool);
  if (kind !== "an object") return kind;
  return `${kind} whose name is ${nameThing(name)} and whose schema is ${nameThing(schema)}`;
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
  throw new TypeError(
    `${of} needs an array of tools; ${noToolListInWords(tools)}`,
  );
}

function noToolListInWords(tools: unknown): string {
  if (Array.isArray(tools)) {
    const at = tools.findIndex((tool) => !aTool.isMet(tool));
    return `element ${at} of it is ${nameThing(tools[at])}.`;
  }
  const kind = nameThing(tools);
  if (kind.startsWith("the tool "))
    return `this is ${kind}. Put it in brackets: [tool].`;
  return `this is ${kind}.`;
}

export function check(must: string, isMet: Check["isMet"]): Check {
  return { must, isMet };
}

/** A check by `typeof`. */
function ofType(must: string, type: string): Check {
  return check(must, (value) => typeof value === type);
}

export const aBoolean: Check = ofType("true or false", "boolean");
export const aFunction: Check = ofType("a function", "function");
export const aString: Check = ofType("a string", "string");
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
  const last = quoted.pop();
  const must =
    quoted.length === 0 ? `${last}` : `${quoted.join(", ")} or ${last}`;
  return { must, words, isMet: (value) => words.includes(value as string) };
}

/** Checks each item of a list. */
export function arrayOf(each: Check): Check {
  return {
    must: `an array in which each element is ${each.must}`,
    each,
    isMet: (value) => Array.isArray(value) && value.every(each.isMet),
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
  const { words = [] } = first;
  const { words: otherWords = [] } = second;
  return {
    ...second,
    must: `${first.must}, or ${second.must}`,
    words: [...words, ...otherWords],
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
  if (!isContainer(argument)) return String(argument);
  const has = argument as Readonly<Record<string, unknown>>;
  if (has.invoke && has.schema) return `the tool ${nameThing(has.name)}`;
  for (const [key, kind] of KINDS) {
    if (has[key]) return kind;
  }
  const { name } = Object.getPrototypeOf(argument)?.constructor ?? Object;
  if (name === "Object") return "an object";
  return `an instance of ${name}`;
}

/** Things that are often passed in place of others, by what they have. */
const KINDS = [
  ["forTool", "a fixer registry"],
  ["~standard", "a schema"],
  ["bindTools", "a chat model"],
  ["earlyStoppingMethod", "an AgentExecutor"],
  ["tool_calls", "a message"],
] as const;

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
  const fold = withoutSeparators(name);
  const [best, second] = names
    .map((close) => ({
      close,
      distance: distance(fold, withoutSeparators(close)),
    }))
    .filter((candidate) => candidate.distance <= bound)
    .sort((left, right) => left.distance - right.distance);
  if (best?.distance === second?.distance) return undefined;
  return best?.close;
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
