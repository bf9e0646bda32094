import type { JsonValue } from "../../types.ts";
import { wordsOf } from "./fold-name.ts";
import { mayCount } from "./may-count.ts";
import { areOpposite, isRole } from "./opposites.ts";
import { isGenericWord, isUnit, stemOf, stemsOf } from "./vocabulary.ts";

/** What two names are compared in the light of. */
export interface NameContext {
  readonly toolName: string;
  /** The other declared fields: a word that they have, too, tells nothing apart. */
  readonly others: readonly string[];
  readonly value: JsonValue | undefined;
}

/** How the words of two names stand to each other. */
export type Kinship =
  /** They share a word that tells the field apart, and what one has besides changes nothing. */
  | { readonly kind: "shared"; readonly word: string }
  /** They say different things of it: `order_status`, `order_id`. */
  | { readonly kind: "differ" }
  | { readonly kind: "strangers" };

/** Words that change nothing about what they are said of. */
const HARMLESS: ReadonlySet<string> = new Set(
  "file search input full the my your given user is are has should use enable enabled with do query text string value field param parameter argument name".split(
    " ",
  ),
);

/** Words for how something is written, or where it is: `css_selector`, `page_url`, `shell_command`. */
const NOTATIONS: ReadonlySet<string> = new Set(
  "css dom html xml json yaml sql markdown md plain raw python javascript js typescript ts java bash shell sh cli terminal linux unix web website page site http https absolute exact element".split(
    " ",
  ),
);

/** What many things in one task have: what stands before such a word says whose it is. */
const RELATIONAL: ReadonlySet<string> = new Set(
  "address url uri link path file folder directory account email mail phone ip port host key token tag location place price cost rate fee tax party player opponent order image photo picture video group branch city country region state date day time color size width height weight length speed score level balance card contact person product category department team role owner channel server machine device node cluster table column row schema sheet range area zone product ingredient".split(
    " ",
  ),
);

/** What is an id itself. */
const IDENTIFIERS: ReadonlySet<string> = new Set(
  "id identifier uuid guid key number reference ref handle code".split(" "),
);

/** What is done by or to a thing, and makes it another: `towing_vessel`; but not a `booking`. */
const DOING =
  /^(?!(?:str|th|meet|build|book|sett|list|train|rat|bill|engineer|market|account|draw|paint|record|post)ing$)[a-z]{2,}ing$/;

/** What is a point in time itself: its date or time is nothing else. */
const TEMPORAL: ReadonlySet<string> = new Set(
  "start end begin due deadline expiry expiration from until since when schedule date time".split(
    " ",
  ),
);

/** What a field's last word makes of a thing's name, and the values it then takes. */
const FORMS: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map<
  string,
  (value: JsonValue) => boolean
>([
  ...[
    "name",
    "path",
    "address",
    "selector",
    "expression",
    "string",
    "str",
    "query",
    "term",
    "phrase",
    "keyword",
    "input",
  ].map((form) => [form, isText] as const),
  ...["url", "uri", "link", "href"].map((form) => [form, isLocation] as const),
  ...["number", "num", "date", "time", "id", "identifier"].map((form) => [form, hasDigit] as const),
  ...["list", "array"].map((form) => [form, Array.isArray] as const),
  ...["dict", "dictionary", "map", "object", "mapping"].map((form) => [form, isMap] as const),
]);

/** Compares the words of the name that was written with those of the field that is missing. */
export function kinshipOf(from: string, to: string, context: NameContext): Kinship {
  const [written, declared] = [stemsOf(from), stemsOf(to)];
  const shared = written.filter((word) => declared.includes(word));
  const [extra, lacking] = [
    written.filter((word) => !declared.includes(word)),
    declared.filter((word) => !written.includes(word)),
  ];
  if (areOpposite(wordsOf(from), wordsOf(to))) return { kind: "differ" };
  if (mayCount(from, to, context.value ?? null)) return { kind: "differ" };
  if (shared.length === 0) return { kind: "strangers" };
  if (extra.length > 0 && lacking.length > 0) return { kind: "differ" };
  const besides = [...extra, ...lacking];
  if (besides.length === 0) {
    const isOne = areOneName(from, to, context.value);
    return isOne ? { kind: "shared", word: shared[0] ?? "" } : { kind: "differ" };
  }
  if (besides.some((word) => isRole(word) || isUnit(word))) return { kind: "differ" };
  const { value, toolName, others } = context;
  const longer = wordsOf(extra.length > 0 ? from : to);
  const isQuantity = typeof value === "number" || typeof value === "boolean";
  if (
    typeof value === "number" &&
    besides.some(
      (word) => word.length <= 3 && stemOf(longer.at(-1) ?? "") === word && word !== "id",
    )
  ) {
    return { kind: "differ" };
  }
  const named = stemsOf(toolName);
  const isKnown = (word: string) => HARMLESS.has(word) || named.includes(word);
  const isChanged = besides.some((word) => {
    if (word !== stemOf(longer.at(-1) ?? "")) {
      if (isKnown(word) || NOTATIONS.has(word)) return false;
      if (DOING.test(word)) return true;
      return isQuantity || (extra.length > 0 && RELATIONAL.has(declared.at(-1) ?? ""));
    }
    // `selector_text` for `selector`: what is written at more length.
    if (extra.length > 0 && HARMLESS.has(word)) return false;
    if (extra.length > 0 && !isSameThing(word, declared.at(-1) ?? "")) return true;
    return value === undefined || FORMS.get(word)?.(value) !== true;
  });
  if (isChanged) return { kind: "differ" };
  const taken = new Set(others.flatMap(stemsOf));
  const isWritten = besides.length > 0 && besides.every((word) => NOTATIONS.has(word));
  const telling = shared.find(
    (word) => (!isGenericWord(word) || (isWritten && word === "code")) && !taken.has(word),
  );
  if (telling !== undefined) return { kind: "shared", word: telling };
  // `id` for `user_id` of a tool `get_user`, where there is no other id.
  const [word = ""] = shared;
  const isOfTool = besides.length > 0 && besides.every((each) => named.includes(each));
  return isOfTool && !taken.has(word) ? { kind: "shared", word } : { kind: "strangers" };
}

/** Whether two names are one, in full and in short, or in two spellings. */
function areOneName(from: string, to: string, value: JsonValue | undefined): boolean {
  // In a shell, `pwd` is a folder.
  const isFolder = wordsOf(from).includes("pwd") && value !== undefined && isLocation(value);
  const isFlag =
    typeof value === "boolean" && !wordsOf(to).some((word) => wordsOf(from).includes(word));
  return wordsOf(from).length === wordsOf(to).length && !isFolder && !isFlag;
}

/** Whether the id, date or time of a thing can stand for it: only of what is such itself. */
function isSameThing(form: string, thing: string): boolean {
  if (form === "id" || form === "identifier") return IDENTIFIERS.has(thing);
  return (form !== "date" && form !== "time") || TEMPORAL.has(thing);
}

function isText(value: JsonValue): boolean {
  return typeof value === "string";
}

function isLocation(value: JsonValue): boolean {
  return typeof value === "string" && /^(?:[a-z][a-z\d+.-]{0,20}:|www\.|\/)/i.test(value);
}

function hasDigit(value: JsonValue): boolean {
  if (typeof value !== "string") return typeof value === "number";
  return /^\S*\d\S*$/.test(value) || /^\+?[\d(][\d\s()./-]{3,24}$/.test(value);
}

function isMap(value: JsonValue): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
