import { splitThoughts, THOUGHTS_BEGIN, THOUGHTS_END } from "../read/prose.ts";
import { matchesAt } from "../read/tokens.ts";
import { hasLetterOrDigit } from "../text.ts";
import { textFormats } from "./formats.ts";
import { ELEMENT_TAG } from "./readers.ts";

/**
 * What a model says behind its thoughts. Thoughts whose opening mark stood in
 * the prompt are passed over where they are nothing else: what stands before an
 * opening mark was said, and so was what holds the beginning of a call whose
 * value mentions such a mark. `undefined` where the thoughts do not end.
 */
export function textBehindThoughts(text: string): string | undefined {
  const trimmed = text.trim();
  const split = splitThoughts(trimmed);
  if (split === undefined) return undefined;
  const { unopened, answer } = split;
  if (unopened !== "") return isSaid(unopened) ? trimmed : answer.trim();
  const thoughts = trimmed.slice(0, trimmed.length - answer.length);
  const isOpen =
    thoughts.split(THOUGHTS_BEGIN).length > thoughts.split(THOUGHTS_END).length;
  return isOpen ? undefined : answer.trim();
}

/** Whether what stands before a closing mark was said, and not thought. */
function isSaid(unopened: string): boolean {
  if (THOUGHTS_BEGIN.test(unopened)) return true;
  if (MENTIONS_END.test(unopened.slice(-200))) return true;
  return endsWithinCall(unopened);
}

/**
 * A sentence that goes on to the mark: "Some models end their thoughts with
 * </think>".
 */
const MENTIONS_END = new RegExp(
  `[\\p{L}\\p{N}][^\\S\\n]+(?:${THOUGHTS_END.source})$`,
  "iu",
);

/**
 * Whether thoughts may be a call that was cut off in a value that holds the
 * closing mark.
 */
function endsWithinCall(thoughts: string): boolean {
  const plain = thoughts.replace(/\\./g, "");
  if (matchesAt(ELEMENT_TAG, plain, 0)) return true;
  const prose = withoutCode(plain);
  if (prose === undefined || isOpen(prose)) return true;
  return textFormats.some(({ marker, call: [opening, ...pieces] }) => {
    if (marker === "none" || typeof opening !== "string") return false;
    const closing = pieces.at(-1);
    const closed =
      typeof closing === "string" ? plain.lastIndexOf(closing) : -1;
    return plain.lastIndexOf(opening) > closed;
  });
}

/**
 * Checks whether a sentence may stand before a call that a token opens. Its
 * meaning and its language do not matter: prose has no such tokens. But it must
 * be prose to its end, with nothing open where the call begins; it may ask
 * nothing, and hold no token, tag, brace or call, as a call would be lost with
 * it. What Markdown's readers may read in two ways is taken for open.
 *
 * @param names The offered tools.
 */
export function mayStandBeforeCall(
  lead: string,
  names: readonly string[],
): boolean {
  const text = lead
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/^[^\S\n]*[\p{No}\p{Nl}\p{So}]/gmu, "- ")
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{VS}]/gu, "");
  if (text.trim() === "") return true;
  if (NO_PROSE.test(text)) return false;
  // `name()` in code is only a name
  const written = text
    .replaceAll("()`", "")
    .replace(/\s\((?=\s*\w+\s?=)/g, "(");
  if (names.some((name) => written.includes(`${name}(`))) return false;
  const prose = withoutCode(text);
  if (prose === undefined || !endsAsProse(prose)) return false;
  return !isOpen(prose);
}

const TAG_NAME = String.raw`\p{L}[\p{L}\p{N}_-]*`;
const SHORT = String.raw`[^\]\n]{0,99}`;

/** Tokens, tags and braces: `<b`, `{`, `a>`, `]~`, `to=user`; not `a -> b`. */
const MARKUP = String.raw`[<{}◁]|[^\s=-]>|\]~|\bto=\w`;
/** `[TOOL]`, `[/tool]`, `[tool name=click]`; not `[link](url)`. */
const TAG_IN_BRACKETS = String.raw`(?<![\p{L}\p{N}\]])\[/?${TAG_NAME}(?:${SHORT}=${SHORT})?\](?!\()`;

/** The question marks of all scripts; a URL's begins its query. */
const QUESTION_MARKS = "¿؟⸮⹔‽⸘՞፧꘏⳺⳻꛷᥅꫱❓❔𑅃𞥟";
const ASKS = String.raw`\?(?![\w%]+=)|[${QUESTION_MARKS}]|\p{Script=Greek};`;

