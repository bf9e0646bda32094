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
 * Lists the packages that the code of a project can load, and of the members of
 * its workspace that are linked into its node_modules, as npm and yarn do:
 * those installed in each, those it declares, and the same for each of them.
 * Another member, or a package above the workspace, is listed only if it is
 * declared.
 */
export function listPackages(
  project: string,
  withMembers: boolean,
): readonly PackageCopy[] {
  const loadable = new LoadablePackages(workspaceOf(project));
  for (const program of withMembers
    ? [project, ...membersOf(project)]
    : [project]) {
    loadable.addProgram(program);
  }
  loadable.addDependencies();
  return loadable.list();
}

class LoadablePackages {
  readonly #workspace: string;
  /** By issuer: the same copy may get other peers. */
  readonly #copies = new Map<string, PackageCopy>();

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  addProgram(program: string): void {
    const manifest = readManifest(program) ?? {};
    this.#addInstalled(program);
    this.#addDeclared(
      [...namesIn(manifest), ...Object.keys(manifest.devDependencies ?? {})],
      program,
    );
    this.#addDeclared(ALWAYS, program, this.#workspace);
  }

  /**
   * Adds what each package loads. A map also iterates over what is added
   * meanwhile.
   */
  addDependencies(): void {
    for (const { issuer, manifest } of this.#copies.values()) {
      // A package outside the workspace, reached by a link, has its own
      // dependencies above it.
      const within = isInside(issuer, this.#workspace)
        ? this.#workspace
        : undefined;
      this.#addInstalled(issuer);
      this.#addDeclared(namesIn(manifest), issuer, within);
    }
  }

  /** Lists each copy once. */
  list(): readonly PackageCopy[] {
    const byFolder = new Map<string, PackageCopy>();
    for (const copy of this.#copies.values()) byFolder.set(copy.folder, copy);
    return [...byFolder.values()];
  }

  #addInstalled(folder: string): void {
    for (const installed of packagesIn(join(folder, "node_modules"))) {
      const isMember = installed.isLink && isMemberOf(installed.folder, folder);
      if (!isMember) this.#add(readCopy(installed.folder));
    }
  }

  #addDeclared(
    names: readonly string[],
    folder: string,
    within?: string,
  ): void {
    for (const name of names) this.#add(findPackage(name, folder, within));
  }

  #add(copy: PackageCopy | undefined): void {
    if (copy === undefined || this.#copies.has(copy.issuer)) return;
    this.#copies.set(copy.issuer, copy);
  }
}

/**
 * The members of a workspace that are linked into the node_modules of its root.
 */
export function membersOf(project: string): readonly string[] {
  return packagesIn(join(project, "node_modules")).flatMap(
    ({ isLink, folder }) =>
      isLink && isMemberOf(folder, project) ? [folder] : [],
  );
}

function namesIn({
  dependencies,
  optionalDependencies,
  peerDependencies,
}: Manifest) {
  return Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
  });
}

/**
 * Finds the root of the workspace that a project is in; outside a workspace,
 * the project.
 */
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
