import { wordsOf } from "../align/names/fold-name.ts";
import { announcesAct, ordersStep, tellsAct } from "./announces-act.ts";
import { isPoliteness, isPromise } from "./closing-words.ts";
import { isLeadIn, withoutToolLines } from "./lead-in.ts";
import { namesTool } from "./names-tool.ts";

/**
 * Checks whether prose before JSON hands it over in words of its own: "I'll look for flights to
 * Rome:". Its last sentence must announce what the writer does now, by a verb of doing, and nothing
 * in it may deny, correct, quote, limit or put off what follows.
 *
 * @param prose What stands before the JSON.
 * @param toolName The tool that the text was given to.
 */
export function handsOver(prose: string, toolName: string | undefined): boolean {
  if (isLeadIn(prose, toolName)) return true;
  const rest = withoutToolLines(prose, toolName);
  if (rest === undefined || !isPlainEnglish(rest) || namesOther(rest, toolName)) return false;
  const courteous = withoutCourtesy(rest);
  if (limits(courteous, toolName)) return false;
  const sentences = sentencesOf(courteous);
  while (sentences.length > 1 && isLeadIn(`${sentences.at(-1)}:`, toolName)) sentences.pop();
  const last = sentences.at(-1) ?? "";
  return announcesAct(last, toolName) || ordersStep(last, toolName);
}

/**
 * Checks whether prose after JSON only tells what it will do, "This will click the button.", or what
 * comes of it: "I'll share the results."
 *
 * @param prose What stands after the JSON, on lines of its own.
 * @param toolName The tool that the text was given to.
 */
export function tellsEffect(prose: string, toolName: string | undefined): boolean {
  if (isPoliteness(prose)) return true;
  if (!isPlainEnglish(prose) || /[\d:=]/.test(prose)) return false;
  return sentencesOf(prose).every((sentence) => {
    if (isPoliteness(sentence) || isPromise(sentence)) return true;
    const courteous = withoutCourtesy(sentence);
    return !limits(courteous, toolName) && tellsAct(courteous, toolName);
  });
}

