const CLOSING_QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": '”“„"',
  "”": '”“"',
  "„": '”“„"',
  "‟": '”“"',
  "‘": "’‘'",
  "’": "’‘'",
  "‚": "’‘'",
  "＂": "＂",
};

const ASCII: Readonly<Record<string, string>> = {
  "｛": "{",
  "｝": "}",
  "［": "[",
  "］": "]",
  "（": "(",
  "）": ")",
  "：": ":",
  "，": ",",
  "；": ",",
  "＝": "=",
  ";": ",",
};

const CLOSING_BRACKETS: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

/** The quotes that may close a string which `quote` opened; `undefined` when it is no quote. */
export function closingQuotes(quote: string): string | undefined {
  return Object.hasOwn(CLOSING_QUOTES, quote) ? CLOSING_QUOTES[quote] : undefined;
}

/** The punctuation that was meant: fullwidth is made ASCII, and `;` a comma. Else the character. */
export function asPunctuation(char: string): string {
  return Object.hasOwn(ASCII, char) ? (ASCII[char] ?? char) : char;
}

/** The bracket that closes `open`; `undefined` when that opens nothing. */
export function closingBracket(open: string): string | undefined {
  return Object.hasOwn(CLOSING_BRACKETS, open) ? CLOSING_BRACKETS[open] : undefined;
}

/** Tells whether a character closes an object, an array or a tuple. */
export function isClosingBracket(char: string): boolean {
  return char === "}" || char === "]" || char === ")";
}

/** Tells whether a character is white space of any script, the byte order mark and other unseen marks included. */
export function isBlank(char: string): boolean {
  return (
    char !== "" && (char <= " " ? " \n\r\t\v\f".includes(char) : char > "~" && BLANK.test(char))
  );
}

const BLANK = /[\s\u0085\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]/;

/** Checks whether a quote stands between two letters: `it's`. */
export function isApostrophe(text: string, at: number): boolean {
  const char = text.charAt(at);
  return (char === "'" || char === "’") && isLetter(text, at - 1) && isLetter(text, at + 1);
}

/** Checks whether a letter of any script stands at an index. */
export function isLetter(text: string, at: number): boolean {
  return LETTER.test(text.charAt(at));
}

/** Checks whether a letter or digit of any script stands at an index. */
export function isLetterOrDigit(text: string, at: number): boolean {
  return LETTER_OR_DIGIT.test(text.charAt(at));
}

const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
