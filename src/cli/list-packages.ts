import { existsSync } from "node:fs";
import module from "node:module";
import { join } from "node:path";
import {
  findPackage,
  foldersAbove,
  isInside,
  isMemberOf,
  type Manifest,
  type PackageCopy,
  packagesIn,
  type ReadCopy,
  readCopy,
  readManifest,
  realFolder,
} from "../langchain/register/packages.ts";

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
 */
export function listPackages(
  project: string,
  read: ReadCopy = rememberCopies(),
): readonly PackageCopy[] {
  const found = new Map<string, PackageCopy>(); // by issuer: the same copy may get other peers
  const own = realFolder(project) ?? project;
  const within = workspaceOf(own);
  const manifest = readManifest(own) ?? {};
  addInstalled(own);
  addNamed(own, { ...manifest.dependencies, ...manifest.devDependencies });
  addNamed(own, Object.fromEntries(ALWAYS.map((name) => [name, "*"])), within);
  addReached(own, manifest);
  // A map hands out what is added to it meanwhile.
  for (const copy of found.values()) {
    addInstalled(copy.issuer);
    addReached(copy.issuer, copy.manifest);
  }
  return [...new Map([...found.values()].map((copy) => [copy.folder, copy])).values()];

  function add(copy: PackageCopy | undefined): void {
    if (copy !== undefined && !found.has(copy.issuer)) found.set(copy.issuer, copy);
  }

  function addInstalled(folder: string): void {
    for (const one of packagesIn(join(folder, "node_modules"))) {
      if (!(one.isLink && isMemberOf(one.folder, folder))) add(read(one.folder));
    }
  }

  function addReached(folder: string, asking: Manifest): void {
    const { dependencies, optionalDependencies, peerDependencies } = asking;
    // A package that lies elsewhere, by a link, has its own above it.
    const limit = isInside(folder, within) ? within : undefined;
    addNamed(folder, { ...dependencies, ...optionalDependencies, ...peerDependencies }, limit);
  }

  function addNamed(from: string, names: object, limit?: string): void {
    for (const name of Object.keys(names)) add(findPackage(name, from, { read, within: limit }));
  }
}

/** Lists the members of a workspace that are linked into its node_modules, as npm and yarn do. */
export function listMembers(project: string): readonly PackageCopy[] {
  const own = realFolder(project) ?? project;
  return packagesIn(join(own, "node_modules"))
    .filter(({ isLink, folder }) => isLink && isMemberOf(folder, own))
    .flatMap(({ folder }) => readCopy(folder) ?? []);
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
 */
export function workspaceOf(project: string): string {
  const isRoot = (folder: string) =>
    existsSync(join(folder, "pnpm-workspace.yaml")) ||
    readManifest(folder)?.workspaces !== undefined;
  return foldersAbove(project).find(isRoot) ?? project;
}

/** Says where a command finds LangChain, when it found none. */
export function whereToRun(project: string, command: string): string {
  const hasPnp = foldersAbove(project).some((folder) => existsSync(join(folder, ".pnp.cjs")));
  if (!("findPnpApi" in module) && hasPnp) {
    return `This project uses Yarn Plug'n'Play, which only yarn's own processes can read: \`yarn toolmend ${command}\`.`;
  }
  if (existsSync(join(project, "pnpm-workspace.yaml"))) {
    return `Run ${command} in the members of the workspace, after pnpm install: \`pnpm -r exec toolmend ${command}\`.`;
  }
  return `Run ${command} where the project's package.json is, after npm install.`;
}
