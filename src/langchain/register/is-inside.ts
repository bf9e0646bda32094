import { isAbsolute, relative, sep } from "node:path";

/**
 * Checks whether a folder is another one, or lies in it.
 *
 * @param folder The real folder.
 * @param outer The real folder that it may lie in.
 */
export function isInside(folder: string, outer: string): boolean {
  const path = relative(outer, folder);
  return path.split(sep)[0] !== ".." && !isAbsolute(path);
}