/** A rule that opens a text, as front matter does: `---`. */
const RULE = String.raw`(?<![\s\S])\s*(?<rule>[-=*_.])\k<rule>{2}`;
/** A line that begins a block of another markup: `:::`, `#+`; or such a rule. */
const OPENS_BLOCK = String.raw`^[^\S\n]*(?:#\+|=\p{L}|(?<sign>[:!"'+%$&])\k<sign>{2})|${RULE}`;

/** A fence on the call's own line closes nothing. */
const ENDS_IN_FENCE = "(?:```|~~~)[^\\S\\n]*(?![\\s\\S])";

/** What no sentence before a call holds. */
const NO_PROSE = new RegExp(
  [MARKUP, TAG_IN_BRACKETS, ASKS, OPENS_BLOCK, ENDS_IN_FENCE].join("|"),
  "mu",
);

/**
 * Whether the last lines are prose, and no list, table, heading, quotation,
 * rule or comment.
 */
function endsAsProse(prose: string): boolean {
  const body = prose.trimEnd();
  const gap = prose.slice(body.length);
  const [, ...linesBehind] = gap.split("\n");
  const isOnOwnLine = linesBehind.length > 0;
  const indent = linesBehind.pop() ?? "";
  // the call is indented, as code is
  const isIndented = indent.length >= 2 && isEmptyLine(indent);
  if (isIndented || gap.endsWith("\t")) return false;
  if (!endsAsText(body, isOnOwnLine)) return false;
  // an empty line ends a list and a paragraph
  if (linesBehind.some(isEmptyLine)) {
    const lastLine = body.slice(body.lastIndexOf("\n") + 1);
    return PARAGRAPH_END.test(lastLine.trim());
  }
  const lines = body.split("\n");
  const from = lines.findLastIndex((line) => line.trim() === "") + 1;
  return lines.slice(from).every(isLineOfProse);
}

