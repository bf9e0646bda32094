/** One place of a file that a patch changes. */
export interface Hunk {
  /** The line, counted from 0, at which it stands before the patch is applied. */
  readonly oldStart: number;
  /** The line at which it stands after. */
  readonly newStart: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What a patch changes in one file. */
export interface FilePatch {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Reads a unified diff of existing text files, as git and patch-package write it.
 *
 * @param text The diff.
 * @returns What it changes, file by file.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  const files: { path: string; hunks: Hunk[] }[] = [];
  let hunk: { before: string[]; after: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const numbers = HUNK.exec(line);
    if (line.startsWith("diff --git ")) {
      hunk = undefined;
    } else if (hunk === undefined && line.startsWith("+++ b/")) {
      files.push({ path: line.slice("+++ b/".length), hunks: [] });
    } else if (numbers !== null) {
      const [, oldLine, newLine] = numbers;
      const lines = { before: [], after: [] };
      hunk = lines;
      files.at(-1)?.hunks.push({
        oldStart: Number(oldLine) - 1,
        newStart: Number(newLine) - 1,
        ...lines,
      });
    } else if (hunk !== undefined && line !== "" && !line.startsWith("\\")) {
      if (!line.startsWith("+")) hunk.before.push(line.slice(1));
      if (!line.startsWith("-")) hunk.after.push(line.slice(1));
    }
  }
  return files;
}
