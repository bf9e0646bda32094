import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../repair/json/json-value.ts";

/** What a package.json says. What it asks for is an object each, or not there. */
export interface Manifest extends Readonly<Record<string, unknown>> {
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
  readonly optionalDependencies?: Readonly<Record<string, unknown>>;
  readonly peerDependencies?: Readonly<Record<string, unknown>>;
}

const LISTS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/**
 * Reads a folder's package.json, whatever state it is in: with a byte order mark, half written, a dangling
 * link, a folder of that name.
 *
 * @param folder The folder.
 * @returns Its fields; `undefined` where there is none that can be read.
 */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const text = readFileSync(join(folder, "package.json"), "utf8").replace(/^\ufeff/, "");
    const manifest: unknown = JSON.parse(text);
    if (!isJsonObject(manifest)) return undefined;
    const odd = LISTS.filter((list) => !isJsonObject(manifest[list]));
    return Object.fromEntries(Object.entries(manifest).filter(([key]) => !odd.includes(key)));
  } catch {
    return undefined;
  }
}
