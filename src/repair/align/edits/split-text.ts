import type { JsonValue } from "../../types.ts";
import { foldName } from "../names.ts";
import { type Edit, elementsOf, type Want } from "./edit.ts";
import { opensContainer } from "./parse-text.ts";

/** More words than this in one part, and it is a sentence with a comma in it. */
const MAX_WORDS = 5;

/** A list of choices written as text, where every part is one of the choices: `"red, blue"`. */
export const splitChoices: Edit = {
  name: "split-choices",
  level: "safe",
  cost: 2,
  propose(value, want) {
    const parts = split(value, want);
    const choices = elementsOf(want).flatMap(({ values }) => values ?? []);
    const folded = new Set(choices.map((choice) => foldName(String(choice))));
    return parts?.every((part) => folded.has(foldName(part))) ? [parts] : [];
  },
};

/** A list written as text, with commas, semicolons, bars or line breaks between its parts. */
export const splitText: Edit = {
  name: "split-text",
  level: "eager",
  cost: 3,
  propose(value, want) {
    const parts = split(value, want);
    if (parts === undefined || parts.some((part) => part.split(/\s+/).length > MAX_WORDS))
      return [];
    // `1,234` may be one number.
    const isGrouped = /^\d{1,3}(,\d{3})+$/.test(String(value).trim());
    const takesNumbers = elementsOf(want).some(
      ({ type }) => type === "number" || type === "integer",
    );
    // `- 5, - 6`: a dash before a number is its sign, or a bullet.
    const isSigned = /(?:^|[\n,;|])\s*[-−–]\s+\d/.test(String(value));
    return (isGrouped || isSigned) && takesNumbers ? [] : [parts];
  },
};

function split(value: JsonValue, want: Want): string[] | undefined {
  if (typeof value !== "string" || want.of("array").length === 0) return undefined;
  if (opensContainer(value)) return undefined;
  const delimiter = ["\n", ";", "|", ","].find((sign) => value.includes(sign));
  if (delimiter === undefined) return undefined;
  const parts = value
    .trim()
    .split(delimiter)
    .map((part) => part.trim().replace(/^(?:[-*•]|\d+[.)])\s+|^and\s+/, ""));
  if (delimiter === "\n" && parts.at(-1) === "") parts.pop();
  return parts.length > 1 && parts.every((part) => part !== "") ? parts : undefined;
}