function isEmptyLine(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

/** Whether a text ends in a word and, if the call follows on its line, in a sentence. */
function endsAsText(body: string, isOnOwnLine: boolean): boolean {
  const end = body.slice(-80);
  const tail = end.replace(CLOSERS, "");
  if (!ENDS_AS_TEXT.test(tail)) return false;
  if (isOnOwnLine) return true;
  return ENDS_SENTENCE.test(end) && !ABBREVIATION.test(tail);
}

function isLineOfProse(line: string): boolean {
  // what is indented goes on with a list above
  if (line.startsWith(" ") || line.startsWith("\t")) return false;
  return PROSE.test(line.trim());
}

/** A letter, a digit, the sign of a sentence's end, or one colon. */
const ENDS_AS_TEXT = /(?:[\p{L}\p{M}\p{N}\p{STerm}]|(?<!:):)$/u;
/**
 * A line with a word in it that is no prompt of a shell, heading, quotation,
 * row of a table or closing bracket.
 */
const PARAGRAPH_END =
  /^(?![$%=>|\p{Pe}]|\S*[#$](?:\s|$)|#|\.\.).*[\p{L}\p{N}]/u;

/** What may follow the end of a sentence. */
const CLOSER = String.raw`\s\p{Pe}\p{Pf}\p{Pi}"'*_~`;
const EMOJI = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI}`;
const CLOSERS = new RegExp(`[${CLOSER}${EMOJI}]+$`, "u");

const ENDS_SENTENCE = new RegExp(String.raw`[\p{STerm}:][${CLOSER}]*$`, "u");

/** On the call's own line, `e.g.` ends no sentence. */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])\p{L}\.$|\p{STerm}\s?\p{L}{1,3}\.$/u;

/**
 * A line that begins with a number or letter of a list, a mark as of Textile,
 * or a shell's prompt.
 */
const LISTED = [
  String.raw`\(+(?:\p{N}{1,9}|\p{L}{1,4})\)|\p{L}{1,4}\)|第?[一二三四五六七八九十]{1,3}、`,
  String.raw`\p{N}{1,9}(?:[.)\]:、/](?!\p{N})|\.\p{N}|\p{Me}|\s?\p{Pd}\s)`,
  String.raw`(?:\p{L}|[ivxlcdmIVXLCDM]{1,7})(?:、|[.)\]:](?![\p{Lu}\p{Ll}\p{N}])|\s?\p{Pd}\s)`,
  String.raw`(?:[\p{Ll}\p{N}]{1,3}\.{1,2}|\S*[#$])(?:\s|$)`,
].join("|");

/**
 * A line that begins with a word, perhaps marked or quoted, and is no row of a
 * table or list.
 */
const BEFORE_WORD = String.raw`[*_~]{0,3}(?!\[)[\p{Ps}\p{Pi}\p{Pf}"'¡]*[*_]{0,3}`;
const PROSE = new RegExp(
  String.raw`^(?!${LISTED})${BEFORE_WORD}[\p{L}\p{M}\p{N}][^|¦│┃║\t]*(?<!\\)$`,
  "u",
);

/**
 * The text with a letter for each code span, and without fenced code;
 * `undefined` where code is open.
 */
function withoutCode(text: string): string | undefined {
  const paragraphs = withoutFences(text)
    ?.split(BETWEEN_PARAGRAPHS)
    .map(withoutSpans);
  return paragraphs?.includes(undefined) ? undefined : paragraphs?.join("");
}

/**
 * An empty line, or the line break before a quotation, an item of a list or a
 * heading.
 */
const BLOCK_START = String.raw`(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])`;
const BETWEEN_PARAGRAPHS = new RegExp(
  String.raw`(\n[ \t]*\n|\n(?=[ \t]*${BLOCK_START}))`,
);

/** A line is prose, or opens a fence, stands in it or closes it. */
function withoutFences(text: string): string | undefined {
  const prose: string[] = [];
  const lines = text.split("\n").values();
  for (const line of lines) {
    const fence = readFence(line);
    if (!opensFence(fence)) {
      prose.push(line);
      continue;
    }
    // The iterator goes on behind the lines of code that passCode took.
    if (isNested(fence) || !passCode(lines, fence)) return undefined;
    prose.push("");
  }
  return prose.join("\n");
}

/** Whether a fence may be a line of an indented block, or of a quotation. */
function isNested({ before }: Fence): boolean {
  if (before.includes("\t") || before.includes(">")) return true;
  return before.length - before.trimStart().length >= 4;
}

/** Takes the lines behind a fence, up to the one that closes it. */
function passCode(lines: Iterable<string>, open: Fence): boolean {
  for (const line of lines) {
    const fence = readFence(line);
    if (fence?.mark.startsWith(open.mark)) return closesFence(fence, open);
  }
  return false;
}

interface Fence {
  readonly before: string;
  readonly mark: string;
  /** What stands behind the mark: the language. */
  readonly info: string;
}

function readFence(line: string): Fence | undefined {
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const [, before = "", mark = "", info = ""] = match;
  return { before, mark, info };
}

/** Backticks with another one behind them are a code span. */
function opensFence(fence: Fence | undefined): fence is Fence {
  if (fence === undefined) return false;
  return fence.mark.startsWith("~") || !fence.info.includes("`");
}

function closesFence({ before, info }: Fence, open: Fence): boolean {
  if (before.trim() + info.trim() !== "") return false;
  const indent = open.before.trim() === "" ? 0 : open.before.length;
  return before.length <= indent + 3;
}

/** Perhaps within a list or blockquote. */
const FENCE = /^((?:[\s>*+-]|\d{1,9}[.)])*)(`{3,}|~{3,})(.*)$/;

/**
 * A span of code ends with as many backticks as it begins with; a backslash in
 * it is one.
 */
function withoutSpans(paragraph: string): string | undefined {
  const opening = /\\[^\n]|`+/g;
  let prose = "";
  let from = 0;
  for (;;) {
    const open = opening.exec(paragraph);
    if (open === null) return prose + paragraph.slice(from);
    const [ticks] = open;
    const isEscape = ticks.startsWith("\\");
    if (isEscape) continue;
    const end = endOfSpan(paragraph, ticks, opening.lastIndex);
    if (end === undefined) return undefined;
    prose += `${paragraph.slice(from, open.index)}x`;
    from = end;
    opening.lastIndex = end;
  }
}

