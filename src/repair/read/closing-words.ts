/**
 * Checks whether what follows JSON is empty politeness, as "Let me know if you need anything else!"
 * is. Anything else may go on with the input, or take it back.
 *
 * @param prose What stands after the JSON.
 */
export function isPoliteness(prose: string): boolean {
  if (prose.length > MAX_LENGTH) return false;
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
