import type { EditSwitches, OnObjection } from "../edit-switches.ts";
import type { Budget } from "../limits.ts";
import type { NumberSpellings } from "../read/numbers.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type {
  InputIssue,
  JsonObject,
  JsonValue,
  Repair,
  RepairLevel,
  RepairLimits,
} from "../types.ts";

/** What a place wants of a value. */
export interface Want {
  readonly node: SchemaNode;
  readonly place: Place;
  readonly run: Run;
}

/** A value, and what its place wants of it. */
export interface ValueWant extends Want {
  readonly value: JsonValue;
  /** The value if it is a text; `""` for another. */
  readonly text: string;
}

/** What an object wants of its keys. */
export interface KeyWant extends Want {
  readonly object: JsonObject;
  /** The branch of the union that the object is repaired to. */
  readonly variant: Variant;
  /**
   * The undeclared keys; the declared ones that are absent; those of them that
   * are required.
   */
  readonly unknown: readonly string[];
  readonly absent: readonly string[];
  readonly missing: readonly string[];
  /** The cost of making a value fit a key; `Infinity` if impossible. */
  readonly costAt: (value: JsonValue, key: string) => number;
}

/**
 * A value that a place accepts (`undefined`: left out), the cost to get there,
 * and the changes.
 */
export interface Candidate {
  readonly value: JsonValue | undefined;
  readonly cost: number;
  readonly changes: readonly Repair[];
  /** Whether it stands for several at the same cost. */
  readonly unsure: boolean;
}

/** Where in the input a value stands. */
export interface Place {
  /** As a JSON Pointer into the repaired input. */
  readonly path: string;
  /** The property whose value this is, or an element of its value. */
  readonly key: string;
  readonly inList: boolean;
  /** The objects and lists around it, the outermost first. */
  readonly around: readonly Variant[];
  readonly isOptional: boolean;
  readonly depth: number;
  /** The value here in the input as it was given. */
  readonly given: JsonValue | undefined;
  /** The issues of the tool's own schema with it, here or deeper inside. */
  readonly issues: IssueTree | undefined;
  /**
   * Whether the tool's schema stopped above, and so did not check this place.
   */
  readonly isUnchecked: boolean;
}

/** The issues of the tool's schema at a place, and inside it. */
export interface IssueTree {
  isHere: boolean;
  /**
   * Whether the inside was not checked, so that it may be wrong without an
   * issue.
   */
  coversInside: boolean;
  readonly inside: Map<string, IssueTree>;
}

/**
 * The origin of a bare text: a JSON string, the text that this agent writes, or
 * anything else.
 */
export type BareText = "string" | "text" | "none";

/** The request to the schema-driven repair. */
export interface AlignRequest {
  readonly level: RepairLevel;
  readonly edits: EditSwitches;
  /** The parsed input; `undefined` if none was given. */
  readonly value: JsonValue | undefined;
  readonly issues: readonly InputIssue[];
  readonly schema: CompiledSchema;
  readonly toolName: string;
  readonly toolDescription?: string | undefined;
  readonly limits: RepairLimits;
  readonly budget: Budget;
  /**
   * How the numbers of the input are written, where not as `String` writes
   * them.
   */
  readonly spellings: () => NumberSpellings;
  /**
   * Where an object may become JSON text for a field of text: everywhere, or at
   * these JSON Pointers.
   */
  readonly objectAsText: boolean | readonly string[];
  readonly bareText: BareText;
  /**
   * Called with why an edit was not made: the edit, the place as a JSON
   * Pointer, and the reason.
   */
  readonly onObjection?: OnObjection | undefined;
  /** How to treat keys that the schema does not declare. */
  readonly undeclared: {
    /** Keys that count as declared everywhere. */
    readonly allow: ReadonlySet<string>;
    /** Whether forbidden keys may be dropped. */
    readonly drops: boolean;
    /**
     * The paths of undeclared keys in an input that the schema accepts: only
     * they are repaired.
     */
    readonly ignoredPaths?: ReadonlySet<string> | undefined;
  };
}

/** One run of the repair at a level. */
export interface Run extends AlignRequest {
  readonly level: "safe" | "eager";
  /** Whether it only finds hints, so that a slip need not be sure. */
  readonly isForHints: boolean;
  /** Reads text that holds JSON; each text once. */
  readonly parse: (text: string) => JsonValue | undefined;
  /**
   * The candidates found for a value at a path: other branches ask for the
   * same.
   */
  readonly memo: Map<string, KnownCandidates[]>;
  /** How many edits were tried beyond those that every place may try. */
  tries: number;
}

interface KnownCandidates
  extends Pick<Want, "node">,
    Pick<Place, "isUnchecked"> {
  readonly value: JsonValue;
  readonly candidates: readonly Candidate[];
}
