/** A source patch that toolmend ships: for that version exactly. */
export interface KnownPatch {
  readonly name: string;
  readonly version: string;
  /** Its folder in `patches/`, which holds nothing else to apply. */
  readonly folder: string;
}

/** Which versions have a patch is data. A new one is a folder and a line. */
export const KNOWN_PATCHES: readonly KnownPatch[] = [
  { name: "@langchain/core", version: "1.4.0", folder: "core-1.4.0" },
  { name: "@langchain/core", version: "1.2.13", folder: "core-1.2.13" },
  { name: "@langchain/core", version: "0.3.80", folder: "core-0.3.80" },
  { name: "@langchain/classic", version: "1.0.50", folder: "classic-1.0.50" },
  { name: "langchain", version: "1.5.14", folder: "langchain-1.5.14" },
  { name: "langchain", version: "0.3.37", folder: "langchain-0.3.37" },
  { name: "langchain", version: "0.0.153", folder: "langchain-0.0.153" },
  { name: "@langchain/langgraph", version: "1.7.3", folder: "langgraph-1.7.3" },
  { name: "@langchain/langgraph", version: "1.4.17", folder: "langgraph-1.4.17" },
];

/**
 * Names a patch's file as patch-package does.
 *
 * @param patch The patch.
 * @returns The file's path in `patches/`.
 */
export function patchFileOf({ name, version, folder }: KnownPatch): string {
  return `${folder}/${name.replace("/", "+")}+${version}.patch`;
}
