import { TAG_NAMES, TOKEN_WORDS } from "../words/vocabulary.ts";
import {
  announces,
  isOver,
  LEAD_IN,
  namesTool,
  readNextLabel,
  skipAgentTurn,
} from "./lead-ins.ts";
import { endsTurn } from "./prose.ts";
import {
  asPunctuation,
  CLOSING_BRACKETS,
  matchAt,
  matchesAt,
  skipBlanks,
  skipSpace,
} from "./tokens.ts";

/**
 * The bracket where a text begins its JSON, and whether words before it
 * announce that.
 */
interface Opening {
  readonly start: number;
  readonly hasLeadIn: boolean;
}

/**
 * Finds the bracket behind only a code fence, control tags and a known lead-in.
 * `undefined` for any other text before it: that may quote, deny or limit what
 * follows.
 */
export function findOpening(
  text: string,
  toolName: string | undefined,
): Opening | undefined {
  const lead = readLead(text, toolName);
  if (lead === undefined) return undefined;
  const { words, end: start } = lead;
  const isOpening = OPENING.has(text.charAt(start));
  if (words === "") {
    const opens = isOpening || matchesAt(TUPLE, text, start);
    return opens ? { start, hasLeadIn: false } : undefined;
  }
  if (!isOpening) return undefined;
  if (namesTool(words.trim(), toolName)) return { start, hasLeadIn: false };
  if (!lead.isTurn && !announces(words, toolName)) return undefined;
  if (!lead.isFenced && !isOver(words)) return undefined;
  return { start, hasLeadIn: !isLanguageLine(words) };
}

/** What stands before JSON: marks, and some words between them. */
interface Lead {
  readonly words: string;
  /** Whether they are an agent's turn up to the label of the input. */
  readonly isTurn: boolean;
  readonly isFenced: boolean;
  readonly end: number;
}

function readLead(
  text: string,
  toolName: string | undefined,
): Lead | undefined {
  const start = skipBlanks(text, 0);
  const turn = skipAgentTurn(text, start, toolName);
  const isTurn = turn > start;
  let words = text.slice(start, turn);
  let isFenced = false;
  let at = skipSpace(text, turn, true);
  while (at !== undefined) {
    const wrapper = readWrapper(text, at, toolName);
    if (wrapper !== undefined) {
      if (!wrapper.opens || (isFenced && wrapper.isFence)) return undefined;
      isFenced ||= wrapper.isFence;
      at = skipSpace(text, wrapper.end, true);
    } else if (words === "" && matchesAt(LEAD_IN, text, at)) {
      words = text.slice(at, LEAD_IN.lastIndex);
      at = skipSpace(text, LEAD_IN.lastIndex, true);
    } else return { words, isTurn, isFenced, end: at };
  }
  return undefined;
}

