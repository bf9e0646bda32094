import type { SchemaNode } from "../schema/node.ts";
import { foldName } from "../words/names.ts";

/** The texts that a place accepts, if it accepts only some. */
export interface Choices {
  readonly texts: readonly string[];
  /** The same, by their names without case and separators, if any is left. */
  readonly byFold: ReadonlyMap<string, readonly string[]>;
}

const choicesByNode = new WeakMap<SchemaNode, Choices>();

/** The choices of a place. */
export function choicesOf(node: SchemaNode): Choices {
  const known = choicesByNode.get(node);
  if (known !== undefined) return known;
  const choices = readChoices(node);
  choicesByNode.set(node, choices);
  return choices;
}

function readChoices(node: SchemaNode): Choices {
  const values = node.variants().flatMap((variant) => variant.values ?? []);
  const texts = [
    ...new Set(values.filter((value) => typeof value === "string")),
  ];
  const byFold = new Map<string, string[]>();
  for (const text of texts) {
    const fold = foldName(text);
    if (fold === "") continue;
    const alike = byFold.get(fold) ?? [];
    byFold.set(fold, alike);
    alike.push(text);
  }
  return { texts, byFold };
}

/** The choices that a text equals but for case, separators or quotes. */
export function choicesLike(
  text: string,
  { byFold }: Choices,
): readonly string[] {
  return byFold.get(foldName(text)) ?? [];
}
