import { fitsAt } from "../../../schema/fits.ts";
import {
  absentKeys,
  holdsDeclared,
  type KeyWant,
  missingKeys,
  rekey,
  undeclaredKeys,
  withKeyRenamed,
} from "../../keys.ts";
import {
  foldName,
  isNear,
  isOperator,
  isUnit,
  kinshipOf,
  wordDescribing,
  wordsOf,
} from "../../names.ts";
import { descriptionSpeaksOf, namesShare, onlyTaker } from "../../reasons.ts";
import { meansNothing } from "../omissions.ts";
import { fitCost, isCommentary, type KeyStep } from "./key-step.ts";
import { onlyShape, type Renaming } from "./only-shape.ts";

/** A longer key is no name. */
const MAX_NAME = 100;

/**
 * The only key that is not declared, for the only required one that is missing, if something says
 * that it is meant: a word that the names share, the field's description, or a shape that no other
 * field takes. That nothing else is left says nothing.
 */
export const renameOnlyKey: KeyStep = {
  name: "rename-only-key",
  level: "eager",
  cost: 4,
  take(keyed, want) {
    const { object } = keyed;
    const [from, ...others] = undeclaredKeys(object, want.variant);
    const [to, ...more] = missingKeys(object, want.variant);
    if (from === undefined || to === undefined || others.length + more.length > 0) return keyed;
    if (from.length > MAX_NAME) return keyed;
    const value = object[from];
    if (value === null || (typeof value === "string" && meansNothing(value))) return keyed;
    if (isOperator(from)) return keyed;
    // It may be meant for a key that can be left out.
    const absent = absentKeys(object, want.variant).filter((key) => key !== to);
    if (absent.some((key) => isNear(from, key))) return keyed;
    // Where there is a default, it may have been left to that.
    const node = want.variant.properties.get(to);
    if (node === undefined || node.default !== undefined) return keyed;
    // An object that holds what belongs here, or nothing that belongs there, is another thing.
    if (holdsDeclared(value, want.variant)) return keyed;
    if (value !== undefined && !fitsAt(value, node, "known")) return keyed;
    // `{"type": "iban", "number": "4111"}`: another key says what it is.
    const isNamedElsewhere = Object.values(object).some(
      (each) =>
        typeof each === "string" && each.length <= MAX_NAME && foldName(each) === foldName(to),
    );
    if (isNamedElsewhere || (fitCost(value, to, want) ?? 2) > 1) return keyed;
    const reason = evidenceFor({ from, to, node, value, absent }, want);
    return reason === undefined
      ? keyed
      : rekey(keyed, this, { object: withKeyRenamed(object, from, to), reason });
  },
};

/** What says that one name stands for the other. */
function evidenceFor(renaming: Renaming, want: KeyWant): string | undefined {
  const { from, to, node, value } = renaming;
  const others = [...want.variant.properties.keys()].filter((key) => key !== to);
  const kinship = kinshipOf(from, to, { toolName: want.run.toolName, others, value });
  if (kinship.kind === "differ") return undefined;
  if (kinship.kind === "shared") return namesShare(kinship.word);
  if (isCommentary(from)) return undefined;
  // Amounts and flags mean what their names say, and nothing else.
  const types = node.variants().map(({ type }) => type);
  const isText = types.every(
    (type) => type !== "number" && type !== "integer" && type !== "boolean",
  );
  if (!isText || typeof value === "number" || typeof value === "boolean") return undefined;
  if (unitsOf(from) !== unitsOf(to)) return undefined;
  const described = node
    .variants()
    .map(({ description }) => wordDescribing(description, from, to))
    .find((word) => word !== undefined);
  if (described !== undefined && !isSaidOfOthers(described, others, want)) {
    return descriptionSpeaksOf(to, described);
  }
  const shape = onlyShape(renaming, want);
  return shape === undefined ? undefined : onlyTaker(to, shape);
}

/** Whether another field's name or description speaks of the same thing. */
function isSaidOfOthers(word: string, others: readonly string[], { variant }: KeyWant): boolean {
  return others.some((other) => {
    if (kinshipOf(word, other, { toolName: "", others: [], value: "" }).kind !== "strangers")
      return true;
    const variants = variant.properties.get(other)?.variants() ?? [];
    return variants.some(
      ({ description }) => wordDescribing(description, word, other) !== undefined,
    );
  });
}

function unitsOf(name: string): string {
  return wordsOf(name).filter(isUnit).sort().join();
}
