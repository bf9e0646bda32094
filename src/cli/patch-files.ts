import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

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

/** Names a patch's file in `patches/`, as patch-package does. */
export function patchFileOf({ name, version, folder }: KnownPatch): string {
  return `${folder}/${name.replace("/", "+")}+${version}.patch`;
}

/** Reads a patch as a diff whose paths begin in the package's folder, as pnpm and yarn take it. */
export function printPatch(patch: KnownPatch, patches: string): string {
  return readFileSync(join(patches, patchFileOf(patch)), "utf8")
    .replaceAll(`a/node_modules/${patch.name}/`, "a/")
    .replaceAll(`b/node_modules/${patch.name}/`, "b/")
    .trimEnd();
}

/** Reads what a patch changes; paths are from the package's folder. */
export function readPatch(patch: KnownPatch, patches: string): readonly FilePatch[] {
  return parsePatch(printPatch(patch, patches));
}

/** One place of a file that a patch changes. */
export interface Hunk {
  /** The line, counted from 0, at which it stands before the patch is applied. */
  readonly oldStart: number;
  /** The line at which it stands after. */
  readonly newStart: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What a patch changes in one file. */
export interface FilePatch {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Reads a unified diff of existing text files, as git and patch-package write it. */
export function parsePatch(text: string): readonly FilePatch[] {
  const files: { path: string; hunks: Hunk[] }[] = [];
  let hunk: { before: string[]; after: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, oldLine, newLine] = HUNK.exec(line) ?? [];
    if (line.startsWith("diff --git ")) {
      hunk = undefined;
    } else if (hunk === undefined && line.startsWith("+++ b/")) {
      files.push({ path: line.slice("+++ b/".length), hunks: [] });
    } else if (oldLine !== undefined) {
      hunk = { before: [], after: [] };
      const starts = { oldStart: Number(oldLine) - 1, newStart: Number(newLine) - 1 };
      files.at(-1)?.hunks.push({ ...starts, ...hunk });
    } else if (hunk !== undefined && line !== "" && !line.startsWith("\\")) {
      if (!line.startsWith("+")) hunk.before.push(line.slice(1));
      if (!line.startsWith("-")) hunk.after.push(line.slice(1));
    }
  }
  return files;
}

/**
 * `changed`: a file is neither what the patch was made for nor what it makes of it. `partly applied`: each file
 * is one of the two, as after a run that was ended in the middle.
 */
export type PatchState = "applied" | "not applied" | "partly applied" | "changed";

/** Finds out whether a patch is applied to a package, by comparing files. */
export function patchState(files: readonly FilePatch[], folder: string): PatchState {
  const states = files.map((file): PatchState => {
    const text = textOf(join(folder, file.path));
    if (turnText(text, file, "not applied") !== undefined) return "applied";
    return turnText(text, file, "applied") !== undefined ? "not applied" : "changed";
  });
  if (states.includes("changed")) return "changed";
  return new Set(states).size > 1 ? "partly applied" : (states[0] ?? "not applied");
}

/** Applies a patch to a package, or takes it back: all its files or none. */
export function turnPatch(
  files: readonly FilePatch[],
  folder: string,
  wanted: "applied" | "not applied",
): void {
  const replaced = new Map<string, string>();
  const already = wanted === "applied" ? "not applied" : "applied";
  for (const file of files) {
    const path = join(folder, file.path);
    const text = textOf(path);
    if (turnText(text, file, already) !== undefined) continue;
    const turned = turnText(text, file, wanted);
    if (turned === undefined) throw new Error(`${path} was changed meanwhile`);
    replaced.set(path, turned);
  }
  replaceFiles(replaced);
}

/** The text with a patch applied or taken back; nothing where a hunk does not stand at its very line. */
function turnText(
  text: string | undefined,
  { hunks }: FilePatch,
  wanted: "applied" | "not applied",
): string | undefined {
  const lines = text?.split("\n") ?? [];
  // From the last to the first: those before keep their lines.
  for (const { oldStart, newStart, before, after } of hunks.toReversed()) {
    const [start, from, to] =
      wanted === "applied" ? [oldStart, before, after] : [newStart, after, before];
    if (from.some((line, i) => lines[start + i]?.replace(/\r$/, "") !== line)) return undefined;
    const end = lines[start]?.endsWith("\r") ? "\r" : "";
    lines.splice(start, from.length, ...to.map((line) => line + end));
  }
  return lines.join("\n");
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Replaces what is in files. Each is a new file that takes the old one's place, never the old one written to: an
 * installer may have linked that into a store, from which other projects have it too. All are replaced, or none.
 */
export function replaceFiles(contents: ReadonlyMap<string, string>): void {
  const before = new Map<string, Buffer>();
  try {
    for (const [path, content] of contents) {
      accessSync(path, constants.W_OK);
      removeLeftovers(path);
      writeBeside(path, content);
    }
    for (const path of contents.keys()) {
      const old = readFileSync(path);
      renameSync(beside(path), path);
      before.set(path, old);
    }
  } catch (error) {
    for (const path of contents.keys()) if (existsSync(beside(path))) rmSync(beside(path));
    for (const [path, content] of before) {
      writeBeside(path, content);
      renameSync(beside(path), path);
    }
    throw error;
  }
}

/** What a run left that was ended in the middle; not what another is about to use. */
function removeLeftovers(path: string): void {
  const prefix = beside(basename(path), "");
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    try {
      process.kill(Number(name.slice(prefix.length)), 0);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") rmSync(join(dirname(path), name));
    }
  }
}

/** In the same folder, so that it can be renamed; by process, as the members of a workspace patch at once. */
function beside(path: string, id: number | string = process.pid): string {
  return `${path}.toolmend-${id}`;
}

function writeBeside(path: string, content: string | Buffer): void {
  rmSync(beside(path), { force: true });
  writeFileSync(beside(path), content, { flag: "wx" });
  chmodSync(beside(path), statSync(path).mode);
}
