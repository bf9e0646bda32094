import {
  coerceTo,
  mapValue,
  renameKey,
  type ScalarType,
  splitList,
  unwrapKey,
  wrapValue,
} from "../../repair/fixers/built-in.ts";
import { getAt, isJsonObject, setAt } from "../../repair/json.ts";
import type { FixContext, Fixer, FixerInput, JsonValue } from "../../repair/types.ts";
import { asValue } from "../logged-inputs.ts";
import { escapeUnshown } from "../print-name.ts";

/** A step from a refused input to its correction, as JSON; `args` are its fixer's arguments without the path. */
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
  /** `moves` what the model wrote, `says` a value, or `links` other steps as toolmend does without a fixer. */
  readonly role: "moves" | "says" | "links";
  readonly make: (at: string, ...args: readonly JsonValue[]) => Fixer;
  /** Its other arguments as TypeScript. Default: they are names, and stand before the place. */
  readonly show?: (values: boolean, ...args: readonly JsonValue[]) => readonly string[];
}

const FIXERS: Readonly<Record<FixerName, Kind>> = {
  renameKey: {
    role: "moves",
    make: (at, from, to) => renameKey(String(from), String(to), at),
  },
  wrapValue: { role: "moves", make: (at, key) => wrapValue(String(key), at) },
  unwrapKey: { role: "moves", make: (at, key) => unwrapKey(String(key), at) },
  splitList: {
    role: "moves",
    make: (at, separator) => splitList(at, String(separator)),
    show: (_, separator = "") => (separator === "," ? [] : [toSource(separator)]),
  },
  mapValue: {
    role: "says",
    make: (at, from, to = null) => mapValue(at, { [String(from)]: to }),
    show: (values, from, to = null) => [values ? toSource({ [String(from)]: to }) : "{ … }"],
  },
  fill: {
    role: "says",
    make: (at, value) => (input) => fill(input as JsonValue, at, value as JsonValue),
    show: (values, value = null) => [values ? toSource(value) : "…"],
  },
  coerceTo: { role: "links", make: (at, type) => coerceTo(at, type as ScalarType) },
  parseJson: { role: "links", make: (at) => (input) => parseAt(input as JsonValue, at) },
};

export function roleOf({ fixer }: FixerCall): Kind["role"] {
  return FIXERS[fixer].role;
}

const made = new WeakMap<FixerCall, Fixer>();

/** Returns the fixer that a call stands for; the same one for the same object. */
export function fixerOf(call: FixerCall): Fixer {
  const fixer = made.get(call) ?? FIXERS[call.fixer].make(call.at, ...call.args);
  made.set(call, fixer);
  return fixer;
}

/** Returns the input that a step makes; `undefined` where it changes nothing. */
export function runFixerCall(call: FixerCall, value: JsonValue): JsonValue | undefined {
  return fixerOf(call)(value as FixerInput, NO_CONTEXT) as JsonValue | undefined;
}

/** The fixers that are used here look at nothing but the input. */
const NO_CONTEXT = { issues: [] } as unknown as FixContext;

function fill(input: JsonValue, at: string, value: JsonValue): JsonValue | undefined {
  const isThere = getAt(input, at) !== undefined;
  const holder = getAt(input, at.slice(0, at.lastIndexOf("/")));
  return isThere || at.includes("*") || !isJsonObject(holder) ? undefined : setAt(input, at, value);
}

function parseAt(input: JsonValue, at: string): JsonValue | undefined {
  const text = getAt(input, at);
  const value = asValue(text);
  return typeof text !== "string" || value === text ? undefined : setAt(input, at, value);
}

/** Names of keys. Others may be values that a model wrote in the place of a key: an account, a person's. */
const NAME = /^(?!.*\d{3})[\p{L}_$][\p{L}\p{N}_$.-]{0,40}$/u;

/** Whether all that a call names may be keys, and none a value. */
export function namesKeysOnly({ fixer, args, at }: FixerCall): boolean {
  const hasNames = FIXERS[fixer].show === undefined;
  return isPlace(at) && (!hasNames || args.every((name) => NAME.test(String(name))));
}

function isPlace(at: string): boolean {
  const [, ...names] = at.split("/");
  return names.every((name) => name === "*" || NAME.test(name));
}

/** Returns a call as TypeScript, without arguments that are the default; an ellipsis stands for `values`. */
export function codeOf({ fixer, args, at }: FixerCall, values = false): string {
  const { show } = FIXERS[fixer];
  const place = values || isPlace(at) ? toSource(at) : "…";
  const names = args.map((one) => (values || NAME.test(String(one)) ? toSource(one) : "…"));
  const all = show ? [place, ...show(values, ...args)] : [...names, ...(at === "" ? [] : [place])];
  return `${fixer}(${all.join(", ")})`;
}

/** Returns JSON as TypeScript, in one line, with spaces as a formatter would put them. */
export function toSource(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => toSource(item)).join(", ")}]`;
  // What could end a line or a comment is escaped, too.
  if (!isJsonObject(value)) return escapeUnshown(JSON.stringify(value));
  const fields = Object.entries(value).map(([key, one]) => `${toSource(key)}: ${toSource(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
