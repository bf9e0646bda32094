import { existsSync } from "node:fs";
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
} from "../langchain/register/packages.ts";
import { SUPPORTED_PACKAGES } from "../langchain/register/supported-versions.ts";

/** What code may use undeclared if it is installed for the workspace. */
export const ALWAYS: readonly string[] = [
  ...SUPPORTED_PACKAGES.map(({ name }) => name),
  ...["@langchain/langgraph", "zod"],
];

/** A project, or a member of its workspace, and the packages that its code can load. */
export interface Program {
  readonly folder: string;
  readonly installed: readonly PackageCopy[];
}

/** Lists a project and the members of its workspace that are linked into its node_modules, as npm and yarn do. */
export function listPrograms(project: string): readonly Program[] {
  // Each folder is read once: the members of a workspace have most packages in common.
  const known = new Map<string, PackageCopy | undefined>();
  const read: ReadCopy = (folder) => {
    if (!known.has(folder)) known.set(folder, readCopy(folder));
    return known.get(folder);
  };
  const members = packagesIn(join(project, "node_modules"))
    .filter(({ isLink, folder }) => isLink && isMemberOf(folder, project))
    .flatMap(({ folder }) => read(folder)?.folder ?? []);
  return [project, ...members].map((folder) => ({ folder, installed: listPackages(folder, read) }));
}

/**
 * Lists the packages that a program's code can load: those installed in it, those it declares, and the same for each
 * of them. Another member of the workspace, or a package above the workspace, is listed only if it is declared.
 */
function listPackages(program: string, read: ReadCopy): readonly PackageCopy[] {
  const workspace = workspaceOf(program);
  const manifest = readManifest(program) ?? {};
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
  visit(program, manifest);
  addNamed(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }), program);
  addNamed(ALWAYS, program, workspace);
  // A map also iterates over what is added meanwhile.
  for (const copy of found.values()) visit(copy.issuer, copy.manifest);
  return [...new Map([...found.values()].map((copy) => [copy.folder, copy])).values()];
}

/** Finds the root of the workspace that a project is in; outside a workspace, the project. */
export function workspaceOf(project: string): string {
  const isRoot = (folder: string) =>
    existsSync(join(folder, "pnpm-workspace.yaml")) ||
    readManifest(folder)?.workspaces !== undefined;
  return foldersAbove(project).find(isRoot) ?? project;
}

/** Says where to run a command that found no LangChain. */
export function whereToRun(command: string): string {
  const others = `in a pnpm workspace \`pnpm -r exec toolmend ${command}\`, with Yarn Plug'n'Play \`yarn toolmend ${command}\``;
  return `Run ${command} where the project's package.json is, after an install; ${others}`;
}
