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

/** What code may use undeclared if it is installed for the workspace. */
export const ALWAYS: readonly string[] = [
  "@langchain/core",
  "@langchain/classic",
  "@langchain/langgraph",
  "langchain",
  "zod",
];

/**
 * Lists the packages that a project's code can load: those installed in it, those it declares, and the same for each
 * of them. Another member of the workspace, or a package above the workspace, is listed only if it is declared.
 */
export function listPackages(
  project: string,
  read: ReadCopy = rememberCopies(),
): readonly PackageCopy[] {
  const own = realFolder(project) ?? project;
  const workspace = workspaceOf(own);
  const manifest = readManifest(own) ?? {};
  const found = new Map<string, PackageCopy>(); // by issuer: the same copy may get other peers
  const add = (copy: PackageCopy | undefined) => {
    if (copy !== undefined && !found.has(copy.issuer)) found.set(copy.issuer, copy);
  };
  const addNamed = (names: readonly string[], from: string, within?: string) => {
    for (const name of names) add(findPackage(name, from, { read, within }));
  };
  const visit = (folder: string, asking: Manifest) => {
    for (const one of packagesIn(join(folder, "node_modules"))) {
      if (!(one.isLink && isMemberOf(one.folder, folder))) add(read(one.folder));
    }
    const { dependencies, optionalDependencies, peerDependencies } = asking;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    // A package outside the workspace, reached by a link, has its own dependencies above it.
    addNamed(names, folder, isInside(folder, workspace) ? workspace : undefined);
  };
  visit(own, manifest);
  addNamed(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }), own);
  addNamed(ALWAYS, own, workspace);
  // A map also iterates over what is added meanwhile.
  for (const copy of found.values()) visit(copy.issuer, copy.manifest);
  return [...new Map([...found.values()].map((copy) => [copy.folder, copy])).values()];
}

/** Lists the members of a workspace that are linked into its node_modules, as npm and yarn do. */
export function listMembers(project: string): readonly string[] {
  const own = realFolder(project) ?? project;
  return packagesIn(join(own, "node_modules"))
    .filter(({ isLink, folder }) => isLink && isMemberOf(folder, own))
    .flatMap(({ folder }) => readCopy(folder)?.folder ?? []);
}

/** Reads each folder once: the members of a workspace have most packages in common. */
export function rememberCopies(): ReadCopy {
  const known = new Map<string, PackageCopy | undefined>();
  return (folder) => {
    if (!known.has(folder)) known.set(folder, readCopy(folder));
    return known.get(folder);
  };
}

/** Finds the root of the workspace that a project is in; outside a workspace, the project. */
export function workspaceOf(project: string): string {
  const isRoot = (folder: string) =>
    existsSync(join(folder, "pnpm-workspace.yaml")) ||
    readManifest(folder)?.workspaces !== undefined;
  return foldersAbove(project).find(isRoot) ?? project;
}

/** Says where to run a command that found no LangChain. */
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
