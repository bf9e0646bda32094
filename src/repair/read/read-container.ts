import { asPunctuation, closingBracket, closingQuotes, isClosingBracket } from "./characters.ts";
import { isKeyAhead } from "./ends-string.ts";
import { createJsonWriter } from "./json-writer.ts";
import { readString } from "./read-string.ts";
import { readWord } from "./read-word.ts";
import { skipSpace, type TextEdit } from "./skip-space.ts";

/** What the text turned out to be from a bracket on, as JSON text. */
export type ReadContainer =
  | {
      readonly kind: "complete";
      readonly json: string;
      /** The index after the bracket that closes it. */
      readonly end: number;
      /** The parts of the text that read otherwise in JSON. */
      readonly edits: readonly TextEdit[];
    }
  /** `json`, closed, where the text ends after a complete value. */
  | {
      readonly kind: "truncated";
      readonly json?: string;
      readonly edits: readonly TextEdit[];
    }
  /** A bracket closes another kind of bracket: read again with a way to take it. */
  | { readonly kind: "mismatched" }
  | { readonly kind: "refused"; readonly at: number };

/** How a bracket that does not fit is taken. */
export type MismatchReading =
  /** Brackets inside lack their own closing bracket. */
  | "insert"
  /** It was written for the one that fits. */
  | "replace"
  /** It is one too many. */
  | "skip";

interface OpenBracket {
  readonly bracket: string;
  /** How many comments there were before it. */
  readonly editsBefore: number;
  /** Written `{{`, to be closed by `}}`. */
  doubled: boolean;
}

/** More brackets within each other are not read: no limit of depth that makes sense is higher. */
const MAX_DEPTH = 200;

type Expected = "key" | "colon" | "value" | "end";

/**
 * Reads an object, array or tuple that may have faults of syntax, in one pass.
 *
 * @param text The text.
 * @param start The index of the opening bracket, or of the first key with `impliedBrace`.
 * @param options `mismatch`: how a bracket that does not fit is taken; `impliedBrace`: the text
 * lacks the opening brace.
 */
