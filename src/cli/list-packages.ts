import { join } from "node:path";
import { findPackage, type PackageCopy, readCopy } from "../langchain/register/find-package.ts";
import { isMemberOf, packagesIn, realFolder } from "../langchain/register/packages-in.ts";
import { readManifest } from "../langchain/register/read-manifest.ts";

/** What code may use without asking for it, where it is installed above: of these, doctor says what is wrong. */
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
 * listed only where it is asked for.
 *
 * @param project The project's folder.
 * @returns Each copy once, the project's own first.
 */
export function listPackages(project: string): readonly PackageCopy[] {
  const read = remember(readCopy);
  const found = new Map<string, PackageCopy>();
  const own = realFolder(project) ?? project;
  const { devDependencies } = readManifest(own) ?? {};
  add(installedIn(own, read));
  add(askedForBy(own, [...Object.keys(devDependencies ?? {}), ...ALWAYS], read));
  // A map hands out what is added to it meanwhile.
  for (const folder of found.keys()) {
    add(installedIn(folder, read));
    add(askedForBy(folder, [], read));
  }
  return [...found.values()];

  function add(copies: readonly PackageCopy[]): void {
    for (const copy of copies) if (!found.has(copy.folder)) found.set(copy.folder, copy);
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

type Read = (folder: string) => PackageCopy | undefined;

function installedIn(folder: string, read: Read): readonly PackageCopy[] {
  return packagesIn(join(folder, "node_modules"))
    .filter((one) => !(one.isLink && isMemberOf(one.folder, folder)))
    .flatMap((one) => read(one.folder) ?? []);
}

function askedForBy(folder: string, others: readonly string[], read: Read): readonly PackageCopy[] {
  const { dependencies, optionalDependencies, peerDependencies } = readManifest(folder) ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return [...names, ...others].flatMap((name) => findPackage(name, folder, read) ?? []);
}

function remember(read: Read): Read {
  const known = new Map<string, PackageCopy | undefined>();
  return (folder) => {
    if (!known.has(folder)) known.set(folder, read(folder));
    return known.get(folder);
  };
}
