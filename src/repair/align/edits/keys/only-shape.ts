import { isJsonObject } from "../../../json/json-value.ts";
import type { SchemaNode } from "../../../schema/node.ts";
import type { JsonValue } from "../../../types.ts";
import { isPacked, type KeyWant } from "../../keys.ts";
import { namesRole, namesSide, wordsOf } from "../../names.ts";
import { fitCost } from "./key-step.ts";

/** A key that may stand for a field. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly node: SchemaNode;
  readonly value: JsonValue | undefined;
  /** The other declared fields that are not there. */
  readonly absent: readonly string[];
}

/** What goes along with any call, and is meant for none of its fields. */
const ALONGSIDE: ReadonlySet<string> = new Set(
  "context metadata meta config configuration option setting options settings headers header extra extras session env environment debug trace state user history cache".split(
    " ",
  ),
);

/** Texts of no particular form: a field that takes one of them takes text of any kind. */
const ANY_TEXT = [
  "x",
  "some words",
  "A sentence, which is longer than a word or two would be.",
  "7",
];

/** Words for yes and no: they say nothing of which choice is meant. */
const BARE_ANSWER =
  /^(?:true|false|yes|no|on|off|none|all|any|default|auto|other|unknown|-?[\d.]+)$/i;

/**
 * The shape of a value that no other absent field takes, in words; `undefined` where another could,
 * or where it is text, a number or a flag of any kind. It says what a value is, not which side or
 * part is meant: for a name that does, it is no evidence.
 */
export function onlyShape(
  { from, to, node, value, absent }: Renaming,
  want: KeyWant,
): string | undefined {
  if (value === undefined || namesSide(from) || namesSide(to)) return undefined;
  if (namesRole(from) && namesRole(to)) return undefined;
  if (wordsOf(from).some((word) => ALONGSIDE.has(word))) return undefined;
  const shape = shapeOfValue(value, node);
  const isTaken = absent.some((key) => fitCost(value, key, want) !== undefined);
  return isTaken ? undefined : shape;
}

function shapeOfValue(value: JsonValue, node: SchemaNode): string | undefined {
  const types = new Set(node.variants().map(({ type }) => type));
  if (
    Array.isArray(value) ||
    (typeof value === "string" && /^\s*\[/.test(value) && isPacked(value))
  ) {
    return types.has("array") && !types.has("string") ? "a list" : undefined;
  }
  if (isJsonObject(value) || isPacked(value)) {
    return types.has("object") && !types.has("string") ? "an object" : undefined;
  }
  if (typeof value !== "string" || !node.accepts(value)) return undefined;
  if (node.variants().some(({ values }) => values?.includes(value))) {
    return BARE_ANSWER.test(value) ? undefined : "this choice";
  }
  return ANY_TEXT.some((text) => node.accepts(text)) ? undefined : "text of this form";
}
