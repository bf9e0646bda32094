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
  readCopy,
  readManifest,
} from "../langchain/register/packages.ts";
import { SUPPORTED_PACKAGES } from "../langchain/register/supported-versions.ts";

/** What code may use undeclared if it is installed for the workspace. */
export const ALWAYS: readonly string[] = [
  ...SUPPORTED_PACKAGES.map(({ name }) => name),
  ...["@langchain/langgraph", "zod"],
];

/**
 * Lists the packages that the code of a project can load, and of the members of its workspace that are linked into its
 * node_modules, as npm and yarn do: those installed in each, those it declares, and the same for each of them. Another
 * member, or a package above the workspace, is listed only if it is declared.
 */
export function listPackages(project: string, withMembers: boolean): readonly PackageCopy[] {
  const workspace = workspaceOf(project);
  const found = new Map<string, PackageCopy>(); // by issuer: the same copy may get other peers
  const add = (copy: PackageCopy | undefined) => {
    if (copy !== undefined && !found.has(copy.issuer)) found.set(copy.issuer, copy);
  };
  const visit = (folder: string, names: readonly string[], within?: string) => {
    for (const one of packagesIn(join(folder, "node_modules"))) {
      if (!(one.isLink && isMemberOf(one.folder, folder))) add(readCopy(one.folder));
    }
    for (const name of names) add(findPackage(name, folder, within));
  };
  for (const program of [project, ...(withMembers ? membersOf(project) : [])]) {
    const manifest = readManifest(program) ?? {};
    visit(program, [...namesIn(manifest), ...Object.keys(manifest.devDependencies ?? {})]);
    for (const name of ALWAYS) add(findPackage(name, program, workspace));
  }
  // A map also iterates over what is added meanwhile.
  for (const { issuer, manifest } of found.values()) {
    // A package outside the workspace, reached by a link, has its own dependencies above it.
    visit(issuer, namesIn(manifest), isInside(issuer, workspace) ? workspace : undefined);
  }
  return [...new Map([...found.values()].map((copy) => [copy.folder, copy])).values()];
}

/** The members of a workspace that are linked into the node_modules of its root. */
export function membersOf(project: string): readonly string[] {
  return packagesIn(join(project, "node_modules")).flatMap(({ isLink, folder }) =>
    isLink && isMemberOf(folder, project) ? [folder] : [],
  );
}

function namesIn({ dependencies, optionalDependencies, peerDependencies }: Manifest) {
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
}

/** Finds the root of the workspace that a project is in; outside a workspace, the project. */
export function workspaceOf(project: string): string {
  const isRoot = (folder: string) =>
    existsSync(join(folder, "pnpm-workspace.yaml")) ||
    readManifest(folder)?.workspaces !== undefined;
  return foldersAbove(project).find(isRoot) ?? project;
}

/** Says where to run a command that found no LangChain. */
export const whereToRun = (command: string): string =>
  `Run ${command} where the project's package.json is, after an install; in a pnpm workspace ` +
  `\`pnpm -r exec toolmend ${command}\`, with Yarn Plug'n'Play \`yarn toolmend ${command}\``;
