import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FilePatch } from "./parse-patch.ts";
import { type FileState, fileState } from "./patch-state.ts";
import { replaceFiles } from "./replace-files.ts";

/**
 * Applies a patch to a package, or takes it back: all its files or none.
 *
 * @param files What the patch changes; the package must not be "changed".
 * @param folder The package's folder.
 * @param wanted What is to be.
 * @throws Error when a file cannot be written; then all are as they were.
 */
export function turnPatch(
  files: readonly FilePatch[],
  folder: string,
  wanted: Exclude<FileState, "changed">,
): void {
  const replaced = new Map<string, string>();
  for (const file of files) {
    const path = join(folder, file.path);
    const text = readFileSync(path, "utf8");
    const state = fileState(text, file);
    if (state === "changed") throw new Error(`${path} was changed meanwhile`);
    if (state !== wanted) replaced.set(path, turnText(text, file, wanted));
  }
  replaceFiles(replaced);
}

function turnText(text: string, { hunks }: FilePatch, wanted: FileState): string {
  const isBack = wanted === "not applied";
  const lines = text.split("\n");
  // From the last to the first: those before keep their lines.
  for (const { oldStart, newStart, before, after } of hunks.toReversed()) {
    const [start, from, to] = isBack ? [newStart, after, before] : [oldStart, before, after];
    const end = lines[start]?.endsWith("\r") ? "\r" : "";
    lines.splice(start, from.length, ...to.map((line) => line + end));
  }
  return lines.join("\n");
}
