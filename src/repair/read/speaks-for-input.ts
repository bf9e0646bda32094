import { isPoliteness } from "./closing-words.ts";
import { isLeadIn, withoutToolLines } from "./lead-in.ts";
import { namesTool } from "./names-tool.ts";

/**
 * Checks whether prose before JSON hands it over in words of its own: "I'll look for flights to
 * Rome:". It must speak of what the writer does, and nothing in it may deny, correct, quote or
 * limit what follows.
 *
 * @param prose What stands before the JSON.
 * @param toolName The tool that the text was given to.
 */
export function handsOver(prose: string, toolName: string | undefined): boolean {
  if (isLeadIn(prose, toolName)) return true;
  const rest = withoutToolLines(prose, toolName);
  if (rest === undefined || !isPlainEnglish(rest) || namesOther(rest, toolName)) return false;
  return (HANDING.test(rest) || STEP.test(rest)) && !raisesDoubt(rest);
}

/**
 * Checks whether prose after JSON only tells what it will do: "This will click the button."
 *
 * @param prose What stands after the JSON, on lines of its own.
 */
export function tellsEffect(prose: string): boolean {
  if (isPoliteness(prose)) return true;
  if (!isPlainEnglish(prose) || /[\d:=]/.test(prose) || raisesDoubt(prose)) return false;
  const sentences = prose.split(/[.!\n]/).map((sentence) => sentence.trim());
  return sentences.every(
    (sentence) => sentence === "" || EFFECT.test(sentence) || isPoliteness(sentence),
  );
}

/**
 * Checks whether prose holds a word that may deny, correct, quote or limit the JSON beside it, or
 * show it as an example.
 *
 * @param prose The prose.
 */
export function raisesDoubt(prose: string): boolean {
  const words = prose
    .replace(/’/g, "'")
    .toLowerCase()
    .split(/[^\p{L}']+/u);
  return words.some((word) => DOUBTS.has(word) || word.endsWith("n't") || DOUBTFUL.test(word));
}

/** Without quotation, questions, brackets, tags, or letters of another script. */
function isPlainEnglish(prose: string): boolean {
  return prose.length <= 600 && /^[\w\s.,:;!'’*#`=>()—–-]*$/.test(prose) && !/^\s*>/m.test(prose);
}

const HANDING =
  /\b(?:i'll|i’ll|i will|i'm going to|i am going to|i need to|let me|let's|here is|here's|here are|calling|using|with the following)\b/i;

/** A step of a list: "(1) Search the shop:". */
const STEP = /^\s{0,5}(?:\(?\d{1,2}[.)]|[-*•])\s{1,3}[A-Z]/;

const EFFECT =
  /^(?:this|it|that|the (?:call|tool|input|query|search|request|action))(?: (?:call|tool|input|query|search|request|action))? (?:will|is going to|(?!is|was|has|needs|means|looks|seems|does|makes|goes|gives)[a-z]{3,20}s)\b/i;

/** Whether it uses something else than this tool: "I'll use drop_table:". */
function namesOther(prose: string, toolName: string | undefined): boolean {
  const words = prose.split(/[^\w.-]+/).map((word) => word.replace(/[.-]+$/, ""));
  const isName = (word: string) => /\w_\w|[a-z][A-Z]|\w\.\w/.test(word);
  if (words.some((word) => isName(word) && !namesTool(word, toolName))) return true;
  return [...prose.matchAll(USED)].some(
    ([, word = ""]) => !USABLE.has(word.toLowerCase()) && !namesTool(word, toolName),
  );
}

const USED =
  /\b(?:use|using|call|calling|run|running|invoke|invoking|execute|executing)\s{1,3}(?:the\s{1,3})?`?([\w.-]{1,100})`?\s{0,3}(?=:|\n|$|tool\b|function\b|with\b|for\b|to\b)/gi;
const USABLE: ReadonlySet<string> = new Set(
  "tool function this it following these them input arguments parameters api".split(" "),
);

const DOUBTS: ReadonlySet<string> = new Set(
  (
    "not no none nothing cannot never without neither nor nobody deny denied undo scratch wait hold actually " +
    "instead rather but however although though unless except until if when whether wrong bad oops sorry should " +
    "would could might may must maybe perhaps suppose say says said saying tell tells told ask asks asked write " +
    "writes wrote written read reads state states stated page website site doc docs document documents email " +
    "mail message user users user's customer attacker someone somebody they he she them his her their you your " +
    "content text was were had did been old before already past like demo test e.g eg i.e such default expected " +
    "or either option other another different second also both two three more plus next after first last later " +
    "log logs result results output outputs response source " +
    "nicht kein keine niemals nie ohne falsch pas jamais sans ne non nunca sin nao niet geen aldrig ikke inte nie"
  ).split(" "),
);

const DOUBTFUL =
  /^(?:refus|declin|reject|avoid|prevent|forbid|forbad|prohibit|block|cancel|abort|stop|ignor|skip|disregard|forg[eo]t|revert|retract|withdr|incorrect|mistak|err|invalid|correct|apolog|unfortunate|danger|unsafe|harm|malicious|suspicio|attack|inject|untrust|hypothetic|imagin|pretend|claim|quot|cit(?:e|ing)|accord|contain|includ|show|previous|earli|former|example|sample|template|schema|format|placeholder|illustrat|specif|spec$|document|defin|return|observ|alternativ|addition|delet|destroy|fail|unable|impossible|risk|warn|beware|careful|fake|bogus|suggest|propos|recommend|advis|order|instruct|demand|request|want|reject|deprecat|obsolete|outdated)/;
