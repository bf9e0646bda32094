/** The pairs of marks between which models think. */
const THOUGHTS: readonly (readonly [open: string, close: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<reflection>", "</reflection>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|channel>thought", "<channel|>"],
  ["<mm:think>", "</mm:think>"],
  ["<think:opensource>", "</think:opensource>"],
  ["<unused94>thought", "<unused95>"],
  ["◁think▷", "◁/think▷"],
];

/**
 * Passes over what a model thought before it answered: nothing in it is a call. The opening mark
 * may have stood in the prompt.
 *
 * @param text The text.
 * @returns What follows the thoughts; `undefined` where they do not end, or another mark of them
 * stands in what follows, so that it may still be a thought.
 */
export function afterThoughts(text: string): string | undefined {
  let rest = text.trim();
  for (const [open, close] of THOUGHTS) {
    const end = rest.indexOf(close);
    if (rest.startsWith(open)) {
      if (end < 0) return undefined;
      return isClear(rest.slice(end + close.length))
        ? rest.slice(end + close.length).trim()
        : undefined;
    }
    if (end >= 0 && close !== "<|end|>" && !rest.slice(0, end).includes(open)) {
      rest = rest.slice(end + close.length);
      return isClear(rest) ? rest.trim() : undefined;
    }
  }
  return isClear(rest) ? rest : undefined;
}

function isClear(text: string): boolean {
  return !THOUGHTS.some(
    ([open, close]) => text.includes(open) || (close !== "<|end|>" && text.includes(close)),
  );
}
