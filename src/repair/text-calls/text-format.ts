/** A call as it stands in a text, before it is known whether there is such a tool. */
export interface WrittenCall {
  readonly name: string;
  /** The id that the format gives a call, where it gives one. */
  readonly id?: string;
  readonly args: WrittenArguments;
  /** The level that reading it takes, where it is not written without a fault. */
  readonly level?: "safe" | "eager" | undefined;
}

/** The arguments as the format writes them. */
export type WrittenArguments =
  /** JSON text, or nearly: the pipeline reads it, with its spelling. */
  | { readonly kind: "json"; readonly text: string; readonly level?: "safe" | "eager" | undefined }
  /** Texts by key: the schema of a place says what its text is. */
  | { readonly kind: "tree"; readonly children: readonly WrittenEntry[] };

/** A key and what stands at it; a list is written as several entries of one key. */
export type WrittenEntry = readonly [key: string, value: WrittenValue];

export interface WrittenValue {
  /** The text, tags within it included. */
  readonly text: string;
  /** What the format says of the text: that it is text, that it is JSON, or nothing. */
  readonly is?: "text" | "json" | undefined;
  /** Whether elements begin in the text, though it is not nothing but elements. */
  readonly isTorn?: boolean | undefined;
  /** What the text is where it is nothing but elements. */
  readonly children?: readonly WrittenEntry[] | undefined;
}

/** A place in a text. */
export interface Cursor {
  readonly text: string;
  readonly at: number;
}

/** What a reader of arguments or calls found, and where it ends; `undefined` where it found none. */
export type Found<Value> = { readonly value: Value; readonly end: number } | undefined;

/** Reads what stands at a place, and nothing beyond it; its cost is linear in what it reads. */
export type ReadAt<Value> = (cursor: Cursor) => Found<Value>;

/** One step of a call: a token, one that may be missing, the name, the arguments, or all in one. */
export type Piece =
  | string
  | { readonly optional: string }
  /** A token that is written in several ways. A sticky pattern. */
  | { readonly token: RegExp }
  /**
   * The call's `name`; it may have groups for its `id`, and for a `thought` before it. A sticky
   * pattern that cannot backtrack over a run.
   */
  | { readonly name: RegExp }
  | { readonly args: ReadAt<WrittenArguments> }
  /** Names and arguments together, of one call or several. */
  | { readonly calls: ReadAt<readonly WrittenCall[]> }
  /** `</name>`, of the call's own name. */
  | { readonly closingTag: true };

/**
 * One format in which models write tool calls as text: where a call begins, where its name and its
 * arguments stand, how several follow each other, and what may be missing. Adding a format is adding
 * an entry to `textFormats`, who writes it to \`scripts/text-calls/format-catalogue.ts\`, and its cases.
 */
export interface TextFormat {
  /** The format's name, as it is recorded with a call. */
  readonly format: string;
  /** Before the first call. What it opens may be written several times. */
  readonly open?: string | undefined;
  /** A call, piece by piece. */
  readonly call: readonly Piece[];
  /** What may stand between two calls; white space is passed over. Default: nothing. */
  readonly between?: string | undefined;
  /** Behind the last call. */
  readonly close?: string | undefined;
  /** Whether the closing tokens are stop tokens, which a server may have cut off. Default: `false`. */
  readonly isStopToken?: boolean | undefined;
  /** Whether the model may write plain text before its calls. Default: `false`. */
  readonly takesLead?: boolean | undefined;
  /** The marks between which that text stands, where it has any. Sticky patterns. */
  readonly lead?: { readonly open: RegExp; readonly close: string } | undefined;
  /**
   * Whether it is a form in which people show code or data to each other: then it is no call where
   * that was asked for. Default: `false`.
   */
  readonly isCommon?: boolean | undefined;
}
