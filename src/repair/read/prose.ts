import { wordsIn } from "../words/vocabulary.ts";
import { BLANK, matchesAt } from "./tokens.ts";

/** Tokens that end a model's turn: they carry no content. */
const END_TOKENS = `<|im_end|> <|eot_id|> <|eom_id|> <|eot|> <|eom|> <|end|> <|endoftext|>
  <|end_of_text|> <|end_of_turn|> <|end_message|> <|return|> <|call|> <|observation|> <|user|>
  <|END_OF_TURN_TOKEN|> <|assistant_end|> <|message_sep|> <|close|>message<|sep|> <|plamo:tag|>
  <｜end▁of▁sentence｜> <end_of_turn> <start_function_response> <turn|> <eos> </s> [e~[
  <|end_of_msg|> <|content_model_end_sampling|> <|tool_response> <SPECIAL_12> <seed:eos>`;

const TURN_ENDS = new RegExp(
  `(?:[${BLANK}]*(?:${wordsIn(END_TOKENS).map(toPattern).join("|")}))*[${BLANK}]*$`,
  "y",
);

/** Checks whether the rest of a text is only tokens that end a turn. */
export function endsTurn(text: string, from: number): boolean {
  return matchesAt(TURN_ENDS, text, from);
}

/**
 * A text without the thoughts that some models write before their answer
 * (`<think>…</think>`).
 */
export function withoutThoughts(text: string): string | undefined {
  const split = splitThoughts(text);
  if (split === undefined) return undefined;
  return THOUGHTS_BEGIN.test(split.unopened) ? undefined : split.answer;
}

/**
 * Splits a text into thoughts and what follows them. The opening mark may have
 * stood in the prompt: such thoughts are `unopened`, or `""` if absent.
 * `undefined` if thoughts do not end.
 */
export function splitThoughts(
  text: string,
): { readonly unopened: string; readonly answer: string } | undefined {
  let answer = text;
  for (;;) {
    const mark = MARKS.find(({ open }) => matchesAt(open, answer, 0));
    if (mark === undefined) break;
    mark.close.lastIndex = mark.open.lastIndex;
    if (!mark.close.test(answer)) return undefined;
    answer = answer.slice(mark.close.lastIndex).trimStart();
  }
  if (/^[{[](?!\/?THINK\])/i.test(answer)) return { unopened: "", answer };
  let end = 0;
  for (const match of answer.matchAll(THOUGHTS_END))
    end = match.index + match[0].length;
  UNCLOSED.lastIndex = end;
  if (UNCLOSED.test(answer)) return undefined;
  return {
    unopened: answer.slice(0, end),
    answer: answer.slice(end).trimStart(),
  };
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

/**
 * Pairs whose closing mark closes any message: it ends a thought only if one
 * was opened.
 */
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

function pairsOf(
  marks: string,
): readonly (readonly [open: string, close: string])[] {
  return [...marks.matchAll(/(\S+)\s+(\S+)/g)].map(
    ([, open = "", close = ""]) => [toPattern(open), toPattern(close)],
  );
}

function toPattern(mark: string): string {
  return mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
