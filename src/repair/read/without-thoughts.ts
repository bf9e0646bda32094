/**
 * A text without the thoughts that some models write before their answer (`<think>…</think>`).
 * `undefined` when they do not end: then the answer is missing.
 *
 * @param text The text, without white space around it.
 */
export function withoutThoughts(text: string): string | undefined {
  let rest = text;
  for (let tag = OPEN.exec(rest)?.[1]; tag !== undefined; tag = OPEN.exec(rest)?.[1]) {
    const close = rest.indexOf(`</${tag}>`);
    if (close < 0) return undefined;
    rest = rest.slice(close + tag.length + 3).trimStart();
  }
  if (/^[{[]/.test(rest)) return rest;
  const closed = lastClose(rest);
  UNCLOSED.lastIndex = closed;
  if (UNCLOSED.test(rest)) return undefined;
  return rest.slice(closed).trimStart();
}

const OPEN = /^<(think|thinking|thought|thoughts|reasoning|reflection)>/i;
const CLOSE = /<\/(?:think|thinking|thought|thoughts|reasoning|reflection)>/gi;
const UNCLOSED = /(?:^|\n)[^\S\n]*<(?:think|thinking|thought|thoughts|reasoning|reflection)>/gi;

/** The index after the last end of thoughts: some models are given the beginning. */
function lastClose(text: string): number {
  let end = 0;
  for (const match of text.matchAll(CLOSE)) end = match.index + match[0].length;
  return end;
}
