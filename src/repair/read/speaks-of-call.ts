import { wordsOf } from "../align/names/fold-name.ts";
import type { JsonValue } from "../types.ts";
import { isPoliteness, isPromise } from "./closing-words.ts";
import { DEEDS } from "./verbs.ts";

/**
 * Checks whether prose beside JSON speaks of the very call that it makes: it shares a word with the
 * tool's name or with the JSON, or names nothing at all ("Let me do that now"). A sentence about
 * something else may mean the JSON otherwise than to hand it over.
 *
 * @param prose What stands before the JSON, or behind it.
 * @param value The JSON.
 * @param toolName The tool that the text was given to.
 */
export function speaksOfCall(
  prose: string,
  value: JsonValue,
  toolName: string | undefined,
): boolean {
  const ofCall = new Set(
    [...wordsOf(toolName ?? ""), ...JSON.stringify(value).split(/[^\p{L}\p{N}]+/u)].map(
      withoutEnding,
    ),
  );
  const sentences = prose
    .split(/[.!:\n]+/)
    .filter(
      (sentence) => !isPoliteness(sentence) && !isPromise(sentence) && /\p{L}/u.test(sentence),
    );
  if (sentences.length === 0) return true;
  return sentences.some((sentence) => {
    const words = sentence.split(/[^\p{L}\p{N}']+/u).map(withoutEnding);
    const telling = words.filter((word) => word.length > 2 && !EMPTY.has(word));
    const named = telling.filter((word) => !DEEDS.has(word));
    return named.length === 0 || telling.some((word) => ofCall.has(word));
  });
}

/** `Flights` and `flight`, `searching` and `search`. */
function withoutEnding(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 4 ? lower.replace(/(?:ing|es|s)$/, "") : lower;
}

const EMPTY: ReadonlySet<string> = new Set(
  (
    "i'll i'm will let let's let' going need the and for you with that now this then well okay ok sure great perfect " +
    "certainly absolutely course tool input call right away first just quickly help happy some here here's here' " +
    "are ahead"
  )
    .split(" ")
    .flatMap((word) => [word, withoutEnding(word)]),
);
