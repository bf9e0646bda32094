import type { SchemaNode } from "../align/schema-node.ts";
import type { WrittenArguments, WrittenEntry, WrittenValue } from "./text-format.ts";

const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
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
 * @param node The tool's schema; `undefined` where it cannot be viewed.
 * @returns JSON text; `undefined` where a key is given twice.
 */
export function toArguments(
  args: WrittenArguments,
  node: SchemaNode | undefined,
): string | undefined {
  return args.kind === "json" ? args.text : toObject(args.children, node);
}

function toObject(
  children: readonly WrittenEntry[],
  node: SchemaNode | undefined,
): string | undefined {
  const keys = new Set(children.map(([key]) => key));
  if (keys.size < children.length) return undefined;
  const parts = children.map(([key, value]) => {
    const json = toJson(value, propertyOf(node, key));
    return json === undefined ? undefined : `${JSON.stringify(key)}:${json}`;
  });
  return parts.every((part) => part !== undefined) ? `{${parts.join(",")}}` : undefined;
}

function toJson(value: WrittenValue, node: SchemaNode | undefined): string | undefined {
  if ("text" in value) return value.is === "json" ? value.text : toScalar(value, node);
  const isList = node?.variants().some(({ type }) => type === "array") === true;
  if (!isList || new Set(value.children.map(([key]) => key)).size > 1) {
    return toObject(value.children, node);
  }
  const items = value.children.map(([, item], index) => toJson(item, itemOf(node, index)));
  return items.every((item) => item !== undefined) ? `[${items.join(",")}]` : undefined;
}

function toScalar(
  { text, is }: { readonly text: string; readonly is?: "text" | "json" },
  node: SchemaNode | undefined,
): string {
  const trimmed = text.trim();
  const json = PYTHON_WORDS.get(trimmed) ?? trimmed;
  if (is === "text" || node === undefined || node.accepts(text)) return JSON.stringify(text);
  const isJson = SCALAR.test(json) || /^[[{]/.test(json);
  const takesText = node.variants().some(({ type }) => type === "string");
  return isJson && !takesText ? json : JSON.stringify(text);
}

function propertyOf(node: SchemaNode | undefined, key: string): SchemaNode | undefined {
  return node
    ?.variants()
    .map(({ properties }) => properties.get(key))
    .find((found) => found !== undefined);
}

function itemOf(node: SchemaNode | undefined, index: number): SchemaNode | undefined {
  return node
    ?.variants()
    .map((variant) => variant.itemAt(index))
    .find((found) => found !== undefined);
}
