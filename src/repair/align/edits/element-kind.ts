import { isPart, stemOf, wordsOf } from "../names.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Whom a field may name who is not called after what he does. */
const PEOPLE = setOf(
  "name person people who whom contact recipient customer client user attendee participant member student patient agent friend family guest host tenant staff team crew player parent child kid spouse relative witness resident citizen applicant candidate consultant assistant accountant president artist musician physician technician politician librarian guardian writer author to cc bcc",
);
/** Places that are written with the one that they lie in. */
const PLACES = setOf("address location place venue destination origin birthplace residence");
/** Texts that are written in words, and may have a comma in them. */
const TEXTS = setOf(
  "title headline phrase line sentence note message comment quote quotation lyric text paragraph description question answer instruction step reason remark summary statement",
);
/** Names that do not say what the elements are. */
const NOTHING = setOf("item value element entry list array data input arg argument thing object");

/** What the elements of a list are, as far as its name tells. */
export type ElementKind = "person" | "place" | "text" | "unknown" | "other";

/** Works out from a list's name what its elements are: one of some kinds may have a comma in it. */
export function elementKind(name: string): ElementKind {
  const words = wordsOf(name).map(stemOf);
  const last = words.findLast(
    (word) => word.length > 1 && !NOTHING.has(word) && !/^\d+$/.test(word),
  );
  if (last === undefined) return "unknown";
  if (PEOPLE.has(last) || isPart(last)) return "person";
  if (PLACES.has(last)) return "place";
  return TEXTS.has(last) ? "text" : "other";
}
