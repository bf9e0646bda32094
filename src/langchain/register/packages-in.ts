import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside } from "./is-inside.ts";

/** A package as a node_modules folder lists it. */
interface Entry {
  readonly name: string;
  /** Its own folder, or where its link leads. */
  readonly folder: string;
  readonly isLink: boolean;
}

/**
 * Lists the packages in a node_modules folder, but for what is hidden.
 *
 * @param modules The real folder.
 * @returns None where it is a file or not there; without links that dangle.
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

/**
 * Finds where a path leads, with all its links followed.
 *
 * @param path The path.
 * @returns Nothing where a link dangles, or there is nothing.
 */
export function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Checks whether a package is a member of a workspace: somebody's sources in the project, which are linked.
 *
 * @param folder The package's real folder.
 * @param project The workspace's real folder.
 */
export function isMemberOf(folder: string, project: string): boolean {
  const inProject = relative(project, folder).split(sep);
  return isInside(folder, project) && !inProject.includes("node_modules");
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  } catch {
    return [];
  }
}

function readEntry(entry: Dirent, path: string, name: string): readonly Entry[] {
  if (entry.isDirectory()) return [{ name, folder: path, isLink: false }];
  const folder = entry.isSymbolicLink() ? realFolder(path) : undefined;
  return folder === undefined ? [] : [{ name, folder, isLink: true }];
}
