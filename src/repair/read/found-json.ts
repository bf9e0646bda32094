import type { JsonValue, RepairLevel } from "../types.ts";

/** How far reading goes, and for whom. */
export interface ReadingPolicy {
  /** `strict` takes nothing but exact JSON, `eager` takes it out of more kinds of prose. */
  readonly level: RepairLevel;
  /** The tool that the text was given to: another's name beside JSON makes doubt. */
  readonly toolName?: string;
}

/** What a text that is not JSON as it stands holds; `undefined` when nothing certain. */
export type FoundJson =
  | {
      readonly kind: "value";
      readonly value: JsonValue;
      /** The level that taking it needs; `safe` where nothing is said. */
      readonly level?: "safe" | "eager";
      /** Whether it is taken only where the schema accepts it as it is. */
      readonly mustFit?: true;
    }
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  | { readonly kind: "several" }
  | undefined;
