import { parseExactly } from "../read/parse-exactly.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import { readWholeJson } from "./json-calls.ts";
import type { WrittenEntry, WrittenValue } from "./text-format.ts";

const PYTHON_WORDS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * Writes a call's arguments as JSON text. In a format without types a text is what the schema of
 * its place takes: text where text may stand, else the JSON that it is, with its spelling kept.
 * `undefined` where a key is given twice.
 */
export function toArguments(
  { text, children }: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  return children === undefined ? text || "{}" : toObject(children, node);
}

function toObject(
  children: readonly WrittenEntry[],
  node: SchemaNode | undefined,
): string | undefined {
  const byKey = new Map<string, WrittenValue[]>();
  for (const [key, value] of children) {
    const values = byKey.get(key);
    if (values === undefined) byKey.set(key, [value]);
    else values.push(value);
  }
  const parts = [...byKey].map(([key, values]) => {
    const place = placeIn(node, (variant) => variant.keyAt(key));
    const [value, ...more] = values;
    const isOne = value !== undefined && more.length === 0;
    const json = isOne ? toJson(value, place) : takes(place, "array") && toList(values, place);
    return json ? `${JSON.stringify(key)}:${json}` : undefined;
  });
  return parts.every((part) => part !== undefined) ? `{${parts.join(",")}}` : undefined;
}

function toJson(value: WrittenValue, node: SchemaNode | undefined): string | undefined {
  const { children } = value;
  if (children === undefined || takesOnlyText(node)) return toScalar(value, node);
  const isList = takes(node, "array") && new Set(children.map(([key]) => key)).size === 1;
  const items = () => children.map(([, item]) => item);
  return isList ? toList(items(), node) : toObject(children, node);
}

function toList(values: readonly WrittenValue[], node: SchemaNode | undefined): string | undefined {
  const items = values.map((item, index) => {
    return toJson(
      item,
      placeIn(node, (variant) => variant.itemAt(index)),
    );
  });
  return items.every((item) => item !== undefined) ? `[${items.join(",")}]` : undefined;
}

function toScalar(
  { text, is, isTorn }: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  if (isTorn === true && node !== undefined && !takesOnlyText(node)) return undefined;
  const plain = text.trim();
  // Where nothing is said of a place, text may stand there.
  const takesIt = node === undefined || node.accepts(text) || takes(node, "string");
  const mayBeText = is === "text" || (is === undefined && takesIt);
  // It may be the word or nothing; its quotes may be its own or not: engines differ.
  const isNothing = /^(?:null|None)$/.test(plain) && takes(node, "null");
  const isString = plain.startsWith('"') && typeof parseExactly(plain) === "string";
  if (mayBeText && is === undefined && (isNothing || isString)) return undefined;
  return (mayBeText ? undefined : toJsonText(plain, node)) ?? JSON.stringify(text);
}

/** A text as the JSON that it is; `undefined` where it is none. */
function toJsonText(text: string, node: SchemaNode | undefined): string | undefined {
  const python = PYTHON_WORDS.get(text);
  const isTaken = python !== undefined && node?.accepts(JSON.parse(python) as boolean) !== false;
  const word = isTaken ? python : text;
  return parseExactly(word) === undefined ? readWholeJson(word)?.text : word;
}

/** Whether a place takes text, and neither an object nor a list. */
function takesOnlyText(node: SchemaNode | undefined): boolean {
  return takes(node, "string") && !takes(node, "object") && !takes(node, "array");
}

function takes(node: SchemaNode | undefined, type: string): boolean {
  return node?.variants().some((variant) => variant.type === type) === true;
}

/** The first place that a variant has. */
function placeIn(
  node: SchemaNode | undefined,
  placeOf: (variant: Variant) => SchemaNode | undefined,
): SchemaNode | undefined {
  return node
    ?.variants()
    .map(placeOf)
    .find((place) => place !== undefined);
}
