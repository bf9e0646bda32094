import {
  coerceTo,
  dropNulls,
  mapValue,
  parseJson,
  renameKey,
  type ScalarType,
  setDefault,
  splitList,
  unwrapKey,
  wrapValue,
} from "../../repair/fixers/built-in.ts";
import type { FixContext, Fixer, FixerInput, JsonValue } from "../../repair/types.ts";

/** A built-in fixer as it is called: JSON, so that it can be compared, shown and written down. */
export type FixerCall =
  | { readonly fixer: "renameKey"; readonly from: string; readonly to: string; readonly at: string }
  | { readonly fixer: "wrapValue" | "unwrapKey"; readonly key: string; readonly at: string }
  | { readonly fixer: "parseJson"; readonly at: string }
  | { readonly fixer: "splitList"; readonly at: string; readonly separator: string }
  | { readonly fixer: "dropNulls" }
  | {
      readonly fixer: "mapValue";
      readonly at: string;
      readonly mapping: Readonly<Record<string, JsonValue>>;
    }
  | { readonly fixer: "setDefault"; readonly at: string; readonly value: JsonValue }
  | { readonly fixer: "coerceTo"; readonly at: string; readonly type: ScalarType };

const made = new WeakMap<FixerCall, Fixer>();

/** Returns the fixer that a call stands for; the same one for the same object. */
export function fixerOf(call: FixerCall): Fixer {
  const known = made.get(call) ?? makeFixer(call);
  made.set(call, known);
  return known;
}

/**
 * Runs the built-in fixer that a call stands for. None of them changes what it is given, or waits.
 *
 * @param call The call.
 * @param value The input.
 * @param context What the fixer looks at: the issues.
 * @returns The changed input; `undefined` where it changes nothing.
 */
export function runFixerCall(
  call: FixerCall,
  value: JsonValue,
  context: Pick<FixContext, "issues">,
): JsonValue | undefined {
  return fixerOf(call)(value as FixerInput, context as FixContext) as JsonValue | undefined;
}

function makeFixer(call: FixerCall): Fixer {
  switch (call.fixer) {
    case "renameKey":
      return renameKey(call.from, call.to, call.at);
    case "wrapValue":
      return wrapValue(call.key, call.at);
    case "unwrapKey":
      return unwrapKey(call.key, call.at);
    case "parseJson":
      return parseJson(call.at);
    case "splitList":
      return splitList(call.at, call.separator);
    case "dropNulls":
      return dropNulls();
    case "mapValue":
      return mapValue(call.at, call.mapping);
    case "setDefault":
      return setDefault(call.at, call.value);
    case "coerceTo":
      return coerceTo(call.at, call.type);
  }
}

/** Returns a call as TypeScript, without arguments that are the default. */
export function codeOf(call: FixerCall): string {
  const written = argumentsOf(call).map((value) => toSource(value));
  return `${call.fixer}(${written.join(", ")})`;
}

function argumentsOf(call: FixerCall): readonly JsonValue[] {
  switch (call.fixer) {
    case "renameKey":
      return [call.from, call.to, ...(call.at === "" ? [] : [call.at])];
    case "wrapValue":
    case "unwrapKey":
      return [call.key, ...(call.at === "" ? [] : [call.at])];
    case "parseJson":
      return call.at === "" ? [] : [call.at];
    case "splitList":
      return [call.at, ...(call.separator === "," ? [] : [call.separator])];
    case "dropNulls":
      return [];
    case "mapValue":
      return [call.at, call.mapping];
    case "setDefault":
      return [call.at, call.value];
    case "coerceTo":
      return [call.at, call.type];
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
