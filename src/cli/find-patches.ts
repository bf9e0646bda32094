import { relative } from "node:path";
import type { PackageCopy } from "../langchain/register/find-package.ts";
import { findSharing, type Sharing } from "./find-sharing.ts";
import { KNOWN_PATCHES, type KnownPatch } from "./known-patches.ts";
import { listMembers, listPackages, type ReadCopy, rememberCopies } from "./list-packages.ts";
import { type PatchState, patchState } from "./patch-state.ts";
import { readPatch } from "./read-patch.ts";

/** A copy of a package that there are patches for. */
export interface PatchableCopy {
  readonly name: string;
  readonly installed: string;
  readonly folder: string;
  /** What it is called for people: with its folder, where it is not the one that the project itself gets. */
  readonly title: string;
  /** The versions that have a patch. */
  readonly patchable: readonly string[];
  /** The patch for the installed version, where there is one. */
  readonly patch?: KnownPatch;
  readonly state: PatchState | "no patch for this version";
  /** Why it is not written to: other projects use the very files. */
  readonly sharing?: Sharing;
}

/**
 * Finds out which patches fit a project and the members of its workspace, and which are applied.
 *
 * @param project The project's folder.
 * @param patches The folder of the patches.
 * @param read Reads a folder. Default: anew; whoever lists a project's packages, too, gives the one that remembers.
 * @returns One entry for each copy of a package that has a patch for any version.
 */
export function findPatches(
  project: string,
  patches: string,
  read: ReadCopy = rememberCopies(),
): readonly PatchableCopy[] {
  const programs = [project, ...listMembers(project).map(({ folder }) => folder)];
  const copies = new Map(
    programs
      .flatMap((program) => listPackages(program, read))
      .map((copy): [string, PackageCopy] => [copy.folder, copy]),
  );
  const names = [...new Set(KNOWN_PATCHES.map(({ name }) => name))];
  return names.flatMap((name) =>
    [...copies.values()]
      .filter((copy) => copy.name === name)
      .map((copy, i) => toPatchable({ copy, project, patches, isFirst: i === 0 })),
  );
}

interface Found {
  readonly copy: PackageCopy;
  readonly project: string;
  readonly patches: string;
  readonly isFirst: boolean;
}

function toPatchable({ copy, project, patches, isFirst }: Found): PatchableCopy {
  const { name, version: installed, folder } = copy;
  const known = KNOWN_PATCHES.filter((patch) => patch.name === name);
  const patch = known.find(({ version }) => version === installed);
  const sharing = findSharing(folder, project);
  return {
    name,
    installed,
    folder,
    title: `${name} ${installed}${isFirst ? "" : ` in ${relative(project, folder)}`}`,
    patchable: known.map(({ version }) => version),
    ...(patch === undefined
      ? { state: "no patch for this version" }
      : { patch, state: patchState(readPatch(patch, patches), folder) }),
    ...(sharing && { sharing }),
  };
}
