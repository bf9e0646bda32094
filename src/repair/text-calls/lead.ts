import { splitThoughts, THOUGHTS_BEGIN, THOUGHTS_END } from "../read/prose.ts";
import { textFormats } from "./formats.ts";

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
  const isSaid =
    THOUGHTS_BEGIN.test(unopened) ||
    MENTIONS_END.test(unopened.slice(-200)) ||
    endsWithinCall(unopened);
  if (unopened !== "") return isSaid ? trimmed : answer.trim();
  const thoughts = trimmed.slice(0, trimmed.length - answer.length);
  const isOpen =
    thoughts.split(THOUGHTS_BEGIN).length > thoughts.split(THOUGHTS_END).length;
  return isOpen ? undefined : answer.trim();
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
  const prose = withoutCode(plain);
  if (/^<[A-Za-z_][\w.-]*>/.test(plain) || prose === undefined || isOpen(prose))
    return true;
  return textFormats.some(({ marker, call }) => {
    const [opening] = call;
    const closing = call.length > 1 ? call.at(-1) : undefined;
    if (marker === "none" || typeof opening !== "string") return false;
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
  names: readonly string[] = [],
): boolean {
  const text = lead
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/^[^\S\n]*[\p{No}\p{Nl}\p{So}]/gmu, "- ")
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{VS}]/gu, "");
  if (text.trim() === "") return true;
  if (
    MARKUP.some((form) => form.test(text)) ||
    ASKS.test(text) ||
    OPENS_BLOCK.test(text)
  )
    return false;
  if (ENDS_IN_FENCE.test(text)) return false;
  // `name()` in code is only a name
  const written = text
    .replaceAll("()`", "")
    .replace(/\s\((?=\s*\w+\s?=)/g, "(");
  if (names.some((name) => written.includes(`${name}(`))) return false;
  const prose = withoutCode(text);
  return prose !== undefined && endsAsProse(prose) && !isOpen(prose);
}

const TAG_NAME = String.raw`\p{L}[\p{L}\p{N}_-]*`;
const SHORT = String.raw`[^\]\n]{0,99}`;

/** Tokens, tags and braces; an arrow as in `a -> b` is none, nor is a link. */
const MARKUP: readonly RegExp[] = [
  // `<b`, `{`, `a>`, `]~`, `to=user`; not `a -> b`
  /[<{}◁]|[^\s=-]>|\]~|\bto=\w/u,
  // `[TOOL]`, `[/tool]`, `[tool name=click]`; not `[link](url)`
  new RegExp(
    String.raw`(?<![\p{L}\p{N}\]])\[/?${TAG_NAME}(?:${SHORT}=${SHORT})?\](?!\()`,
    "u",
  ),
];

/** The question marks of all scripts; a URL's begins its query. */
const QUESTION_MARKS = "¿؟⸮⹔‽⸘՞፧꘏⳺⳻꛷᥅꫱❓❔𑅃𞥟";
const ASKS = new RegExp(
  String.raw`\?(?![\w%]+=)|[${QUESTION_MARKS}]|\p{Script=Greek};`,
  "u",
);

/**
 * A line that begins a block of another markup, or text that opens with a rule,
 * as front matter.
 */
const RULE = String.raw`(?<![\s\S])\s*([-=*_.])\2\2`;
const OPENS_BLOCK = new RegExp(
  String.raw`^[^\S\n]*(?:#\+|=\p{L}|([:!"'+%$&])\1\1)|${RULE}`,
  "mu",
);

