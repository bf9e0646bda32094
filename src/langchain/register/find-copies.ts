import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPackage, modulesAbove, type PackageCopy, readCopy } from "./find-package.ts";
import { isMemberOf, packagesIn, realFolder } from "./packages-in.ts";
import { readManifest } from "./read-manifest.ts";
import { SUPPORTED_PACKAGES } from "./supported-versions.ts";

/** `"core": "npm:@langchain/core@1.2.13"`. */
const ALIAS = /^npm:(@?[^@]+)/;

/**
 * Finds every copy of LangChain's packages that code of a project may come to load: those above it, and those
 * nested in, linked by or stored beside any package there. Folders are looked at and LangChain's manifests read,
 * no others: this runs when an application starts.
 *
 * @param from The project's folder, or one below; or several.
 * @returns The copies, the nearest first.
 */
export function findCopies(...from: readonly string[]): readonly PackageCopy[] {
  const copies = new Map<string, PackageCopy>();
  const starts = from.map((folder) => realFolder(folder) ?? folder);
  const declared = new Map(starts.flatMap((folder) => [...declaredAbove(folder)]));
  const folders = new Set(starts.flatMap(modulesAbove));
  for (const { name } of SUPPORTED_PACKAGES) {
    // For Yarn Plug'n'Play, which has no folders to look into.
    for (const start of starts) add(findPackage(name, start));
  }
  // A set hands out what is added to it meanwhile.
  for (const modules of folders) {
    for (const { name, folder, isLink } of packagesIn(modules)) {
      // Another member of the workspace, which has nothing to do with this one.
      if (isLink && isMemberOf(folder, dirname(modules)) && !declared.has(name)) continue;
      if (isLangChain(declared.get(name) ?? name)) add(readCopy(folder));
      const nested = join(folder, "node_modules");
      if (existsSync(nested)) folders.add(nested);
      if (isLink) for (const other of modulesAbove(folder)) folders.add(other);
    }
  }
  return [...copies.values()];

  function add(copy: PackageCopy | undefined): void {
    if (copy !== undefined) copies.set(copy.folder, copy);
  }
}

function isLangChain(name: string): boolean {
  return name === "langchain" || name.startsWith("@langchain/");
}

/** What the package that a folder belongs to asks for: what each name there stands for. */
function declaredAbove(from: string): ReadonlyMap<string, string> {
  for (let folder = from; ; folder = dirname(folder)) {
    const manifest = readManifest(folder);
    if (manifest !== undefined) {
      const { dependencies, devDependencies, optionalDependencies } = manifest;
      const asked = Object.entries({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      });
      return new Map(asked.map(([name, wanted]) => [name, ALIAS.exec(`${wanted}`)?.[1] ?? name]));
    }
    if (dirname(folder) === folder) return new Map();
  }
}
