import { foldName } from "../align/names.ts";
import { LEAD_IN_WORDS, TAG_NAMES, TOKEN_WORDS } from "../align/vocabulary.ts";
import { asPunctuation, BLANK, matchesAt, skipBlanks, skipSpace } from "./tokens.ts";

/** The bracket where a text begins its JSON, and whether words before it announce that. */
interface Opening {
  readonly start: number;
  readonly hasLeadIn: boolean;
}

/**
 * Finds the bracket behind only a code fence, control tags and a known lead-in. `undefined` for any
 * other text before it: that may quote, deny or limit what follows.
 */
export function findOpening(text: string, toolName: string | undefined): Opening | undefined {
  let lead = "";
  let isFenced = false;
  let at = skipSpace(text, 0, true);
  while (at !== undefined) {
    const wrapper = readWrapper(text, at, toolName);
    LEAD.lastIndex = at;
    if (wrapper !== undefined) {
      if (!wrapper.opens || (isFenced && wrapper.isFence)) return undefined;
      isFenced ||= wrapper.isFence;
    } else if (lead === "" && LEAD.test(text)) {
      lead = text.slice(at, LEAD.lastIndex);
    } else break;
    at = skipSpace(text, wrapper?.end ?? LEAD.lastIndex, true);
  }
  // "Here is the input:", `Action: click`; any other word may carry meaning
  const plain = lead.toLowerCase().replace(/’/g, "'");
  const words = plain.match(/[^\s.,:!*#=]+/g) ?? [];
  const isKnown = words.every((word) => LEAD_IN_WORDS.has(word) || namesTool(word, toolName));
  const isName = lead === "" || namesTool(lead.trim(), toolName);
  // Otherwise it may be a part of the sentence: "the input is {…}"
  const isApart = isName || isFenced || /[:=*\n]\s*$/.test(lead);
  const bracket = lead === "" ? OPENING_OR_TUPLE : OPENING;
  if (at === undefined || !matchesAt(bracket, text, at) || !isApart || !isKnown) return undefined;
  // the info string of a missing fence: `json` on a line of its own
  return { start: at, hasLeadIn: !isName && !/^json5?[^\S\n]*\n\s*$/i.test(lead) };
}

const LEAD = /[\s*#]*\p{L}[\p{L}\p{N}\s.,:!*#_=’'-]{0,200}/uy;
const OPENING = /[{[｛［]/y;
const OPENING_OR_TUPLE = /[{[｛［]|\(\s{0,9}["'\d(-]/y;

/** The languages of fences that may hold a tool's input: not `diff`, `log` or `http`. */
const LANGUAGE =
  /^(?:json[5c]?|javascript|js|typescript|ts|python|py|te?xt|plaintext|xml|(?:tool|function)_\w+|action(?:_input)?|)$/i;

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
  unsureBracket: string | undefined,
): "nothing" | "another" | "text" {
  let at = skipSpace(text, end, false);
  while (at !== undefined && /[)\]}]/.test(asPunctuation(text.charAt(at)))) {
    if (asPunctuation(text.charAt(at)) === unsureBracket) return "text";
    at = skipSpace(text, at + 1, false);
  }
  if (at !== undefined && /[,;.]/.test(text.charAt(at))) at = skipSpace(text, at + 1, false);
  if (at === undefined) return "text";
  for (;;) {
    const wrapper = readWrapper(text, at, undefined);
    if (!wrapper?.closes) break;
    at = skipBlanks(text, wrapper.end);
  }
  if (endsTurn(text, at)) return "nothing";
  return /[{[]\s{0,20}["'“{[]|^[{[]/.test(text.slice(at, at + 10_000)) ? "another" : "text";
}

/** A mark before or behind a value. */
interface Wrapper {
  readonly end: number;
  readonly isFence: boolean;
  readonly opens: boolean;
  readonly closes: boolean;
}

/**
 * Reads the mark of a code fence, or a tag of a model's own chat template around a call:
 * `<tool_call>`, `<function=click>`, `<|im_end|>`, `[TOOL_CALLS]`. A tag that quotes something
 * (`<document>`, `<tool_response>`) or names another tool does not count.
 */
function readWrapper(text: string, at: number, toolName: string | undefined): Wrapper | undefined {
  FENCE.lastIndex = at;
  const language = FENCE.exec(text)?.[1];
  if (language !== undefined) {
    const opens = LANGUAGE.test(language) || namesTool(language, toolName);
    return { end: FENCE.lastIndex, isFence: true, opens, closes: language === "" };
  }
  TAG.lastIndex = at;
  const [tag, token, name, named] = TAG.exec(text) ?? [];
  if (tag === undefined) return undefined;
  const words = token?.toLowerCase().split(/[\s_▁:/]+/) ?? [];
  const isOurs =
    token?.toLowerCase() !== "tool" &&
    words.every((word) => TOKEN_WORDS.has(word)) &&
    (name === undefined || TAG_NAMES.has(name.toLowerCase().replace(/^antml:|[_-]/g, ""))) &&
    (named === undefined || namesTool(named, toolName));
  if (!isOurs) return undefined;
  const closes = /^[<[]\//.test(tag) || words.some((word) => /^(?:end|eo[tms])$/.test(word));
  return { end: TAG.lastIndex, isFence: false, opens: !closes, closes };
}

/** Three or more backticks or tildes, and a language. */
const FENCE = /(?:`{3,20}|~{3,20})([\w+-]*)/y;
const TAG = new RegExp(
  "\\[/?(?:TOOL_CALLS?|ARGS)\\]|<[|｜]([^<>|｜\\n]{1,60})[|｜]>(?:assistant\\n)?|" +
    "</?([A-Za-z][\\w:-]{0,40})(?:(?:\\s+name)?\\s*=\\s*[\"']?([\\w.:-]+)[\"']?)?\\s*>",
  "y",
);

/** Tokens that end a model's turn: they carry no content. */
const END_TOKENS = `<|im_end|> <|eot_id|> <|eom_id|> <|eot|> <|eom|> <|end|> <|endoftext|>
  <|end_of_text|> <|end_of_turn|> <|end_message|> <|return|> <|call|> <|observation|> <|user|>
  <|END_OF_TURN_TOKEN|> <|assistant_end|> <|message_sep|> <|close|>message<|sep|> <|plamo:tag|>
  <｜end▁of▁sentence｜> <end_of_turn> <start_function_response> <turn|> <eos> </s> [e~[
  <|end_of_msg|> <|content_model_end_sampling|> <|tool_response> <SPECIAL_12> <seed:eos>`;

const TURN_ENDS = new RegExp(
  `(?:[${BLANK}]*(?:${END_TOKENS.split(/\s+/).map(toPattern).join("|")}))*[${BLANK}]*$`,
  "y",
);

/** Checks whether the rest of a text is only tokens that end a turn. */
export function endsTurn(text: string, from: number): boolean {
  return matchesAt(TURN_ENDS, text, from);
}

/** A text without the thoughts that some models write before their answer (`<think>…</think>`). */
export function withoutThoughts(text: string): string | undefined {
  const split = splitThoughts(text);
  return split === undefined || THOUGHTS_BEGIN.test(split.unopened) ? undefined : split.rest;
}

/**
 * Splits a text into thoughts and what follows them. The opening mark may have stood in the prompt:
 * such thoughts are `unopened`, or `""` if absent. `undefined` if thoughts do not end.
 */
export function splitThoughts(
  text: string,
): { readonly unopened: string; readonly rest: string } | undefined {
  let rest = text;
  for (;;) {
    const mark = MARKS.find(({ open }) => matchesAt(open, rest, 0));
    if (mark === undefined) break;
    mark.close.lastIndex = mark.open.lastIndex;
    if (!mark.close.test(rest)) return undefined;
    rest = rest.slice(mark.close.lastIndex).trimStart();
  }
  if (/^[{[](?!\/?THINK\])/i.test(rest)) return { unopened: "", rest };
  let end = 0;
  for (const match of rest.matchAll(THOUGHTS_END)) end = match.index + match[0].length;
  UNCLOSED.lastIndex = end;
  if (UNCLOSED.test(rest)) return undefined;
  return { unopened: rest.slice(0, end), rest: rest.slice(end).trimStart() };
}

/** The marks between which models think, in pairs. */
const THOUGHTS = pairsOf(`
  <think> </think> <thinking> </thinking> <thought> </thought> <thoughts> </thoughts>
  <reasoning> </reasoning> <reflection> </reflection> <seed:think> </seed:think> <mm:think> </mm:think>
  <think:opensource> </think:opensource> <longcat_think> </longcat_think> <ifm|think> </ifm|think>
  [THINK] [/THINK] <|START_THINKING|> <|END_THINKING|> <|inner_prefix|> <|inner_suffix|>
  <|begin_of_thought|> <|end_of_thought|> <|think:start|> <|think:end|>
  <|open|>think<|sep|> <|close|>think<|sep|> <|plamo:begin_think:plamo|> <|plamo:end_think:plamo|>
  <|channel>thought <channel|> <unused94>thought <unused95> ◁think▷ ◁/think▷`);

/** Pairs whose closing mark closes any message: it ends a thought only if one was opened. */
const CHANNELS = pairsOf(`
  <|channel|>analysis<|message|> <|end|> <|start|>assistant<|channel|>analysis<|message|> <|end|>
  to=self<|message|> <|eom|> <|content_thinking|> <|end_message|>
  <|message_model|><|content_thinking|> <|end_message|>`);

const MARKS = [...THOUGHTS, ...CHANNELS].map(([open, close]) => ({
  open: new RegExp(open, "iy"),
  close: new RegExp(close, "ig"),
}));
const BEGINS = THOUGHTS.map(([open]) => open).join("|");
const ENDS = THOUGHTS.map(([, close]) => close).join("|");
export const THOUGHTS_BEGIN: RegExp = new RegExp(BEGINS, "i");
export const THOUGHTS_END: RegExp = new RegExp(ENDS, "gi");
const UNCLOSED = new RegExp(`(?:^|\\n)[^\\S\\n]*(?:${BEGINS})`, "gi");

function pairsOf(marks: string): readonly (readonly [open: string, close: string])[] {
  return [...marks.matchAll(/(\S+)\s+(\S+)/g)].map(([, open = "", close = ""]) => {
    return [toPattern(open), toPattern(close)];
  });
}

function toPattern(mark: string): string {
  return mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
