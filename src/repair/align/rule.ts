import type { SwitchableEdit } from "../edit-switches.ts";
import type { JsonType } from "../schema/part.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import type { KeyWant, ValueWant, Want } from "./types.ts";

/**
 * An edit: one kind of change, the evidence that it needs and what forbids it.
 * It proposes, and the engine decides: the cheapest repair that the schema
 * accepts is taken, and of two at the same cost none.
 */
export interface Edit<Proposed, At extends Want> {
  readonly name: SwitchableEdit;
  readonly level: "safe" | "eager";
  readonly cost: number;
  /**
   * Whether it only writes a key or a value in another way, where it stands.
   */
  readonly isRespelling?: true;
  /**
   * Whether it is tried on undeclared keys that the schema strips or lets
   * through.
   */
  readonly isForIgnored?: boolean;
  /** Whether it removes a layer, so that the result may be edited again. */
  readonly unpacks?: boolean;
  /**
   * How well the result must fit: some key of it is declared, or all are,
   * deeper inside too.
   */
  readonly fits?: "someKey" | "allKeys";
  /** The most that repairs inside the result may cost. */
  readonly maxInnerCost?: number;
  /**
   * Proposes changes by their shape alone: the engine drops what the schema
   * rejects.
   */
  readonly propose: (at: At) => readonly Proposed[];
  /**
   * The evidence, by what it shows: one of them must hold. Default: the shape
   * is enough.
   */
  readonly because?: Conditions<Proposed, At>;
  /** What `explain` says if no evidence holds. */
  readonly unproven?: Asks<Proposed, At, string>;
  /**
   * The objections, by their reasons: none of them may hold. `explain` tells
   * the first that does.
   */
  readonly unless?: Conditions<Proposed, At>;
}

/** Conditions by what they say of a proposal. */
export type Conditions<Proposed, At> = {
  readonly [reason: string]: Asks<Proposed, At, boolean>;
};

/**
 * A function that an edit is asked about its own proposals. A method: each edit
 * knows its own kind.
 */
type Asks<Proposed, At, Answer> = {
  ask(proposed: Proposed, at: At): Answer;
}["ask"];

export interface ValueEdit extends Edit<Proposal, ValueWant> {
  /** The types of values that it looks at. */
  readonly types: readonly JsonType[];
}
export type KeyEdit = Edit<KeyChange, KeyWant>;

/**
 * The new value of a place, and its evidence. `undefined`: the place is left
 * out.
 */
export interface Proposal {
  readonly after: JsonValue | undefined;
  readonly why?: string | undefined;
}

/** A change of an object's keys, and its evidence. */
export type KeyChange = KeyRename | KeyRemoval | KeyFill | ObjectChange;

export interface KeyRename {
  readonly kind: "rename";
  readonly from: string;
  readonly to: string;
  readonly why?: string | undefined;
}

export interface KeyRemoval {
  readonly kind: "drop";
  readonly from: string;
  readonly why?: string | undefined;
}

export interface KeyFill {
  readonly kind: "fill";
  readonly to: string;
  readonly value: JsonValue;
  readonly why?: string | undefined;
}

/** A change of several keys at once. */
export interface ObjectChange {
  readonly kind: "replace";
  readonly after: JsonObject;
  readonly why?: string | undefined;
}

/**
 * What an edit proposes at a place, without what lacks evidence or meets an
 * objection.
 */
export function proposalsOf<
  Proposed extends Proposal | KeyChange,
  At extends Want,
>(edit: Edit<Proposed, At>, at: At): readonly Proposed[] {
  const accepted: Proposed[] = [];
  for (const proposed of edit.propose(at)) {
    const objection = reasonFor(edit.unless, proposed, at);
    if (objection !== undefined) {
      at.run.onObjection?.(edit.name, at.place.path, objection);
      continue;
    }
    if (edit.because === undefined) {
      accepted.push(proposed);
      continue;
    }
    const evidence = reasonFor(edit.because, proposed, at);
    if (evidence === undefined) {
      const unproven =
        edit.unproven?.(proposed, at) ?? "nothing shows that it is meant";
      at.run.onObjection?.(edit.name, at.place.path, unproven);
      continue;
    }
    accepted.push({ ...proposed, why: evidence });
  }
  return accepted;
}

/** The first condition that holds. */
function reasonFor<Proposed, At>(
  conditions: Conditions<Proposed, At> = {},
  proposed: Proposed,
  at: At,
): string | undefined {
  for (const reason in conditions) {
    if (conditions[reason]?.(proposed, at)) return reason;
  }
  return undefined;
}

/** One proposal, or none without a value. */
export function proposeValue(
  after: JsonValue | undefined,
  why?: string,
): readonly Proposal[] {
  return after === undefined ? [] : [{ after, why }];
}

/** An input, and the schema that rejects it. */
export interface EditCase {
  readonly schema: JsonObject;
  readonly input: JsonValue;
  /** The tool's own description. Default: none. */
  readonly description?: string;
  /** The tool's name. Default: `run_step`. */
  readonly toolName?: string;
  /**
   * Whether the input stands in place of a tool call's arguments. Default:
   * `false`.
   */
  readonly isToolCall?: boolean;
}

/**
 * What the docs say of an edit, and what its tests run: nothing of it is
 * shipped.
 */
export interface EditSpec {
  /** The rule, in one sentence. */
  readonly does: string;
  /** The evidence that it needs, if its shape is not enough. */
  readonly evidence?: string;
  readonly example: EditCase & { readonly after: JsonValue };
  /** By each evidence: an input that it alone proves. */
  readonly proofs?: {
    readonly [reason: string]: EditCase & { readonly after: JsonValue };
  };
  /**
   * By each objection: a witness, an input that it alone keeps from being
   * repaired.
   */
  readonly witnesses?: { readonly [reason: string]: EditCase };
  /** Inputs that only look like its fault: nothing is proposed. */
  readonly notFor: readonly EditCase[];
}
