import { wordsOf } from "../align/names/fold-name.ts";
import { DEEDS, LEARNS, OTHERWISE, USES } from "./verbs.ts";

/**
 * Checks whether a sentence announces what its writer does now, by a verb of doing: "I'll look for
 * flights to Rome", "Searching the shop", "Let me book that for you", "Here's the search for tents".
 * Verbs that speak of JSON as a thing ("I'll review", "I'll keep", "Let me quote") announce nothing.
 *
 * @param sentence One sentence, without what ends it.
 * @param toolName The tool: its own verb is one of doing, too.
 */
export function announcesAct(sentence: string, toolName: string | undefined): boolean {
  const plain = withoutOpening(sentence);
  const intent = INTENT.exec(plain)?.[0];
  if (intent !== undefined) return isAct(plain.slice(intent.length), toolName, baseFormsOf);
  if (HERE.test(plain)) return endsWell(plain);
  // "Running this is a crime", "Checking the archive, I see"
  if (/,|^\w+ (?:this|it)\b|\b(?:is|are|was|costs|needs|takes)\b/.test(plain)) return false;
  return isAct(plain, toolName, ofGerund);
}

/**
 * Checks whether a sentence orders a step: "1. Search the shop".
 *
 * @param sentence One sentence with the mark of its place in a list.
 * @param toolName The tool.
 */
export function ordersStep(sentence: string, toolName: string | undefined): boolean {
  const mark = STEP.exec(sentence)?.[0];
  return mark !== undefined && isAct(sentence.slice(mark.length), toolName, baseFormsOf);
}

/**
 * Checks whether a sentence tells what a call does, by a verb of doing: "This will click the button".
 *
 * @param sentence One sentence, without what ends it.
 * @param toolName The tool.
 */
export function tellsAct(sentence: string, toolName: string | undefined): boolean {
  const subject = SUBJECT.exec(sentence)?.[0];
  if (subject === undefined) return false;
  const rest = sentence.slice(subject.length);
  const future = FUTURE.exec(rest)?.[0];
  if (LIGHT.test(rest.slice(future?.length ?? 0))) return false;
  return future === undefined
    ? isAct(rest, toolName, ofThirdPerson)
    : isAct(rest.slice(future.length), toolName, baseFormsOf);
}

/** A word before the sentence, and what the act is for: "Great! To find a seat, I'll …". */
function withoutOpening(sentence: string): string {
  const plain = sentence.replace(/’/g, "'").replace(/[*`#]/g, "").trim().toLowerCase();
  return plain.replace(OPENER, "").replace(/^to [a-z]+ [^,]{1,80}, /, "");
}

const OPENER =
  /^(?:(?:sure|certainly|ok|okay|alright|great|perfect|absolutely|of course|yes|now|so|first|thus)\b[,]? ?(?:thing,? )?){1,3}/;

const INTENT =
  /^(?:i'll|i will|i'm going to|i am going to|i need to|i have to|i want to|let me|let's|let us|we'll|we will|i'm|i am|we're|we are) (?:(?:now|just|first|also|quickly|go ahead and|start by|begin by|try to|help you(?: to)?|be|need to) ){0,3}/;

/** "Here's the call for …". */
const HERE =
  /^(?:here is|here's|here are) (?:(?:the|my|a|an) )?(?:[a-z]+ )?(?:call|input|query|search|request|json|arguments|parameters|object|command)(?=$| (?:to|for|with|of)\b)/;

const STEP = /^\s{0,5}(?:\(?\d{1,2}[.)]|[-*•])\s{1,3}/;

const SUBJECT =
  /^(?:this|it|that|the (?:call|tool|input|query|search|request|action|command|json))(?: (?:call|tool|input|query|search|request|action|command|json))? /i;

/** With "it" before them, they make idioms: "This takes us nowhere". */
const LIGHT = /^(?:help|tr(?:y|ies)|take|get|go|do|set|play|look)(?:e?s)?\b/i;

const FUTURE = /^(?:will|is going to|should) (?:now |then )?/i;

type BaseForm = (word: string) => readonly string[];

function baseFormsOf(word: string): readonly string[] {
  return [word, ...ofGerund(word)];
}

/** `looking`, `booking`, `making`, `getting`. */
function ofGerund(word: string): readonly string[] {
  const stem = /^(.{2,})ing$/.exec(word)?.[1];
  if (stem === undefined) return [];
  return [stem, `${stem}e`, ...(/(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [])];
}

/** `looks`, `fetches`, `queries`. */
function ofThirdPerson(word: string): readonly string[] {
  if (!word.endsWith("s")) return [];
  return [word.slice(0, -1), word.slice(0, -2), word.replace(/ies$/, "y")];
}

function isAct(clause: string, toolName: string | undefined, formsOf: BaseForm): boolean {
  const [word = "", next = ""] = clause.toLowerCase().split(/[^\p{L}'-]+/u, 2);
  const forms = formsOf(word);
  const ofTool = new Set(wordsOf(toolName ?? ""));
  const verb = forms.find((form) => DEEDS.has(form) || ofTool.has(form));
  if (verb === undefined || OTHERWISE[verb]?.includes(next)) return false;
  if (LEARNS.has(verb) && SOURCE_AT_END.test(clause)) return false;
  return endsWell(clause) && (USES.has(verb) || !SPEAKS_OF_IT.test(clause));
}

/** Not in the middle of a phrase of which the JSON would be the rest: "I'll check with Anna about". */
function endsWell(clause: string): boolean {
  return !/\b(?:about|on|against|over|from|of|at|into|to|who|what|how|why|where|which)$/i.test(
    clause.trimEnd(),
  );
}

/** What may hold the JSON behind the sentence. */
const SOURCE_AT_END =
  /\b(?:pages?|sites?|docs?|documents?|e?mails?|messages?|contents?|texts?|results?|outputs?|responses?|sources?|logs?|tickets?|posts?|comments?|notes?|reviews?|reports?)$/i;

/** The call as a thing that something is done with: "I'll open this", "Let me read the payload". */
const SPEAKS_OF_IT =
  /\b(?:this|these|those)(?: ones?)?(?: (?:now|first|here))?$|\b(?:this|that|the) (?:[a-z]+ )?(?:call|payload|json|snippet|arguments?|parameters?|request|code|block|attempt)\b/i;
