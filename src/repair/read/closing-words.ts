/**
 * Checks whether what follows JSON is empty politeness, as "Let me know if you need anything else!"
 * is. Anything else may go on with the input, or take it back.
 *
 * @param prose What stands after the JSON.
 */
export function isPoliteness(prose: string): boolean {
  if (prose.length > MAX_LENGTH || !/[\p{L}.!]/u.test(prose)) return false;
  if (/^\W*\?|\?\W*\?/.test(prose)) return false;
  const sentences = prose
    .replace(/’/g, "'")
    .toLowerCase()
    .split(/[.!?\n]/);
  return sentences.every((sentence) => {
    const words = sentence.split(/[\s,*]+/).filter((word) => word !== "");
    const known = words.join(" ");
    return known === "" || (OPENING.test(known) && words.every((word) => WORDS.has(word)));
  });
}

const MAX_LENGTH = 300;

const OPENING =
  /^(?:done$|thanks|thank you|let me know|i hope (?:this|that|it) helps|hope (?:this|that|it) helps|(?:please )?feel free|that's (?:it|all)|that is (?:it|all)|is there anything else|enjoy$)/;

const WORDS: ReadonlySet<string> = new Set(
  "done thanks thank you so very much let me know if i hope this that it helps please feel free to ask any have questions further is there anything else can help with need more that's all would like enjoy your assistance assist do should".split(
    " ",
  ),
);

/**
 * Checks whether a sentence promises to tell what comes of a call: "I'll share the results once I
 * have them."
 *
 * @param sentence One sentence, without what ends it.
 */
export function isPromise(sentence: string): boolean {
  return PROMISE.test(sentence.replace(/’/g, "'").trim());
}

const OUTCOME =
  "(?:the |its |their )?(?:results?|answers?|findings|outcome|information|details|data|them|it)";
const RECEIVED = `(?:once|when|as soon as) (?:i (?:have|get|receive)|we (?:have|get)) ${OUTCOME}`;
const PROMISE = new RegExp(
  `^(?:${RECEIVED},? )?(?:i'll|i will) (?:then )?(?:` +
    `(?:share|report|summari[sz]e|present|tell you|show you|give you|get back to you with) ${OUTCOME}|` +
    `let you know(?: what i find| ${OUTCOME})?)(?: (?:to|with|for) you)?(?: ${RECEIVED})?$`,
  "i",
);
