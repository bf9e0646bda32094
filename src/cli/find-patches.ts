import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside, type ReadCopy, realFolder } from "../langchain/register/packages.ts";
import { listMembers, listPackages, rememberCopies, workspaceOf } from "./list-packages.ts";
import {
  KNOWN_PATCHES,
  type KnownPatch,
  type PatchState,
  patchState,
  readPatch,
} from "./patch-files.ts";

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
  readonly patch?: KnownPatch | undefined;
  readonly state: PatchState | "no patch for this version";
  /** Why it is not written to: other projects use the very files. */
  readonly sharing?: Sharing | undefined;
}

/**
 * Finds out which patches fit a project and the members of its workspace, and which are applied.
 */
export function findPatches(
  project: string,
  patches: string,
  read: ReadCopy = rememberCopies(),
): readonly PatchableCopy[] {
  const programs = [project, ...listMembers(project).map(({ folder }) => folder)];
  const found = programs.flatMap((program) => listPackages(program, read));
  const copies = [...new Map(found.map((copy) => [copy.folder, copy])).values()];
  return [...new Set(KNOWN_PATCHES.map(({ name }) => name))].flatMap((name) => {
    const known = KNOWN_PATCHES.filter((patch) => patch.name === name);
    const named = copies.filter((copy) => copy.name === name);
    return named.map(({ version: installed, folder }, i) => {
      const patch = known.find(({ version }) => version === installed);
      return {
        name,
        installed,
        folder,
        title: `${name} ${installed}${i === 0 ? "" : ` in ${relative(project, folder)}`}`,
        patchable: known.map(({ version }) => version),
        patch,
        state: patch ? patchState(readPatch(patch, patches), folder) : "no patch for this version",
        sharing: findSharing(folder, project),
      };
    });
  });
}

/** Why a package is not the project's alone, and what does work there. */
export interface Sharing {
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Finds out whether other projects use the very folder of a package: a store that pnpm links to, an archive of
 * Yarn Plug'n'Play, a folder above that is somebody else's. A file that is a hard link into a store is none of
 * these: it is replaced, not written to.
 */
function findSharing(folder: string, project: string): Sharing | undefined {
  const own = realFolder(project) ?? project;
  if (folder.includes(`.zip${sep}`)) {
    return {
      reason: "it lies in an archive of Yarn Plug'n'Play",
      remedy:
        "let yarn patch it: `yarn toolmend patch --print` writes the patch for " +
        '"resolutions" (docs/patches.md), or set nodeLinker: node-modules',
    };
  }
  const root = workspaceOf(own);
  if (isInside(folder, root)) return undefined;
  const [owner = folder, ...installed] = folder.split(`${sep}node_modules${sep}`);
  if (installed.length > 0 && isInside(own, owner)) {
    return {
      reason: `it lies in ${owner}, which is another project`,
      remedy: "run `npx toolmend patch` there, or install it here",
    };
  }
  const isPnpm = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "node_modules/.modules.yaml"].some(
    (name) => existsSync(join(root, name)),
  );
  return {
    reason: `it lies in ${folder}, where other projects may use it`,
    remedy: isPnpm
      ? "let pnpm patch it: `npx toolmend patch --print` writes the patch for " +
        '"patchedDependencies" (docs/patches.md), or set enableGlobalVirtualStore: false'
      : "install it in the project itself, or give --force where no other project uses it",
  };
}

/** Says what is wrong with a copy, with which versions, and what to do. */
export function describeState(copy: PatchableCopy): string {
  const { name, installed, title, patchable, state, sharing } = copy;
  if (state === "not applied") {
    return sharing
      ? `${title}: its patch is not applied, and ${sharing.reason}. To patch it, ${sharing.remedy}.`
      : `${title}: its patch is not applied. Run \`npx toolmend patch\`, in the \`postinstall\` script for instance.`;
  }
  if (state === "partly applied") {
    return `${title}: its patch is applied to some of its files only. Run \`npx toolmend patch\` again, or --reverse.`;
  }
  if (state === "changed") {
    const why = "its files are not those that the patch was made for, nor what this toolmend's";
    return `${title}: ${why} patch makes of them. Install the package anew, without other patches.`;
  }
  const versions = patchable.join(", ").replace(/, (?=[^,]*$)/, " and ");
  const other = `${name}@${nearest(installed, patchable)}`;
  const remedy = `Install ${other}, or a toolmend that has a patch for ${installed}`;
  return `${title} is installed, and the patch is for ${versions}. ${remedy}; --partial leaves it out.`;
}

/** Of several versions the one that begins most alike. */
function nearest(version: string, versions: readonly string[]): string | undefined {
  const parts = version.split(".");
  const likeness = (other: string) => other.split(".").findIndex((part, i) => part !== parts[i]);
  return versions.toSorted((one, other) => likeness(other) - likeness(one))[0];
}
