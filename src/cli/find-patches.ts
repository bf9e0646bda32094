import { join } from "node:path";
import { readManifest } from "../langchain/register/read-manifest.ts";
import { KNOWN_PATCHES, type KnownPatch } from "./known-patches.ts";
import { type PatchState, patchState } from "./patch-state.ts";

/** A package that there are patches for, as a project has it. */
export interface PatchableCopy {
  readonly name: string;
  readonly installed: string;
  /** The versions that have a patch. */
  readonly patchable: readonly string[];
  /** The patch for the installed version, where there is one. */
  readonly patch?: KnownPatch;
  readonly state: PatchState | "no patch for this version";
}

/**
 * Finds out which patches fit a project, and which are applied.
 *
 * @param project The project's folder.
 * @param patches The folder of the patches.
 * @returns One entry for each package that is installed and has a patch for any version.
 */
export function findPatches(project: string, patches: string): readonly PatchableCopy[] {
  const names = [...new Set(KNOWN_PATCHES.map(({ name }) => name))];
  return names.flatMap((name): readonly PatchableCopy[] => {
    const installed = installedVersion(name, project);
    if (installed === undefined) return [];
    const known = KNOWN_PATCHES.filter((patch) => patch.name === name);
    const patchable = known.map(({ version }) => version);
    const patch = known.find(({ version }) => version === installed);
    if (patch === undefined) {
      return [{ name, installed, patchable, state: "no patch for this version" }];
    }
    const state = patchState(patch, project, patches);
    return [{ name, installed, patchable, patch, state }];
  });
}

function installedVersion(name: string, project: string): string | undefined {
  const version = readManifest(join(project, "node_modules", name))?.version;
  return typeof version === "string" ? version : undefined;
}
