import { existsSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { PackageCopy } from "../langchain/register/find-package.ts";
import { isInside } from "../langchain/register/is-inside.ts";
import { realFolder } from "../langchain/register/packages-in.ts";
import {
  listMembers,
  listPackages,
  type ReadCopy,
  rememberCopies,
  workspaceOf,
} from "./list-packages.ts";
import { replaceFiles } from "./replace-files.ts";

/** A copy of a package that there are patches for. */
export interface PatchableCopy {
  readonly name: string;
  readonly installed: string;
  readonly folder: string;
  /** What it is called for people: with its folder, where it is not the one that the project itself gets. */
  readonly title: string;
  /** The versions that have a patch. */
  readonly patchable: readonly string[];
  /** The patch for the installed version, where there is one. */
  readonly patch?: KnownPatch;
  readonly state: PatchState | "no patch for this version";
  /** Why it is not written to: other projects use the very files. */
  readonly sharing?: Sharing;
}

/**
 * Finds out which patches fit a project and the members of its workspace, and which are applied.
 *
 * @param project The project's folder.
 * @param patches The folder of the patches.
 * @param read Reads a folder. Default: anew; whoever lists a project's packages, too, gives the one that remembers.
 * @returns One entry for each copy of a package that has a patch for any version.
 */
export function findPatches(
  project: string,
  patches: string,
  read: ReadCopy = rememberCopies(),
): readonly PatchableCopy[] {
  const programs = [project, ...listMembers(project).map(({ folder }) => folder)];
  const copies = new Map(
    programs
      .flatMap((program) => listPackages(program, read))
      .map((copy): [string, PackageCopy] => [copy.folder, copy]),
  );
  const names = [...new Set(KNOWN_PATCHES.map(({ name }) => name))];
  return names.flatMap((name) =>
    [...copies.values()]
      .filter((copy) => copy.name === name)
      .map((copy, i) => toPatchable({ copy, project, patches, isFirst: i === 0 })),
  );
}

interface Found {
  readonly copy: PackageCopy;
  readonly project: string;
  readonly patches: string;
  readonly isFirst: boolean;
}

function toPatchable({ copy, project, patches, isFirst }: Found): PatchableCopy {
  const { name, version: installed, folder } = copy;
  const known = KNOWN_PATCHES.filter((patch) => patch.name === name);
  const patch = known.find(({ version }) => version === installed);
  const sharing = findSharing(folder, project);
  return {
    name,
    installed,
    folder,
    title: `${name} ${installed}${isFirst ? "" : ` in ${relative(project, folder)}`}`,
    patchable: known.map(({ version }) => version),
    ...(patch === undefined
      ? { state: "no patch for this version" }
      : { patch, state: patchState(readPatch(patch, patches), folder) }),
    ...(sharing && { sharing }),
  };
}

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

/** Why a package is not the project's alone, and what does work there. */
export interface Sharing {
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Finds out whether other projects use the very folder of a package: a store that pnpm links to, an archive of
 * Yarn Plug'n'Play, a folder above that is somebody else's. A file that is a hard link into a store is none of
 * these: it is replaced, not written to.
 *
 * @param folder The package's real folder.
 * @param project The project's folder.
 * @returns Nothing where the package lies in the project, or in the workspace that it belongs to.
 */
function findSharing(folder: string, project: string): Sharing | undefined {
  const own = realFolder(project) ?? project;
  if (folder.includes(`.zip${sep}`)) {
    return {
      reason: "it lies in an archive of Yarn Plug'n'Play",
      remedy:
        'let yarn patch it: `yarn toolmend patch --print` writes the patch for "resolutions" (docs/patches-in-ci.md, "pnpm and yarn"), or set nodeLinker: node-modules',
    };
  }
  const root = workspaceOf(own);
  if (isInside(folder, root)) return undefined;
  const owner = ownerOf(folder);
  if (owner !== undefined && isInside(own, owner)) {
    return {
      reason: `it lies in ${owner}, which is another project`,
      remedy: "run `npx toolmend patch` there, or install it here",
    };
  }
  const isPnpm = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "node_modules/.modules.yaml"].some(
    (name) => existsSync(join(root, name)),
  );
  return {
    reason: `it lies in ${folder}, where other projects may use it`,
    remedy: isPnpm
      ? 'let pnpm patch it: `npx toolmend patch --print` writes the patch for "patchedDependencies" (docs/patches-in-ci.md, "pnpm and yarn"), or set enableGlobalVirtualStore: false'
      : "install it in the project itself, or give --force where no other project uses it",
  };
}

/** The project in whose node_modules a folder is. */
function ownerOf(folder: string): string | undefined {
  const parts = folder.split(sep);
  const at = parts.indexOf("node_modules");
  return at < 0 ? undefined : parts.slice(0, at).join(sep);
}

/**
 * `changed`: a file is neither what the patch was made for nor what it makes of it. `partly applied`: each file
 * is one of the two, as after a run that was ended in the middle.
 */
export type PatchState = "applied" | "not applied" | "partly applied" | "changed";

/** How a file of a package stands to its patch. */
export type FileState = Exclude<PatchState, "partly applied">;

/**
 * Finds out whether a patch is applied to a package, by comparing files.
 *
 * @param files What the patch changes; its version must be the one installed.
 * @param folder The package's folder.
 */
export function patchState(files: readonly FilePatch[], folder: string): PatchState {
  const states = new Set(files.map((file) => fileState(textOf(join(folder, file.path)), file)));
  if (states.has("changed")) return "changed";
  if (states.size > 1) return "partly applied";
  return states.has("applied") ? "applied" : "not applied";
}

/**
 * Finds out whether a patch is applied to a text: every hunk must stand at its very line. Lines may end as on
 * Windows.
 *
 * @param text What is in the file; `undefined` where it cannot be read.
 * @param patch What the patch changes in it.
 */
function fileState(text: string | undefined, { hunks }: FilePatch): FileState {
  if (text === undefined) return "changed";
  const lines = text.split(/\r?\n/);
  const stands = (at: (hunk: Hunk) => number, what: (hunk: Hunk) => readonly string[]) =>
    hunks.every((hunk) => what(hunk).every((line, i) => lines[at(hunk) + i] === line));
  const isApplied = stands(
    ({ newStart }) => newStart,
    ({ after }) => after,
  );
  if (isApplied) return "applied";
  const isAsPublished = stands(
    ({ oldStart }) => oldStart,
    ({ before }) => before,
  );
  return isAsPublished ? "not applied" : "changed";
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Reads a patch that toolmend ships.
 *
 * @param patch The patch.
 * @param patches The folder of the patches.
 * @returns What it changes; paths are from the package's folder.
 */
export function readPatch(patch: KnownPatch, patches: string): readonly FilePatch[] {
  return parsePatch(patchTextOf(patch, patches)).map(({ path, hunks }) => ({
    path: path.slice(modulesPath(patch).length),
    hunks,
  }));
}

/**
 * Reads a patch as a diff whose paths begin in the package's folder, as pnpm and yarn take it.
 *
 * @param patch The patch.
 * @param patches The folder of the patches.
 */
export function printPatch(patch: KnownPatch, patches: string): string {
  const path = modulesPath(patch);
  return patchTextOf(patch, patches)
    .replaceAll(`a/${path}`, "a/")
    .replaceAll(`b/${path}`, "b/")
    .trimEnd();
}

function patchTextOf(patch: KnownPatch, patches: string): string {
  return readFileSync(join(patches, patchFileOf(patch)), "utf8");
}

function modulesPath({ name }: KnownPatch): string {
  return `node_modules/${name}/`;
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

/**
 * Reads a unified diff of existing text files, as git and patch-package write it.
 *
 * @param text The diff.
 * @returns What it changes, file by file.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  const files: { path: string; hunks: Hunk[] }[] = [];
  let hunk: { before: string[]; after: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const numbers = HUNK.exec(line);
    if (line.startsWith("diff --git ")) {
      hunk = undefined;
    } else if (hunk === undefined && line.startsWith("+++ b/")) {
      files.push({ path: line.slice("+++ b/".length), hunks: [] });
    } else if (numbers !== null) {
      const [, oldLine, newLine] = numbers;
      const lines = { before: [], after: [] };
      hunk = lines;
      files.at(-1)?.hunks.push({
        oldStart: Number(oldLine) - 1,
        newStart: Number(newLine) - 1,
        ...lines,
      });
    } else if (hunk !== undefined && line !== "" && !line.startsWith("\\")) {
      if (!line.startsWith("+")) hunk.before.push(line.slice(1));
      if (!line.startsWith("-")) hunk.after.push(line.slice(1));
    }
  }
  return files;
}

/**
 * Applies a patch to a package, or takes it back: all its files or none.
 *
 * @param files What the patch changes; the package must not be "changed".
 * @param folder The package's folder.
 * @param wanted What is to be.
 * @throws Error when a file cannot be written; then all are as they were.
 */
export function turnPatch(
  files: readonly FilePatch[],
  folder: string,
  wanted: Exclude<FileState, "changed">,
): void {
  const replaced = new Map<string, string>();
  for (const file of files) {
    const path = join(folder, file.path);
    const text = readFileSync(path, "utf8");
    const state = fileState(text, file);
    if (state === "changed") throw new Error(`${path} was changed meanwhile`);
    if (state !== wanted) replaced.set(path, turnText(text, file, wanted));
  }
  replaceFiles(replaced);
}

function turnText(text: string, { hunks }: FilePatch, wanted: FileState): string {
  const isBack = wanted === "not applied";
  const lines = text.split("\n");
  // From the last to the first: those before keep their lines.
  for (const { oldStart, newStart, before, after } of hunks.toReversed()) {
    const [start, from, to] = isBack ? [newStart, after, before] : [oldStart, before, after];
    const end = lines[start]?.endsWith("\r") ? "\r" : "";
    lines.splice(start, from.length, ...to.map((line) => line + end));
  }
  return lines.join("\n");
}

/**
 * Says what is wrong with a copy, with which versions, and what to do.
 *
 * @param copy A copy whose patch is not applied.
 */
export function describeState({
  name,
  installed,
  title,
  patchable,
  state,
  sharing,
}: PatchableCopy): string {
  if (state === "not applied" && sharing !== undefined) {
    return `${title}: its patch is not applied, and ${sharing.reason}. To patch it, ${sharing.remedy}.`;
  }
  if (state === "not applied") {
    return `${title}: its patch is not applied. Run \`npx toolmend patch\`, in the \`prepare\` script for instance.`;
  }
  if (state === "partly applied") {
    return `${title}: its patch is applied to some of its files only. Run \`npx toolmend patch\` again, or --reverse.`;
  }
  if (state === "changed") {
    return `${title}: its files are not those that the patch was made for, nor what this toolmend's patch makes of them. Install the package anew, without other patches.`;
  }
  const versions = [patchable.slice(0, -1).join(", "), patchable.at(-1)]
    .filter(Boolean)
    .join(" and ");
  return `${title} is installed, and the patch is for ${versions}. Install ${name}@${nearest(installed, patchable)}, or a toolmend that has a patch for ${installed}; --partial leaves it out.`;
}

/** Of several versions the one that begins most alike. */
function nearest(version: string, versions: readonly string[]): string | undefined {
  const parts = version.split(".");
  const likeness = (other: string) => other.split(".").findIndex((part, i) => part !== parts[i]);
  return versions.toSorted((one, other) => likeness(other) - likeness(one))[0];
}
