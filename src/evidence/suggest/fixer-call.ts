import {
  coerceTo,
  mapValue,
  renameKey,
  type ScalarType,
  splitList,
  unwrapKey,
  wrapValue,
} from "../../repair/fixers/built-in.ts";
import { asValue, getAt, isJsonObject, setAt } from "../../repair/json.ts";
import { memoize } from "../../repair/schema/part.ts";
import type {
  FixContext,
  Fixer,
  FixerInput,
  JsonObject,
  JsonValue,
} from "../../repair/types.ts";
import { escapeUnshown } from "../print-name.ts";

/**
 * A step from a rejected input to its correction, as JSON; `args` are its
 * fixer's arguments without the path.
 */
export interface FixerCall {
  readonly fixer: FixerName;
  readonly args: readonly JsonValue[];
  readonly at: string;
}

type FixerName =
  | "renameKey"
  | "wrapValue"
  | "unwrapKey"
  | "splitList"
  | "mapValue"
  | "fill"
  | "coerceTo"
  | "parseJson";

/** A fixer that corrections may show. */
interface Kind {
  /**
   * `moves` what the model wrote, `says` a value, or `links` other steps as
   * toolmend does without a fixer.
   */
  readonly role: "moves" | "says" | "links";
  /** What its arguments are. Names of keys stand before the place. */
  readonly takes: "names" | "values" | "options";
  readonly make: (at: string, ...args: readonly JsonValue[]) => Fixer;
}

const FIXERS: Readonly<Record<FixerName, Kind>> = {
  renameKey: {
    role: "moves",
    takes: "names",
    make: (at, from, to) => renameKey(String(from), String(to), at),
  },
  wrapValue: {
    role: "moves",
    takes: "names",
    make: (at, key) => wrapValue(String(key), at),
  },
  unwrapKey: {
    role: "moves",
    takes: "names",
    make: (at, key) => unwrapKey(String(key), at),
  },
  splitList: {
    role: "moves",
    takes: "options",
    make: (at, separator = ",") => splitList(at, String(separator)),
  },
  mapValue: {
    role: "says",
    takes: "values",
    make: (at, values) => mapValue(at, values as JsonObject),
  },
  fill: {
    role: "says",
    takes: "values",
    make: (at, value) => (input) =>
      fill(input as JsonValue, at, value as JsonValue),
  },
  coerceTo: {
    role: "links",
    takes: "options",
    make: (at, type) => coerceTo(at, type as ScalarType),
  },
  parseJson: {
    role: "links",
    takes: "options",
    make: (at) => (input) => parseAt(input as JsonValue, at),
  },
};

export function roleOf({ fixer }: FixerCall): Kind["role"] {
  return FIXERS[fixer].role;
}

/**
 * Returns the fixer that a call stands for; the same one for the same object.
 */
export const fixerOf: (call: FixerCall) => Fixer = memoize(
  ({ fixer, args, at }: FixerCall) => FIXERS[fixer].make(at, ...args),
);

/**
 * Returns the input that a step makes; `undefined` where it changes nothing.
 */
export function runFixerCall(
  call: FixerCall,
  value: JsonValue,
): JsonValue | undefined {
  return fixerOf(call)(value as FixerInput, NO_CONTEXT) as
    | JsonValue
    | undefined;
}

/** The fixers that are used here look at nothing but the input. */
const NO_CONTEXT = { issues: [] } as unknown as FixContext;

function fill(
  input: JsonValue,
  at: string,
  value: JsonValue,
): JsonValue | undefined {
  if (at.includes("*") || getAt(input, at) !== undefined) return undefined;
  const holder = getAt(input, at.slice(0, at.lastIndexOf("/")));
  return isJsonObject(holder) ? setAt(input, at, value) : undefined;
}

function parseAt(input: JsonValue, at: string): JsonValue | undefined {
  const text = getAt(input, at);
  const value = asValue(text);
  return value === text ? undefined : setAt(input, at, value);
}

/**
 * Names of keys. Others may be values that a model wrote in the place of a key:
 * an account, a person's.
 */
const NAME = /^(?!.*\d{3})[\p{L}_$][\p{L}\p{N}_$.-]{0,40}$/u;

function isName(argument: JsonValue): boolean {
  return NAME.test(String(argument));
}

/** Whether all that a call names may be keys, and none a value. */
export function namesKeysOnly({ fixer, args, at }: FixerCall): boolean {
  if (!isPlace(at)) return false;
  return FIXERS[fixer].takes !== "names" || args.every(isName);
}

function isPlace(at: string): boolean {
  const [, ...names] = at.split("/");
  return names.every((name) => name === "*" || isName(name));
}

/**
 * Returns a call as TypeScript, without arguments that are the default; an
 * ellipsis stands for each value of the log.
 */
export function codeOf(
  { fixer, args, at }: FixerCall,
  withValues = false,
): string {
  const { takes } = FIXERS[fixer];
  const place = withValues || isPlace(at) ? toSource(at) : "…";
  const shown = args.map((argument) =>
    withValues ? toSource(argument) : toSourceOrEllipsis(argument, takes),
  );
  if (takes !== "names") shown.unshift(place);
  else if (at !== "") shown.push(place);
  return `${fixer}(${shown.join(", ")})`;
}

function toSourceOrEllipsis(argument: JsonValue, takes: Kind["takes"]): string {
  const isShown =
    takes === "options" || (takes === "names" && isName(argument));
  if (isShown) return toSource(argument);
  return isJsonObject(argument) ? "{ … }" : "…";
}

/**
 * Returns JSON as TypeScript, in one line, with spaces as a formatter would put
 * them.
 */
export function toSource(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toSource).join(", ")}]`;
  // What could end a line or a comment is escaped, too.
  if (!isJsonObject(value)) return escapeUnshown(JSON.stringify(value));
  const fields = Object.entries(value).map(
    ([key, field]) => `${toSource(key)}: ${toSource(field)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
