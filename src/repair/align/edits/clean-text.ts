import type { Edit } from "./edit.ts";

/**
 * Text with something around it that its format, pattern or length does not take: spaces, quotes,
 * angle brackets, a markdown link, HTML entities. The schema must take what is left.
 */
export const cleanText: Edit = {
  name: "clean-text",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (typeof value !== "string" || value.length > 10_000) return [];
    if (want.of("string").every(({ values }) => values !== undefined)) return [];
    const trimmed = value.trim();
    const ways = [
      trimmed,
      trimmed.replace(/^(["'`])([^"'`]*)\1$/s, "$2").trim(),
      trimmed.replace(/^<([^<>\s]+)>$/, "$1"),
      /^\[[^\]]*\]\(<?([^()<>\s]+)>?\)$/.exec(trimmed)?.[1] ?? value,
      decodeEntities(trimmed),
    ];
    const cleaned = [...new Set(ways)].filter((text) => text !== value && text !== "");
    return cleaned.filter((text) => want.node.accepts(text)).slice(0, 1);
  },
};

const ENTITIES: { readonly [entity: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
