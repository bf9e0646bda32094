import type { InputIssue } from "../types.ts";

/**
 * What can be wrong with a text, and what to do. Fit for a model, and for a
 * log.
 */
const FAULTS = {
  open_string: {
    what: "the text ends inside a string, or lacks its closing quote",
    todo: "Send all of the arguments again, each string in double quotes. If they are too long for one call, split the work.",
  },
  open_bracket: {
    what: "the text ends before every bracket is closed",
    todo: "Send all of the arguments again. If they are too long for one call, split the work.",
  },
  open_value: {
    what: "the text ends before a value is complete",
    todo: "Send all of the arguments again. If they are too long for one call, split the work.",
  },
  open_thought: {
    what: "the thoughts before the arguments have no closing tag",
    todo: "Send only the arguments, as JSON.",
  },
  several: {
    what: "a second value follows the first",
    todo: "Send one object in each call.",
  },
  unescaped_quote: {
    what: "a string has an unescaped quote, or no comma after it",
    todo: 'Write \\" for every quote inside a string, or end the string before it. Of an expression, write the result.',
  },
  bad_escape: {
    what: "a backslash starts an escape that is probably not meant, or that JSON lacks",
    todo: "Write \\\\ for every literal backslash.",
  },
  filled_in_by_code: {
    what: "a string has a placeholder that code would fill in",
    todo: "Write the real value.",
  },
  slot: {
    what: "there is a placeholder in place of a value",
    todo: "Write the real value.",
  },
  bare_text: {
    what: "text is not in quotes",
    todo: "Put it in double quotes.",
  },
  no_value: {
    what: "there is an expression, or a word that is not a JSON value",
    todo: "Write its result: text in double quotes, a number, true, false or null.",
  },
  omission: {
    what: "dots or a word stand for something that is left out",
    todo: "Write out every item.",
  },
  comment: {
    what: "there is a comment, which JSON does not allow",
    todo: "Remove it.",
  },
  twin_keys: {
    what: "a key appears twice in one object, with different values",
    todo: "Keep only the one you mean.",
  },
  missing_comma: {
    what: "a comma is missing, or something follows a value",
    todo: "Separate values with commas. Write a value alone, without a unit or a calculation.",
  },
  extra_comma: {
    what: "there is an extra comma",
    todo: "Remove it.",
  },
  separators: {
    what: "the separators in a list differ",
    todo: "Separate values with commas, and write decimal numbers with a point.",
  },
  missing_key: {
    what: "a key in double quotes is missing",
    todo: 'Write "key": value.',
  },
  missing_colon: {
    what: "a key is not followed by a colon and a value",
    todo: 'Write "key": value.',
  },
  missing_value: {
    what: "a value is missing",
    todo: "Write it, or remove its key if the field is optional.",
  },
  closed_early: {
    what: "a bracket closes before the last key",
    todo: "Close each bracket once, where it ends.",
  },
  digit_groups: {
    what: "a number has separators, or a comma for its point",
    todo: "Write it in digits alone, with a point before decimals.",
  },
  wrong_bracket: {
    what: "a closing bracket does not match the one that is open",
    todo: 'Close "[" with "]" and "{" with "}".',
  },
  too_deep: {
    what: "brackets are nested too deeply",
    todo: "Send a flatter input.",
  },
  pattern: {
    what: "this is a template, with placeholders in place of values",
    todo: "Write the real values.",
  },
  unknown_element: {
    what: "a tag names no field of this tool",
    todo: "Send the arguments as one JSON object.",
  },
  text_before: {
    what: "there is text before the JSON",
    todo: "Send only the JSON.",
  },
  text_behind: {
    what: "there is text after the JSON",
    todo: "Send only the JSON, corrected if that text says it is wrong.",
  },
} as const;

export type FaultKind = keyof typeof FAULTS;

/**
 * Thrown where a text cannot be read, and caught by `parse`. No `Error`: a
 * stack would cost more.
 */
export class Fault {
  readonly kind: FaultKind;
  /** Its index in the text. */
  readonly at: number;

  constructor(kind: FaultKind, at: number) {
    this.kind = kind;
    this.at = at;
  }

  /** Whether the text ends too early: something in it is open. */
  get isCut(): boolean {
    return this.kind.startsWith("open_");
  }
}

/** A fault in a text: why it is rejected. */
export interface Rejection {
  readonly fault: Fault;
  /** The text that `fault.at` counts in. */
  readonly text: string;
}

/**
 * The issue with a text that is rejected: what is wrong, where, and what to do.
 *
 * @param whole What the model wrote. The rejected text is a part of it, unless
 *   it was decoded.
 */
export function issueOfFault(
  code: string,
  begin: string,
  rejection: Rejection,
  whole: string = rejection.text,
): InputIssue &
  Required<Pick<InputIssue, "fault" | "line" | "column" | "near">> {
  const { fault } = rejection;
  const { what, todo } = FAULTS[fault.kind];
  // What is left of a text without its thoughts may stand in them, too.
  const offset = whole.lastIndexOf(rejection.text);
  const text = offset < 0 ? rejection.text : whole;
  const at = Math.min(Math.max(offset, 0) + fault.at, text.length);
  const lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  return {
    path: "",
    code,
    message: `${begin}: ${what}. ${todo}`,
    fault: fault.kind,
    line: countLines(text, at),
    column: at - lineStart + 1,
    near: pieceAround(text, at),
  };
}

function countLines(text: string, end: number): number {
  let lines = 1;
  for (
    let at = text.indexOf("\n");
    at >= 0 && at < end;
    at = text.indexOf("\n", at + 1)
  )
    lines++;
  return lines;
}

/**
 * How much of a text a message shows before and behind a fault, in characters.
 */
const SHOWN_BEFORE = 20;
const SHOWN_BEHIND = 30;

/**
 * The piece of a text around a place, on one line, with an arrow at the place.
 */
function pieceAround(text: string, at: number): string {
  const from = Math.max(0, at - SHOWN_BEFORE);
  const to = Math.min(text.length, at + SHOWN_BEHIND);
  const before = onOneLine(text.slice(from, at));
  const behind = onOneLine(text.slice(at, to));
  return `${from > 0 ? "…" : ""}${before}→${behind}${to < text.length ? "…" : ""}`;
}

/** An arrow of the model's own would be taken for ours. */
const onOneLine = (text: string) =>
  text.replace(UNPRINTABLE, " ").replaceAll("→", "->");

/**
 * Line breaks, control characters, marks that change the direction, halves of
 * characters.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
