import { realpathSync } from "node:fs";
import module from "node:module";
import { dirname, join, sep } from "node:path";
import { isInside } from "./is-inside.ts";
import { type Manifest, readManifest } from "./read-manifest.ts";

/** One copy of a package on the disk. */
export interface PackageCopy {
  readonly name: string;
  readonly version: string;
  /** Its real folder: a linked package is one copy. */
  readonly folder: string;
  readonly manifest: Manifest;
}

interface FindOptions {
  readonly read?: (folder: string) => PackageCopy | undefined;
  readonly within?: string | undefined;
}

/** What Yarn Plug'n'Play adds to `node:module` in processes that it runs. */
interface WithPnp {
  findPnpApi?(path: string): {
    resolveToUnqualified(name: string, issuer: string): string | null;
    resolveVirtual(path: string): string | null;
  } | null;
}

/**
 * Finds the package that code in a folder gets by a name, as Node.js does, and Yarn Plug'n'Play.
 *
 * @param name The package's name.
 * @param from The folder.
 * @param options `read` reads a folder: whoever asks often gives one that remembers. Default: `readCopy`. `within` is
 * the folder outside of which no node_modules is looked into. Default: none.
 */
export function findPackage(
  name: string,
  from: string,
  { read = readCopy, within }: FindOptions = {},
): PackageCopy | undefined {
  const plugged = findPlugged(name, from);
  if (plugged !== undefined) return read(plugged);
  for (const modules of modulesAbove(from)) {
    if (within !== undefined && !isInside(modules, within)) continue;
    const copy = read(join(modules, name));
    if (copy !== undefined) return copy;
  }
  return undefined;
}

/**
 * Lists the folders in which Node.js looks for what code in a folder imports, whether they are there or not.
 *
 * @param from The folder.
 * @returns The nearest first.
 */
export function modulesAbove(from: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = from; ; folder = dirname(folder)) {
    if (!folder.endsWith(`${sep}node_modules`)) folders.push(join(folder, "node_modules"));
    if (dirname(folder) === folder) return folders;
  }
}

/**
 * Reads which package a folder holds.
 *
 * @param folder The package's folder.
 */
export function readCopy(folder: string): PackageCopy | undefined {
  const manifest = readManifest(folder);
  if (typeof manifest?.name !== "string" || typeof manifest.version !== "string") return undefined;
  const { name, version } = manifest;
  return { name, version, folder: realpathSync(folder), manifest };
}

function findPlugged(name: string, from: string): string | undefined {
  const api = (module as WithPnp).findPnpApi?.(`${from}${sep}`);
  try {
    const folder = api?.resolveToUnqualified(name, `${from}${sep}`);
    return folder ? (api?.resolveVirtual(folder) ?? folder) : undefined;
  } catch {
    // Not among what that folder's package has declared.
    return undefined;
  }
}
