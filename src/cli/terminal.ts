/** What a command may use of the world. */
export interface Terminal {
  /** The project's folder. */
  readonly project: string;
  /** toolmend's own version. */
  readonly version: string;
  /** The folder of the patches that toolmend ships. */
  readonly patches: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  out(line: string): void;
  err(line: string): void;
  readInput(): Promise<string>;
  /** What is on the input, in parts. */
  openInput(): AsyncIterable<Uint8Array | string>;
}

/** A command: what is left of the arguments, and the exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => number | Promise<number>;

/** Lays out rows in columns. */
export function toTable(
  rows: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          numbers.includes(column)
            ? cell.padStart(widths[column] ?? 0)
            : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
