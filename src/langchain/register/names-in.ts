import { readdirSync } from "node:fs";

/**
 * Lists what is in a folder, but for what is hidden.
 *
 * @param folder The folder.
 * @returns The names; none where it is a file, a dangling link, or not there.
 */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}
