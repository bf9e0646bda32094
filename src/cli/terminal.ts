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
  /** Shows a line in the place of the one that it showed before; absent where nobody watches. */
  readonly status?: ((line: string) => void) | undefined;
}

/** A command: what is left of the arguments, and the exit code. */
export type Command = (args: readonly string[], terminal: Terminal) => number | Promise<number>;

/**
 * Lays out rows in columns.
 *
 * @param rows The rows; the first is the heading.
 * @param numbers The columns that are set to the right, counted from 0. Default: none.
 */
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

/** How long nothing is shown, and how often something, in milliseconds. */
const PATIENCE = 400;
const PACE = 100;

const WIDTH = 24;

/** A bar that grows. */
export interface Progress {
  update(progress: { readonly done: number; readonly total: number }): void;
  /** Takes the bar away. */
  end(): void;
}

/**
 * Shows on a terminal how far long work is. Where nobody watches, nothing is shown.
 *
 * @param terminal The terminal.
 * @param doing What is done, in a word.
 */
export function showProgress({ status }: Terminal, doing: string): Progress {
  if (status === undefined) return { update: () => {}, end: () => {} };
  let next = Date.now() + PATIENCE;
  let isShown = false;
  return {
    update({ done, total }) {
      const now = Date.now();
      if (now < next || total === 0) return;
      next = now + PACE;
      isShown = true;
      const share = Math.min(1, done / total);
      const full = Math.round(share * WIDTH);
      status(`${doing} ${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${Math.floor(share * 100)}%`);
    },
    end() {
      if (isShown) status("");
      isShown = false;
    },
  };
}
