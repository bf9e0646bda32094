import type { SchemaNode, Variant } from "../../schema/node.ts";
import { withoutQuotes } from "../bare-text.ts";
import { object } from "../cases.ts";
import { type EditSpec, proposeValue, type ValueEdit } from "../rule.ts";
import { freeTexts } from "./free-texts.ts";

export const cleanText: ValueEdit = {
  name: "clean-text",
  level: "safe",
  cost: 1,
  types: ["string"],
  propose({ value, node }) {
    if (typeof value !== "string" || !freeTexts(node).some(hasForm)) return [];
    return proposeValue(
      cleaned(value, node),
      "the schema takes only what stands inside",
    );
  },
};

/**
 * Whether a schema says what form a text has. A pattern that repeats a group
 * may take forever.
 */
function hasForm(variant: Variant): boolean {
  const patterns = variant.said("pattern");
  const hasPattern = patterns.some((pattern) => !/\)[*+{]/.test(`${pattern}`));
  return hasPattern || variant.said("format").length > 0;
}

/**
 * The text that a format or pattern may take: without spaces, one pair of
 * quotes or brackets.
 */
function cleaned(text: string, node: SchemaNode): string | undefined {
  const trimmed = text.trim();
  if (node.accepts(trimmed)) return trimmed;
  const inner =
    (isAddress(node) && addressIn(trimmed)) || withoutQuotes(trimmed);
  return inner === "" ? undefined : inner;
}

function isAddress(node: SchemaNode): boolean {
  const formats = node
    .of("string")
    .flatMap((variant) => variant.said("format"));
  return formats.some((format) => format === "uri" || format === "email");
}

/** The address in `<ada@a.org>`. */
function addressIn(text: string): string | undefined {
  return /^<([^<>\s]+)>$/.exec(text)?.[1];
}

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
    notFor: [
      { schema: code, input: { code: "AB123 or AB124" } },
      { schema: code, input: { code: "(AB123)?" } },
      { schema: code, input: { code: "not AB123" } },
    ],
  };
}
