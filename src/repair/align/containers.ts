import { isJsonObject } from "../json/json-value.ts";
import { isContainer } from "../read/parse-exactly.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { foldName } from "./names.ts";
import { isToolName } from "./repair-tool-name.ts";
import type { Want } from "./types.ts";
import { CALL_KEYS, ENVELOPES, LIST_KEYS, NAME_KEYS } from "./vocabulary.ts";

/** An envelope with more keys is none. */
const MAX_KEYS = 8;

const JSON_TYPE = /^(?:string|number|integer|boolean|object|array|null)$/i;

/** Whether a text begins as an object, an array or a code fence does, in quotes or not. */
export function opensContainer(text: string): boolean {
  return /^[\s"'`\\]*[[{]|^\s*```/.test(text);
}

/** The kinds of elements of the wanted lists. */
export function elementsOf({ node }: Want): readonly Variant[] {
  return node.of("array").flatMap((list) => list.itemAt(0)?.variants() ?? []);
}

/**
 * Checks whether an accepted value looks as if it belongs at a place. A schema that allows
 * undeclared keys accepts nearly any object; keys of this place are better evidence: one of them,
 * or all, deeper inside too.
 */
export function fitsAt(value: JsonValue, node: SchemaNode, how: "known" | "snug"): boolean {
  if (how === "snug") return isSnug(value, node, new Map());
  if (!isJsonObject(value)) return true;
  const keys = Object.keys(value);
  const isKnown = ({ properties }: Variant) =>
    properties.size === 0 || keys.length === 0 || keys.some((key) => properties.has(key));
  return node.of("object").some(isKnown);
}

/** Each value and place is asked about once: branches of branches ask again and again. */
function isSnug(
  value: JsonValue,
  node: SchemaNode,
  asked: Map<object, Map<SchemaNode, boolean>>,
): boolean {
  if (value === null || typeof value !== "object") return true;
  const answers = asked.get(value) ?? new Map<SchemaNode, boolean>();
  const known = answers.get(node);
  if (known !== undefined) return known;
  const isList = Array.isArray(value);
  const answer = node.of(isList ? "array" : "object").some(({ itemAt, keyAt }) =>
    Object.entries(value).every(([key, child]) => {
      const place = isList ? itemAt(Number(key)) : keyAt(key);
      if (place === undefined) return isList && !isJsonObject(child);
      return isSnug(child as JsonValue, place, asked);
    }),
  );
  asked.set(value, answers.set(node, answer));
  return answer;
}

/**
 * The content of an envelope that the schema does not declare: `{"input": …}`, `{"<tool>": …}`,
 * `{"items": […]}`, a whole call of this tool, a field filled in as its own schema.
 */
export function contentOf(object: JsonObject, want: Want): JsonValue | undefined {
  const entries = Object.entries(object) as [string, JsonValue][];
  const [first] = entries;
  if (first === undefined || entries.length > MAX_KEYS) return undefined;
  const declared = [...want.node.of("object"), ...elementsOf(want)];
  const isDeclared = (key: string) =>
    declared.some(
      ({ keyAt, properties }) =>
        keyAt(key) !== undefined ||
        [...properties.keys()].some((name) => foldName(name) === foldName(key)),
    );
  if (entries.length === 1) return isDeclared(first[0]) ? undefined : contentAt(first, want);
  const { type, value } = object;
  const isSchema = entries.length === 2 && JSON_TYPE.test(String(type));
  if (isSchema && !isDeclared("type") && !isDeclared("value")) return value;
  return want.place.depth > 0 ? undefined : argumentsIn(entries, want, isDeclared);
}

const isPacked = (value: JsonValue) =>
  typeof value === "string" ? opensContainer(value) : isContainer(value);

/** The value at the only key, if that is an envelope's, the tool's or the field's own name. */
function contentAt([key, inner]: [string, JsonValue], want: Want): JsonValue | undefined {
  const { node, place, run } = want;
  const [folded, own] = [foldName(key), foldName(place.key)];
  const takesObject = node.of("object").length > 0;
  const isEnvelope =
    ENVELOPES.has(folded) || folded === foldName(run.toolName) || /^[\s_.:'"()[\]{}]*$/.test(key);
  const isList = node.of("array").length > 0 && LIST_KEYS.has(folded);
  const isOwn = own !== "" && [own, `${own}s`, own.replace(/s$/, "")].includes(folded);
  const isContent = isPacked(inner) ? isOwn || (takesObject && isEnvelope) : isOwn && !takesObject;
  return isList || isContent ? inner : undefined;
}

/** The arguments in a whole call of this tool, if its other keys are those of a call. */
function argumentsIn(
  entries: readonly [string, JsonValue][],
  { run: { toolName } }: Want,
  isDeclared: (key: string) => boolean,
): JsonValue | undefined {
  const held = entries.find(
    ([key, value]) => ENVELOPES.has(foldName(key)) && isPacked(value) && !isDeclared(key),
  );
  const inner = held?.[1];
  const inside = isJsonObject(inner) ? Object.keys(inner) : [];
  const beside = entries.filter((entry) => entry !== held);
  const isOfCall = beside.every(
    ([key, value]) =>
      isOfThisCall(foldName(key), value, toolName) && (!isDeclared(key) || inside.includes(key)),
  );
  const keys = [...beside.map(([key]) => key), ...inside];
  return isOfCall && keys.some((key) => NAME_KEYS.has(foldName(key))) ? inner : undefined;
}

/** Whether a value beside the arguments is this tool's name, an id, or marks a call. */
function isOfThisCall(key: string, value: JsonValue, toolName: string): boolean {
  if (NAME_KEYS.has(key)) return typeof value === "string" && isToolName(value, toolName);
  const word = foldName(String(value));
  return CALL_KEYS.has(key) && (key !== "type" || ENVELOPES.has(word) || NAME_KEYS.has(word));
}
