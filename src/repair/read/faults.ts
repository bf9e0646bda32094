import type { InputIssue } from "../types.ts";

/** What can be wrong with a text, and what to do. Fit for a model, and for a log. */
const FAULTS = {
  open_string: {
    what: "the text ends inside a string",
    todo: "Write the whole input again, and shorten it if it was too long.",
    isCut: true,
  },
  open_bracket: {
    what: "the text ends before all brackets are closed",
    todo: "Write the whole input again, and shorten it if it was too long.",
    isCut: true,
  },
  open_value: {
    what: "the text ends where a value is missing or may go on",
    todo: "Write the whole input again, and shorten it if it was too long.",
    isCut: true,
  },
  open_thought: {
    what: "the thoughts before the input do not end",
    todo: "Write the input alone.",
    isCut: true,
  },
  several: {
    what: "a second value follows the first",
    todo: "Write one value; make one call for each.",
    isCut: false,
  },
  unescaped_quote: {
    what: "a quote inside a string is not escaped, or text follows a string",
    todo: 'Write \\" for a quote inside a string.',
    isCut: false,
  },
  bad_escape: {
    what: "a backslash stands before a character that JSON does not escape",
    todo: "Write \\\\ for a backslash.",
    isCut: false,
  },
  filled_in_by_code: {
    what: "code would have to fill in a string",
    todo: "Write the value itself.",
    isCut: false,
  },
  slot: {
    what: "a placeholder stands in place of a value",
    todo: "Write the value itself.",
    isCut: false,
  },
  bare_text: {
    what: "a text stands without quotes",
    todo: "Put it in double quotes.",
    isCut: false,
  },
  no_value: {
    what: "what stands there is no JSON value",
    todo: "Write text in double quotes, a number in digits, true, false or null; no expressions.",
    isCut: false,
  },
  omission: {
    what: "dots or a word stand for what is left out",
    todo: "Write all of it.",
    isCut: false,
  },
  comment: {
    what: "a comment stands in it",
    todo: "Leave the comment out.",
    isCut: false,
  },
  twin_keys: {
    what: "a key stands twice in one object, with different values",
    todo: "Write each key once.",
    isCut: false,
  },
  missing_comma: {
    what: "a comma is missing, or something follows a value",
    todo: "Separate values by commas.",
    isCut: false,
  },
  extra_comma: {
    what: "there is a comma too many",
    todo: "Write one comma between two values.",
    isCut: false,
  },
  separators: {
    what: "the separators of a list differ",
    todo: "Separate values by commas, and write the point of a number as a point.",
    isCut: false,
  },
  missing_key: {
    what: "a key in double quotes is missing",
    todo: 'Write "key": value.',
    isCut: false,
  },
  missing_colon: {
    what: "a colon is missing behind a key",
    todo: 'Write "key": value.',
    isCut: false,
  },
  missing_value: {
    what: "a value is missing",
    todo: "Write the value, or leave its key out.",
    isCut: false,
  },
  wrong_bracket: {
    what: "a closing bracket does not fit the one that is open",
    todo: "Close each bracket once, by its own kind.",
    isCut: false,
  },
  too_deep: {
    what: "brackets are nested too deeply",
    todo: "Write a flatter input.",
    isCut: false,
  },
  pattern: {
    what: "it is a pattern for an input, not an input",
    todo: "Write the values themselves.",
    isCut: false,
  },
  unknown_element: {
    what: "an element names no field of the tool",
    todo: "Write the arguments as one JSON object.",
    isCut: false,
  },
  text_before: {
    what: "text stands before the JSON",
    todo: "Write the JSON alone.",
    isCut: false,
  },
  text_behind: {
    what: "text stands behind the JSON",
    todo: "Write the JSON alone.",
    isCut: false,
  },
} as const;

export type FaultKind = keyof typeof FAULTS;

/** Thrown where a text cannot be read, and caught by `parse`. No `Error`: a stack would cost more. */
export class Fault {
  readonly kind: FaultKind;
  /** Its index in the text. */
  readonly at: number;

  constructor(kind: FaultKind, at: number) {
    this.kind = kind;
    this.at = at;
  }

  /** Whether the text ends too early. */
  get isCut(): boolean {
    return FAULTS[this.kind].isCut;
  }
}

/** A fault in a text: why it is rejected. */
export interface Rejection {
  readonly fault: Fault;
  /** The text that `fault.at` counts in. */
  readonly text: string;
}

/** The issue with a text that is rejected: what is wrong, where, and what to do. */
export function issueOfFault(
  code: string,
  begin: string,
  { fault, text }: Rejection,
): InputIssue & Required<Pick<InputIssue, "fault" | "line" | "column" | "near">> {
  const { what, todo } = FAULTS[fault.kind];
  const at = Math.min(fault.at, text.length);
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
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** How much of a text a message shows before and behind a fault, in characters. */
const SHOWN_BEFORE = 20;
const SHOWN_BEHIND = 30;

/** The piece of a text around a place, on one line, with an arrow at the place. */
function pieceAround(text: string, at: number): string {
  const from = Math.max(0, at - SHOWN_BEFORE);
  const to = Math.min(text.length, at + SHOWN_BEHIND);
  const before = text.slice(from, at).replace(UNPRINTABLE, " ");
  const behind = text.slice(at, to).replace(UNPRINTABLE, " ");
  return `${from > 0 ? "…" : ""}${before}→${behind}${to < text.length ? "…" : ""}`;
}

/** Line breaks, control characters, marks that change the direction, halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;
