import { isContainer, isJsonObject } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { foldName } from "../../words/names.ts";
import {
  CALL_KEYS,
  ENVELOPES,
  LIST_KEYS,
  NAME_KEYS,
  TAG_NAMES,
} from "../../words/vocabulary.ts";
import { opensContainer } from "../bare-text.ts";
import { integer, listed, object, text } from "../cases.ts";
import { elementsOf } from "../lists.ts";
import { isToolName } from "../repair-tool-name.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import type { ValueWant, Want } from "../types.ts";

export const unwrapEnvelope: ValueEdit = {
  name: "unwrap-envelope",
  level: "safe",
  cost: 2,
  types: ["object"],
  fits: "someKey",
  unpacks: true,
  propose(at) {
    const content = isJsonObject(at.value)
      ? contentOf(at.value, at)
      : undefined;
    if (content === null) return [];
    return proposeValue(
      content,
      "it stands in an envelope that is not declared",
    );
  },
  unless: {
    "a declared key has that name": ({ after: content }, at) => {
      const keys = Object.keys(at.value as JsonObject);
      // A key of a call may stand among its arguments, too.
      const isInside = (key: string) =>
        isJsonObject(content) && Object.hasOwn(content, key);
      const outer =
        keys.length === 1 ? keys : keys.filter((key) => !isInside(key));
      return outer.some((key) => isDeclared(key, at));
    },
  },
};

const JSON_TYPE = /^(?:string|number|integer|boolean|object|array)$/i;

/**
 * The content of an envelope: at its only key, at `value` beside `type`, or in
 * a whole call.
 */
function contentOf(envelope: JsonObject, at: ValueWant): JsonValue | undefined {
  const entries = Object.entries(envelope) as [string, JsonValue][];
  const [first] = entries;
  if (first !== undefined && entries.length === 1) return contentAt(first, at);
  const { type, value } = envelope;
  const isSchema =
    entries.length === 2 && typeof type === "string" && JSON_TYPE.test(type);
  if (isSchema) return value;
  return at.place.depth > 0 ? undefined : argumentsIn(entries, at);
}

/**
 * A key without a letter, or a slot of a template: `$PARAMETER_NAME`,
 * `<input>`, `{{args}}`.
 */
const SLOT = /^[\s_.:'"()[\]{}]*$|^(?:\$|<|\{+)[\w -]+[>}]*$/;

/**
 * The value at the only key, if that is an envelope's, the tool's or the
 * field's own name.
 */
function contentAt(
  [key, inner]: [string, JsonValue],
  at: ValueWant,
): JsonValue | undefined {
  const { node, run } = at;
  const name = foldName(key);
  const takesObject = node.of("object").length > 0;
  if (isFieldName(name, inner, at) && (isPacked(inner) || !takesObject))
    return inner;
  if (!isPacked(inner))
    return name === "value" && !takesObject ? inner : undefined;
  if (node.of("array").length > 0 && LIST_KEYS.has(name)) return inner;
  const isEnvelope =
    ENVELOPES.has(name) || name === foldName(run.toolName) || SLOT.test(key);
  return takesObject && isEnvelope ? inner : undefined;
}

/**
 * Whether a key repeats its field's name; around an object or a list also in
 * the other number.
 */
function isFieldName(name: string, inner: JsonValue, { place }: Want): boolean {
  const field = foldName(place.key);
  if (field === "") return false;
  // `{ day: { days: 5 } }` may be another thing.
  if (!isPacked(inner)) return name === field;
  return [field, `${field}s`, field.replace(/s$/, "")].includes(name);
}

function isPacked(value: JsonValue): boolean {
  return typeof value === "string" ? opensContainer(value) : isContainer(value);
}

/**
 * The arguments in a whole call of this tool, if its other keys are those of a
 * call.
 */
function argumentsIn(
  entries: readonly (readonly [string, JsonValue])[],
  { run: { toolName } }: Want,
): JsonValue | undefined {
  const held = entries.find(
    ([key, value]) => ENVELOPES.has(foldName(key)) && isPacked(value),
  );
  const inner = held?.[1];
  const beside = entries.filter((entry) => entry !== held);
  const isOfCall = beside.every(([key, value]) =>
    isOfThisCall(foldName(key), value, toolName),
  );
  const inside = isJsonObject(inner) ? Object.keys(inner) : [];
  const keys = [...beside.map(([key]) => key), ...inside];
  const namesTool = keys.some((key) => NAME_KEYS.has(foldName(key)));
  return isOfCall && namesTool ? inner : undefined;
}

/**
 * Whether a value beside the arguments is this tool's name, an id, or marks a
 * call.
 */
function isOfThisCall(
  key: string,
  value: JsonValue,
  toolName: string,
): boolean {
  if (NAME_KEYS.has(key))
    return typeof value === "string" && isToolName(value, toolName);
  if (!CALL_KEYS.has(key)) return false;
  const word = typeof value === "string" ? foldName(value) : "";
  return key !== "type" || TAG_NAMES.has(word) || NAME_KEYS.has(word);
}

/**
 * Whether the wanted object, or an element of the wanted list, declares a key
 * in any spelling.
 */
function isDeclared(key: string, at: Want): boolean {
  const objects = [...at.node.of("object"), ...elementsOf(at)];
  return objects.some(({ keyAt, properties }) => {
    if (keyAt(key) !== undefined) return true;
    return [...properties.keys()].some(
      (name) => foldName(name) === foldName(key),
    );
  });
}

export function unwrapEnvelopeSpec(): EditSpec {
  const selector = object({ selector: text });
  return {
    does: `An undeclared envelope is removed: one of ${listed(ENVELOPES)}; the tool's name; a whole call of this tool; a slot of a template (\`$PARAMETER_NAME\`); around a list ${listed(LIST_KEYS)}; the field's own name; \`{"value": x}\` where a scalar is wanted. Any other key has a meaning.`,
    example: {
      schema: selector,
      input: { input: { selector: "#buy" } },
      after: { selector: "#buy" },
    },
    witnesses: {
      "a declared key has that name": {
        schema: object({ "data?": object({ note: text }), selector: text }),
        input: { data: { selector: "#buy" } },
      },
    },
    notFor: [
      {
        schema: selector,
        input: { input: { selector: "#buy" }, args: { selector: "#sell" } },
      },
      { schema: selector, input: { example: { selector: "#buy" } } },
      { schema: selector, input: { previous: { selector: "#buy" } } },
      {
        schema: selector,
        input: { tool: "other_tool", input: { selector: "#buy" } },
      },
      {
        schema: selector,
        input: { input: { selector: "#buy" }, dry_run: true },
      },
      { schema: object({ months: integer }), input: { months: { month: 5 } } },
    ],
  };
}
