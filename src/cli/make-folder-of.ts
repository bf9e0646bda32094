import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes the folder that a file is to be written to, where there is none.
 *
 * @param file The file.
 * @returns The file.
 */
export function makeFolderOf(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  return file;
}
