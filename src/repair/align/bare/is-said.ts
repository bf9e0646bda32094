import type { FieldKind } from "./field-kind.ts";

/**
 * Checks whether a text says something about a value, or in its stead, instead of being one: a
 * sentence where code is wanted, an acknowledgement, a word that points elsewhere, an error that
 * was shown.
 *
 * @param text The text, without white space around it.
 * @param kind What the field takes.
 */
export function isSaid(text: string, { isStrict, isMessage }: FieldKind): boolean {
  if (isMessage) return false;
  const plain = text.replace(/[’‘]/g, "'");
  if (plain.length <= 60 && (ELSEWHERE.test(plain) || ACKNOWLEDGED.test(plain))) return true;
  if (!isStrict) return false;
  if (ADVICE.test(plain) || (!/[{}()<>=;|\\/$]/.test(plain) && DENIED.test(plain))) return true;
  return (
    ERROR.test(plain) || QUESTION.test(plain) || plain.split(/\n\s{0,20}\n/, 50).some(isSentence)
  );
}

/** "Same as above", in parentheses or not. */
const ELSEWHERE =
  /^\(?(?:(?:the )?same(?: (?:one|value|thing))? as (?:above|before|previously)|(?:see|as) (?:above|below|before)|as (?:requested|discussed|mentioned)(?: (?:above|before))?|ditto|idem|siehe oben|wie oben|voir ci-dessus|ver arriba)\)?[.:]?$/i;

/** "Done.", "Please wait…": with the sign that ends a sentence where one word may be a value. */
const ACKNOWLEDGED =
  /^(?:(?:ok|okay|sure|done|yes|no|alright|right|skip|nothing)[.!]|here (?:it is|you go|you are)[.!:]?|please wait[.!…]*|one moment(?:,? please)?[.!…]*|working on it[.!…]*|already done[.!]?|skip(?:ping)? (?:this|it)(?: step)?[.!]?|never ?mind[.!]?|got it[.!]?|not going to happen[.!]?)$/i;

const ERROR =
  /^(?:(?:[A-Z]\w{0,40})?(?:Error|Exception)\b|error: |traceback \(|(?:request|permission|access) denied\b|unauthorized$|forbidden$|[45]\d\d [A-Z][a-z])/i;

const QUESTION =
  /^(?:what|which|who|where|when|why|how|do|does|did|is|are|should|can|could|would|will) [^\n]{1,300}\?$/i;

/** "Use `ls`". */
const ADVICE = /^(?:please )?(?:use|run|try|execute|type|enter|call) `/i;

/** A word that denies, in languages in which no code is written. */
const DENIED =
  /(?:^|[\s,])(?:nicht|keine?[nrs]?|nein|niet|geen|inte|ikke|aldrig|jamais|merci|gracias|não|nunca|нет|не|нельзя|невозможно|لا|לא)(?=[\s,.!]|$)|ません|できない|할 수 없|不能|不可以|无法|無法/iu;

/** A subject and its verb: no code, command, selector or path. */
function isSentence(paragraph: string): boolean {
  return SENTENCE.test(paragraph.trim());
}

const SENTENCE =
  /^(?:(?:this|the) (?:command|script|query|code|selector|path|snippet|regex|expression|statement) [a-z]{2,20}s\b|(?:this|that|it|there|these|those|you|we|they|he|she|the (?:[\w-]{1,30} ){0,2}[\w-]{1,30}|this [\w-]{1,30}|that [\w-]{1,30}|no [\w-]{1,30}|your [\w-]{1,30})(?: (?:is|are|was|were|isn't|aren't|wasn't|would|should|could|can|cannot|can't|will|won't|has|have|needs?|must|does|doesn't|failed|fails|lists|shows|prints|opens|runs|finds|selects|returns|needed|required)(?=[\s.,!;:]|$)|'s )).{0,400}$/is;