/** A fence on the call's own line closes nothing. */
const ENDS_IN_FENCE = /(?:`{3}|~{3})[^\S\n]*$/;

/**
 * Whether the last lines are prose, and no list, table, heading, quotation,
 * rule or comment.
 */
function endsAsProse(prose: string): boolean {
  const body = prose.trimEnd();
  const gap = prose.slice(body.length);
  const written = body.split("\n");
  const lines = written.map((line) => line.trim());
  const last = lines.at(-1) ?? "";
  const end = body.slice(-80);
  const tail = end.replace(CLOSERS, "");
  if (!ENDS_AS_TEXT.test(tail) || INDENTS_NEXT.test(gap)) return false;
  const endsSentence = ENDS_SENTENCE.test(end) && !ABBREVIATION.test(tail);
  const isOnOwnLine = gap.includes("\n");
  if (!isOnOwnLine && !endsSentence) return false;
  // an empty line ends a list and a paragraph
  if (EMPTY_LINE.test(gap)) return PARAGRAPH_END.test(last);
  const from = lines.lastIndexOf("") + 1;
  // what is indented goes on with a list above
  if (written.slice(from).some((line) => INDENTED.test(line))) return false;
  return lines
    .slice(from)
    .every((line) => PROSE.test(line) && !LISTED.test(line));
}

/** A letter, a digit, the sign of a sentence's end, or one colon. */
const ENDS_AS_TEXT = /(?:[\p{L}\p{M}\p{N}\p{STerm}]|(?<!:):)$/u;
/** The call is indented, as code is. */
const INDENTS_NEXT = /\n[ \t]*[ \t]{2}$|\t$/;
const INDENTED = /^[ \t]/;
const EMPTY_LINE = /\n[ \t]*\n/;
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
 * A line that begins with a word, perhaps marked or quoted, and is no row of a
 * table.
 */
const BEFORE_WORD = String.raw`[*_~]{0,3}(?!\[)[\p{Ps}\p{Pi}\p{Pf}"'¡]*[*_]{0,3}`;
const PROSE = new RegExp(
  String.raw`^${BEFORE_WORD}[\p{L}\p{M}\p{N}][^|¦│┃║\t]*(?<!\\)$`,
  "u",
);

/**
 * A line that begins with a number or letter of a list, a mark as of Textile,
 * or a shell's prompt.
 */
const LISTED = new RegExp(
  [
    String.raw`\(+(?:\p{N}{1,9}|\p{L}{1,4})\)|\p{L}{1,4}\)|第?[一二三四五六七八九十]{1,3}、`,
    String.raw`\p{N}{1,9}(?:[.)\]:、/](?!\p{N})|\.\p{N}|\p{Me}|\s?\p{Pd}\s)`,
    String.raw`(?:\p{L}|[ivxlcdmIVXLCDM]{1,7})(?:、|[.)\]:](?![\p{Lu}\p{Ll}\p{N}])|\s?\p{Pd}\s)`,
    String.raw`(?:[\p{Ll}\p{N}]{1,3}\.{1,2}|\S*[#$])(?:\s|$)`,
  ]
    .map((form) => `^(?:${form})`)
    .join("|"),
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
  return paragraphs?.every((prose) => prose !== undefined)
    ? paragraphs.join("")
    : undefined;
}

/**
 * An empty line, or the line break before a quotation, an item of a list or a
 * heading.
 */
const BLOCK_START = String.raw`(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])`;
const BETWEEN_PARAGRAPHS = new RegExp(
  String.raw`(\n[ \t]*\n|\n(?=[ \t]*${BLOCK_START}))`,
);

function withoutFences(text: string): string | undefined {
  const prose: string[] = [];
  let open: Fence | undefined;
  for (const line of text.split("\n")) {
    const fence = readFence(line);
    if (open !== undefined) {
      if (!fence?.mark.startsWith(open.mark)) continue;
      if (!closesFence(fence, open)) return undefined;
      open = undefined;
    } else if (opensFence(fence)) {
      if (/^\s{4}|\t|>/.test(fence.before)) return undefined;
      open = fence;
      prose.push("");
    } else prose.push(line);
  }
  return open === undefined ? prose.join("\n") : undefined;
}

interface Fence {
  readonly before: string;
  readonly mark: string;
  /** What stands behind the mark: the language. */
  readonly info: string;
}

function readFence(line: string): Fence | undefined {
  const [, before = "", mark = "", info = ""] = FENCE.exec(line) ?? [];
  return mark === "" ? undefined : { before, mark, info };
}

function opensFence(fence: Fence | undefined): fence is Fence {
  return (
    fence !== undefined &&
    !(fence.mark.startsWith("`") && fence.info.includes("`"))
  );
}

function closesFence({ before, info }: Fence, open: Fence): boolean {
  const margin = /\S/.test(open.before) ? 3 + open.before.length : 3;
  return before.trim() + info.trim() === "" && before.length <= margin;
}

/** Perhaps within a list or blockquote. */
const FENCE = /^((?:[\s>*+-]|\d{1,9}[.)])*)(`{3,}|~{3,})(.*)$/;

/**
 * A span of code ends with as many backticks as it begins with; a backslash in
 * it is one.
 */
function withoutSpans(paragraph: string): string | undefined {
  const begins = /\\[^\n]|`+/g;
  let prose = "";
  let from = 0;
  for (
    let open = begins.exec(paragraph);
    open !== null;
    open = begins.exec(paragraph)
  ) {
    if (open[0].startsWith("\\")) continue;
    const ends = /`+/g;
    ends.lastIndex = begins.lastIndex;
    let end = ends.exec(paragraph);
    while (end !== null && end[0] !== open[0]) end = ends.exec(paragraph);
    if (end === null) return undefined;
    prose += `${paragraph.slice(from, open.index)}x`;
    from = ends.lastIndex;
    begins.lastIndex = from;
  }
  return prose + paragraph.slice(from);
}

/** Whether a quotation, a bracket or a comment is open at the end. */
function isOpen(prose: string): boolean {
  const open: string[] = [];
  const end = prose.trimEnd().length;
  for (const { 0: sign, index } of prose.matchAll(SIGNS)) {
    const before = prose.charAt(index - 1);
    const after = prose.charAt(index + sign.length);
    const quote = QUOTES.findIndex((quotes) => quotes.includes(sign.charAt(0)));
    const mark = quote < 0 ? sign : `${quote}${sign.length}`;
    // the other half of what ends the text alone may stand behind the call
    const isLast = index + sign.length === end;
    const isAlone = isLast && (quote === EMPHASIS || !/\S/.test(before));
    const top = open.at(-1);
    const role =
      quote < 0
        ? roleOfBracket(sign, top)
        : roleOfQuote({
            sign,
            quote,
            before,
            after,
            isAlone,
            isOneOpen: top === mark,
          });
    if (role === "surplus" && isAlone) return true;
    if (role === "opens") open.push(mark);
    if (role === "closes") open.pop();
  }
  return open.length > 0;
}

/**
 * What a sign does: `surplus` closes what is not open, and `letter` is part of
 * a word or stands for itself.
 */
type SignRole = "opens" | "closes" | "surplus" | "letter";

function roleOfBracket(sign: string, top: string | undefined): SignRole {
  if (sign === "/*" || /\p{Ps}|\p{Pi}/u.test(sign)) return "opens";
  return top !== undefined && closes(sign, top) ? "closes" : "surplus";
}

/** A quote or emphasis, and what stands around it. */
interface QuoteSign {
  readonly sign: string;
  /** Its index in `QUOTES`. */
  readonly quote: number;
  readonly before: string;
  readonly after: string;
  readonly isAlone: boolean;
  /** Whether the last that was opened is the same. */
  readonly isOneOpen: boolean;
}

function roleOfQuote(place: QuoteSign): SignRole {
  const { sign, quote, before, after, isAlone, isOneOpen } = place;
  const joinsLeft = /[^\s\p{Ps}\p{Pi}\p{Pd}*_=]/u.test(before);
  const joinsRight = after === "" || /[^\s\p{Pe}\p{Pf}\p{Po}_]/u.test(after);
  const isInWord = /[\p{L}\p{N}]/u.test(before) && joinsRight && after !== "";
  // an apostrophe
  if (quote === SINGLE && isInWord) return "letter";
  const joinsAlike = joinsLeft === joinsRight;
  // a sign of multiplication, a bullet, a name with `_`
  if (quote === EMPHASIS && joinsAlike && !isOneOpen && !isAlone)
    return "letter";
  const isClosing = joinsAlike ? isCloser(sign, isOneOpen) : joinsLeft;
  if (!isClosing) return "opens";
  return isOneOpen ? "closes" : "surplus";
}

/** Brackets, comments, emphasis, and quotes, several in a row being one. */
const SIGNS = /\/\*|\*\/|(["'*_])\1*|~{2}|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/gu;

/**
 * Quotes that end each other; which of them opens differs between languages.
 */
const QUOTES: readonly string[] = ['"“”„‟〝〞〟', "'‘’‚‛", "«»", "‹›", "*_~"];
const SINGLE = 1;
const EMPHASIS = 4;

/**
 * A quote with a word on both sides, or on neither, is what it is in most
 * languages.
 */
function isCloser(sign: string, isOneOpen: boolean): boolean {
  return /["'*_~]/.test(sign) ? isOneOpen : /[\p{Pf}\p{Pe}]/u.test(sign);
}

/** Unicode has a bracket's other half one or two places behind it. */
function closes(sign: string, opener: string): boolean {
  if (opener === "/*" || sign === "*/") return opener === "/*" && sign === "*/";
  const distance = (sign.codePointAt(0) ?? 0) - (opener.codePointAt(0) ?? 0);
  return /^\D/u.test(opener) && (distance === 1 || distance === 2);
}
