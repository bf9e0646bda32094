import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Reads a folder's package.json, whatever state it is in: with a byte order mark, half written, a dangling
 * link, a folder of that name.
 *
 * @param folder The folder.
 * @returns Its fields; `undefined` where there is none that can be read.
 */
export function readManifest(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = readFileSync(join(folder, "package.json"), "utf8").replace(/^\ufeff/, "");
    const manifest: unknown = JSON.parse(text);
    const isObject = manifest !== null && typeof manifest === "object" && !Array.isArray(manifest);
    return isObject ? (manifest as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
