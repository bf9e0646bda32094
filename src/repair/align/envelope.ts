import { isJsonObject } from "../json/json-value.ts";
import type { Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { foldName } from "./names.ts";
import { isToolName } from "./repair-tool-name.ts";
import type { Want } from "./types.ts";
import { CALL_KEYS, ENVELOPES, LIST_KEYS, NAME_KEYS, VALUE_KEYS } from "./vocabulary.ts";

const JSON_TYPE = /^(?:string|number|integer|boolean|object|array|null)$/i;

/** An envelope with more keys is none. */
const MAX_KEYS = 8;

/** Whether a text begins as an object, an array or a code fence does, in quotes or not. */
export function opensContainer(text: string): boolean {
  return /^[\s"'`\\]*[[{]|^\s*```/.test(text);
}

/** The kinds of elements of the wanted lists. */
export function elementsOf({ node }: Want): readonly Variant[] {
  return node.of("array").flatMap((list) => list.itemAt(0)?.variants() ?? []);
}

/**
 * The content of an envelope that the schema does not declare: `{"input": …}`, `{"<tool>": …}`,
 * `{"items": […]}`, a whole call of this tool.
 */
export function contentOf(object: JsonObject, want: Want): JsonValue | undefined {
  const entries = Object.entries(object) as [string, JsonValue][];
  const [first, ...others] = entries;
  if (first === undefined || entries.length > MAX_KEYS) return undefined;
  const isDeclared = declaresIn(want);
  if (others.length === 0) return isDeclared(first[0]) ? undefined : contentAt(first, want);
  // A field filled in as its own schema.
  const isTyped = Object.keys(object).sort().join() === "type,value";
  if (isTyped && JSON_TYPE.test(String(object.type))) {
    return isDeclared("type") || isDeclared("value") ? undefined : object.value;
  }
  return want.place.depth > 0 ? undefined : argumentsOf(entries, want, isDeclared);
}

/** Checks whether the place, or an element of it, declares a key in any spelling. */
function declaresIn(want: Want): (key: string) => boolean {
  const declared = [...want.node.of("object"), ...elementsOf(want)];
  return (key) =>
    declared.some(
      (variant) =>
        variant.keyAt(key) !== undefined ||
        [...variant.properties.keys()].some((name) => foldName(name) === foldName(key)),
    );
}

function isPacked(value: JsonValue): boolean {
  return (
    (value !== null && typeof value === "object") ||
    (typeof value === "string" && opensContainer(value))
  );
}

/** The value at the only key, if that is an envelope's, the tool's or the field's own name. */
function contentAt([key, inner]: [string, JsonValue], want: Want): JsonValue | undefined {
  const { node, place, run } = want;
  const [folded, own] = [foldName(key), foldName(place.key)];
  const takesObject = node.of("object").length > 0;
  const isEnvelope =
    ENVELOPES.has(folded) || folded === foldName(run.toolName) || /^[\s_.:'"()[\]{}]*$/.test(key);
  if (takesObject && isEnvelope && isPacked(inner)) return inner;
  if (node.of("array").length > 0 && LIST_KEYS.has(folded)) return inner;
  const isOwn = own !== "" && [own, `${own}s`, own.replace(/s$/, "")].includes(folded);
  if (isOwn && (isPacked(inner) || !takesObject)) return inner;
  return !takesObject && !isPacked(inner) && VALUE_KEYS.has(folded) ? inner : undefined;
}

/** The arguments of a whole call of this tool, if its other keys are those of a call. */
function argumentsOf(
  entries: readonly [string, JsonValue][],
  { run }: Want,
  isDeclared: (key: string) => boolean,
): JsonValue | undefined {
  const [held, ...more] = entries.filter(
    ([key, value]) => ENVELOPES.has(foldName(key)) && isPacked(value) && !isDeclared(key),
  );
  if (held === undefined || more.length > 0) return undefined;
  const [, inner] = held;
  const beside = entries.filter((entry) => entry !== held);
  const isOfCall = beside.every(([key, value]) => isOfThisCall(foldName(key), value, run.toolName));
  const leavesOut = beside.some(
    ([key]) => isDeclared(key) && !(isJsonObject(inner) && Object.hasOwn(inner, key)),
  );
  const isNamed = [...beside, ...(isJsonObject(inner) ? Object.entries(inner) : [])].some(([key]) =>
    NAME_KEYS.has(foldName(key)),
  );
  return isNamed && isOfCall && !leavesOut ? inner : undefined;
}

/** Whether a value beside the arguments is this tool's name, an id, or marks a call. */
function isOfThisCall(key: string, value: JsonValue, toolName: string): boolean {
  if (NAME_KEYS.has(key)) return typeof value === "string" && isToolName(value, toolName);
  const word = foldName(String(value));
  return CALL_KEYS.has(key) && (key !== "type" || ENVELOPES.has(word) || NAME_KEYS.has(word));
}
