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
    if (word !== stemOf(longer.at(-1) ?? "")) return isQuantity && !isKnown(word);
    // `selector_text` for `selector`: what is written at more length.
    if (extra.length > 0 && HARMLESS.has(word)) return false;
    return value === undefined || FORMS.get(word)?.(value) !== true;
  });
  if (isChanged) return { kind: "differ" };
  const taken = new Set(others.flatMap(stemsOf));
  const telling = shared.find((word) => !isGenericWord(word) && !taken.has(word));
  if (telling !== undefined) return { kind: "shared", word: telling };
  // `id` for `user_id` of a tool `get_user`, where there is no other id.
  const [word = ""] = shared;
  const isOfTool = besides.length > 0 && besides.every((each) => named.includes(each));
  return isOfTool && !taken.has(word) ? { kind: "shared", word } : { kind: "strangers" };
}

function isText(value: JsonValue): boolean {
  return typeof value === "string";
}

function isLocation(value: JsonValue): boolean {
  return typeof value === "string" && /^(?:[a-z][a-z\d+.-]{0,20}:|www\.|\/)/i.test(value);
}

function hasDigit(value: JsonValue): boolean {
  return typeof value === "number" || (typeof value === "string" && /^\S*\d\S*$/.test(value));
}

function isMap(value: JsonValue): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
