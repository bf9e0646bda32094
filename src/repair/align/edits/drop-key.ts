import { jsonEquals } from "../../json.ts";
import { declaredNames } from "../../schema/part.ts";
import type { JsonValue } from "../../types.ts";
import { foldName, slipBetween } from "../../words/names.ts";
import {
  isNoArguments,
  NAME_KEYS,
  PLACEHOLDERS,
  REMARKS,
} from "../../words/vocabulary.ts";
import { opensContainer } from "../bare-text.ts";
import { inputsFor, object, text } from "../cases.ts";
import type { Edit, EditSpec, KeyRemoval } from "../rule.ts";
import type { KeyWant } from "../types.ts";
import { isNameOf } from "./rename-only-key.ts";

export const dropKey: Edit<KeyRemoval, KeyWant> = {
  name: "drop-key",
  level: "safe",
  cost: 2,
  isForIgnored: true,
  propose(at) {
    if (takesNoArguments(at)) return placeholdersIn(at);
    if (!at.variant.closed || !at.run.undeclared.drops) return [];
    const changes: KeyRemoval[] = [];
    for (const from of at.unknown) {
      const why = whyUseless(from, at);
      if (why !== undefined) changes.push({ kind: "drop", from, why });
    }
    return changes;
  },
  unless: {
    "nothing else was written": (_, at) => {
      if (takesNoArguments(at)) return false;
      const keys = Object.keys(at.object);
      return keys.every(
        (key) => at.unknown.includes(key) && whyUseless(key, at) !== undefined,
      );
    },
    "a field of that name is declared elsewhere": ({ from }, { run }) =>
      declaredNames(run.schema.jsonSchema).has(from),
    "it may be a misspelt field": ({ from }, at) =>
      at.object[from] !== null && at.absent.some((name) => isNear(from, name)),
  },
};

/** Whether the tool takes no arguments at all. */
function takesNoArguments({ place, node, variant }: KeyWant): boolean {
  if (place.path !== "" || variant.properties.size > 0) return false;
  return node.of("object").length === 1;
}

/** The keys that models write where a tool takes no arguments. */
function placeholdersIn({
  unknown,
  object,
  run,
}: KeyWant): readonly KeyRemoval[] {
  const placeholders = unknown.filter((key) =>
    isPlaceholder(key, object[key] as JsonValue, run.toolName),
  );
  const why = "the tool takes no arguments";
  return placeholders.map((from) => ({ kind: "drop", from, why }));
}

function isPlaceholder(
  key: string,
  value: JsonValue,
  toolName: string,
): boolean {
  if (isNoArguments(value) || isOfEmptySchema(key, value)) return true;
  if (typeof value !== "string") return false;
  if (foldName(value) === foldName(toolName)) return true;
  return [key, value].every((text) => PLACEHOLDERS.test(text));
}

/**
 * A part of a tool's own empty schema:
 * `{"type": "object", "additionalProperties": false}`.
 */
function isOfEmptySchema(key: string, value: JsonValue): boolean {
  if (key === "type") return value === "object";
  return key === "additionalProperties" && typeof value === "boolean";
}

/**
 * Why a forbidden key asks for nothing; `undefined` if it may ask for
 * something.
 */
function whyUseless(key: string, at: KeyWant): string | undefined {
  const value = at.object[key] as JsonValue;
  if (value === null) return "nothing stands there";
  const isText = typeof value === "string";
  if (isText && value.trim() === "") return "nothing stands there";
  if (repeatsDeclared(key, value, at)) return "a declared key says the same";
  return isText ? whyUselessText(key, value, at) : undefined;
}

function whyUselessText(
  key: string,
  text: string,
  { run }: KeyWant,
): string | undefined {
  const name = foldName(key);
  if (NAME_KEYS.has(name) && foldName(text) === foldName(run.toolName))
    return "it names the tool that is called";
  if (CALL_IDS.has(name) && CALL_ID.test(text))
    return "it is the call's own id";
  if (REMARKS.test(key) && !opensContainer(text))
    return "a remark is no argument";
  return undefined;
}

/** Keys of a call's id. */
const CALL_IDS: ReadonlySet<string> = new Set([
  "callid",
  "toolcallid",
  "tooluseid",
]);
/**
 * The ids that providers give: `call_1a`, `toolu_01A`, `chatcmpl-tool-9f`, but
 * not `recall`.
 */
const CALL_ID = /^(?:call|tool|chatcmpl-tool)[\w-]+$/;

/** Whether a declared key of the same name, or nearly, has the same value. */
function repeatsDeclared(key: string, value: JsonValue, at: KeyWant): boolean {
  return [...at.variant.properties.keys()].some((name) => {
    if (!jsonEquals(at.object[name], value)) return false;
    return foldName(name) === foldName(key) || isNameOf(key, name, value, at);
  });
}

function isNear(key: string, name: string): boolean {
  const [foldedKey, foldedName] = [foldName(key), foldName(name)];
  if (foldedKey === "") return false;
  const isWithin =
    foldedKey.includes(foldedName) || foldedName.includes(foldedKey);
  return isWithin || slipBetween(key, name) !== undefined;
}

export function dropKeySpec(): EditSpec {
  const query = object({ query: text });
  return {
    does: "A forbidden key is removed if it is no argument: a remark, empty, a repetition of a declared key, the call's own id, or the tool's name. Remarks are `thought`, `thinking`, `reasoning`, `rationale`, `explanation`, `justification`, `comment`, `remark`, `analysis`, `chain_of_thought` and `scratchpad`: also in the plural, with `_` around, with `the`, `my` or `tool` before them, or with a number or `text` behind them. Of a tool without arguments, placeholders go: empty values, its own name, and its own empty schema. So do `random_string`, `dummy`, `placeholder`, `no_op`, `no_params`, `no_args`, `no_arguments`, `no_input`, `unused`, `empty`, `none` and `nothing` if the value is such a word, too.",
    example: {
      schema: query,
      input: { query: "cats", thoughts: "They want cats." },
      after: { query: "cats" },
    },
    witnesses: {
      "nothing else was written": {
        schema: object({ "query?": text }),
        input: { thoughts: "They want cats." },
      },
      "a field of that name is declared elsewhere": {
        schema: object({ query: text, "options?": object({ comment: text }) }),
        input: { query: "cats", comment: "Only orange ones" },
      },
      "it may be a misspelt field": {
        schema: object({ query: text, "comment_text?": text }),
        input: { query: "cats", comment: "Only orange ones" },
      },
    },
    notFor: inputsFor(
      query,
      { query: "cats", dry_run: true },
      { query: "cats", purpose: "The user wants to see cats." },
      { query: "cats", exclude: "cats" },
      { query: "cats", limit: 5 },
      { query: "cats", note: "Customer wants a refund" },
    ),
  };
}
