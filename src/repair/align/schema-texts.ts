import type { Variant } from "../schema/node.ts";
import type { Want } from "./types.ts";

/**
 * What a branch of the schema says in words: titles, descriptions, examples.
 */
export function textsOf(variant: Variant): readonly string[] {
  const examples = variant.said("examples").flat();
  const shown = examples.map((example) => JSON.stringify(example));
  const texts = [...variant.said("title"), variant.description, ...shown];
  return texts.filter(
    (text): text is string => typeof text === "string" && text !== "",
  );
}

/**
 * What the schema says of a place: of the place itself, of what is around it,
 * and of the tool.
 */
export function textsAbout({ node, place, run }: Want): readonly string[] {
  const variants = [...node.variants(), ...place.around];
  return [...variants.flatMap(textsOf), run.toolDescription ?? ""];
}

/**
 * Whether the texts of a place are known: with too many branches, none is
 * looked at.
 */
export function areTextsKnown({ node }: Pick<Want, "node">): boolean {
  return node.variants().length > 0;
}

/**
 * Words for null and for empty text, and a quoted `none`: "null clears it",
 * `"" for no filter`.
 */
const NOTHING = /\bnull\b|\bempty\b|\bblank\b|["'`“]none\b|""|''|``|“”|「」/i;
/** A default that is empty: then a place that is left out holds it, too. */
const EMPTY_DEFAULT = new RegExp(
  `\\bdefault\\w*(?: values?)?(?: is| of| to|:| =)?(?: an?)? ?['"\`]?(?:${NOTHING.source})`,
  "gi",
);

/**
 * Whether a description speaks of null or of empty text, other than as the
 * default.
 */
export function speaksOfNothing(text: string): boolean {
  return NOTHING.test(text.replace(EMPTY_DEFAULT, ""));
}
