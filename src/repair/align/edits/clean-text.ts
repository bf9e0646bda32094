import { freeTexts, type SchemaNode, type Variant } from "../../schema/node.ts";
import { holdsAny, withoutQuotes } from "../bare-text.ts";
import { inputsFor, object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";

export const cleanText: ValueEdit = {
  name: "clean-text",
  level: "safe",
  cost: 1,
  isRespelling: true,
  types: ["string"],
  propose({ text, node }) {
    if (!freeTexts(node).some(hasForm)) return [];
    return proposeValue(
      cleaned(text, node),
      "the schema takes only what stands inside",
    );
  },
};

/**
 * Whether a schema says what form a text has. A pattern that repeats a group
 * may take forever.
 */
function hasForm(variant: Variant): boolean {
  if (variant.said("format").length > 0) return true;
  const patterns = variant.said("pattern");
  return patterns.some((pattern) => !holdsAny(`${pattern}`, REPEATED_GROUP));
}

const REPEATED_GROUP = [")*", ")+", "){"];

/**
 * The text that a format or pattern may take: without spaces, one pair of
 * quotes or brackets.
 */
function cleaned(text: string, node: SchemaNode): string | undefined {
  const trimmed = text.trim();
  if (node.accepts(trimmed)) return trimmed;
  const inner = addressIn(trimmed, node) ?? withoutQuotes(trimmed);
  return inner === "" ? undefined : inner;
}

/** The address in `<ada@a.org>`, where one is wanted. */
function addressIn(text: string, node: SchemaNode): string | undefined {
  const formats = node
    .of("string")
    .flatMap((variant) => variant.said("format"));
  if (!formats.some((format) => ADDRESSES.has(format))) return undefined;
  return /^<([^<>\s]+)>$/.exec(text)?.[1];
}

/** The formats of addresses. */
const ADDRESSES: ReadonlySet<unknown> = new Set(["uri", "email"]);

export function cleanTextSpec(): EditSpec {
  const code = object({
    code: { type: "string", pattern: "^[A-Z]{2}[0-9]{3}$" },
  });
  return {
    does: "White space or quotes around a text are removed if its format or pattern rejects them, and `<…>` if its format is that of an address.",
    example: {
      schema: object({ url: { type: "string", format: "uri" } }),
      input: { url: "<https://example.com/docs>" },
      after: { url: "https://example.com/docs" },
    },
    notFor: inputsFor(
      code,
      { code: "AB123 or AB124" },
      { code: "(AB123)?" },
      { code: "not AB123" },
    ),
  };
}
