import { isContainer, isJsonObject } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { foldName } from "../../words/names.ts";
import {
  CALL_KEYS,
  ENVELOPES,
  LIST_KEYS,
  NAME_KEYS,
  namesJsonType,
  TAG_NAMES,
} from "../../words/vocabulary.ts";
import { opensContainer } from "../bare-text.ts";
import { inputsFor, integer, listed, object, text } from "../cases.ts";
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
    if (!isJsonObject(at.value)) return [];
    const content = contentOf(at.value, at);
    if (content === null) return [];
    return proposeValue(
      content,
      "it stands in an envelope that is not declared",
    );
  },
  unless: {
    "a declared key has that name": ({ after: content }, at) => {
      const keys = Object.keys(at.value as JsonObject);
      if (keys.length === 1) return keys.some((key) => isDeclared(key, at));
      // A key of a call may stand among its arguments, too.
      const inside = isJsonObject(content) ? content : {};
      const outer = keys.filter((key) => !Object.hasOwn(inside, key));
      return outer.some((key) => isDeclared(key, at));
    },
  },
};

/**
 * The content of an envelope: at its only key, at `value` beside `type`, or in
 * a whole call.
 */
function contentOf(envelope: JsonObject, at: ValueWant): JsonValue | undefined {
  const entries = Object.entries(envelope) as [string, JsonValue][];
  const [first, second, third] = entries;
  if (first === undefined) return undefined;
  if (second === undefined) {
    const [key, inner] = first;
    return isEnvelope(key, inner, at) ? inner : undefined;
  }
  const { type, value } = envelope;
  const namesType = typeof type === "string" && namesJsonType(type);
  if (namesType && third === undefined) return value;
  return at.place.depth > 0 ? undefined : argumentsIn(entries, at);
}

/**
 * A key without a letter, or a slot of a template: `$PARAMETER_NAME`,
 * `<input>`, `{{args}}`.
 */
const SLOT = /^[\s_.:'"()[\]{}]*$|^(?:\$|<|\{+)[\w -]+[>}]*$/;

/**
 * Whether the only key of an object is an envelope's, the tool's or the field's
 * own name.
 */
function isEnvelope(key: string, inner: JsonValue, at: ValueWant): boolean {
  const { node, place, run } = at;
  const name = foldName(key);
  const field = foldName(place.key);
  const takesObject = node.of("object").length > 0;
  if (!isPacked(inner)) {
    // `{ day: { days: 5 } }` may be another thing.
    const isNamed = name === "value" || isSameName(name, field);
    return isNamed && !takesObject;
  }
  if (isSameName(name, field) || isInOtherNumber(name, field)) return true;
  if (LIST_KEYS.has(name) && node.of("array").length > 0) return true;
  if (!takesObject) return false;
  if (ENVELOPES.has(name) || SLOT.test(key)) return true;
  return name === foldName(run.toolName);
}

function isSameName(name: string, field: string): boolean {
  return field !== "" && name === field;
}

/** Whether one of two names is the other's plural: `day` and `days`. */
function isInOtherNumber(name: string, field: string): boolean {
  if (field === "") return false;
  return name === `${field}s` || field === `${name}s`;
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
  if (held === undefined) return undefined;
  const [, inner] = held;
  const beside = entries.filter((entry) => entry !== held);
  const isOfCall = beside.every(([key, value]) =>
    isOfThisCall(foldName(key), value, toolName),
  );
  if (!isOfCall) return undefined;
  const keys = beside.map(([key]) => key);
  if (isJsonObject(inner)) keys.push(...Object.keys(inner));
  const namesTool = keys.some((key) => NAME_KEYS.has(foldName(key)));
  return namesTool ? inner : undefined;
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
  if (key !== "type" && CALL_KEYS.has(key)) return true;
  if (typeof value !== "string") return false;
  if (NAME_KEYS.has(key)) return isToolName(value, toolName);
  const word = foldName(value);
  return key === "type" && (TAG_NAMES.has(word) || NAME_KEYS.has(word));
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
      ...inputsFor(
        selector,
        { input: { selector: "#buy" }, args: { selector: "#sell" } },
        { example: { selector: "#buy" } },
        { previous: { selector: "#buy" } },
        { tool: "other_tool", input: { selector: "#buy" } },
        { input: { selector: "#buy" }, dry_run: true },
      ),
      { schema: object({ months: integer }), input: { months: { month: 5 } } },
    ],
  };
}
