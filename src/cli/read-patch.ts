import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type KnownPatch, patchFileOf } from "./known-patches.ts";
import { type FilePatch, parsePatch } from "./parse-patch.ts";

/**
 * Reads a patch that toolmend ships.
 *
 * @param patch The patch.
 * @param patches The folder of the patches.
 * @returns What it changes; paths are from the package's folder.
 */
export function readPatch(patch: KnownPatch, patches: string): readonly FilePatch[] {
  return parsePatch(patchTextOf(patch, patches)).map(({ path, hunks }) => ({
    path: path.slice(modulesPath(patch).length),
    hunks,
  }));
}

/**
 * Reads a patch as a diff whose paths begin in the package's folder, as pnpm and yarn take it.
 *
 * @param patch The patch.
 * @param patches The folder of the patches.
 */
export function printPatch(patch: KnownPatch, patches: string): string {
  const path = modulesPath(patch);
  return patchTextOf(patch, patches)
    .replaceAll(`a/${path}`, "a/")
    .replaceAll(`b/${path}`, "b/")
    .trimEnd();
}

function patchTextOf(patch: KnownPatch, patches: string): string {
  return readFileSync(join(patches, patchFileOf(patch)), "utf8");
}

function modulesPath({ name }: KnownPatch): string {
  return `node_modules/${name}/`;
}
