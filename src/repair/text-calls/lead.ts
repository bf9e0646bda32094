import { splitThoughts, THOUGHTS_BEGIN, THOUGHTS_END } from "../read/prose.ts";
import { textFormats } from "./formats.ts";

/**
 * What a model says behind its thoughts. Thoughts whose opening mark stood in the prompt are
 * passed over where they are nothing else: what stands before an opening mark was said, and so was
 * what holds the beginning of a call whose value mentions such a mark. `undefined` where the
 * thoughts do not end.
 */
export function textBehindThoughts(text: string): string | undefined {
  const trimmed = text.trim();
  const split = splitThoughts(trimmed);
  if (split === undefined) return undefined;
  const { unopened, rest } = split;
  const isSaid =
    THOUGHTS_BEGIN.test(unopened) ||
    MENTIONS_END.test(unopened.slice(-200)) ||
    endsWithinCall(unopened);
  if (unopened !== "") return isSaid ? trimmed : rest.trim();
  const thoughts = trimmed.slice(0, trimmed.length - rest.length);
  const isOpen = thoughts.split(THOUGHTS_BEGIN).length > thoughts.split(THOUGHTS_END).length;
  return isOpen ? undefined : rest.trim();
}

/** A sentence that goes on to the mark: "Some models end their thoughts with </think>". */
const MENTIONS_END = new RegExp(`[\\p{L}\\p{N}][^\\S\\n]+(?:${THOUGHTS_END.source})$`, "iu");

/** Whether thoughts may be a call that was cut off in a value that holds the closing mark. */
function endsWithinCall(thoughts: string): boolean {
  const plain = thoughts.replace(/\\./g, "");
  const prose = withoutCode(plain);
  if (/^<[A-Za-z_][\w.-]*>/.test(plain) || prose === undefined || isOpen(prose)) return true;
  return textFormats.some(({ marker, call: [opening, ...others] }) => {
    const closing = others.at(-1);
    if (marker === "none" || typeof opening !== "string") return false;
    const closed = typeof closing === "string" ? plain.lastIndexOf(closing) : -1;
    return plain.lastIndexOf(opening) > closed;
  });
}

/**
 * Checks whether a sentence may stand before a call that a token opens. Its meaning and its
 * language do not matter: prose has no such tokens. But it must be prose to its end, with nothing
 * open where the call begins; it may ask nothing, and hold no token, tag, brace or call, as a call
 * would be lost with it. What Markdown's readers may read in two ways is taken for open.
 *
 * @param names The offered tools.
 */
export function mayStandBeforeCall(lead: string, names: readonly string[] = []): boolean {
  const text = lead
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/^[^\S\n]*[\p{No}\p{Nl}\p{So}]/gmu, "- ")
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{VS}]/gu, "");
  if (text.trim() === "") return true;
  if (HAS_MARKUP.test(text) || ASKS.test(text) || OPENS_BLOCK.test(text)) return false;
  if (ENDS_IN_FENCE.test(text)) return false;
  // `name()` in code is only a name
  const written = text.replaceAll("()`", "").replace(/\s\((?=\s*\w+\s?=)/g, "(");
  if (names.some((name) => written.includes(`${name}(`))) return false;
  const prose = withoutCode(text);
  return prose !== undefined && endsAsProse(prose) && !isOpen(prose);
}

