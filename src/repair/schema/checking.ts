import type { Schema, SchemaDraft } from "@cfworker/json-schema";
import type { Keywords } from "./keywords.ts";

/** Whether a schema accepts a value. */
export type Check = (value: unknown) => boolean;

/** A schema, or a part of one, as the validator reads it. */
export type Part = Schema | boolean;

/** What the checks of one schema have in common. */
export interface Checking {
  readonly draft: SchemaDraft;
  /** The parts by their URIs, for references. */
  readonly lookup: Readonly<Record<string, Part | undefined>>;
  /** The check of a part. */
  readonly of: (part: Part) => Check;
  /** What the validator says of a part. */
  readonly ask: (value: unknown, part: Part) => boolean;
  /** Whether all is compiled; else the validator is asked about everything. */
  readonly isCompiled: boolean;
  /** Whether the validator is asked about something. */
  needsValidator: boolean;
  /** Whether the value is only a candidate: then no pattern that may be dear is run on a long text. */
  isGuarded: boolean;
}

/** What a reference leads to. */
export function targetOf(keywords: Keywords, lookup: Checking["lookup"]): Part | undefined {
  const { $ref, __absolute_ref__: uri } = keywords as Schema;
  return lookup[uri ?? $ref ?? ""];
}
