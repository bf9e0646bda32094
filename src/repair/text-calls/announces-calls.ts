import { wordsOf } from "../align/names/fold-name.ts";
import { stemsOf } from "../align/names/vocabulary.ts";
import { handsOver, raisesDoubt } from "../read/speaks-for-input.ts";
import { DEEDS } from "../read/verbs.ts";

/**
 * Checks whether plain text before calls only tells what the writer is about to do, and that it is
 * what the calls do: "I'll check the weather." Anything else may quote them, show them, or take them
 * back. A heading ("The tool call:") does not say whether it is made.
 *
 * @param lead What stands before the first call, without white space around it.
 * @param names The names of the tools that are called.
 */
export function announcesCalls(lead: string, names: readonly string[]): boolean {
  if (lead === "") return true;
  if (lead.length > MAX_LENGTH) return false;
  // Signs of a quotation, of code, of a list of examples; and words for showing a call.
  if (/["'“”„«»‘`<>|{}[\]*#=]|(?<![a-z])’|^\s*[-•\d]/i.test(lead.replace(APOSTROPHE, "$1$2"))) {
    return false;
  }
  if (SHOWS.test(lead)) return false;
  const sentences = lead.replace(/’/g, "'").split(/[.!:…]+(?:\s|$)|\n/);
  const said = sentences.map((one) => one.trim()).filter((one) => one !== "");
  const announced = said.filter((sentence) => !COURTESY.test(sentence));
  if (said.length === 0) return false;
  return announced.every((sentence) => isAnnounced(sentence, names));
}

const MAX_LENGTH = 300;
const APOSTROPHE = /(\p{L})['’](\p{L})/gu;

/** Words of whoever shows a call, or speaks about it. */
const SHOWS =
  /\b(?:demonstrat|explain|teach|describ|clarif|illustrat|walk|print|display|copy|copie|paste|type|typing|repeat|translat|convert|rephras|summari|analy[sz]|discuss|compar|consider|think|imagin|look(?:s|ed)? like|syntax|snippet|markup|code|recap|review|remember|note|guess|point|warn|avoid|here(?:['’]s| is| are| it is)|outlin|templat|manual|readme|tutorial|guide|docs?\b|text|transcript|trace|payload|letter)/i;

/** A sentence that says nothing of what follows. */
const COURTESY =
  /^(?:(?:sure|sure thing|okay|ok|certainly|of course|alright|absolutely|great|no problem|happy to help|i(?:'d| would) be (?:happy|glad) to help(?: you)?(?: with that)?|(?:one|just a) (?:moment|second)|right away)(?:[,]? |$)(?:please$|with that$)?)+$/i;

function isAnnounced(written: string, names: readonly string[]): boolean {
  const sentence = written.replace(/^to [a-z]+ [^,.]{1,80}, |,? first$/gi, "");
  const [, act] = INTENT.exec(sentence) ?? [];
  if (act !== undefined && LOOKS.test(act)) return true;
  const isOfTool = names.some((name) => sharesWord(sentence, name));
  const others = names.reduce((rest, name) => rest.replaceAll(name, "it"), sentence);
  if (!isOfTool || SPEAKS_OF_CALL.test(others.replace(CALLS_IT, ""))) return false;
  if (GERUND.test(sentence) && !raisesDoubt(sentence)) return true;
  return names.some((name) => handsOver(sentence, name));
}

const INTENT =
  /^(?:(?:sure|okay|ok|certainly|of course|alright|absolutely|great|now|first|so)[,]? )*(?:i'll|i will|i'm going to|i am going to|let me|let's|i need to) (?:now |just |quickly |first |go ahead and )*(.+)$/i;

/** An act that is a call's, whatever the tool. */
const LOOKS =
  /^(?:(?:check|search|find out|look (?:that|it|this) up|find (?:that|it) out|check (?:that|it)|search for (?:that|it)|see to (?:that|it)|do that|help(?: you)?(?: with that)?|use (?:the|a|my|an) [\w-]{1,30} tool|call (?:the|a|an) [\w-]{1,30} (?:tool|function))(?: for you| now| right away| first| quickly)*)$/i;

/** "Checking the weather." */
const GERUND =
  /^(?:(?:sure|okay|ok)[,]? )?(?:checking|looking up|looking for|searching|fetching|getting|retrieving|finding|querying|loading)(?! (?:this|that|it|all|any|rid)\b)\b[\w\s]{0,60}$/i;

/** The call as a thing: "I'll get the weather call of Bob". What is used or called is the tool. */
const SPEAKS_OF_CALL =
  /\b(?:this|these|those|his|her|their|request|call(?!ing\b)|function(?! to\b)|json|query|command|arguments?|parameters?|history|logs?|from)\b/i;

const CALLS_IT = /\b(?:call|calling) (?:it|the|a)\b/gi;

/** Whether a sentence has a word that tells the tool from others: "weather" of `get_weather`. */
function sharesWord(sentence: string, name: string): boolean {
  const words = wordsOf(name);
  const telling = words.filter((word) => !DEEDS.has(word));
  const said = new Set(
    sentence
      .slice(0, MAX_LENGTH)
      .split(/[^\p{L}\p{N}]+/u)
      .flatMap(stemsOf),
  );
  const wanted = telling.length > 0 ? telling : words;
  return wanted.flatMap(stemsOf).some((stem) => said.has(stem) || said.has(`${stem}ing`));
}