/** Tokens, tags and braces; an arrow as in `a -> b` is none, nor is a link. */
const HAS_MARKUP =
  /[<{}◁]|[^\s=-]>|\]~|(?<![\p{L}\p{N}\]])\[\/?\p{L}[\p{L}\p{N}_-]*(?:[^\]\n]{0,99}=[^\]\n]{0,99})?\](?!\()|\bto=\w/u;

/** The question marks of all scripts; a URL's begins its query. */
const ASKS = /\?(?![\w%]+=)|[¿؟⸮⹔‽⸘՞፧꘏⳺⳻꛷᥅꫱❓❔𑅃𞥟]|\p{Script=Greek};/u;

/** A line that begins a block of another markup, or text that opens with a rule, as front matter. */
const OPENS_BLOCK = /^[^\S\n]*(?:#\+|=\p{L}|([:!"'+%$&])\1\1)|(?<![\s\S])\s*([-=*_.])\2\2/mu;

/** A fence on the call's own line closes nothing. */
const ENDS_IN_FENCE = /(?:`{3}|~{3})[^\S\n]*$/;

/** Whether the last lines are prose, and no list, table, heading, quotation, rule or comment. */
function endsAsProse(prose: string): boolean {
  const said = prose.trimEnd();
  const gap = prose.slice(said.length);
  const written = said.split("\n");
  const lines = written.map((line) => line.trim());
  const last = lines.at(-1) ?? "";
  const tail = said.slice(-80).replace(CLOSERS, "");
  if (!/(?:[\p{L}\p{M}\p{N}\p{STerm}]|(?<!:):)$/u.test(tail)) return false;
  if (/\n[ \t]*[ \t]{2}$|\t$/.test(gap)) return false;
  if (!gap.includes("\n") && (!ENDS_SENTENCE.test(said.slice(-80)) || ABBREVIATION.test(tail)))
    return false;
  // an empty line ends a list and a paragraph
  if (/\n[ \t]*\n/.test(gap))
    return /^(?![$%=>|\p{Pe}]|\S*[#$](?:\s|$)|#|\.\.).*[\p{L}\p{N}]/u.test(last);
  const from = lines.lastIndexOf("") + 1;
  // what is indented goes on with a list above
  if (written.slice(from).some((line) => /^[ \t]/.test(line))) return false;
  return lines.slice(from).every((line) => PROSE.test(line) && !LISTED.test(line));
}

/** What may follow the end of a sentence. */
const CLOSERS = /[\s\p{Pe}\p{Pf}\p{Pi}"'*_~\p{Extended_Pictographic}\p{Emoji_Modifier}\p{RI}]+$/u;

const ENDS_SENTENCE = /[\p{STerm}:][\s\p{Pe}\p{Pf}\p{Pi}"'*_~]*$/u;

/** On the call's own line, `e.g.` ends no sentence. */
const ABBREVIATION = /(?:^|[^\p{L}\p{N}])\p{L}\.$|\p{STerm}\s?\p{L}{1,3}\.$/u;

/** A line that begins with a word, perhaps marked or quoted, and is no row of a table. */
const PROSE =
  /^[*_~]{0,3}(?!\[)[\p{Ps}\p{Pi}\p{Pf}"'¡]*[*_]{0,3}[\p{L}\p{M}\p{N}][^|¦│┃║\t]*(?<!\\)$/u;

/** A line that begins with a number or letter of a list, a mark as of Textile, or a shell's prompt. */
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

/** The text with a letter for each code span, and without fenced code; `undefined` where code is open. */
function withoutCode(text: string): string | undefined {
  let open: { readonly mark: string; readonly margin: number } | undefined;
  let prose = "";
  for (const line of text.split("\n")) {
    const [, before = "", mark = "", info = ""] = FENCE.exec(line) ?? [];
    const isFence = mark !== "" && !(mark.startsWith("`") && info.includes("`"));
    if (open === undefined) {
      if (isFence && /^\s{4}|\t|>/.test(before)) return undefined;
      if (isFence) open = { mark, margin: 3 + (/\S/.test(before) ? before.length : 0) };
      prose += isFence ? "\n" : `${line}\n`;
    } else if (mark.startsWith(open.mark)) {
      if (before.trim() + info.trim() !== "" || before.length > open.margin) return undefined;
      open = undefined;
    }
  }
  if (open !== undefined) return undefined;
  const paragraphs = prose
    .slice(0, -1)
    .split(/(\n[ \t]*\n|\n(?=[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t])))/)
    .map(withoutSpans);
  return paragraphs.every((one) => one !== undefined) ? paragraphs.join("") : undefined;
}

/** Perhaps within a list or blockquote. */
const FENCE = /^((?:[\s>*+-]|\d{1,9}[.)])*)(`{3,}|~{3,})(.*)$/;

/** A span of code ends with as many backticks as it begins with; a backslash in it is one. */
function withoutSpans(paragraph: string): string | undefined {
  const begins = /\\[^\n]|`+/g;
  let prose = "";
  let from = 0;
  for (let open = begins.exec(paragraph); open !== null; open = begins.exec(paragraph)) {
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
    const top = open.at(-1);
    const quote = QUOTES.findIndex((quotes) => quotes.includes(sign.charAt(0)));
    // the other half of what ends the text alone may stand behind the call
    const isAlone = index + sign.length === end && (quote === EMPHASIS || !/\S/.test(before));
    if (quote < 0) {
      const isOpener = sign === "/*" || /\p{Ps}|\p{Pi}/u.test(sign);
      if (isOpener) open.push(sign);
      else if (top !== undefined && closes(sign, top)) open.pop();
      else if (isAlone) return true;
      continue;
    }
    const joinsLeft = /[^\s\p{Ps}\p{Pi}\p{Pd}*_=]/u.test(before);
    const joinsRight = after === "" || /[^\s\p{Pe}\p{Pf}\p{Po}_]/u.test(after);
    // an apostrophe
    if (quote === SINGLE && /[\p{L}\p{N}]/u.test(before) && joinsRight && after !== "") continue;
    const mark = `${quote}${sign.length}`;
    // a sign of multiplication, a bullet, a name with `_`
    if (quote === EMPHASIS && joinsLeft === joinsRight && top !== mark && !isAlone) continue;
    const isClosing = joinsLeft === joinsRight ? isCloser(sign, top === mark) : joinsLeft;
    if (!isClosing) open.push(mark);
    else if (top === mark) open.pop();
    else if (isAlone) return true;
  }
  return open.length > 0;
}

/** Brackets, comments, emphasis, and quotes, several in a row being one. */
const SIGNS = /\/\*|\*\/|(["'*_])\1*|~{2}|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}]/gu;

/** Quotes that end each other; which of them opens differs between languages. */
const QUOTES: readonly string[] = ['"“”„‟〝〞〟', "'‘’‚‛", "«»", "‹›", "*_~"];
const SINGLE = 1;
const EMPHASIS = 4;

/** A quote with a word on both sides, or on neither, is what it is in most languages. */
function isCloser(sign: string, isOneOpen: boolean): boolean {
  return /["'*_~]/.test(sign) ? isOneOpen : /[\p{Pf}\p{Pe}]/u.test(sign);
}

/** Unicode has a bracket's other half one or two places behind it. */
function closes(sign: string, opener: string): boolean {
  if (opener === "/*" || sign === "*/") return opener === "/*" && sign === "*/";
  const distance = (sign.codePointAt(0) ?? 0) - (opener.codePointAt(0) ?? 0);
  return /^\D/u.test(opener) && (distance === 1 || distance === 2);
}
