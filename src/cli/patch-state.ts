import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FilePatch, Hunk } from "./parse-patch.ts";

/**
 * `changed`: a file is neither what the patch was made for nor what it makes of it. `partly applied`: each file
 * is one of the two, as after a run that was ended in the middle.
 */
export type PatchState = "applied" | "not applied" | "partly applied" | "changed";

/** How a file of a package stands to its patch. */
export type FileState = Exclude<PatchState, "partly applied">;

/**
 * Finds out whether a patch is applied to a package, by comparing files.
 *
 * @param files What the patch changes; its version must be the one installed.
 * @param folder The package's folder.
 */
export function patchState(files: readonly FilePatch[], folder: string): PatchState {
  const states = new Set(files.map((file) => fileState(textOf(join(folder, file.path)), file)));
  if (states.has("changed")) return "changed";
  if (states.size > 1) return "partly applied";
  return states.has("applied") ? "applied" : "not applied";
}

/**
 * Finds out whether a patch is applied to a text: every hunk must stand at its very line. Lines may end as on
 * Windows.
 *
 * @param text What is in the file; `undefined` where it cannot be read.
 * @param patch What the patch changes in it.
 */
export function fileState(text: string | undefined, { hunks }: FilePatch): FileState {
  if (text === undefined) return "changed";
  const lines = text.split(/\r?\n/);
  const stands = (at: (hunk: Hunk) => number, what: (hunk: Hunk) => readonly string[]) =>
    hunks.every((hunk) => what(hunk).every((line, i) => lines[at(hunk) + i] === line));
  const isApplied = stands(
    ({ newStart }) => newStart,
    ({ after }) => after,
  );
  if (isApplied) return "applied";
  const isAsPublished = stands(
    ({ oldStart }) => oldStart,
    ({ before }) => before,
  );
  return isAsPublished ? "not applied" : "changed";
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
