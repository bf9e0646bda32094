import { namesTool } from "./names-tool.ts";

/** The mark of a code fence. */
export interface CodeFence {
  /** The index after the mark and its language. */
  readonly end: number;
  readonly language: string;
}

/**
 * Reads the mark that opens or closes a code fence, three or more backticks or tildes, with its
 * language.
 *
 * @param text The text.
 * @param at An index.
 */
export function readCodeFence(text: string, at: number): CodeFence | undefined {
  FENCE.lastIndex = at;
  const language = FENCE.exec(text)?.[1];
  return language === undefined ? undefined : { end: FENCE.lastIndex, language };
}

const FENCE = /(?:`{3,20}|~{3,20})([\w+-]*)/y;

/**
 * Checks whether a fence of a language may hold the input of a tool. A change to a file, a log or
 * what was sent over the wire (`diff`, `log`, `http`) holds something that is spoken of.
 */
export function mayHoldInput(language: string, toolName: string | undefined): boolean {
  return LANGUAGES.has(language.toLowerCase()) || namesTool(language, toolName);
}

const LANGUAGES: ReadonlySet<string> = new Set([
  "",
  ..."json json5 jsonc javascript js typescript ts python py text txt plaintext plain tool_call tool_code tool tool_use tool_input function_call function call action action_input input args arguments parameters params xml".split(
    " ",
  ),
]);
