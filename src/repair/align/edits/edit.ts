import type { JsonType, SchemaNode, Variant } from "../../schema/node.ts";
import type { JsonValue, RepairLevel } from "../../types.ts";
import type { Place, Run } from "../place.ts";

/** What every edit says of itself. */
export interface EditName {
  readonly name: string;
  readonly level: Exclude<RepairLevel, "strict">;
  /** How far-fetched it is: the cheapest repair wins, and of two equally cheap ones neither. */
  readonly cost: number;
}

/** A change of one value, whatever stands in it. */
export interface Edit extends EditName {
  /** Whether what comes out may need another edit at the same place: it took a layer off. */
  readonly unpacks?: boolean;
  /**
   * How much what comes out must look as if it belonged here. `known`: an object has at least one
   * key that is declared. `snug`: all its keys are, and so on further in.
   */
  readonly fits?: "known" | "snug";
  /** The most that repairs further in may cost: a guess must not need another to hold. */
  readonly maxRest?: number;
  /**
   * @returns What the value could become. Nothing is taken that the schema does not accept.
   */
  readonly propose: (value: JsonValue, want: Want) => readonly JsonValue[];
  /**
   * What the edit goes by, where it changes more than syntax: from the vocabulary in reasons.ts.
   */
  readonly reason?: (before: JsonValue, after: JsonValue, want: Want) => string | undefined;
}

/** What is wanted at a place. */
export interface Want {
  readonly node: SchemaNode;
  readonly place: Place;
  readonly run: Run;
  /** Whether no other edit was made at this place before. */
  readonly isFirst: boolean;
  /** The branches of a JSON type; a number is wanted where an integer is. */
  readonly of: (type: JsonType) => readonly Variant[];
}

/** The branches that take text of any kind, rather than one of a few texts. */
export function freeText(want: Want): readonly Variant[] {
  return want.of("string").filter(({ values }) => values === undefined);
}

/** The branches of the elements of the lists that are wanted. */
export function elementsOf(want: Want): readonly Variant[] {
  return want.of("array").flatMap((variant) => variant.itemAt(0)?.variants() ?? []);
}

/** Describes what is wanted at a place. */
export function wantAt(node: SchemaNode, place: Place, run: Run, isFirst: boolean): Want {
  return { node, place, run, isFirst, of: node.of };
}
