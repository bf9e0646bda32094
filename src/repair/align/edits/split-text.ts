import type { JsonValue } from "../../types.ts";
import { foldName } from "../names.ts";
import { VALUES } from "../reasons.ts";
import { type Edit, elementsOf, type Want } from "./edit.ts";
import { elementKind } from "./element-kind.ts";
import { opensContainer } from "./parse-text.ts";
import { partsOfPlainList } from "./parts-of-plain-list.ts";

/** The longest text that is split, in characters. */
const MAX_LENGTH = 20_000;

/** A list of choices written as text, where every part is one of the choices: `"red, blue"`. */
export const splitChoices: Edit = {
  name: "split-choices",
  level: "safe",
  cost: 2,
  propose(value, want) {
    if (!mayBeSplit(value, want)) return [];
    const choices = elementsOf(want).flatMap(({ values }) => values ?? []);
    const folded = new Set(choices.map((choice) => foldName(String(choice))));
    // A choice with a comma in it is one choice.
    if (folded.size === 0 || folded.has(foldName(value))) return [];
    const delimiter = ["\n", ";", "|", ","].find((sign) => value.includes(sign));
    const parts = delimiter === undefined ? [] : value.split(delimiter).map((part) => part.trim());
    return parts.length > 1 && parts.every((part) => folded.has(foldName(part))) ? [parts] : [];
  },
  reason: () => VALUES.everyPartIsChoice,
};

/** A plain list written as text, with commas, semicolons, bars or line breaks between its parts. */
export const splitText: Edit = {
  name: "split-text",
  level: "eager",
  cost: 3,
  propose(value, want) {
    if (!mayBeSplit(value, want)) return [];
    const elements = elementsOf(want);
    const takesText = elements.some(({ type }) => type === "string" || type === undefined);
    const descriptions = [...want.of("array"), ...elements].map(({ description }) => description);
    const isSaid = descriptions.some((text) => /\b(?:comma|separated|delimited|csv)\b/i.test(text));
    const kind = elementKind(want.place.key ?? "");
    const parts = partsOfPlainList(value, { takesText, isSaid, kind });
    return parts === undefined ? [] : [parts];
  },
  reason: () => VALUES.plainList,
};

function mayBeSplit(value: JsonValue, want: Want): value is string {
  return (
    typeof value === "string" &&
    value.length <= MAX_LENGTH &&
    want.of("array").length > 0 &&
    !opensContainer(value)
  );
}
