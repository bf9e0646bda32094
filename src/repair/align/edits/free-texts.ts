import type { SchemaNode, Variant } from "../../schema/node.ts";

/** The branches of a place that take any text, not only choices. */
export function freeTexts(node: SchemaNode): readonly Variant[] {
  return node.of("string").filter(({ values }) => values === undefined);
}
