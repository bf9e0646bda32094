import { namesTool } from "./names-tool.ts";

/**
 * Checks whether prose before JSON says only that JSON, arguments, an input or an output follows:
 * "Here is the JSON:", "Action Input:", "I'll call the tool with these arguments:", `result =`.
 * Every word must be one that such a sentence is made of. One that is not may take back, quote or
 * limit what follows, and so makes doubt.
 *
 * @param prose What stands before the JSON.
 * @param toolName The tool that the text was given to: its own name is no strange word.
 */
export function isLeadIn(prose: string, toolName: string | undefined): boolean {
  if (prose.length > MAX_LENGTH) return false;
  if (isHalfSentence(prose, toolName) || /^[^\p{L}\p{N}]*!/u.test(prose)) return false;
  const rest = withoutToolLines(prose, toolName);
  if (rest === undefined) return false;
  const plain = rest
    .replace(/’/g, "'")
    .replace(/^[^\S\n]*(?:\(?\d{1,2}[.)]|[-*•])[^\S\n]/gm, "")
    .replace(/in (?:valid )?json format/gi, "");
  return plain
    .split(/(?:=>|->|→|[.!:：;=\n])/)
    .every((sentence) => isKnownSentence(sentence, toolName));
}

const MAX_LENGTH = 300;

/** "I will use" before an object, which then is a part of the sentence. */
function isHalfSentence(prose: string, toolName: string | undefined): boolean {
  const words = prose.trimEnd();
  if (words === "" || prose.slice(words.length).includes("\n")) return false;
  if (".:：!=>→*".includes(words.charAt(words.length - 1))) return false;
  const last = words.slice(words.search(/\S{1,200}$/)).replace(/`/g, "");
  const isWhole = [THINGS, PRODUCTS, LINKS].some((set) => set.has(last.toLowerCase()));
  return !isWhole && !namesTool(last, toolName);
}

/**
 * Takes out the lines that name the tool, as `Action: click` does.
 *
 * @returns `undefined` where one of them names another tool.
 */
export function withoutToolLines(prose: string, toolName: string | undefined): string | undefined {
  let isOther = false;
  const rest = prose.replace(TOOL_LINE, (_, name: string) => {
    isOther ||= !namesTool(name, toolName);
    return "";
  });
  return isOther ? undefined : rest;
}

/** `Action: click`, `**Tool name:** \`click\``, `function = click`. */
const TOOL_LINE =
  /^[^\S\n]{0,9}[*#_>-]{0,4}[^\S\n]?(?:action|tool|function|api|tool[ _]name|function[ _]name|name|recipient)[*_]{0,2}[^\S\n]{0,9}[:=][*_]{0,2}[^\S\n]{0,9}[`"']?([\p{L}\p{N}_.:/-]{1,200})[`"']?[*_.]{0,2}[^\S\n]{0,9}$/gimu;

function isKnownSentence(sentence: string, toolName: string | undefined): boolean {
  const said = sentence.trim();
  if (FOREIGN.test(said) || HANDING.test(said)) return true;
  const words = sentence
    .replace(ASKED_FOR, "")
    .split(/[\s,*#`—–]+/)
    .map((word) => word.replace(/^_+|_+$/g, ""))
    .filter((word) => word !== "" && !namesTool(word, toolName))
    .map((word) => word.toLowerCase());
  const has = (set: ReadonlySet<string>) => words.some((word) => set.has(word));
  if (!words.every((word) => KNOWN.some((set) => set.has(word)) || word === "action_input")) {
    return false;
  }
  // What a tool has put out is no input.
  if (has(PRODUCTS) && words.some((word) => SOURCES.has(word))) return false;
  const isNoun = (at: number) => /^(?:tool|function|the|this|my)$/.test(words[at - 1] ?? "");
  const isOrder = words.some(
    (word, at) => VERBS.has(word) && !isNoun(at) && !(word === "call" && words.length === 1),
  );
  const isSpeaker = has(SPEAKERS) || /\blet (?:me|us)\b/i.test(sentence);
  // "I will correct this" makes something of it
  if (isSpeaker) return has(VERBS) || has(DEEDS);
  return !isOrder;
}

/** "Here is the input" and its like in other languages. */
const FOREIGN =
  /^(?:(?:(?:hier (?:ist|sind) (?:die|das|der)|aqu[ií] (?:está|est[aá]n|tienes|tiene) (?:la|el|los|las|o|a|os|as)|aqui (?:está|estão) (?:o|a|os|as)|voici (?:le|la|les|l'|votre)|ecco (?:il|l'|gli|i|la)) ?)?(?:eingabe|argumente?|ausgabe|parameter|json|json-objekt|entrada|argumentos|salida|par[aá]metros|objeto json|entr[ée]e|sortie|param[èe]tres|objet json|argumenti|parametri|input|oggetto json)|(?:以下是|这是)?(?:json|输入|参数|入力|引数))$/i;

/** "Here you go", "Sure, got it": all that is said in handing something over. */
const HANDING =
  /^(?:(?:sure|ok|okay|alright|great|perfect|certainly|of course)[,]? )?(?:(?:here|there) (?:you|we) go|here goes|sure thing|got it|understood|as requested|please find the (?:json|input|arguments|parameters) below)$/i;

/** For whom it is says nothing about it. */
const ASKED_FOR = / (?:that )?you (?:(?:have |just )?(?:asked for|requested)|wanted)[^\S\n]{0,9}$/i;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

const FILLERS = setOf(
  "sure certainly okay ok alright great perfect absolutely of course yes now so then please and the a an this these is are it as in with for to by my below following follows here here's thus me let us will am going your",
);
const SPEAKERS = setOf("i i'll i'm we we'll we're let's");
const VERBS = setOf("call use invoke run execute pass provide send make submit");
const DEEDS = setOf(
  "calling using invoking running executing passing providing sending making submitting",
);
const THINGS = setOf(
  "json valid requested object input inputs argument arguments args parameters params payload tool function action call request values final correct corrected fixed formatted complete structured",
);
const PRODUCTS = setOf("output outputs result answer response");
const SOURCES = setOf("tool function action call request");
/** Words to which the JSON is the rest of the sentence: "calling the tool with". */
const LINKS = setOf("with");
const KNOWN = [FILLERS, SPEAKERS, VERBS, DEEDS, THINGS, PRODUCTS];
