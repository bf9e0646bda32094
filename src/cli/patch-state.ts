import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type KnownPatch, patchFileOf } from "./known-patches.ts";
import { type FilePatch, type Hunk, parsePatch } from "./parse-patch.ts";

/** `changed`: the files are neither what the patch was made for nor what it makes of them. */
export type PatchState = "applied" | "not applied" | "changed";

/**
 * Tells whether a patch is applied to a project, by comparing files.
 *
 * @param patch The patch; its version must be the one installed.
 * @param project The project's folder.
 * @param patches The folder of the patches.
 */
export function patchState(patch: KnownPatch, project: string, patches: string): PatchState {
  const files = parsePatch(readFileSync(join(patches, patchFileOf(patch)), "utf8"));
  const states = files.map((file) => fileState(file, project));
  if (states.every((state) => state === "applied")) return "applied";
  return states.every((state) => state === "not applied") ? "not applied" : "changed";
}

function fileState({ path, hunks }: FilePatch, project: string): PatchState {
  const file = join(project, path);
  if (!existsSync(file)) return "changed";
  const lines = readFileSync(file, "utf8").split("\n");
  const stands = (at: (hunk: Hunk) => number, what: (hunk: Hunk) => readonly string[]) =>
    hunks.every((hunk) => what(hunk).every((line, i) => lines[at(hunk) + i] === line));
  if (
    stands(
      ({ newStart }) => newStart,
      ({ after }) => after,
    )
  )
    return "applied";
  if (
    stands(
      ({ oldStart }) => oldStart,
      ({ before }) => before,
    )
  )
    return "not applied";
  return "changed";
}
