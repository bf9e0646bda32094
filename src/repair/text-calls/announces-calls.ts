import { handsOver, raisesDoubt } from "../read/speaks-for-input.ts";

/**
 * Checks whether plain text before calls only hands them over, or tells what the writer is about to
 * do: "I'll check the weather." Anything else may quote them, show them, or take them back.
 *
 * @param lead What stands before the first call, without white space around it.
 * @param names The names of the tools that are called.
 */
export function announcesCalls(lead: string, names: readonly string[]): boolean {
  if (lead === "") return true;
  // Signs of a quotation, of code, of a list of examples; and words for showing a call.
  if (/["'“”„«»‘`<>|{}[\]*#=]|(?<![a-z])’|^\s*[-•\d]/i.test(lead.replace(APOSTROPHE, "$1$2"))) {
    return false;
  }
  if (SHOWS.test(lead)) return false;
  return STARTS.test(lead) ? !raisesDoubt(lead) : names.every((name) => handsOver(lead, name));
}

const APOSTROPHE = /(\p{L})['’](\p{L})/gu;

/** Words of whoever shows a call, or speaks about it. */
const SHOWS =
  /\b(?:demonstrat|explain|teach|describ|clarif|illustrat|walk|print|display|copy|copie|paste|type|typing|repeat|translat|convert|rephras|summari|analy[sz]|discuss|compar|consider|think|imagin|look(?:s|ed)? like|syntax|snippet|markup|code|recap|review|remember|note|guess|point|warn|avoid|here(?:['’]s| is| are| it is))/i;

/** What says nothing, or what the writer is doing: "Sure!", "Checking the weather." */
const STARTS =
  /^(?:(?:sure|okay|ok|certainly|of course|alright|absolutely|great)(?:$|[.!,]\s*))?(?:(?:checking|looking|searching|fetching|getting|retrieving|finding|querying|loading)(?! (?:this|that|it|all|any)\b)\b[\w\s,]{0,60}[.…!]{0,3})?$/i;
