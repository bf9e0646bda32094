/**
 * Checks whether plain text before calls only says that its writer acts now, in one of a few forms:
 * "Let me check that." Anything else may quote them, show them, or take them back.
 *
 * @param lead What stands before the first call, without white space around it.
 */
export function announcesCalls(lead: string): boolean {
  if (lead === "") return true;
  if (lead.length > MAX_LENGTH || !PLAIN.test(lead)) return false;
  const sentences = lead.replace(/’/g, "'").split(/[.!:…]+(?:\s|$)|\n/);
  const said = sentences.map((one) => one.trim()).filter((one) => one !== "");
  return said.length > 0 && said.every((sentence) => ACT.test(sentence));
}

const MAX_LENGTH = 300;
const PLAIN = /^[\p{L}\p{N}\s.!:…,'’_-]*$/u;

const ACT =
  /^(?:(?:sure|okay|ok|certainly|of course|now)[,]? ?)*(?:(?:i'll|i will|i'm going to|let me) (?:now |just |first )?(?:check|search|look (?:that|it) up|find (?:that|it) out|(?:check|search for|see to) (?:that|it)|do that|help(?: you)?(?: with that)?|(?:use|call) (?:the|a) [\w-]{1,30} (?:tool|function))(?: for you| now)*)?$/i;
