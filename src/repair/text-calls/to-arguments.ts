import { parseExactly } from "../read/parse-exactly.ts";
import type { SchemaNode } from "../schema/node.ts";
import { readWholeJson } from "./json-calls.ts";
import { JSON_SCALAR } from "./readers.ts";
import type { WrittenArguments, WrittenEntry, WrittenValue } from "./text-format.ts";

const PYTHON_WORDS: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);

/**
 * Writes a call's arguments as JSON text. In a format without types a text is what the schema of
 * its place takes: text where text may stand, else the JSON that it is, with its spelling kept.
 *
 * @param args The arguments as the format has them.
 * @param nodeOf Views the tool's schema; it is asked only where a text may be of several types.
 * @returns JSON text; `undefined` where a key is given twice.
 */
export function toArguments(
  args: WrittenArguments,
  nodeOf: () => SchemaNode | undefined,
): string | undefined {
  return args.kind === "json" ? args.text : toObject(args.children, nodeOf());
}

function toObject(
  children: readonly WrittenEntry[],
  node: SchemaNode | undefined,
): string | undefined {
  const byKey = new Map<string, WrittenEntry[]>();
  for (const entry of children) {
    const [key] = entry;
    const entries = byKey.get(key);
    if (entries === undefined) byKey.set(key, [entry]);
    else entries.push(entry);
  }
  const parts = [...byKey].map(([key, entries]) => {
    const place = propertyOf(node, key);
    const [entry, ...more] = entries.map(([, value]) => value);
    const isOne = entry !== undefined && more.length === 0;
    const json = isOne ? toJson(entry, place) : takes(place, "array") && toList(entries, place);
    return json ? `${JSON.stringify(key)}:${json}` : undefined;
  });
  return parts.every((part) => part !== undefined) ? `{${parts.join(",")}}` : undefined;
}

function toJson(value: WrittenValue, node: SchemaNode | undefined): string | undefined {
  const { children } = value;
  if (children === undefined || takesOnlyText(node)) return toScalar(value, node);
  const isList = takes(node, "array") && new Set(children.map(([key]) => key)).size === 1;
  return isList ? toList(children, node) : toObject(children, node);
}

function toList(
  entries: readonly WrittenEntry[],
  node: SchemaNode | undefined,
): string | undefined {
  const items = entries.map(([, item], index) => toJson(item, itemOf(node, index)));
  return items.every((item) => item !== undefined) ? `[${items.join(",")}]` : undefined;
}

function toScalar(
  { text, is, isTorn }: WrittenValue,
  node: SchemaNode | undefined,
): string | undefined {
  if (isTorn === true && node !== undefined && !takesOnlyText(node)) return undefined;
  const plain = text.trim();
  const mayBeText = is === "text" || (is === undefined && takesText(text, node));
  // It may be the word, and it may be nothing.
  const isNothing = /^(?:null|None)$/.test(plain) && node !== undefined && takes(node, "null");
  if (mayBeText && is === undefined && isNothing) return undefined;
  return (mayBeText ? undefined : toJsonText(plain, node)) ?? JSON.stringify(text);
}

/** A text as the JSON that it is; `undefined` where it is none. */
function toJsonText(text: string, node: SchemaNode | undefined): string | undefined {
  const python = PYTHON_WORDS.get(text);
  const isTaken = python !== undefined && node?.accepts(JSON.parse(python) as boolean) !== false;
  const word = isTaken ? python : text;
  return JSON_SCALAR.test(word) || isJsonString(word) ? word : readWholeJson(word)?.text;
}

function isJsonString(text: string): boolean {
  return text.startsWith('"') && typeof parseExactly(text) === "string";
}

/** Whether text may stand at a place: where nothing is said of it, it may. */
function takesText(text: string, node: SchemaNode | undefined): boolean {
  return node === undefined || node.accepts(text) || takes(node, "string");
}

/** Whether a place takes text, and neither an object nor a list. */
function takesOnlyText(node: SchemaNode | undefined): boolean {
  return takes(node, "string") && !takes(node, "object") && !takes(node, "array");
}

function takes(node: SchemaNode | undefined, type: string): boolean {
  return node?.variants().some((variant) => variant.type === type) === true;
}

function propertyOf(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  return node
    ?.variants()
    .map((variant) => variant.keyAt(key))
    .find((found) => found !== undefined);
}

function itemOf(node: SchemaNode | undefined, index: number): SchemaNode | undefined {
  return node
    ?.variants()
    .map((variant) => variant.itemAt(index))
    .find((found) => found !== undefined);
}