export function readContainer(
  text: string,
  start: number,
  options: { readonly mismatch?: MismatchReading; readonly impliedBrace?: boolean } = {},
): ReadContainer {
  const writer = createJsonWriter();
  const edits: TextEdit[] = [];
  const open: OpenBracket[] = [];
  const brackets: string[] = [];
  /** How many brackets are open that each closing bracket closes. */
  const openByClosing: Record<string, number> = {};
  const allowStrings = options.impliedBrace !== true && asPunctuation(text.charAt(start)) === "{";
  let at = start;
  let expected = "value" as Expected;
  let commas = 0;
  let lastComma = start;
  let isQuotedKey = false;
  let isUncertain = false;
  let endsInWord = false;

  if (options.impliedBrace) openBracket("{", 0);
  for (;;) {
    const from = at;
    const comments = edits.length;
    at = skipSpace(text, at, edits, expected === "value");
    if (leavesOut(comments)) return refused();
    if (at >= text.length || text.startsWith("```", at)) return truncated();
    const char = asPunctuation(text.charAt(at));
    const outcome =
      isClosingBracket(char) && expected !== "colon" ? readClosing(char) : readToken(char, from);
    if (outcome) return outcome;
  }

  function readToken(char: string, from: number): ReadContainer | undefined {
    switch (expected) {
      case "key":
        return readKey(char);
      case "colon":
        return readColon(char, from);
      case "value":
        return readValue(char);
      case "end":
        return readComma(char, from);
    }
  }

  function readKey(char: string): ReadContainer | undefined {
    const container = open.at(-1);
    if (char === "," && writer.count() === 0 && commas === 0) {
      commas++;
      at++;
      return undefined;
    }
    if (char === "{" && writer.count() === 0 && text.charAt(at - 1) === "{" && container) {
      if (container.doubled) return refused();
      container.doubled = true;
      at++;
      return undefined;
    }
    isQuotedKey = closingQuotes(char) !== undefined;
    if (isQuotedKey) {
      const read = readString(text, at, undefined);
      if (read.kind === "cut") return truncated();
      if (read.kind === "refused") return refused(read.at);
      writer.key(read.json);
      at = read.end;
    } else {
      NAME.lastIndex = at;
      const name = NAME.exec(text)?.[1];
      if (name === undefined) return refused();
      writer.key(JSON.stringify(name));
      at = NAME.lastIndex;
    }
    expected = "colon";
    return undefined;
  }

  function readColon(char: string, from: number): ReadContainer | undefined {
    if (char === ":") at++;
    else if (char === "=") at += text.charAt(at + 1) === ">" ? 2 : 1;
    else {
      const isValue = closingQuotes(char) !== undefined || char === "{" || char === "[";
      const isWord = at > from && /[-\dtfnTFN]/.test(char);
      if (!isQuotedKey || !(isValue || isWord) || (at === from && char !== "{" && char !== "[")) {
        return refused();
      }
    }
    expected = "value";
    return undefined;
  }

  function readValue(char: string): ReadContainer | undefined {
    if (closingBracket(char) !== undefined) {
      if (open.length >= MAX_DEPTH) return refused();
      openBracket(char, 1);
      return undefined;
    }
    if (closingQuotes(char) !== undefined) return readText();
    if (char === ",") return refused();
    const read = readWord(text, at, allowStrings);
    if (read.kind === "cut") return truncated();
    if (read.kind === "refused") return refused(read.at);
    const word = text.slice(at, read.end);
    if (open.at(-1)?.bracket !== "{" && /^0\d/.test(word)) return refused(); // [1,000]
    if (read.json !== word && read.json !== JSON.stringify(word)) {
      edits.push({ from: at, to: read.end, json: read.json });
    }
    writer.scalar(read.json);
    at = read.end;
    return afterValue(true);
  }

  /** A string, or several joined by `+`. */
  function readText(): ReadContainer | undefined {
    const parts: string[] = [];
    for (;;) {
      const read = readString(text, at, brackets);
      if (read.kind === "cut") return truncated();
      if (read.kind === "refused") return refused(read.at);
      isUncertain ||= read.hasInnerQuotes;
      parts.push(read.json.slice(1, -1));
      const comments = edits.length;
      at = skipSpace(text, read.end, edits, false);
      if (text.charAt(at) !== "+") {
        at = read.end;
        edits.length = comments;
        break;
      }
      at = skipSpace(text, at + 1, edits, false);
      if (at >= text.length) return truncated();
      if (closingQuotes(text.charAt(at)) === undefined) return refused();
      // "2x "+" 1" may be a sum in which the sign is quoted
      if (parts.at(-1)?.endsWith(" ") && text.charAt(at + 1) === " ") return refused();
    }
    writer.scalar(`"${parts.join("")}"`);
    return afterValue(false);
  }

  function readComma(char: string, from: number): ReadContainer | undefined {
    const inObject = open.at(-1)?.bracket === "{";
    if (char === ",") {
      commas++;
      lastComma = at++;
    } else {
      const gap = text.slice(from, at);
      const isSeparate = gap !== "" || isClosingBracket(text.charAt(from - 1));
      const isNewLine = gap.includes("\n");
      const isElement = char === "{" || char === "[" || closingQuotes(char) !== undefined;
      const isNext = inObject ? isKeyAhead(text, at, isNewLine) : isElement || isNewLine;
      if (!isSeparate || !isNext) return refused();
    }
    expected = inObject ? "key" : "value";
    return undefined;
  }

  function readClosing(char: string): ReadContainer | undefined {
    const container = open.at(-1);
    if (!container) return refused();
    const isArray = container.bracket !== "{";
    if (expected === "value" && !(isArray && (writer.count() === 0 ? commas === 0 : true))) {
      return refused();
    }
    const isFitting = closingBracket(container.bracket) === char;
    if (!isFitting && options.mismatch === "skip") {
      at++;
      return undefined;
    }
    if (expected !== "end" && writer.count() > 0 && hasPlaceholder()) return refused();
    if (isFitting || options.mismatch === "replace") return closeBracket(1);
    if (options.mismatch === undefined) return { kind: "mismatched" };
    return openByClosing[char] ? closeBracket(0) : refused();
  }

  function openBracket(bracket: string, length: number): void {
    writer.open(bracket === "{");
    open.push({ bracket, editsBefore: edits.length, doubled: false });
    brackets.push(bracket);
    count(bracket, 1);
    expected = bracket === "{" ? "key" : "value";
    commas = 0;
    at += length;
  }

  function count(bracket: string, step: number): void {
    const closing = closingBracket(bracket) ?? "";
    openByClosing[closing] = (openByClosing[closing] ?? 0) + step;
  }

  function closeBracket(length: number): ReadContainer | undefined {
    const container = open.pop();
    if (!container) return refused();
    const isEmpty = writer.count() === 0;
    if (isEmpty && edits.length > container.editsBefore) return refused(); // only a comment
    if (container.bracket === "(" && writer.count() === 1 && expected === "end") return refused();
    at += length;
    if (container.doubled) {
      if (at >= text.length) return { kind: "truncated", edits };
      if (text.charAt(at) !== "}") return refused();
      at++;
    }
    brackets.pop();
    count(container.bracket, -1);
    writer.close();
    return afterValue(false);
  }

  function afterValue(isWord: boolean): ReadContainer | undefined {
    if (writer.conflicting()) return refused();
    endsInWord = isWord;
    expected = "end";
    if (open.length > 0) return undefined;
    return { kind: "complete", json: writer.text(), end: at, edits };
  }

  /** A comment that stands in the place of an element: `{"a": 1, # other fields`. */
  function hasPlaceholder(): boolean {
    const comment = edits.at(-1);
    if (!comment || comment.from < lastComma) return false;
    const isOnOwnLine = text.slice(lastComma, comment.from).includes("\n");
    return isOnOwnLine || !text.slice(comment.to, at).includes("\n");
  }

  /** A comment that says that something was left out, or three dots instead of a value. */
  function leavesOut(comments: number): boolean {
    const isOmission =
      edits.length > comments &&
      edits.slice(comments).some(({ from, to }) => /\.\.\.|…/.test(text.slice(from, to)));
    return isOmission || text.startsWith("...", at) || text.charAt(at) === "…";
  }

  function truncated(): ReadContainer {
    const endsInComment = edits.at(-1)?.to === text.length;
    const isComplete = expected === "end" && !endsInWord && !isUncertain && !endsInComment;
    if (!isComplete || open.some(({ doubled }) => doubled)) return { kind: "truncated", edits };
    return { kind: "truncated", json: writer.text(), edits };
  }

  function refused(index: number = at): ReadContainer {
    return { kind: "refused", at: Math.max(index, start + 1) };
  }
}

const NAME = /([\p{L}_$][\p{L}\p{N}_$-]{0,99}|(?:0|[1-9]\d{0,14})(?![\w.]))["']?/uy;