/** The index behind the next run of as many backticks. */
function endOfSpan(
  paragraph: string,
  ticks: string,
  from: number,
): number | undefined {
  const runs = /`+/g;
  runs.lastIndex = from;
  let run = runs.exec(paragraph);
  while (run !== null) {
    if (run[0] === ticks) return runs.lastIndex;
    run = runs.exec(paragraph);
  }
  return undefined;
}

/** A bracket, quote or emphasis, and what stands around it. */
interface Sign {
  readonly text: string;
  readonly kind: SignKind;
  readonly before: string;
  readonly after: string;
  /** Whether it ends the text, on its own: its half may stand behind the call. */
  readonly isAlone: boolean;
}

type SignKind =
  | "bracket"
  | "double"
  | "single"
  | "guillemet"
  | "angle"
  | "emphasis";

/**
 * What a sign does: `surplus` closes what is not open, and `letter` is part of
 * a word or stands for itself.
 */
type SignRole = "opens" | "closes" | "surplus" | "letter";

/** Whether a quotation, a bracket or a comment is open at the end. */
function isOpen(prose: string): boolean {
  const open: Sign[] = [];
  const end = prose.trimEnd().length;
  for (const { 0: text, index } of prose.matchAll(SIGNS)) {
    // nothing closes a comment: `*/` may be read as emphasis
    if (text === "/*") return true;
    const kind = KINDS.get(text.charAt(0)) ?? "bracket";
    const before = prose.charAt(index - 1);
    const behind = index + text.length;
    const stands = kind === "emphasis" || before.trim() === "";
    const isAlone = behind === end && stands;
    const after = prose.charAt(behind);
    const sign = { text, kind, before, after, isAlone };
    switch (roleOf(sign, open.at(-1))) {
      case "opens":
        open.push(sign);
        break;
      case "closes":
        open.pop();
        break;
      case "surplus":
        if (isAlone) return true;
    }
  }
  return open.length > 0;
}

/** Comments, emphasis, quotes and brackets; several quotes in a row are one. */
const SIGNS = /\/\*|\*\/|(["'*_])\1*|~{2}|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/gu;

/**
 * Signs that end each other. Which of the quotes opens differs between
 * languages.
 */
const KINDS: ReadonlyMap<string, SignKind> = new Map([
  ...kindOf("double", '"“”„‟〝〞〟'),
  ...kindOf("single", "'‘’‚‛"),
  ...kindOf("guillemet", "«»"),
  ...kindOf("angle", "‹›"),
  ...kindOf("emphasis", "*_~"),
]);

function kindOf(
  kind: SignKind,
  signs: string,
): readonly (readonly [string, SignKind])[] {
  return [...signs].map((sign) => [sign, kind]);
}

/** A quote or emphasis belongs to the word that it joins. */
function roleOf(sign: Sign, top: Sign | undefined): SignRole {
  const { text, kind, before, after } = sign;
  const isCloser = top !== undefined && closes(sign, top);
  const closing = isCloser ? "closes" : "surplus";
  if (kind === "bracket") return OPENS.test(text) ? "opens" : closing;
  const joinsLeft = JOINS_LEFT.test(before);
  const joinsNext = JOINS_RIGHT.test(after);
  const isApostrophe =
    kind === "single" && joinsNext && hasLetterOrDigit(before);
  if (isApostrophe) return "letter";
  const joinsRight = joinsNext || after === "";
  if (joinsLeft === joinsRight) return usualRole(sign, isCloser);
  return joinsLeft ? closing : "opens";
}

/**
 * With a word on both sides, or on neither, a sign does what it does in most
 * languages.
 */
function usualRole({ text, kind, isAlone }: Sign, isCloser: boolean): SignRole {
  if (OPENS.test(text)) return "opens";
  if (isCloser) return "closes";
  if (CLOSES.test(text)) return "surplus";
  // a sign of multiplication, a bullet, a name with `_`
  return kind === "emphasis" && !isAlone ? "letter" : "opens";
}

const OPENS = /[\p{Ps}\p{Pi}]/u;
const CLOSES = /[\p{Pe}\p{Pf}]/u;
/** `a*`, `.*`; not ` *`, `(*`. */
const JOINS_LEFT = /[^\s\p{Ps}\p{Pi}\p{Pd}*_=]/u;
/** `*a`, `*(`; not `* `, `*.`. */
const JOINS_RIGHT = /[^\s\p{Pe}\p{Pf}\p{Po}_]/u;

/** Unicode has a bracket's other half one or two places behind it. */
function closes(sign: Sign, opener: Sign): boolean {
  if (sign.kind !== opener.kind) return false;
  if (sign.kind !== "bracket") return sign.text.length === opener.text.length;
  const distance = sign.text.charCodeAt(0) - opener.text.charCodeAt(0);
  return distance === 1 || distance === 2;
}
