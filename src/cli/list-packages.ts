import { existsSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { findPackage, type PackageCopy, readCopy } from "../langchain/register/find-package.ts";
import { isInside } from "../langchain/register/is-inside.ts";
import { isMemberOf, packagesIn, realFolder } from "../langchain/register/packages-in.ts";
import { type Manifest, readManifest } from "../langchain/register/read-manifest.ts";

/** What code may use without asking for it, where it is installed for the workspace. */
const ALWAYS = [
  "@langchain/core",
  "@langchain/classic",
  "@langchain/langgraph",
  "langchain",
  "zod",
];

/**
 * Lists the packages that a project's code can come to load: what is installed in it, what it asks for, found as
 * Node.js finds it, also in a folder above, and the same for each of those. Another member of the workspace is
 * listed only where it is asked for; what is installed above for another project, only where this one asks for it.
 *
 * @param project The project's folder.
 * @param read Reads a folder. Default: anew; whoever lists several projects gives one that remembers.
 * @returns Each copy once, the project's own first.
 */
export function listPackages(
  project: string,
  read: ReadCopy = rememberCopies(),
): readonly PackageCopy[] {
  const found = new Map<string, PackageCopy>();
  const own = realFolder(project) ?? project;
  const within = workspaceOf(own);
  const { devDependencies, dependencies } = readManifest(own) ?? {};
  add(installedIn(own, read));
  add(find(own, Object.keys({ ...dependencies, ...devDependencies })));
  add(find(own, ALWAYS, within));
  add(reachedFrom(own, readManifest(own)));
  // A map hands out what is added to it meanwhile.
  for (const { folder, manifest } of found.values()) add(reachedFrom(folder, manifest));
  return [...found.values()];

  function add(copies: readonly PackageCopy[]): void {
    for (const copy of copies) if (!found.has(copy.folder)) found.set(copy.folder, copy);
  }

  function reachedFrom(folder: string, manifest: Manifest = {}): readonly PackageCopy[] {
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    // A package that lies elsewhere, by a link, has its own above it.
    const limit = isInside(folder, within) ? within : undefined;
    return [...installedIn(folder, read), ...find(folder, names, limit)];
  }

  function find(from: string, names: readonly string[], limit?: string): readonly PackageCopy[] {
    return names.flatMap((name) => findPackage(name, from, { read, within: limit }) ?? []);
  }
}

/**
 * Lists the members of a workspace that are linked into its node_modules, as npm and yarn do.
 *
 * @param project The workspace's folder.
 */
export function listMembers(project: string): readonly PackageCopy[] {
  const own = realFolder(project) ?? project;
  return packagesIn(join(own, "node_modules"))
    .filter(({ isLink }) => isLink)
    .filter(({ folder }) => isMemberOf(folder, own))
    .flatMap(({ folder }) => readCopy(folder) ?? []);
}

/** Reads what is installed in a folder. */
export type ReadCopy = (folder: string) => PackageCopy | undefined;

function installedIn(folder: string, read: ReadCopy): readonly PackageCopy[] {
  return packagesIn(join(folder, "node_modules"))
    .filter((one) => !(one.isLink && isMemberOf(one.folder, folder)))
    .flatMap((one) => read(one.folder) ?? []);
}

/** Reads each folder once: the members of a workspace have most packages in common. */
export function rememberCopies(): ReadCopy {
  const known = new Map<string, PackageCopy | undefined>();
  return (folder) => {
    if (!known.has(folder)) known.set(folder, readCopy(folder));
    return known.get(folder);
  };
}

/**
 * Finds the folder of the workspace that a project is in: the nearest, from its own upwards, that says that it is one.
 *
 * @param project The project's real folder.
 * @returns Its own, where there is none.
 */
export function workspaceOf(project: string): string {
  for (let folder = project; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
    if (readManifest(folder)?.workspaces !== undefined) return folder;
    if (dirname(folder) === folder) return project;
  }
}

/**
 * Says where a command finds LangChain, when it found none.
 *
 * @param project The folder that it was run in.
 * @param command The command.
 */
export function whereToRun(project: string, command: string): string {
  if (!("findPnpApi" in module) && hasAbove(project, ".pnp.cjs")) {
    return `This project uses Yarn Plug'n'Play, which only yarn's own processes can read: \`yarn toolmend ${command}\`.`;
  }
  if (existsSync(join(project, "pnpm-workspace.yaml"))) {
    return `Run ${command} in the members of the workspace, after pnpm install: \`pnpm -r exec toolmend ${command}\`.`;
  }
  return `Run ${command} where the project's package.json is, after npm install.`;
}

function hasAbove(from: string, name: string): boolean {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return true;
    if (dirname(folder) === folder) return false;
  }
}
