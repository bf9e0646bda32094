import {
  type Dirent,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import module from "node:module";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { orElse } from "../../repair/foreign.ts";
import { isJsonObject, parseExactly } from "../../repair/json.ts";
import { SUPPORTED_PACKAGES } from "./supported-versions.ts";

// Packages as they lie on the disk, as Node.js and Yarn Plug'n'Play find them.

/** The lists of what a package.json asks for. */
const LISTS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/**
 * What a package.json says. What it asks for is an object each, or not there.
 */
export type Manifest = Readonly<Record<string, unknown>> & {
  readonly [List in (typeof LISTS)[number]]?: Readonly<Record<string, unknown>>;
};

/** One copy of a package on the disk. */
export interface PackageCopy {
  readonly name: string;
  readonly version: string;
  /** Its real folder: a linked package is one copy. */
  readonly folder: string;
  /**
   * From where its own dependencies are looked up: with Yarn Plug'n'Play, a
   * virtual path that says whose peers it has.
   */
  readonly issuer: string;
  readonly manifest: Manifest;
}

/** `"core": "npm:@langchain/core@1.2.13"`. */
const ALIAS = /^npm:(@?[^@]+)/;

/**
 * Finds every copy of LangChain's packages that code of a project may come to
 * load: those above it, and those nested in, linked by or stored beside any
 * package there. Folders are looked at and LangChain's manifests read, no
 * others: this runs when an application starts. The nearest come first.
 */
export function findCopies(...from: readonly string[]): readonly PackageCopy[] {
  const starts = from.map((folder) => realFolder(folder) ?? folder);
  const search = new CopySearch(starts);
  // For Yarn Plug'n'Play, which has no folders to look into.
  for (const { name } of SUPPORTED_PACKAGES) {
    for (const start of starts) search.add(findPackage(name, start));
  }
  search.lookIntoFolders();
  return [...search.copies.values()];
}

class CopySearch {
  /** The copies by their folders. */
  readonly copies = new Map<string, PackageCopy>();
  /** What each name stands for that the packages have declared. */
  readonly #declared: ReadonlyMap<string, string>;
  readonly #folders: Set<string>;

  constructor(starts: readonly string[]) {
    this.#declared = new Map(
      starts.flatMap((folder) => [...declaredAbove(folder)]),
    );
    this.#folders = new Set(starts.flatMap(modulesAbove));
  }

  add(copy: PackageCopy | undefined): void {
    if (copy !== undefined) this.copies.set(copy.folder, copy);
  }

  /**
   * Looks into folders, and into those that it finds meanwhile: a set hands out
   * what is added to it.
   */
  lookIntoFolders(): void {
    for (const modules of this.#folders) {
      for (const entry of packagesIn(modules)) {
        if (!this.#isNeighbour(entry, dirname(modules))) this.#lookAt(entry);
      }
    }
  }

  /**
   * Whether it is another member of the workspace, which has nothing to do with
   * this one.
   */
  #isNeighbour({ name, folder, isLink }: Entry, project: string): boolean {
    return isLink && isMemberOf(folder, project) && !this.#declared.has(name);
  }

  #lookAt({ name, folder, isLink }: Entry): void {
    if (isLangChain(this.#declared.get(name) ?? name))
      this.add(readCopy(folder));
    const nested = join(folder, "node_modules");
    if (existsSync(nested)) this.#folders.add(nested);
    if (!isLink) return;
    for (const modules of modulesAbove(folder)) this.#folders.add(modules);
  }
}

function isLangChain(name: string): boolean {
  return name === "langchain" || name.startsWith("@langchain/");
}

/**
 * What the package that a folder belongs to asks for: what each name there
 * stands for.
 */
function declaredAbove(from: string): ReadonlyMap<string, string> {
  const manifest = foldersAbove(from).map(readManifest).find(Boolean);
  const { dependencies, devDependencies, optionalDependencies } =
    manifest ?? {};
  const asked = Object.entries({
    ...dependencies,
    ...devDependencies,
    ...optionalDependencies,
  });
  return new Map(
    asked.map(([name, wanted]) => [name, ALIAS.exec(`${wanted}`)?.[1] ?? name]),
  );
}

/** What Yarn Plug'n'Play adds to `node:module` in processes that it runs. */
interface WithPnp {
  findPnpApi?(path: string): {
    resolveToUnqualified(name: string, issuer: string): string | null;
    resolveVirtual(path: string): string | null;
  } | null;
}

/**
 * Finds the package that code in a folder gets by a name, as Node.js does, and
 * Yarn Plug'n'Play. No node_modules outside of the folder `within` is looked
 * into.
 */
export function findPackage(
  name: string,
  from: string,
  within?: string,
): PackageCopy | undefined {
  const plugged = findPlugged(name, from);
  if (plugged !== undefined) return plugged;
  for (const modules of modulesAbove(from)) {
    if (within !== undefined && !isInside(modules, within)) continue;
    const copy = readCopy(join(modules, name));
    if (copy !== undefined) return copy;
  }
  return undefined;
}

function findPlugged(name: string, from: string): PackageCopy | undefined {
  const api = (module as WithPnp).findPnpApi?.(`${from}${sep}`);
  // It throws for what is not among what that folder's package has declared.
  return orElse(() => {
    const issuer = api?.resolveToUnqualified(name, `${from}${sep}`);
    const copy = issuer
      ? readCopy(api?.resolveVirtual(issuer) ?? issuer)
      : undefined;
    return copy && { ...copy, issuer: issuer as string };
  }, undefined);
}

/** Lists a folder and those that it lies in, the nearest first. */
export function foldersAbove(from: string): readonly string[] {
  const above = dirname(from);
  return above === from ? [from] : [from, ...foldersAbove(above)];
}

/**
 * Lists the folders where Node.js looks for the imports of code in a folder,
 * the nearest first.
 */
function modulesAbove(from: string): readonly string[] {
  return foldersAbove(from)
    .filter((folder) => !folder.endsWith(`${sep}node_modules`))
    .map((folder) => join(folder, "node_modules"));
}

/** Reads which package a folder holds. */
export function readCopy(folder: string): PackageCopy | undefined {
  const manifest = readManifest(folder);
  if (
    typeof manifest?.name !== "string" ||
    typeof manifest.version !== "string"
  )
    return undefined;
  const { name, version } = manifest;
  const real = realpathSync(folder);
  return { name, version, folder: real, issuer: real, manifest };
}

/** Reads a text file, without a byte order mark. */
export function readText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\ufeff/, "");
}

