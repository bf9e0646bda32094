import { foldName } from "../align/names.ts";
import { LEAD_IN_WORDS, TAG_NAMES, TOKEN_WORDS } from "../align/vocabulary.ts";
import { asPunctuation, isClosingBracket, skipBlanks, skipSpace } from "./tokens.ts";

/** The place where a text begins its JSON. */
export interface Opening {
  /** The index of the bracket. */
  readonly start: number;
  /** Whether the words before it only announce JSON. */
  readonly hasLeadIn: boolean;
}

/**
 * Finds the bracket behind only a code fence, control tags and a known lead-in. `undefined` for any
 * other text before it: that may quote, deny or limit what follows.
 */
export function findOpening(text: string, toolName: string | undefined): Opening | undefined {
  let at = 0;
  let lead = "";
  let isFenced = false;
  while (lead.length <= MAX_LEAD_IN) {
    at = lead === "" ? skipBlanks(text, at, true) : at;
    const fence = readCodeFence(text, at);
    const tag = fence ? undefined : readControlTag(text, at, toolName);
    const char = text.charAt(at);
    if (fence !== undefined) {
      if (isFenced || !mayHoldInput(fence.language, toolName)) return undefined;
      isFenced = true;
      at = fence.end;
    } else if (tag !== undefined) {
      if (tag.kind === "closing") return undefined;
      at = tag.end;
    } else if (lead === "" && skipSpace(text, at, true) !== at) {
      const end = skipSpace(text, at, true);
      if (end === undefined) return undefined;
      at = end;
    } else if (char !== "" && "{[｛［(".includes(char)) {
      const isTuple = char !== "(" || (lead === "" && /^\(\s{0,9}["'\d(-]/.test(text.slice(at)));
      const isName = namesTool(lead.trim(), toolName);
      // Otherwise it may be a part of the sentence: "the input is {…}"
      const isApart = lead === "" || isName || isFenced || /[:：=*\n]\s*$/.test(lead);
      if (!isTuple || !isApart || !isLeadIn(lead, toolName)) return undefined;
      const isInfo = LONE_INFO.test(lead);
      return { start: at, hasLeadIn: lead !== "" && !isName && !isInfo };
    } else {
      RUN.lastIndex = at;
      const run = RUN.exec(text)?.[0];
      if (run === undefined) return undefined;
      lead += run;
      at += run.length;
    }
  }
  return undefined;
}

/** The info string of a missing fence: `json` on a line of its own. */
const LONE_INFO = /^json5?[^\S\n]*\n\s*$/i;
const MAX_LEAD_IN = 200;
const RUN = /[^<[{｛［(`~]{1,201}/y;

/**
 * Checks whether every word before JSON is a lead-in's or the tool's own name: "Here is the
 * input:", `Action: click`, `Action Input:`. Any other word may carry meaning.
 */
function isLeadIn(lead: string, toolName: string | undefined): boolean {
  if (lead !== "" && !/^[\s*#]*\p{L}[\p{L}\p{N}\s.,:!*#_=’'-]*$/u.test(lead)) return false;
  const words = lead.replace(/’/g, "'").split(/[\s.,:!*#=]+/);
  return words.every(
    (word) => word === "" || LEAD_IN_WORDS.has(word.toLowerCase()) || namesTool(word, toolName),
  );
}

/** Checks whether a name is that of the tool that an input was given to. */
export function namesTool(name: string, toolName: string | undefined): boolean {
  return toolName !== undefined && name.length <= 200 && foldName(name) === foldName(toolName);
}

/**
 * Reports what follows a value other than superfluous closing brackets, the end of a code fence,
 * closing tags of the chat template and tokens that end a turn.
 */
export function whatFollows(
  text: string,
  end: number,
  unsureBracket: string,
): "nothing" | "another" | "text" {
  let at = skipSpace(text, end, false);
  while (at !== undefined && isClosingBracket(asPunctuation(text.charAt(at)))) {
    if (asPunctuation(text.charAt(at)) === unsureBracket) return "text";
    at = skipSpace(text, at + 1, false);
  }
  if (at !== undefined && ",;.".includes(text.charAt(at) || "-"))
    at = skipSpace(text, at + 1, false);
  if (at === undefined) return "text";
  for (;;) {
    const fence = readCodeFence(text, at);
    const tag = readControlTag(text, at, undefined);
    if (fence?.language === "") at = skipBlanks(text, fence.end);
    else if (tag?.kind === "closing") at = skipBlanks(text, tag.end);
    else break;
  }
  if (endsTurn(text, at)) return "nothing";
  return /[{[]\s{0,20}["'“{[]|^[{[]/.test(text.slice(at, at + 10_000)) ? "another" : "text";
}

/** The mark of a code fence: three or more backticks or tildes, and its language. */
function readCodeFence(
  text: string,
  at: number,
): { readonly end: number; readonly language: string } | undefined {
  FENCE.lastIndex = at;
  const language = FENCE.exec(text)?.[1];
  return language === undefined ? undefined : { end: FENCE.lastIndex, language };
}

const FENCE = /(?:`{3,20}|~{3,20})([\w+-]*)/y;

/** Whether a fence of a language may hold a tool's input: not `diff`, `log` or `http`. */
function mayHoldInput(language: string, toolName: string | undefined): boolean {
  return LANGUAGE.test(language) || namesTool(language, toolName);
}

const LANGUAGE =
  /^(?:json[5c]?|javascript|js|typescript|ts|python|py|te?xt|plaintext|xml|(?:tool|function)_\w+|action(?:_input)?|)$/i;

/**
 * Reads a tag of a model's own chat template around a call: `<tool_call>`, `<function=click>`,
 * `<|im_end|>`, `[TOOL_CALLS]`. A tag that quotes something (`<document>`, `<tool_response>`) or
 * names another tool does not count.
 */
function readControlTag(
  text: string,
  at: number,
  toolName: string | undefined,
): { readonly end: number; readonly kind: "opening" | "closing" } | undefined {
  if (!"<[".includes(text.charAt(at) || "-")) return undefined;
  MARKER.lastIndex = at;
  const marker = MARKER.exec(text);
  if (marker) return { end: MARKER.lastIndex, kind: marker[1] ? "closing" : "opening" };
  TOKEN.lastIndex = at;
  const token = TOKEN.exec(text)?.[1]?.toLowerCase();
  if (token !== undefined) {
    const words = token.split(/[\s_▁:/]+/);
    const isOurs = token !== "tool" && words.every((word) => TOKEN_WORDS.has(word));
    const kind = words.some((word) => /^(?:end|eot|eom|eos)$/.test(word)) ? "closing" : "opening";
    return isOurs ? { end: TOKEN.lastIndex, kind } : undefined;
  }
  TAG.lastIndex = at;
  const [tag, slash, name = "", named] = TAG.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const isOurs = TAG_NAMES.has(name.toLowerCase().replace(/^antml:|[_-]/g, ""));
  if (!isOurs || (named !== undefined && !namesTool(named, toolName))) return undefined;
  return { end: TAG.lastIndex, kind: slash ? "closing" : "opening" };
}

const MARKER = /\[(\/)?(?:TOOL_CALLS?|ARGS)\]/y;
const TOKEN = /<[|｜]([^<>|｜\n]{1,60})[|｜]>(?:assistant\n)?/y;
const TAG = /<(\/?)([A-Za-z][\w:-]{0,40})(?:(?:\s+name)?\s*=\s*["']?([\w.:-]+)["']?)?\s*>/y;

/** Tokens that end a model's turn: they carry no content. */
const END_TOKENS: readonly string[] =
  `<|im_end|> <|eot_id|> <|eom_id|> <|eot|> <|eom|> <|end|> <|endoftext|> <|end_of_text|>
  <|end_of_turn|> <|end_message|> <|return|> <|call|> <|observation|> <|user|>
  <|END_OF_TURN_TOKEN|> <|assistant_end|> <|message_sep|> <|close|>message<|sep|> <|plamo:tag|>
  <｜end▁of▁sentence｜> <end_of_turn> <start_function_response> <turn|> <eos> </s> [e~[
  <|end_of_msg|> <|content_model_end_sampling|> <|tool_response> <SPECIAL_12> <seed:eos>`.split(
    /\s+/,
  );

/** Checks whether the rest of a text is only tokens that end a turn. */
export function endsTurn(text: string, from: number): boolean {
  let at = skipBlanks(text, from);
  for (;;) {
    const token = END_TOKENS.find((one) => text.startsWith(one, at));
    if (token === undefined) return at === text.length;
    at = skipBlanks(text, at + token.length);
  }
}

/** A text split from the thoughts before it. */
export interface WithoutThoughts {
  /** Thoughts whose opening mark stood in the prompt; `""` if none. */
  readonly unopened: string;
  /** What follows the thoughts. */
  readonly rest: string;
}

/** A text without the thoughts that some models write before their answer (`<think>…</think>`). */
export function withoutThoughts(text: string): string | undefined {
  const split = splitThoughts(text);
  return split === undefined || THOUGHTS_BEGIN.test(split.unopened) ? undefined : split.rest;
}

/**
 * Splits a text into thoughts and what follows them. The opening mark may have stood in the prompt.
 */
export function splitThoughts(text: string): WithoutThoughts | undefined {
  let rest = text;
  for (let mark = markAt(rest); mark !== undefined; mark = markAt(rest)) {
    mark.close.lastIndex = mark.length;
    if (!mark.close.test(rest)) return undefined;
    rest = rest.slice(mark.close.lastIndex).trimStart();
  }
  if (/^[{[](?!\/?THINK\])/i.test(rest)) return { unopened: "", rest };
  const end = lastClose(rest);
  UNCLOSED.lastIndex = end;
  if (UNCLOSED.test(rest)) return undefined;
  return { unopened: rest.slice(0, end), rest: rest.slice(end).trimStart() };
}

const TAGS =
  "think thinking thought thoughts reasoning reflection seed:think mm:think think:opensource longcat_think ifm|think";

/** The pairs of marks between which models think. */
const THOUGHT_MARKS: readonly (readonly [open: string, close: string])[] = [
  ...TAGS.split(" ").map((tag) => [`<${tag}>`, `</${tag}>`] as const),
  ["[THINK]", "[/THINK]"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|think:start|>", "<|think:end|>"],
  ["<|open|>think<|sep|>", "<|close|>think<|sep|>"],
  ["<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"],
  ["<|channel>thought", "<channel|>"],
  ["<unused94>thought", "<unused95>"],
  ["◁think▷", "◁/think▷"],
];

/** A pair whose closing mark closes any message: it ends a thought only if one was opened. */
const CHANNELS: readonly (readonly [open: string, close: string])[] = [
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"],
  ["to=self<|message|>", "<|eom|>"],
  ["<|content_thinking|>", "<|end_message|>"],
  ["<|message_model|><|content_thinking|>", "<|end_message|>"],
];

const OPENINGS = [...THOUGHT_MARKS, ...CHANNELS].map(([open, close]) => ({
  open: new RegExp(toPattern(open), "iy"),
  close: new RegExp(toPattern(close), "ig"),
}));
export const THOUGHTS_END: RegExp = new RegExp(
  THOUGHT_MARKS.map(([, close]) => toPattern(close)).join("|"),
  "gi",
);
export const THOUGHTS_BEGIN: RegExp = new RegExp(
  THOUGHT_MARKS.map(([open]) => toPattern(open)).join("|"),
  "i",
);
const UNCLOSED = new RegExp(
  `(?:^|\\n)[^\\S\\n]*(?:${THOUGHT_MARKS.map(([open]) => toPattern(open)).join("|")})`,
  "gi",
);

function toPattern(mark: string): string {
  return mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function markAt(text: string): { readonly length: number; readonly close: RegExp } | undefined {
  for (const { open, close } of OPENINGS) {
    open.lastIndex = 0;
    if (open.test(text)) return { length: open.lastIndex, close };
  }
  return undefined;
}

/** The index after the last end of thoughts: some models get the opening mark in the prompt. */
function lastClose(text: string): number {
  let end = 0;
  for (const match of text.matchAll(THOUGHTS_END)) end = match.index + match[0].length;
  return end;
}
