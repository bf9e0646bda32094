import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { isInside } from "../langchain/register/is-inside.ts";
import { realFolder } from "../langchain/register/packages-in.ts";
import { workspaceOf } from "./workspace-of.ts";

/** Why a package is not the project's alone, and what does work there. */
export interface Sharing {
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Finds out whether other projects use the very folder of a package: a store that pnpm links to, an archive of
 * Yarn Plug'n'Play, a folder above that is somebody else's. A file that is a hard link into a store is none of
 * these: it is replaced, not written to.
 *
 * @param folder The package's real folder.
 * @param project The project's folder.
 * @returns Nothing where the package lies in the project, or in the workspace that it belongs to.
 */
export function findSharing(folder: string, project: string): Sharing | undefined {
  const own = realFolder(project) ?? project;
  if (folder.includes(`.zip${sep}`)) {
    return {
      reason: "it lies in an archive of Yarn Plug'n'Play",
      remedy:
        'let yarn patch it: `yarn toolmend patch --print` writes the patch for "resolutions" (docs/patches-in-ci.md, "pnpm and yarn"), or set nodeLinker: node-modules',
    };
  }
  const root = workspaceOf(own);
  if (isInside(folder, root)) return undefined;
  const owner = ownerOf(folder);
  if (owner !== undefined && isInside(own, owner)) {
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
      ? 'let pnpm patch it: `npx toolmend patch --print` writes the patch for "patchedDependencies" (docs/patches-in-ci.md, "pnpm and yarn"), or set enableGlobalVirtualStore: false'
      : "install it in the project itself, or give --force where no other project uses it",
  };
}

/** The project in whose node_modules a folder is. */
function ownerOf(folder: string): string | undefined {
  const parts = folder.split(sep);
  const at = parts.indexOf("node_modules");
  return at < 0 ? undefined : parts.slice(0, at).join(sep);
}
