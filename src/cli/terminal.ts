/** What a command may use of the world. */
export interface Terminal {
  /** The project's folder. */
  readonly project: string;
  /** The folder of the patches that toolmend ships. */
  readonly patches: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  out(line: string): void;
  err(line: string): void;
  readInput(): Promise<string>;
}

/** A command: what is left of the arguments, and the exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => number | Promise<number>;

/**
 * Lays out rows in columns.
 *
 * @param rows The rows; the first is the heading.
 */
export function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
