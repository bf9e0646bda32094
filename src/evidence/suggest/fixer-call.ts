import {
  coerceTo,
  mapValue,
  renameKey,
  type ScalarType,
  splitList,
  unwrapKey,
  wrapValue,
} from "../../repair/fixers/built-in.ts";
import { getAt, setAt } from "../../repair/json/json-pointer.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { FixContext, Fixer, FixerInput, JsonObject, JsonValue } from "../../repair/types.ts";
import { asValue } from "./logged-inputs.ts";

/**
 * A step from a refused input to its correction, as JSON, so that it can be compared and shown. The
 * first four are fixers that structure alone can prove; `mapValue` and `fill` say values; `coerceTo`
 * and `parseJson` are what toolmend does without a fixer, and only link other steps.
 */
export type FixerCall =
  | { readonly fixer: "renameKey"; readonly from: string; readonly to: string; readonly at: string }
  | { readonly fixer: "wrapValue" | "unwrapKey"; readonly key: string; readonly at: string }
  | { readonly fixer: "splitList"; readonly at: string; readonly separator: string }
  | {
      readonly fixer: "mapValue";
      readonly at: string;
      readonly from: string;
      readonly to: JsonValue;
    }
  | { readonly fixer: "fill"; readonly at: string; readonly value: JsonValue }
  | { readonly fixer: "coerceTo"; readonly at: string; readonly type: ScalarType }
  | { readonly fixer: "parseJson"; readonly at: string };

const made = new WeakMap<FixerCall, Fixer>();

/** Returns the fixer that a call stands for; the same one for the same object. */
export function fixerOf(call: FixerCall): Fixer {
  const known = made.get(call) ?? makeFixer(call);
  made.set(call, known);
  return known;
}

/**
 * Runs a step. None of them changes what it is given, or waits.
 *
 * @param call The step.
 * @param value The input.
 * @returns The changed input; `undefined` where it changes nothing.
 */
export function runFixerCall(call: FixerCall, value: JsonValue): JsonValue | undefined {
  return fixerOf(call)(value as FixerInput, NO_CONTEXT) as JsonValue | undefined;
}

/** The fixers that are used here look at nothing but the input. */
const NO_CONTEXT = { issues: [] } as unknown as FixContext;

function makeFixer(call: FixerCall): Fixer {
  switch (call.fixer) {
    case "renameKey":
      return renameKey(call.from, call.to, call.at);
    case "wrapValue":
      return wrapValue(call.key, call.at);
    case "unwrapKey":
      return unwrapKey(call.key, call.at);
    case "splitList":
      return splitList(call.at, call.separator);
    case "mapValue":
      return mapValue(call.at, { [call.from]: call.to });
    case "coerceTo":
      return coerceTo(call.at, call.type);
    case "fill":
      return (input) => fill(input as JsonValue, call.at, call.value);
    case "parseJson":
      return (input) => parseAt(input as JsonValue, call.at);
  }
}

function fill(input: JsonValue, at: string, value: JsonValue): JsonValue | undefined {
  const isThere = getAt(input, at) !== undefined;
  const holder = getAt(input, at.slice(0, at.lastIndexOf("/")));
  return isThere || at.includes("*") || !isJsonObject(holder) ? undefined : setAt(input, at, value);
}

function parseAt(input: JsonValue, at: string): JsonValue | undefined {
  const text = getAt(input, at);
  if (typeof text !== "string") return undefined;
  const value = asValue(text);
  return value === text ? undefined : setAt(input, at, value);
}

/**
 * Returns a call as TypeScript, without arguments that are the default.
 *
 * @param call The call.
 * @param values Whether values of inputs are in it. Default: an ellipsis stands for them.
 */
export function codeOf(call: FixerCall, values = false): string {
  return `${call.fixer}(${argumentsOf(call, values).join(", ")})`;
}

function argumentsOf(call: FixerCall, values: boolean): readonly string[] {
  const text = (value: JsonValue) => toSource(value);
  const place = "at" in call && call.at !== "" ? [text(call.at)] : [];
  switch (call.fixer) {
    case "renameKey":
      return [text(call.from), text(call.to), ...place];
    case "wrapValue":
    case "unwrapKey":
      return [text(call.key), ...place];
    case "splitList":
      return [text(call.at), ...(call.separator === "," ? [] : [text(call.separator)])];
    case "mapValue":
      return [text(call.at), values ? text({ [call.from]: call.to } as JsonObject) : "{ … }"];
    case "fill":
      return [text(call.at), values ? text(call.value) : "…"];
    case "coerceTo":
      return [text(call.at), text(call.type)];
    case "parseJson":
      return place;
  }
}

/** Returns JSON as TypeScript, in one line, with spaces as a formatter would put them. */
export function toSource(value: JsonValue): string {
  if (value === null || typeof value !== "object") return quote(value);
  if (Array.isArray(value)) return `[${value.map((item) => toSource(item)).join(", ")}]`;
  const fields = Object.entries(value).map(([key, one]) => `${quote(key)}: ${toSource(one)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** What JSON and JavaScript write differently, and what could end a line or a comment, is escaped. */
function quote(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
