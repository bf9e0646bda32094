/** Markup that is put into other markup as it is. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | undefined | readonly Part[];

/**
 * Makes markup. Whatever is put in that is not markup itself is text, and stays text.
 *
 * @example
 * ```ts
 * html`<b>${"</b><script>"}</b>`.markup; // <b>&lt;/b&gt;&lt;script&gt;</b>
 * ```
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let markup = texts[0] ?? "";
  for (const [index, part] of parts.entries()) markup += toMarkup(part) + (texts[index + 1] ?? "");
  return { markup };
}

/** Takes a text of our own as markup. */
export function asMarkup(markup: string): Markup {
  return { markup };
}

function toMarkup(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return part.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
  if ("markup" in part) return part.markup;
  return part.map(toMarkup).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
