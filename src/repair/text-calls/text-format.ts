/** A call as it stands in a text, before it is known whether its tool accepts it. */
export interface WrittenCall {
  readonly name: string;
  /** The id that the format gives a call, where it gives one. */
  readonly id?: string;
  readonly args: WrittenValue;
}

/** Arguments, or one of them, as the format writes them. */
export interface WrittenValue {
  /** Of all arguments: JSON, or nearly; the pipeline reads it. Of one: its text, tags included. */
  readonly text: string;
  /** The level that reading the JSON takes, where it is not written without a fault. */
  readonly level?: "safe" | "eager" | undefined;
  /** What the format says of one argument: that it is text, that it is JSON, or nothing. */
  readonly is?: "text" | "json" | undefined;
  /** Whether elements begin in the text, though it is not nothing but elements. */
  readonly isTorn?: boolean;
  /** Values by key, where the text is nothing but these; a list is several entries of one key. */
  readonly children?: readonly WrittenEntry[] | undefined;
}

export type WrittenEntry = readonly [key: string, value: WrittenValue];

/** A place in a text. */
export interface Cursor {
  readonly text: string;
  readonly at: number;
}

/** What a reader found, and where it ends; `undefined` where it found none. */
export type Found<Value> = { readonly value: Value; readonly end: number } | undefined;

/** Reads what stands at a place, and nothing beyond it; its cost is linear in what it reads. */
export type ReadArguments = (cursor: Cursor) => Found<WrittenValue>;
export type ReadCalls = (cursor: Cursor) => Found<readonly WrittenCall[]>;

/** A token; one that is written in several ways is a sticky pattern that cannot backtrack over a run. */
export type Token = string | RegExp;

/** One step of a call; white space before it is passed over. */
export type Piece =
  | Token
  /** The name of an offered tool. Given twice, it is the same one twice. */
  | { readonly name: true }
  /** The call's id. A sticky pattern. */
  | { readonly id: RegExp }
  /** The arguments, or names and arguments together, of one call or several. */
  | ReadArguments
  | ReadCalls
  /** The first of several ways to go on that fits. */
  | { readonly oneOf: readonly (readonly Piece[])[] }
  /** `</name>`, of the call's own name. */
  | { readonly closingTag: true };

/** Where a call begins, where its name and arguments stand, and how several follow each other. */
export interface TextForm {
  /** Before the first call. What it opens may be written several times. */
  readonly open?: Token;
  /** A call, piece by piece; the first is a token, or all calls. */
  readonly call: readonly Piece[];
  /** What may stand between two calls. Default: nothing but white space. */
  readonly between?: string;
  /** Behind the last call. */
  readonly close?: Token;
  /** Whether what closes it is a stop token, which a server may have cut off. Default: `false`. */
  readonly isStopToken?: boolean;
  /** Around the sentence before the calls, in models that mark that. Sticky patterns. */
  readonly said?: { readonly open: RegExp; readonly close: string };
}

/**
 * What shows that a text is a call: a token, which no prose has; text that prose may hold
 * (`Action:`); or nothing but its form, as in bare JSON.
 */
export type Marker = "token" | "text" | "none";

/** A form, by the format that it belongs to. */
export interface TextFormat extends TextForm {
  readonly format: string;
  readonly marker: Marker;
}
