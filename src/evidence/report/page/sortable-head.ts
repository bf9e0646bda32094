import { asMarkup, html, type Markup } from "./html.ts";

/** A column of a table. */
export interface Column {
  readonly name: string;
  /** What it is sorted by: numbers (default), text, or not at all. */
  readonly kind?: "text" | "none";
  /** How it is sorted from the beginning. */
  readonly sorted?: "ascending" | "descending";
  /** Whether it is set like text, though it is numbers. */
  readonly wide?: boolean;
}

/**
 * Makes the head of a table that can be sorted. Each cell below has its value in `data-v`.
 *
 * @param columns The columns.
 */
export function sortableHead(columns: readonly Column[]): Markup {
  return html`<thead><tr>${columns.map(({ name, kind, sorted, wide }) => {
    const style = asMarkup(kind === undefined && wide !== true ? ' class="n"' : "");
    if (kind === "none") return html`<th scope="col"${style}>${name}</th>`;
    const sort = asMarkup(sorted === undefined ? "" : ` aria-sort="${sorted}"`);
    const glyph = sorted === undefined ? "↕" : sorted === "ascending" ? "↑" : "↓";
    return html`<th scope="col"${style}${sort} data-sort="${kind ?? "number"}"><button type="button">${name}<i aria-hidden="true">${glyph}</i></button></th>`;
  })}</tr></thead>`;
}
