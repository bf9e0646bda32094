import { holdsAny, opensContainer } from "../bare-text.ts";
import { inputsFor, integers, number, object, texts } from "../cases.ts";
import {
  everyElement,
  isCode,
  isOfWords,
  isPartedUnevenly,
  isTight,
  mayBeOneNumber,
  partsOf,
  withoutMarks,
} from "../lists.ts";
import {
  type EditSpec,
  type Proposal,
  proposeValue,
  type ValueEdit,
} from "../rule.ts";
import type { ValueWant } from "../types.ts";

export const splitText: ValueEdit = {
  name: "split-text",
  level: "eager",
  cost: 3,
  types: ["string"],
  propose(at) {
    const { text, node } = at;
    if (opensContainer(text) || node.of("array").length === 0) return [];
    const parts = partsOf(text);
    if (parts.length === 0) return [];
    // `- 5` is a minus before a number, and a mark before a text.
    const after = wantsNumbers(at) ? parts : withoutMarks(parts);
    return proposeValue([...after], "a plain list, parted by one sign");
  },
  unless: {
    "its parts are written in two ways": (_, { text }) =>
      isPartedUnevenly(text),
    "it may be one number": (_, at) =>
      mayBeOneNumber(at.text, wantsIntegers(at)),
    "a part has too many words, or is a range": (proposal, at) => {
      if (wantsNumbers(at)) return false;
      const most = mostWords(at);
      return !partsIn(proposal).every((part) => isOfWords(part, most));
    },
    "two words may be one name: `Paris, Texas`": (proposal, at) => {
      const parts = partsIn(proposal);
      if (parts.length > 2 || wantsNumbers(at)) return false;
      if (isTight(at.text) || isInLines(at)) return false;
      return !parts.every(isCode);
    },
    "one part begins as a path or a link, and another does not": (proposal) =>
      isOnlyInSome(partsIn(proposal), BEGINS_AS_PATH),
    "some parts are figures and others words": (proposal, at) =>
      !wantsNumbers(at) && isOnlyInSome(partsIn(proposal), /^[\d.]+$/),
  },
};

function isOnlyInSome(parts: readonly string[], pattern: RegExp): boolean {
  const count = parts.filter((part) => pattern.test(part)).length;
  return count > 0 && count < parts.length;
}

/** `/srv/a`, `~/a`, `./a`, `C:\\a`, `https://a.org`. */
const BEGINS_AS_PATH = /^(?:[/~]|\.{1,2}\/|[a-z][a-z\d+]*:[/\\])/i;

const partsIn = ({ after }: Proposal): readonly string[] => after as string[];

/** Lines and semicolons part up to three words each, commas single ones. */
const mostWords = (at: ValueWant) => (isInLines(at) ? 3 : 1);

const isInLines = ({ text }: ValueWant) => holdsAny(text.trim(), "\n;");

function wantsNumbers(at: ValueWant): boolean {
  return everyElement(at, ({ type }) => type === "number");
}

function wantsIntegers(at: ValueWant): boolean {
  return everyElement(at, (element) =>
    element.said("type").includes("integer"),
  );
}

export function splitTextSpec(): EditSpec {
  const tags = object({ tags: texts });
  const levels = object({ levels: { type: "array", items: number } });
  return {
    does: "A text parted by one sign, written the same way each time, becomes a list. Between commas stand JSON numbers that cannot be one number, three or more single words, or two if they are codes or no space follows the comma (`red,blue`); between semicolons or line breaks, up to three words each, without their list marks.",
    example: {
      schema: object({ tags: texts, levels: integers }),
      input: { tags: "red, green, blue", levels: "3,4,5" },
      after: { tags: ["red", "green", "blue"], levels: [3, 4, 5] },
    },
    witnesses: {
      "its parts are written in two ways": {
        schema: tags,
        input: { tags: "red, green,blue" },
      },
      "it may be one number": { schema: levels, input: { levels: "1,5" } },
      "a part has too many words, or is a range": {
        schema: tags,
        input: { tags: "Paris, New York, Rome" },
      },
      "two words may be one name: `Paris, Texas`": {
        schema: tags,
        input: { tags: "Paris, Texas" },
      },
      "one part begins as a path or a link, and another does not": {
        schema: tags,
        input: { tags: "/srv/Smith, John/a.pdf" },
      },
      "some parts are figures and others words": {
        schema: tags,
        input: { tags: "red, green, 5" },
      },
    },
    notFor: [
      { schema: tags, input: { tags: "first, then; last" } },
      ...inputsFor(levels, { levels: "3, 4, 5 or so" }, { levels: "3 4 5" }),
    ],
  };
}
