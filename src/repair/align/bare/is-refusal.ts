/**
 * Checks whether a text is the assistant's own word about what it cannot, will not or needs not do,
 * or an apology or a question back, instead of a value.
 *
 * @param text The text.
 * @param isMessage Whether the field takes what people write to each other: there, only how the text
 * begins tells.
 */
export function isRefusal(text: string, isMessage: boolean): boolean {
  const plain = text
    .replace(/[’‘]/g, "'")
    .replace(/[*_"“”]/g, "")
    .toLowerCase();
  const sentences = plain.split(/[.!?;\n—]/, MAX_SENTENCES).map((sentence) => sentence.trim());
  const [first = ""] = sentences.filter((sentence) => sentence !== "");
  if (FOREIGN.test(first)) return true;
  return (isMessage ? [first] : sentences).some(isRefusing);
}

const MAX_SENTENCES = 20;

function isRefusing(sentence: string): boolean {
  const start = sentence.replace(OPENER, "");
  return (
    SPEAKER_DENIES.test(start) ||
    ITSELF.test(start) ||
    UNABLE.test(start) ||
    NO_CALL.test(start) ||
    ASKS_BACK.test(start) ||
    /^(?:i|we)\b.{0,60}\bbut (?:i|we) (?:can|could|do|will|would|am|are)(?:not|n't| not)\b/.test(
      start,
    )
  );
}

/** Words before the sentence proper. */
const OPENER =
  /^(?:(?:well|oh|hi|hello|hmm|ok|okay|but|so|and|however|unfortunately|regrettably|sadly|thanks|thank you|at this time|at the moment|currently)[,:]? +){1,3}/;

/** A first person who is not able, not willing, not allowed, not sure; or is sorry. */
const SPEAKER_DENIES =
  /^(?:(?:i|we)(?:'m| am|'re| are) (?:(?:so|very|really|terribly|deeply|truly|just|only|currently|still) )?(?:sorry|afraid|unable|not |unsure|uncertain|prohibited|forbidden|prevented|restricted|a (?:large )?language|an ai\b|an assistant|incapable)|(?:i|we) (?:(?:really|simply|also|still|currently|therefore|must|have to|would|do) )*(?:can't|cannot|can not|can no longer|couldn't|could not|won't|will not|don't|do not|didn't|did not|wouldn't|would not|shouldn't|should not|mustn't|must not|may not|haven't|have no\b|have not|lack|refuse|decline|regret|apologi[sz]e|abstain|refrain|will have to (?:refuse|decline)|must (?:refuse|decline)|need more|need (?:you|the user)|need (?:additional|further) (?:info|detail|context)))/;

/** Speaking of itself. */
const ITSELF =
  /^(?:(?:i(?:'m| am) )?(?:sorry|apologies|my apologies|pardon|forgive me)\b|as an? (?:(?:large |safe |helpful )?(?:ai|assistant|language|llm|chat))|my (?:guidelines|instructions|policy|programming|training)|it(?:'s| is| would be)(?: not|n't) (?:possible|appropriate|safe|ethical|something i)|(?:this|that) (?:is|'s)(?: not|n't) something (?:i|we))/;

/** Without a subject: "Unable to help with that". */
const UNABLE =
  /^(?:can't|cannot|can not|unable to|not able to|won't|will not|refusing to|declining to|i'd rather not)(?: \w+)? ?(?:help|assist|comply|fulfil|fulfill|process|proceed|complete|answer|do that|do this|continue|execute|run|perform)\b/;

const NO_CALL =
  /^(?:no|there is no|there's no) (?:(?:further|other|suitable|appropriate|available|more) )?(?:tool|function|action|call|input|argument|parameter|information)s?(?: call)?(?: (?:is|are))?(?: (?:needed|required|necessary|available|given|provided|specified|to be|can))?\b|^(?:nothing to do|no need to|there is no need|not enough information|insufficient information|the user (?:did not|didn't|has not|hasn't|is|wants|asked|needs)|this request (?:is|can|violates)|your request (?:is|can|violates))/;

const ASKS_BACK =
  /^(?:(?:could|can|would|will) you (?:please )?(?:clarify|provide|specify|tell|give|share|let me|explain|confirm|elaborate)|please (?:provide|specify|clarify|tell me|give me|let me know|confirm)|i(?:'d| would) (?:need|like you)|what (?:exactly )?(?:would|do) you (?:like|want|mean)|which (?:one )?(?:would|do) you|how can i (?:help|assist)|do you want me|would you like me|shall i|should i )/;

/** How a refusal or an apology begins in other languages. */
const FOREIGN =
  /^(?:es tut mir leid|tut mir leid|entschuldig|ich (?:kann|darf|werde|bin) (?:\w+ )?nicht|leider|lo siento|perd[oó]n|no puedo|no me es|je suis d[ée]sol|d[ée]sol|je ne (?:peux|suis|vais)|je regrette|desculp|sinto muito|n[aã]o posso|mi dispiace|non posso|scusa|het spijt me|ik kan (?:\w+ )?niet|helaas|f[oö]rl[aå]t|jag kan inte|beklager|przepraszam|nie mog|извините|простите|к сожалению|я не могу|抱歉|对不起|對不起|很遗憾|我不能|我无法|我無法|申し訳|すみません|ごめん|죄송|미안|آسف|عذر|maaf|xin lỗi|üzgünüm)/;
