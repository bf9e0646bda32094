import { inputsFor, integers, object, texts } from "../cases.ts";
import { countContainers } from "../place.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const parseText: ValueEdit = {
  name: "parse-text",
  level: "safe",
  cost: 1,
  types: ["string"],
  unpacks: true,
  propose({ text, node, run }) {
    if (!LOOKS_PACKED.test(text) || countContainers(node) === 0) return [];
    return proposeValue(
      run.parse(text),
      "the text is JSON, where no text is wanted",
    );
  },
};

/**
 * Text that begins like JSON, a tuple or a quoted text and ends so, or with a
 * closing tag.
 */
const LOOKS_PACKED = /^\s*(?:\[.*[\]>]|\{.*[}>]|(["'`]).*\1)\s*$/s;

export function parseTextSpec(): EditSpec {
  return {
    does: "Text that holds JSON, or nearly (Python, single quotes), becomes the list or object. Its brackets must pair, closing tags behind it are left out, and what was cut off is rejected.",
    example: {
      schema: object({ tags: texts }),
      input: { tags: "['a', 'b']" },
      after: { tags: ["a", "b"] },
    },
    notFor: inputsFor(
      object({ tags: integers }),
      { tags: "[1, 2" },
      { tags: "[0, 1)" },
      { tags: "[1, 2, ...]" },
      { tags: "[1, 2] or [3]" },
    ),
  };
}
