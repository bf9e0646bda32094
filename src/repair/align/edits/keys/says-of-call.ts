import { wordsOf } from "../../names.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words for what a model thinks: a key with one is commentary, if nothing else is in its name. */
const THOUGHT = setOf(
  "thought thoughts thinking reasoning rationale explanation explanations justification scratchpad monologue reflection reflections commentary cot",
);
/** What such a name says besides. */
const ABOUT = setOf(
  "my our your its the a of on for about behind to this that model llm ai agent assistant self internal inner private hidden step by chain train stream process log trace text brief short summary summarized tool function call calling action request query input arguments args choice decision",
);
/** Words that say why a call is made: commentary too, if the text speaks of the call. */
const MOTIVE = setOf(
  "reason reasons why intent intention purpose motivation goal plan strategy objective analysis interpretation observation remark remarks note notes comment comments context justify explain think",
);

/** Words that say that what follows is the model's own, as an underscore before a name does. */
const OWN = setOf("my our model llm ai agent assistant self internal inner private hidden");

/** The longest text that is looked through, in characters: nobody explains a call at more length. */
const MAX_LENGTH = 20_000;

/** The model, the user or the call are spoken of. */
const OF_CALL =
  /\b(?:the user|user's|users? (?:wants?|asked|needs?)|this (?:tool|function|call|query)|the (?:tool|function|call)|let me|let's|i(?:'ll| will| need| should| must| want| am|'m| can| have))\b/i;

/** Words that put a condition on the call, bound it or take it back, in some languages. */
const TAKES_BACK_ABROAD =
  /(?:^|[^\p{L}])(?:nur (?:wenn|falls)|erst (?:wenn|nach|nachdem)|bevor|außer|es sei denn|noch nicht|nicht (?:ausführen|senden|löschen|aufrufen)|seulement (?:si|quand|après)|sauf|à moins que|pas encore|sólo (?:si|cuando)|solo (?:si|cuando|se|quando)|excepto|a menos que|salvo|todavía no|tranne|a meno che|somente se|a não ser|alleen als|behalve|tenzij|только если|кроме)(?!\p{L})|不要|仅当|只有|除非|請勿|しないで/iu;
/** The same in English. */
const TAKES_BACK =
  /\b(?:unless|only (?:if|when|once|after)|(?:delete|remove|run|send|apply|update|change|process|include|use|do|read|return|show|list|get|pay|copy|move) only|provided that|as long as|excluding|until|hold (?:on|off)|not yet|before (?:running|sending|doing|deleting|executing|applying|submitting)|first (?:ask|confirm|wait)|(?:ask|check with|confirm with) the (?:user|customer|owner)|the wrong|simulat\w*|test run|dry[ -]?run|wait|cancel|abort|never mind|(?:do not|don't|should not|shouldn't|must not|mustn't|never|cannot|can't|won't|will not)(?: be)? (?:run|executed|called|used|sent|submitted|deleted|removed|applied|done|changed|booked|bought|paid|run|call|use|execute|send|submit|delete|remove|apply|do|change|book|buy|pay))\b/i;

/**
 * Tells whether what stands at a key is what the model says of its call, rather than of what it
 * wants done: text in whole words, at a key that says so, which puts no condition on the call.
 *
 * @param key The key.
 * @param value What stands there.
 * @param toolName The tool: its own words in the key say nothing.
 * @returns `thought` where the key alone says so, `motive` where key and text say so together.
 */
export function saysOfCall(
  key: string,
  value: unknown,
  toolName: string,
): "thought" | "motive" | undefined {
  if (typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  const text = value.replaceAll("’", "'");
  if (!isProse(text) || TAKES_BACK.test(text) || TAKES_BACK_ABROAD.test(text)) return undefined;
  const ofTool = new Set(wordsOf(toolName));
  const words = wordsOf(key).filter((word) => !/^\d+$/.test(word));
  const has = (known: ReadonlySet<string>) => words.some((word) => known.has(word));
  const isOnly = (known: ReadonlySet<string>) =>
    words.every((word) => known.has(word) || ABOUT.has(word) || ofTool.has(word));
  if (has(THOUGHT) && isOnly(THOUGHT)) return "thought";
  if (!has(MOTIVE) || !words.every((word) => MOTIVE.has(word) || ABOUT.has(word))) return undefined;
  if (key.startsWith("_") || has(OWN)) return "thought";
  return OF_CALL.test(text) ? "motive" : undefined;
}

/** Whether a text is written out in words: three of them, or as much in a script without spaces. */
function isProse(text: string): boolean {
  const words = text.trim().split(/\s+/);
  const written = words.filter((word) => /^[\p{L}"'(]/u.test(word));
  if (written.length >= 3) return true;
  return (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/gu)?.length ?? 0) >= 6;
}
