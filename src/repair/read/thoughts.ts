/** What a text is without the thoughts before it. */
export interface WithoutThoughts {
  /** Thoughts whose opening mark stood in the prompt; `""` where there are none. */
  readonly unopened: string;
  /** What follows the thoughts. */
  readonly rest: string;
}

/**
 * A text without the thoughts that some models write before their answer (`<think>…</think>`).
 *
 * @param text The text, without white space around it.
 * @returns `undefined` when they do not end, as the answer is missing then, and where something was said
 * before they began: it may be "Do not use this:".
 */
export function withoutThoughts(text: string): string | undefined {
  const split = splitThoughts(text);
  return split === undefined || OPENED.test(split.unopened) ? undefined : split.rest;
}

/**
 * Splits a text into thoughts and what follows them. The opening mark may have stood in the prompt.
 *
 * @param text The text, without white space around it.
 * @returns `undefined` where the thoughts do not end.
 */
export function splitThoughts(text: string): WithoutThoughts | undefined {
  let rest = text;
  for (let mark = openingOf(rest); mark !== undefined; mark = openingOf(rest)) {
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

const TAGS = [
  "think",
  "thinking",
  "thought",
  "thoughts",
  "reasoning",
  "reflection",
  "seed:think",
  "mm:think",
  "think:opensource",
  "longcat_think",
  "ifm|think",
];

/** The pairs of marks between which models think. */
export const THOUGHT_MARKS: readonly (readonly [open: string, close: string])[] = [
  ...TAGS.map((tag) => [`<${tag}>`, `</${tag}>`] as const),
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

/** A pair whose closing mark closes any message: it is a thought's only where that was opened. */
const CHANNELS: readonly (readonly [open: string, close: string])[] = [
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"],
];

const OPENINGS = [...THOUGHT_MARKS, ...CHANNELS].map(([open, close]) => ({
  open: new RegExp(toPattern(open), "iy"),
  close: new RegExp(toPattern(close), "ig"),
}));
const CLOSE = new RegExp(THOUGHT_MARKS.map(([, close]) => toPattern(close)).join("|"), "gi");
const OPENED = new RegExp(THOUGHT_MARKS.map(([open]) => toPattern(open)).join("|"), "i");
const UNCLOSED = new RegExp(
  `(?:^|\\n)[^\\S\\n]*(?:${THOUGHT_MARKS.map(([open]) => toPattern(open)).join("|")})`,
  "gi",
);

function toPattern(mark: string): string {
  return mark.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function openingOf(text: string): { readonly length: number; readonly close: RegExp } | undefined {
  for (const { open, close } of OPENINGS) {
    open.lastIndex = 0;
    if (open.test(text)) return { length: open.lastIndex, close };
  }
  return undefined;
}

/** The index after the last end of thoughts: some models are given the beginning. */
function lastClose(text: string): number {
  let end = 0;
  for (const match of text.matchAll(CLOSE)) end = match.index + match[0].length;
  return end;
}
