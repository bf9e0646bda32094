import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** A source patch for one version of a package, and its folder in `patches/`. */
export type KnownPatch = Readonly<Record<"name" | "version" | "folder", string>>;

/** Every patch that toolmend ships. A new one is a folder and a line. */
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

/** The path of a patch in `patches/`; its name is as patch-package has it. */
export function patchFileOf({ name, version, folder }: KnownPatch): string {
  return `${folder}/${name.replace("/", "+")}+${version}.patch`;
}

/** Prints a patch with paths from the package's folder, as pnpm and yarn read it. */
export function printPatch(patch: KnownPatch, patches: string): string {
  const text = readFileSync(join(patches, patchFileOf(patch)), "utf8").trimEnd();
  return text.replaceAll(`/node_modules/${patch.name}/`, "/");
}

/** Reads what a patch changes; paths are from the package's folder. */
export function readPatch(patch: KnownPatch, patches: string): readonly FilePatch[] {
  return parsePatch(printPatch(patch, patches));
}

/** Lines that a patch replaces. It starts at a line, from 0, of the published and of the patched file. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What a patch changes in one file. */
export interface FilePatch {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/** Reads a unified diff of existing text files, as git and patch-package write it. */
export function parsePatch(text: string): readonly FilePatch[] {
  const [, ...files] = text.split(/^diff --git /m);
  return files.map((file) => {
    const [head = "", ...hunks] = file.split(/^(?=@@ )/m);
    return { path: /^\+\+\+ b\/(.+?)\r?$/m.exec(head)?.[1] ?? "", hunks: hunks.map(parseHunk) };
  });
}

function parseHunk(text: string): Hunk {
  const [head = "", ...lines] = text.split(/\r?\n/);
  const [oldStart = 0, newStart = 0] = (/-(\d+).* \+(\d+)/.exec(head) ?? []).slice(1).map(Number);
  const linesOf = (...signs: string[]) =>
    lines.filter(([sign = ""]) => signs.includes(sign)).map((line) => line.slice(1));
  const [before, after] = [linesOf(" ", "-"), linesOf(" ", "+")];
  return { oldStart: oldStart - 1, newStart: newStart - 1, before, after };
}

/** `changed`: a file is neither published nor patched. `partly applied`: an interrupted run left some of each. */
export type PatchState = "applied" | "not applied" | "partly applied" | "changed";

/** Compares a package's files with a patch. */
export function patchState(files: readonly FilePatch[], folder: string): PatchState {
  const states = files.map((file): PatchState => {
    const text = textOf(join(folder, file.path));
    if (turnText(text, file, "not applied") !== undefined) return "applied";
    return turnText(text, file, "applied") !== undefined ? "not applied" : "changed";
  });
  if (states.includes("changed")) return "changed";
  return new Set(states).size > 1 ? "partly applied" : (states[0] ?? "not applied");
}

/** Applies a patch to a package, or reverses it: all its files or none. */
export function turnPatch(
  files: readonly FilePatch[],
  folder: string,
  wanted: "applied" | "not applied",
): void {
  const replaced = new Map<string, string>();
  for (const file of files) {
    if (patchState([file], folder) === wanted) continue;
    const path = join(folder, file.path);
    const turned = turnText(textOf(path), file, wanted);
    if (turned === undefined) throw new Error(`${path} was changed meanwhile`);
    replaced.set(path, turned);
  }
  replaceFiles(replaced);
}

/** The text with a patch applied or reversed; `undefined` if a hunk is not at its exact line. */
function turnText(text: string, { hunks }: FilePatch, wanted: "applied" | "not applied") {
  const lines = text.split("\n");
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

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/**
 * Replaces files once all new ones are written. Each takes the place of the old one, which is never written to: an
 * installer may have linked it into a store that other projects share.
 */
export function replaceFiles(contents: ReadonlyMap<string, string>): void {
  // In the same folder, so that it can be renamed; by process, as the members of a workspace patch at once.
  const beside = (path: string) => `${path}.toolmend-${process.pid}`;
  try {
    for (const [path, content] of contents) {
      writeFileSync(beside(path), content);
      chmodSync(beside(path), statSync(path).mode);
    }
    for (const path of contents.keys()) renameSync(beside(path), path);
  } finally {
    for (const path of contents.keys()) if (existsSync(beside(path))) rmSync(beside(path));
  }
}
