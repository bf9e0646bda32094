import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { namesIn } from "./names-in.ts";
import { readManifest } from "./read-manifest.ts";

/** One copy of a package on the disk. */
export interface PackageCopy {
  readonly name: string;
  readonly version: string;
  /** Its real folder: a linked package is one copy. */
  readonly folder: string;
  readonly exports: unknown;
}

/**
 * Finds every copy of LangChain's packages that a project reaches: its own, and those nested in or
 * resolved by its LangChain packages.
 *
 * @param from The project's folder.
 * @returns The copies, the project's own first.
 */
export function findCopies(from: string): readonly PackageCopy[] {
  const copies = new Map<string, PackageCopy>();
  visit(from);
  return [...copies.values()];

  function visit(folder: string): void {
    for (const name of namesFrom(folder)) {
      const copy = findPackage(name, folder);
      if (copy === undefined || copies.has(copy.folder)) continue;
      copies.set(copy.folder, copy);
      visit(copy.folder);
    }
  }
}

/**
 * Finds the package that code in a folder gets by a name, as Node.js does.
 *
 * @param name The package's name.
 * @param from The folder.
 */
export function findPackage(name: string, from: string): PackageCopy | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const copy = readCopy(join(folder, "node_modules", name));
    if (copy !== undefined) return copy;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Reads which package a folder holds.
 *
 * @param folder The package's folder.
 */
export function readCopy(folder: string): PackageCopy | undefined {
  const { name, version, exports } = readManifest(folder) ?? {};
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  return { name, version, exports, folder: realpathSync(folder) };
}

/** LangChain's packages above a folder, whatever they are called. */
function namesFrom(from: string): readonly string[] {
  const names = new Set(["@langchain/core", "@langchain/classic", "langchain"]);
  for (let folder = from; ; folder = dirname(folder)) {
    const scope = join(folder, "node_modules", "@langchain");
    for (const name of namesIn(scope)) names.add(`@langchain/${name}`);
    if (dirname(folder) === folder) return [...names];
  }
}
