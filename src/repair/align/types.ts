import type { Budget } from "../limits.ts";
import type { NumberSpellings } from "../read/numbers.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonObject, JsonValue, Repair, RepairLimits } from "../types.ts";
import type { MinLetters } from "./names.ts";

/** What every edit says of itself. Of several repairs the cheapest is taken, of two as cheap none. */
export interface Edit {
  readonly name: string;
  readonly level: "safe" | "eager";
  readonly cost: number;
  /** Whether it is tried only where the option `edits` names it. */
  readonly isAsked?: boolean;
}

/** What an edit makes of a value, and on what evidence. `undefined`: the place is left out. */
export interface Proposal {
  readonly after: JsonValue | undefined;
  readonly why?: string | undefined;
}

/** A row of the table of edits of one value. */
export interface ValueEdit extends Edit {
  /** Whether it takes off a layer, so that what comes out may be edited again. */
  readonly unpacks?: boolean;
  /** How well the result must fit: one of its keys is declared, or all are, further in as well. */
  readonly fits?: "known" | "snug";
  /** The most that repairs inside the result may cost. */
  readonly maxRest?: number;
  readonly propose: (value: JsonValue, want: Want) => readonly Proposal[];
}

/** One change of an object's keys. */
export type KeyChange =
  | { readonly rename: string; readonly to: string; readonly why?: string | undefined }
  | { readonly drop: string; readonly why?: string | undefined }
  | { readonly fill: string; readonly value: JsonValue; readonly why?: string | undefined }
  | { readonly whole: JsonObject; readonly why?: string | undefined };

/** A row of the table of edits of an object's keys. */
export interface KeyEdit extends Edit {
  /** Whether it is tried on undeclared keys that the schema strips or lets through. */
  readonly isForIgnored?: boolean;
  readonly propose: (want: KeyWant) => readonly KeyChange[];
}

/** What is wanted of a value. */
export interface Want {
  readonly node: SchemaNode;
  readonly place: Place;
  readonly run: Run;
}

/** What is wanted of an object's keys. */
export interface KeyWant {
  readonly object: JsonObject;
  readonly variant: Variant;
  /** All branches of the union that the variant is one of, itself included. */
  readonly branches: readonly Variant[];
  readonly place: Place;
  readonly run: Run;
  /** The keys of which the schema says nothing. */
  readonly unknown: readonly string[];
  /** The declared keys that are not there. */
  readonly absent: readonly string[];
  /** Those of them that must be. */
  readonly missing: readonly string[];
  /** The keys that must be, hold null, and do not take it. */
  readonly nulls: readonly string[];
  /** What it costs to make a value fit a key; `undefined` where it cannot be done. */
  readonly costAt: (value: JsonValue, key: string) => number | undefined;
}

/** A value that a place accepts, what it costs to get there, and how. */
export interface Candidate {
  /** `undefined`: the place is left out. */
  readonly value: JsonValue | undefined;
  readonly cost: number;
  readonly changes: readonly Repair[];
  /** Whether it stands for several at the same cost. */
  readonly unsure?: boolean;
}

/** Where in the input a value stands. */
export interface Place {
  /** As a JSON Pointer into the repaired input. */
  readonly path: string;
  /** The property whose value this is, or an element of its value. */
  readonly key: string;
  readonly inList: boolean;
  /** Whether the place may be left out. */
  readonly isOptional: boolean;
  readonly depth: number;
  /** What stood here in the input as it was given. */
  readonly given: JsonValue | undefined;
  /** What the tool's own schema has against it, here or further in. */
  readonly complaint: Complaint | undefined;
  /** Whether the tool's schema stopped above, so that it said nothing of this place. */
  readonly isUnheard: boolean;
}

/** What the tool's schema complains of at a place, and inside it. */
export interface Complaint {
  readonly isHere: boolean;
  /** Whether what is inside was not looked at, so that it may be wrong without a word of it. */
  readonly coversInside: boolean;
  readonly inside: ReadonlyMap<string, Complaint>;
}

/** How a bare text came: as a JSON string, as the text that this agent writes, or as anything else. */
export type BareText = "string" | "text" | "none";

/** What is to become of keys that the schema does not declare. */
export interface UndeclaredRun {
  /** Keys that are taken as declared wherever they stand. */
  readonly allow: ReadonlySet<string>;
  /** Whether keys that the schema forbids may be dropped. */
  readonly drops: boolean;
  /** Where undeclared keys stand in an input that the schema accepts: only they are to be repaired. */
  readonly strays?: ReadonlySet<string>;
}

/** One run of the repair: what it may do, and what it has used up. */
export interface Run {
  readonly level: "safe" | "eager";
  /** The edits that the option `edits` asks for. */
  readonly asked: ReadonlySet<string>;
  /** How long a word of a key must be for one slip in it to be mended. */
  readonly minLetters: MinLetters;
  readonly toolName: string;
  readonly toolDescription: string;
  readonly objectAsText: boolean | readonly string[];
  readonly bareText: BareText;
  readonly limits: RepairLimits;
  /** How the numbers of the input are written, where that is not as `String` writes them. */
  readonly spellings: () => NumberSpellings;
  readonly undeclared: UndeclaredRun;
  /** Whether the schema declares a key, at whatever place. */
  readonly isDeclared: (key: string) => boolean;
  /** Reads text that holds JSON; each text once. */
  readonly parse: (text: string) => JsonValue | undefined;
  readonly memo: Map<SchemaNode, Map<JsonValue, readonly Known[]>>;
  readonly used: Used;
}

/** What was found for a value at a place: other branches ask the same. */
export interface Known {
  readonly place: Place;
  readonly found: readonly Candidate[];
}

/** What one repair has used up of its limits. */
export interface Used {
  readonly budget: Budget;
  candidates: number;
}
