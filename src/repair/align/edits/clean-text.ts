import { VALUES } from "../reasons.ts";
import type { Edit } from "./edit.ts";

/**
 * Text with something around it that its format, pattern or length does not take: spaces, quotes,
 * angle brackets, a markdown link, HTML entities. The schema must take what is left, and it must
 * not take two things that could be left.
 */
export const cleanText: Edit = {
  name: "clean-text",
  level: "safe",
  cost: 1,
  propose(value, want) {
    if (typeof value !== "string" || value.length > 10_000) return [];
    if (want.of("string").every(({ values }) => values !== undefined)) return [];
    const trimmed = value.trim();
    if (trimmed === "") return [];
    if (trimmed !== value && want.node.accepts(trimmed)) return [trimmed];
    const link = linkOf(trimmed);
    const ways = [
      withoutQuotesAround(trimmed),
      unbracketed(trimmed),
      decoded(trimmed),
      ...(link ?? []),
    ];
    const cleaned = [...new Set(ways)].filter((text) => text !== trimmed && text !== "");
    const [only, ...others] = cleaned.filter((text) => want.node.accepts(text));
    if (only === undefined || others.length > 0) return [];
    return link !== undefined && showsOther(link) ? [] : [only];
  },
  reason: () => VALUES.whatIsLeft,
};

function withoutQuotesAround(text: string): string {
  const [first = ""] = text;
  const inner = text.slice(1, -1);
  const isQuoted = text.length > 2 && text.endsWith(first) && `"'\``.includes(first);
  return isQuoted && !/["'`]/.test(inner) ? inner.trim() : text;
}

function unbracketed(text: string): string {
  const inner = text.slice(1, -1);
  return text.startsWith("<") && text.endsWith(">") && !/[<>\s]/.test(inner) ? inner : text;
}

/** What a markdown link shows, and where it leads. */
function linkOf(text: string): readonly [string, string] | undefined {
  const between = text.indexOf("](");
  if (!text.startsWith("[") || !text.endsWith(")") || between < 0) return undefined;
  const [shown, target] = [text.slice(1, between), text.slice(between + 2, -1)];
  if (/[[\]]/.test(shown) || /[()\s]/.test(target)) return undefined;
  return [shown.trim(), unbracketed(target)];
}

/** Whether a link shows an address other than where it leads. */
function showsOther([shown, target]: readonly [string, string]): boolean {
  const plain = (address: string) =>
    address
      .toLowerCase()
      .replace(/^(?:https?:\/\/|mailto:|tel:)?(?:www\.)?/, "")
      .replace(/\/$/, "");
  const isAddress = !/\s/.test(shown) && /[^.]\.[^.]|@|:\/\//.test(shown);
  return isAddress && plain(shown) !== plain(target);
}

const ENTITIES: { readonly [entity: string]: string } = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
  "&amp;": "&",
};

function decoded(text: string): string {
  return text.replace(/&(?:lt|gt|quot|#39|apos|amp);/g, (entity) => ENTITIES[entity] ?? entity);
}
