const CLOSING_QUOTES: { readonly [open: string]: string } = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "”": "”",
  "„": "“”",
  "«": "»",
  "‘": "’",
};
const CLOSING_BRACKETS: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

/**
 * Checks whether the quotes and brackets of a bare text are in order: each quote and bracket closed,
 * no quote in the middle of a word, no quoted key. Apostrophes, feet and inches (`don't`, `5'`,
 * `27" monitor`), the numbers of a list (`1)`) and smileys are no quotes and brackets. In a piece of
 * JSON or of a call, something is out of order.
 *
 * @param text The text.
 * @param isRegex Whether it is a regular expression, where a set of characters may hold any of them.
 */
export function isBalanced(text: string, isRegex: boolean): boolean {
  const plain = text.replace(/(\d)"(?=\s\p{L})/gu, "$1");
  const body = plain.includes('"') ? text : plain;
  const open: string[] = [];
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at);
    if (char === "\\") {
      at++;
    } else if (Object.hasOwn(CLOSING_QUOTES, char) || char === "’") {
      if (isApostropheOrFeet(body, at) || isInch(body, at)) continue;
      const close = closeOf(body, at, isRegex);
      if (close === undefined) return false;
      at = close;
    } else if (isRegex && char === "[") {
      const end = endOfSet(body, at);
      if (end === undefined) return false;
      at = end;
    } else if (Object.hasOwn(CLOSING_BRACKETS, char)) {
      if (!isSmiley(body, at)) open.push(char);
    } else if (")]}".includes(char)) {
      if (CLOSING_BRACKETS[open.at(-1) ?? ""] === char) open.pop();
      else if (char !== ")" || !(isSmiley(body, at) || isListNumber(body, at))) return false;
    }
  }
  return open.length === 0;
}

/** The index of the quote that closes another; `undefined` where that stands in a word, or is a key's. */
function closeOf(text: string, at: number, isRegex: boolean): number | undefined {
  const quote = text.charAt(at);
  const closing = CLOSING_QUOTES[quote];
  if (closing === undefined || (isWordCharacter(text, at - 1) && !isStringPrefix(text, at - 1)))
    return undefined;
  for (let index = at + 1; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === "\\") index++;
    else if (isRegex && char === "[") {
      const end = endOfSet(text, index);
      if (end === undefined) return undefined;
      index = end;
    } else if (closing.includes(char) && !(isSingle(char) && isInWord(text, index))) {
      return isWordCharacter(text, index + 1) || COLON.test(text.slice(index + 1, index + 12))
        ? undefined
        : index;
    }
  }
  return undefined;
}

/** What makes a quoted text a key. Not `::` of SQL and CSS, nor a pseudo-class. */
const COLON = /^\s{0,5}(?:[:：](?:[\s"'\d{[]|$)|=>)/;

/** A letter before a string that says how to read it: `r"\d"`, `N'text'`. */
function isStringPrefix(text: string, at: number): boolean {
  return /[rRfFbBuUNEex$]/.test(text.charAt(at)) && !isWordCharacter(text, at - 1) && at > 0;
}

/** `don't`, `dogs' toys`, `5'`, `'90s`. */
function isApostropheOrFeet(text: string, at: number): boolean {
  if (!isSingle(text.charAt(at))) return false;
  if (isInWord(text, at)) return true;
  if (/\d/.test(text.charAt(at - 1))) return true;
  if (/^['’‘](?:\d\d|tis\b|twas\b|em\b|n\b|cause\b|til\b)/i.test(text.slice(at, at + 8))) {
    return !isWordCharacter(text, at - 1) && !text.slice(at + 1).includes("'");
  }
  return (
    /[sS]/.test(text.charAt(at - 1)) && /^(?:$|[.!?]?$|\s\p{L})/u.test(text.slice(at + 1, at + 3))
  );
}

/** `5”`. */
function isInch(text: string, at: number): boolean {
  return text.charAt(at) === "”" && /\d/.test(text.charAt(at - 1));
}

function isSingle(char: string): boolean {
  return char === "'" || char === "’" || char === "‘";
}

function isInWord(text: string, at: number): boolean {
  return isWordCharacter(text, at - 1) && /^\p{L}$/u.test(text.charAt(at + 1));
}

function isWordCharacter(text: string, at: number): boolean {
  return /^[\p{L}\p{N}_]$/u.test(text.charAt(at));
}

/** `:)`, `;-)`, `:(`. */
function isSmiley(text: string, at: number): boolean {
  return /[:;]-?$/.test(text.slice(Math.max(0, at - 2), at)) && !isWordCharacter(text, at + 1);
}

/** `1)`, `a)`, at the head of a line or after a space. */
function isListNumber(text: string, at: number): boolean {
  return /(?:^|\s)[\da-z]{1,2}$/i.test(text.slice(Math.max(0, at - 3), at));
}

/** The end of `[…]` in a regular expression; a bracket right at its beginning does not close it. */
function endOfSet(text: string, at: number): number | undefined {
  let index = at + 1;
  if (text.charAt(index) === "^") index++;
  if (text.charAt(index) === "]") index++;
  while (index < text.length && text.charAt(index) !== "]") {
    index += text.charAt(index) === "\\" ? 2 : 1;
  }
  return index < text.length ? index : undefined;
}
