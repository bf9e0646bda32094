import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** A line of a cell, in one style. */
export interface StyledLine {
  readonly text: string;
  readonly style?: Style;
}

/** A row: one cell for each column, each of any number of lines. */
export type Row = readonly (readonly StyledLine[])[];

/**
 * Draws a table. Long lines are wrapped to the columns' widths.
 *
 * @param widths The width of each column, in characters.
 * @param header The titles of the columns.
 * @param rows The rows.
 * @returns The lines.
 */
export function drawTable(
  widths: readonly number[],
  header: readonly string[],
  rows: readonly Row[],
): string[] {
  const rule = paint(widths.map((width) => "─".repeat(width)).join("─┼─"), "dim");
  const titles = header.map((text) => [{ text, style: "bold" as const }]);
  return [titles, ...rows].flatMap((row) => [...drawRow(widths, row), rule]);
}

function drawRow(widths: readonly number[], row: Row): string[] {
  const cells = row.map((lines, column) =>
    lines.flatMap(({ text, style }) =>
      wrapText(text, widths[column] ?? 0).map((part) => ({ text: part, style })),
    ),
  );
  const height = Math.max(...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_, line) =>
    cells
      .map((cell, column) => {
        const { text, style } = cell[line] ?? { text: "", style: undefined };
        return paint(text.padEnd(column === cells.length - 1 ? 0 : (widths[column] ?? 0)), style);
      })
      .join(paint(" │ ", "dim"))
      .trimEnd(),
  );
}

/**
 * Wraps a text after spaces and commas, and inside a word only if it is too long for a line.
 * Wrapped lines keep the text's indent, plus two.
 *
 * @param text The text; its line breaks are kept.
 * @param width The maximum length of a line.
 */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const indent = " ".repeat(Math.min(line.search(/[^ ]|$/) + 2, width - 1));
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=[ ,])(?=[^ ])/)) {
    if (lines.length + current.length > 0 && (current + word).trimEnd().length > width) {
      lines.push(current.trimEnd());
      current = indent;
    }
    current += word;
    while (current.trimEnd().length > width) {
      lines.push(current.slice(0, width));
      current = indent + current.slice(width);
    }
  }
  return [...lines, current.trimEnd()];
}

/** Styles a text, on a terminal that supports colour. */
export function paint(text: string, style: Style | undefined): string {
  const wanted = process.stdout.isTTY && !process.env.NO_COLOR;
  return wanted && style !== undefined ? styleText(style, text) : text;
}
