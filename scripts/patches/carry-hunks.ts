import type { Hunk } from "../../src/cli/patch.ts";

/** A hunk that was not carried over. */
export interface Misfit {
  /** Counted from 1, as in the READMEs. */
  readonly hunk: number;
  readonly reason: string;
  readonly lines: readonly string[];
}

/**
 * Applies the hunks of one version's patch to the file of another version, wherever their lines occur exactly
 * once. If they do not, context lines are ignored, from the outside in.
 *
 * @param text The file as published.
 * @param hunks The changes of the patch to it.
 * @returns The file with all hunks that fit, and the hunks that do not.
 */
export function carryHunks(
  text: string,
  hunks: readonly Hunk[],
): { readonly text: string; readonly misfits: readonly Misfit[] } {
  const lines = text.split("\n");
  const misfits: Misfit[] = [];
  const edits: { at: number; before: readonly string[]; after: readonly string[] }[] = [];
  let cursor = 0;
  for (const [i, hunk] of hunks.entries()) {
    const found = findPlace(lines, hunk);
    if (typeof found === "string" || found.at < cursor) {
      const reason = typeof found === "string" ? found : "its place is before that of the last one";
      misfits.push({ hunk: i + 1, reason, lines: hunk.before });
      continue;
    }
    edits.push(found);
    cursor = found.at + found.before.length;
  }
  for (const { at, before, after } of edits.toReversed()) lines.splice(at, before.length, ...after);
  return { text: lines.join("\n"), misfits };
}

function findPlace(
  lines: readonly string[],
  { before, after }: Hunk,
): { at: number; before: readonly string[]; after: readonly string[] } | string {
  const lead = countAlike(before, after);
  const trail = countAlike(before.slice(lead).toReversed(), after.slice(lead).toReversed());
  let reason = "its lines are not there";
  for (let less = 0; less <= lead + trail; less++) {
    const found = new Map<number, { at: number; before: string[]; after: string[] }>();
    for (let from = Math.max(0, less - trail); from <= Math.min(less, lead); from++) {
      const to = less - from;
      const old = before.slice(from, before.length - to);
      if (old.every((line) => line.trim() === "")) continue;
      const [at, ...others] = placesOf(old, lines);
      if (others.length > 0) reason = `its lines stand in ${others.length + 1} places`;
      else if (at !== undefined) {
        // The change itself is there, however many context lines still count.
        found.set(at - from, { at, before: old, after: after.slice(from, after.length - to) });
      }
    }
    const [one, ...more] = found.values();
    if (more.length > 0) return `its lines fit in ${more.length + 1} places`;
    if (one !== undefined) return one;
  }
  return reason;
}

function countAlike(one: readonly string[], other: readonly string[]): number {
  const end = one.findIndex((line, i) => line !== other[i]);
  return end < 0 ? Math.min(one.length, other.length) : end;
}

function placesOf(wanted: readonly string[], lines: readonly string[]): readonly number[] {
  return lines.flatMap((_, at) => (wanted.every((line, i) => lines[at + i] === line) ? [at] : []));
}