/**
 * Reads a folder's package.json, even with a byte order mark; none if it is
 * half written or a dangling link.
 */
export function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, "package.json");
  const manifest = parseExactly(orElse(() => readText(file), ""));
  if (!isJsonObject(manifest)) return undefined;
  const odd: readonly string[] = LISTS.filter(
    (list) => !isJsonObject(manifest[list]),
  );
  return Object.fromEntries(
    Object.entries(manifest).filter(([key]) => !odd.includes(key)),
  );
}

/** A package as a node_modules folder lists it. */
interface Entry {
  readonly name: string;
  /** Its own folder, or where its link leads. */
  readonly folder: string;
  readonly isLink: boolean;
}

/**
 * Lists the packages in a node_modules folder, but for what is hidden and links
 * that dangle.
 */
export function packagesIn(modules: string): readonly Entry[] {
  return entriesIn(modules).flatMap((entry) => {
    const path = join(modules, entry.name);
    if (!entry.name.startsWith("@")) return readEntry(entry, path, entry.name);
    return entriesIn(path).flatMap((inner) =>
      readEntry(inner, join(path, inner.name), `${entry.name}/${inner.name}`),
    );
  });
}

function entriesIn(folder: string): readonly Dirent[] {
  const entries = orElse(
    () => readdirSync(folder, { withFileTypes: true }),
    [],
  );
  return entries.filter(({ name }) => !name.startsWith("."));
}

function readEntry(
  entry: Dirent,
  path: string,
  name: string,
): readonly Entry[] {
  if (entry.isDirectory()) return [{ name, folder: path, isLink: false }];
  const folder = entry.isSymbolicLink() ? realFolder(path) : undefined;
  return folder === undefined ? [] : [{ name, folder, isLink: true }];
}

/**
 * Finds where a path leads, with all its links followed; nothing where a link
 * dangles, or there is nothing.
 */
export function realFolder(path: string): string | undefined {
  return orElse(() => realpathSync(path), undefined);
}

/**
 * Checks, by real folders, whether a package is a member of a workspace:
 * sources in the project, which are linked.
 */
export function isMemberOf(folder: string, project: string): boolean {
  const inProject = relative(project, folder).split(sep);
  return isInside(folder, project) && !inProject.includes("node_modules");
}

/** Checks whether a real folder is another one, or lies in it. */
export function isInside(folder: string, outer: string): boolean {
  const path = relative(outer, folder);
  return path.split(sep)[0] !== ".." && !isAbsolute(path);
}