const OPENING = new Set("{[｛［");
/** A tuple: ("a", (1; not (a). */
const TUPLE = /\(\s{0,9}["'\d(-]/y;

/**
 * Whether words are the info string of a fence that is missing: `json` on a
 * line of its own.
 */
function isLanguageLine(words: string): boolean {
  return words.includes("\n") && LANGUAGES.has(words.trim().toLowerCase());
}

const LANGUAGES = new Set(["json", "json5"]);

/** What stands behind a value. */
export interface Follower {
  /**
   * `nothing` for closing marks only, or a label where an agent's output was
   * stopped; an observation that the model invented; another value; or other
   * text.
   */
  readonly kind: "nothing" | "observation" | "another" | "text";
  readonly at: number;
}

/**
 * Reports what follows a value other than superfluous closing brackets, the end
 * of a code fence, closing tags of the chat template, a stop and tokens that
 * end a turn.
 */
export function whatFollows(
  text: string,
  end: number,
  unsureBracket?: string,
): Follower {
  let at = skipBrackets(text, end, unsureBracket);
  if (at === undefined) return { kind: "text", at: end };
  if (STOPS.has(text.charAt(at))) at = skipBlanks(text, at + 1);
  for (let wrapper = readWrapper(text, at, undefined); wrapper?.closes; ) {
    at = skipBlanks(text, wrapper.end);
    wrapper = readWrapper(text, at, undefined);
  }
  // a full stop behind a fence
  if (text.charAt(at) === ".") at = skipBlanks(text, at + 1);
  if (endsTurn(text, at)) return { kind: "nothing", at };
  const label = readNextLabel(text, at);
  if (label !== undefined) return { kind: label, at };
  return { kind: mayHoldJson(text, at) ? "another" : "text", at };
}

/**
 * Skips superfluous closing brackets; `undefined` before a comment, and at one
 * that is unsure.
 */
function skipBrackets(
  text: string,
  from: number,
  unsure: string | undefined,
): number | undefined {
  let at = skipSpace(text, from, false);
  while (at !== undefined) {
    const sign = asPunctuation(text.charAt(at));
    if (!CLOSING_BRACKETS.has(sign)) return at;
    if (sign === unsure) return undefined;
    at = skipSpace(text, at + 1, false);
  }
  return undefined;
}

const STOPS = new Set(",;.");

/**
 * Whether the rest of a text begins as JSON, or holds what hardly anything but
 * JSON does: `{"`.
 */
function mayHoldJson(text: string, at: number): boolean {
  return /[{[]\s{0,20}["'“{[]|^[{[]/.test(text.slice(at, at + 10_000));
}

/** A mark before or behind a value. */
interface Wrapper {
  readonly end: number;
  readonly isFence: boolean;
  readonly opens: boolean;
  readonly closes: boolean;
}

/**
 * Reads the mark of a code fence, or a tag of a model's own chat template
 * around a call: `<tool_call>`, `<function=click>`, `<|im_end|>`,
 * `[TOOL_CALLS]`. A tag that quotes something (`<document>`, `<tool_response>`)
 * or names another tool does not count.
 */
function readWrapper(
  text: string,
  at: number,
  toolName: string | undefined,
): Wrapper | undefined {
  return readFence(text, at, toolName) ?? readTag(text, at, toolName);
}

function readFence(
  text: string,
  at: number,
  toolName: string | undefined,
): Wrapper | undefined {
  const [, language] = matchAt(FENCE, text, at);
  if (language === undefined) return undefined;
  const opens = LANGUAGE.test(language) || namesTool(language, toolName);
  return {
    end: FENCE.lastIndex,
    isFence: true,
    opens,
    closes: language === "",
  };
}

/** Three or more backticks or tildes, and a language. */
const FENCE = /(?:`{3,20}|~{3,20})([\w+-]*)/y;

/**
 * The languages of fences that may hold a tool's input: not `diff`, `log` or
 * `http`.
 */
const LANGUAGE = new RegExp(
  [
    "^(?:json[5c]?|javascript|js|typescript|ts|python|py|te?xt|plaintext|xml|)$",
    "^(?:(?:tool|function)_\\w+|action(?:_input)?)$",
  ].join("|"),
  "i",
);

function readTag(
  text: string,
  at: number,
  toolName: string | undefined,
): Wrapper | undefined {
  const [tag, token, name, named] = matchAt(TAG, text, at);
  if (tag === undefined) return undefined;
  if (name !== undefined && !TAG_NAMES.has(foldTag(name))) return undefined;
  if (named !== undefined && !namesTool(named, toolName)) return undefined;
  const words = token?.toLowerCase().split(/[\s_▁:/]+/) ?? [];
  if (!words.every((word) => TOKEN_WORDS.has(word))) return undefined;
  // `<|tool|>` begins the answer of a tool
  if (words.join() === "tool") return undefined;
  const closes =
    tag.charAt(1) === "/" || words.some((word) => END_WORDS.has(word));
  return { end: TAG.lastIndex, isFence: false, opens: !closes, closes };
}

/** The words of a token that ends something, in small letters. */
const END_WORDS = new Set(["end", "eot", "eom", "eos"]);

const TAG = new RegExp(
  [
    String.raw`\[/?(?:TOOL_CALLS?|ARGS)\]`,
    String.raw`<[|｜]([^<>|｜\n]{1,60})[|｜]>(?:assistant\n)?`,
    String.raw`</?([A-Za-z][\w:-]{0,40})(?:(?:\s+name)?\s*=\s*["']?([\w.:-]+)["']?)?\s*>`,
  ].join("|"),
  "y",
);

function foldTag(name: string): string {
  return name.toLowerCase().replace(/^antml:|[_-]/g, "");
}
