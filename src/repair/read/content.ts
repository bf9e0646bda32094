import type { JsonValue, RepairLevel } from "../types.ts";
import { type Follower, whatFollows } from "./around.ts";
import { Fault, type FaultKind, type Rejection } from "./faults.ts";
import { type Parsed, parse } from "./parse.ts";
import { mayCloseInside, type Step } from "./parser.ts";
import { asPunctuation, LOOSE_DIALECT, matchesAt } from "./tokens.ts";

/** How far reading goes, and what is known of the text. */
export interface Reading {
  /**
   * `strict` takes only exact JSON, `eager` also JSON behind a known lead-in.
   */
  readonly level: RepairLevel;
  /** The tool that the text was given to. */
  readonly toolName?: string;
  /**
   * Whether the tool has a field of a name. Default: unknown, and elements are
   * not read.
   */
  readonly declares?: ((key: string) => boolean) | undefined;
  /** Called for each value; throws if a limit is reached. */
  readonly step?: Step | undefined;
  /**
   * The result of `JSON.parse`, if it is known; its value is `undefined` for no
   * JSON.
   */
  readonly exact?: { readonly value: JsonValue | undefined } | undefined;
}

/**
 * What further repairs may change of a value that was read: by default,
 * anything.
 */
export interface Certainty {
  /**
   * Nothing: around it stood what is left out: a lead-in, an observation, the
   * same again, a bracket too many.
   */
  readonly mustFit?: true;
  /** Only spellings: `rejection` says what is in doubt. */
  readonly mustKeepForm?: true;
  /** Why JSON is unusable or in doubt. */
  readonly rejection?: Rejection;
}

/** What a text holds where JSON is looked for. */
export type Content =
  | ({ readonly kind: "value"; readonly value: JsonValue } & Certainty)
  | Truncated
  | Several
  /** Text that is no JSON, or JSON that has no reading, or more than one. */
  | { readonly kind: "rejected"; readonly rejection: Rejection };

/**
 * Text that ends too early; `completed` is the value where only closing braces
 * are missing.
 */
export interface Truncated {
  readonly kind: "truncated";
  readonly rejection: Rejection;
  readonly completed?: JsonValue;
}

/** Several values one after another: which one was meant is unknown. */
export interface Several {
  readonly kind: "several";
  readonly rejection: Rejection;
}

/**
 * Reads the object or array that begins at an index of a text, and what follows
 * it.
 */
export function readAt(text: string, start: number, reading: Reading): Content {
  const parsed = parseAt(text, start, reading);
  if (parsed.kind === "rejected") return faulty(text, parsed.fault);
  if (parsed.kind === "truncated")
    return truncated(text, parsed.fault, parsed.completed?.value);
  const { value, to } = parsed.node;
  const certainty = certaintyOf(parsed.doubt, text);
  const content = { kind: "value", value, ...certainty } as const;
  // a last bracket that may be one too many
  const unsureBracket = mayCloseInside(value)
    ? asPunctuation(text.charAt(to - 1))
    : undefined;
  const follower = whatFollows(text, to, unsureBracket);
  if (follower.kind === "nothing") return content;
  if (reading.level === "eager") {
    const maySkip = unsureBracket !== undefined;
    if (maySkip && whatFollows(text, to).kind === "nothing") {
      const fault = new Fault("text_behind", to);
      return { ...content, mustFit: true, rejection: { fault, text } };
    }
    if (mayIgnore(follower, text, start, to))
      return { ...content, mustFit: true };
  }
  return rejectedBefore(follower, text, to);
}

/** Whether an input may be meant although something follows it. */
function mayIgnore(
  { kind }: Follower,
  text: string,
  start: number,
  end: number,
): boolean {
  if (kind === "observation") return true;
  return kind === "another" && repeats(text, start, end);
}

/** The reason to reject a value: what follows its end. */
function rejectedBefore(
  follower: Follower,
  text: string,
  end: number,
): Content {
  if (follower.kind === "observation")
    return faultyAt(text, "text_behind", end);
  // A comma and a key follow: the object was closed too early.
  if (matchesAt(NEXT_KEY, text, end))
    return faultyAt(text, "closed_early", end - 1);
  if (follower.kind === "text")
    return faultyAt(text, "text_behind", follower.at);
  const fault = new Fault("several", follower.at);
  return { kind: "several", rejection: { fault, text } };
}

/** A key, perhaps in quotes: "b", c; not 3. */
const KEY = String.raw`["'“]?[\p{L}_][\p{L}\p{N}_-]{0,99}["'”]?`;
/** A comma and a key, perhaps behind brackets: }, "b":; not , b. */
const NEXT_KEY = new RegExp(
  String.raw`[\s}\]]{0,20},\s{0,20}${KEY}\s{0,20}:`,
  "uy",
);

function certaintyOf(doubt: Fault | undefined, text: string): Certainty {
  if (doubt === undefined) return {};
  return { mustKeepForm: true, rejection: { fault: doubt, text } };
}

/**
 * Parses with quotes that end a string, or else with quotes that strings may
 * hold.
 */
function parseAt(text: string, start: number, { step }: Reading): Parsed {
  const options = { step, skipsTwiceClosed: true };
  const parsed = parse(text, start, LOOSE_DIALECT, options);
  if (parsed.kind !== "rejected" || parsed.fault.kind !== "unescaped_quote")
    return parsed;
  const read = parse(text, start, LOOSE_DIALECT, {
    ...options,
    hasInnerQuotes: true,
  });
  const isCut = read.kind === "truncated" && !ENDS_CLOSED.test(text);
  return read.kind === "value" || isCut ? read : parsed;
}

/** The end of a text that was not cut off. */
const ENDS_CLOSED = /[}\]][\s`]*$/;

/** Whether the rest of a text only repeats a part of it, word for word. */
function repeats(text: string, start: number, end: number): boolean {
  const value = text.slice(start, end);
  return text
    .slice(end)
    .split(value)
    .every((gap) => gap.trim() === "");
}

/** A text that ends too early. */
export function truncated(
  text: string,
  fault: Fault,
  completed?: JsonValue,
): Truncated {
  return { kind: "truncated", rejection: { fault, text }, completed };
}

/** A text that has a fault at a place. */
export function faultyAt(text: string, kind: FaultKind, at: number): Content {
  return faulty(text, new Fault(kind, at));
}

/** A text that a fault cuts off, or makes unreadable. */
export function faulty(text: string, fault: Fault): Content {
  const kind = fault.isCut ? "truncated" : "rejected";
  return { kind, rejection: { fault, text } };
}
