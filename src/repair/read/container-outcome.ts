import type { TextEdit } from "./skip-space.ts";

/** What the text turned out to be from a bracket on, as JSON text. */
export type ReadContainer =
  | {
      readonly kind: "complete";
      readonly json: string;
      /** The index after the bracket that closes it. */
      readonly end: number;
      /** The parts of the text that read otherwise in JSON. */
      readonly edits: readonly TextEdit[];
    }
  /** `json`, closed, where the text ends after a complete value. */
  | {
      readonly kind: "truncated";
      readonly json?: string;
      readonly edits: readonly TextEdit[];
    }
  /** A bracket closes another kind of bracket: read again with a way to take it. */
  | { readonly kind: "mismatched" }
  | { readonly kind: "refused"; readonly at: number };

/** How a bracket that does not fit is taken. */
export type MismatchReading =
  /** Brackets inside lack their own closing bracket. */
  | "insert"
  /** It was written for the one that fits. */
  | "replace"
  /** It is one too many. */
  | "skip";