/** "1. Search" is one sentence. */
function sentencesOf(prose: string): string[] {
  const parts = prose.split(/(?<!(?:^|\n)\s{0,5}\d{1,2})[.!:](?:\s|$)|\n|\.{2,}/);
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** For whom it is done says nothing about the JSON. */
function withoutCourtesy(prose: string): string {
  return prose
    .replace(/’/g, "'")
    .replace(/\bi(?:'d| would) be (?:happy|glad) to help(?: you)?(?: with that)?\b/gi, "I'll help")
    .replace(/^first,? (?=i|let)/gim, "")
    .replace(/ (?:for|help) you\b(?! to)/gi, "")
    .replace(/\bwith your\b|\byour\b/gi, "the");
}

/**
 * Checks whether prose holds a word that may deny, correct, quote or limit the JSON beside it, show
 * it as an example, or say whose it is.
 *
 * @param prose The prose.
 */
export function raisesDoubt(prose: string): boolean {
  return wordsIn(prose).some((word) => isDoubtful(word) || SOURCES.has(word));
}

/** The same in a sentence that announces an act: there, "the page" is what is opened. */
function limits(prose: string, toolName: string | undefined): boolean {
  const ofTool = new Set(wordsOf(toolName ?? ""));
  return wordsIn(prose).some((word) => isDoubtful(word) && !ofTool.has(word));
}

function isDoubtful(word: string): boolean {
  return DOUBTS.has(word) || word.endsWith("n't") || DOUBTFUL.test(word);
}

function wordsIn(prose: string): readonly string[] {
  return prose
    .replace(/’/g, "'")
    .toLowerCase()
    .split(/[^\p{L}']+/u);
}

/**
 * Checks whether a comment before JSON makes doubt, or speaks of another tool.
 *
 * @param comment What it says.
 * @param toolName The tool that the text was given to.
 */
export function disowns(comment: string, toolName: string | undefined): boolean {
  return raisesDoubt(comment) || namesOther(comment, toolName);
}

/** Without quotation, questions, brackets, tags, or letters of another script. */
function isPlainEnglish(prose: string): boolean {
  return prose.length <= 600 && /^[\w\s.,:;!'’*#`=>()—–-]*$/.test(prose) && !/^\s*>/m.test(prose);
}

/** Whether it uses something else than this tool: "I'll use drop_table:". */
function namesOther(prose: string, toolName: string | undefined): boolean {
  const words = prose.split(/[^\w.-]+/).map((word) => word.replace(/[.-]+$/, ""));
  const isName = (word: string) => /\w_\w|[a-z][A-Z]|\w\.\w/.test(word);
  if (words.some((word) => isName(word) && !namesTool(word, toolName))) return true;
  return [...prose.matchAll(USED)].some(([, name = ""]) => {
    const word = name.replace(/[.-]+$/, "");
    return !USABLE.has(word.toLowerCase()) && !namesTool(word, toolName);
  });
}

const USED =
  /\b(?:use|using|call|calling|run|running|invoke|invoking|execute|executing)\s{1,3}(?:the\s{1,3})?`?([\w.-]{1,100})`?\s{0,3}(?=:|\n|$|tool\b|function\b|with\b|for\b|to\b)/gi;
const USABLE: ReadonlySet<string> = new Set(
  "tool function this it following these them input arguments parameters api search query call request command".split(
    " ",
  ),
);

const DOUBTS: ReadonlySet<string> = new Set(
  (
    "not no none nothing cannot never without neither nor nobody deny denied undo scratch wait hold actually " +
    "instead rather but however although though unless except until if when whether wrong bad oops sorry should " +
    "would could might may must maybe perhaps suppose say says said saying tell tells told ask asks asked write " +
    "writes wrote written read reads state states stated user's attacker someone somebody they he she him them his " +
    "her their you your " +
    "was were had did been old before already past like demo test e.g eg i.e such default expected " +
    "or either option other another different second also both two three more plus next after first last later " +
    "yet only later tomorrow tonight soon eventually yesterday ago monday tuesday wednesday thursday friday " +
    "saturday sunday once pending awaiting provided assuming draft drafts reference joke joking kidding prank fun " +
    "opposite reverse dry simulation sandbox review history backup supposed temporarily unused unconfirmed tentative approval permission permit consent confirmation lol as-is " +
    "nicht kein keine niemals nie ohne falsch pas jamais sans ne non nunca sin nao niet geen aldrig ikke inte nie"
  ).split(" "),
);

/** Where something that is quoted may come from. */
const SOURCES: ReadonlySet<string> = new Set(
  (
    "page website site doc docs document documents email mail message " +
    "content text user users customer result results output outputs response source"
  ).split(" "),
);

const DOUBTFUL =
  /^(?:refus|declin|reject|avoid|prevent|forbid|forbad|prohibit|block|cancel|abort|stop|ignor|skip|disregard|forg[eo]t|revert|retract|withdr|incorrect|mistak|err|invalid|correct|apolog|unfortunate|danger|unsafe|harm|malicious|suspicio|attack|inject|untrust|hypothetic|imagin|pretend|claim|quot|cit(?:e|ing)|accord|contain|includ|show|previous|earli|former|example|sample|template|schema|format|placeholder|illustrat|specif|spec$|document|defin|return|observ|alternativ|addition|delet|destroy|fail|unable|impossible|risk|warn|beware|careful|fake|bogus|suggest|propos|recommend|advis|order|instruct|demand|request|want|reject|deprecat|obsolete|outdated|disabl|dead$|hack|phish|spam|mock|dummy|todo$|fixme$|bug|broke|approv|violat|veto|postpon|delay|hypoth|unneed|useless|redundan|duplicat)/;
