import { wordsOf } from "../names.ts";

/** Where a bare text would go. */
export interface BareField {
  readonly name: string;
  readonly description: string;
  /** All keys that are declared beside it, and itself. */
  readonly keys: readonly string[];
  readonly toolName: string;
}

/** What a field takes, as far as its name and description tell. */
export interface FieldKind {
  /** Code, a query in a language, a command, a selector, an address. */
  readonly isCode: boolean;
  /** The same, by its name, and nothing that could be put in plain words, as a query could. */
  readonly isStrict: boolean;
  readonly isRegex: boolean;
  readonly isSelector: boolean;
  /** A link, and a link or path. */
  readonly isLink: boolean;
  readonly isPlace: boolean;
  readonly isEmail: boolean;
  /** What people write to each other. */
  readonly isMessage: boolean;
}

/**
 * Works out what kind of text a field takes. It is evidence for a text that would be odd elsewhere;
 * nothing is refused for it.
 *
 * @param name The field's name.
 * @param description Its description, or nothing.
 */
export function fieldKind(name: string, description: string): FieldKind {
  const words = wordsOf(name.slice(0, 100));
  const said = description.slice(0, 300);
  const isLink = words.some((word) => LINK.has(word));
  return {
    isCode: words.some((word) => CODE.has(word)) || SAYS_CODE.test(said),
    isStrict: words.some((word) => CODE.has(word) && !WORDED.has(word)),
    isLink,
    isPlace: isLink || words.some((word) => PATH.has(word)),
    isEmail: words.at(-1) === "email",
    isRegex: words.some((word) => REGEX.has(word)) || SAYS_REGEX.test(said),
    isSelector: words.some((word) => SELECTOR.has(word)) || SAYS_SELECTOR.test(said),
    isMessage: words.some((word) => MESSAGE.has(word)),
  };
}

const CODE: ReadonlySet<string> = new Set(
  "code script sql query command cmd shell bash regex regexp pattern expression expr formula selector xpath css locator filter where condition jql statement program source snippet python javascript js typescript html xml markup yaml url uri href link path glob cell equation".split(
    " ",
  ),
);
/** What may be put in plain words. */
const WORDED: ReadonlySet<string> = new Set(
  "query filter where condition statement expression expr pattern source equation cell link".split(
    " ",
  ),
);
const LINK: ReadonlySet<string> = new Set("url uri href link".split(" "));
const PATH: ReadonlySet<string> = new Set("path glob".split(" "));
const SAYS_CODE =
  /\b(?:code|sql|script|shell|command|selector|xpath|expression|formula|python|javascript|query language|regex|regular expression)\b/i;
const REGEX: ReadonlySet<string> = new Set("regex regexp pattern".split(" "));
const SAYS_REGEX = /\b(?:regex|regular expression)\b/i;
const SELECTOR: ReadonlySet<string> = new Set("selector css locator".split(" "));
const SAYS_SELECTOR = /\b(?:css|selector|locator)\b/i;
const MESSAGE: ReadonlySet<string> = new Set(
  "message msg body text content comment note notes reply caption email description summary answer title subject post tweet status prompt instruction instructions feedback review story essay letter greeting speech memo transcript sentence paragraph".split(
    " ",
  ),
);
