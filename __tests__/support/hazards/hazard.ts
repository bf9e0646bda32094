import type { JsonValue } from "#src/repair/types.ts";
import type { Spec } from "./schemas.ts";

/** The permitted outcomes of an input at one level. */
export interface Outcome {
  /** The permitted results; if the list is empty, the input must be rejected. */
  readonly right: readonly JsonValue[];
  readonly mayRefuse: boolean;
}

/** An input on which a repair could be wrong, and its permitted outcomes. */
export interface Hazard {
  /** Text as the model wrote it, or a parsed value. */
  readonly raw: JsonValue;
  readonly safe: Outcome;
  readonly eager: Outcome;
  /** The undeclared keys that the result must name (JSON Pointers). */
  readonly undeclared?: readonly string[];
}

/** Hazards of one schema, and the reason for their outcome. */
export interface HazardGroup {
  readonly why: string;
  readonly schema: Spec;
  readonly hazards: readonly Hazard[];
}

/** A way that repairs go wrong. */
export interface HazardClass {
  readonly name: string;
  /** The rule, in a sentence or two. */
  readonly rule: string;
  readonly groups: readonly HazardGroup[];
}

/** The name of every tool in the table. */
export const TOOL_NAME = "run_step";

const REFUSE: Outcome = { right: [], mayRefuse: true };

export function given(why: string, schema: Spec, hazards: readonly Hazard[]): HazardGroup {
  return { why, schema, hazards };
}

/** Rejected at both levels. */
export function refused(raw: JsonValue): Hazard {
  return { raw, safe: REFUSE, eager: REFUSE };
}

/** Repaired at both levels, to this value. */
export function right(raw: JsonValue, value: JsonValue): Hazard {
  return { raw, safe: only(value), eager: only(value) };
}

/** Rejected at `safe`, repaired at `eager`. */
export function eager(raw: JsonValue, value: JsonValue): Hazard {
  return { raw, safe: REFUSE, eager: only(value) };
}

/** Repaired at `eager`; `safe` may do so too. */
export function byEager(raw: JsonValue, value: JsonValue): Hazard {
  return { raw, safe: orRefused(value), eager: only(value) };
}

/** Rejected at `safe`; `eager` may give this value, and no other. */
export function eagerAtMost(raw: JsonValue, value: JsonValue): Hazard {
  return { raw, safe: REFUSE, eager: orRefused(value) };
}

/** One of these values or rejected: any other would be a guess. */
export function atMost(raw: JsonValue, ...values: JsonValue[]): Hazard {
  return { raw, safe: orRefused(...values), eager: orRefused(...values) };
}

/** Passed unchanged, and the result names the undeclared keys. */
export function left(raw: JsonValue, ...undeclared: string[]): Hazard {
  return { ...right(raw, raw), undeclared };
}

/** Passed unchanged at `safe`, and the result names the undeclared keys; repaired at `eager`. */
export function leftUntilEager(raw: JsonValue, value: JsonValue): Hazard {
  return { raw, safe: only(raw), eager: only(value) };
}

function only(value: JsonValue): Outcome {
  return { right: [value], mayRefuse: false };
}

function orRefused(...values: JsonValue[]): Outcome {
  return { right: values, mayRefuse: true };
}
