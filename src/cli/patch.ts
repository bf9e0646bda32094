import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside, type PackageCopy } from "../langchain/register/packages.ts";
import { askIfMeant } from "../repair/usage.ts";
import type { Command, Terminal } from "./commands.ts";
import { listPackages, listPrograms, whereToRun, workspaceOf } from "./list-packages.ts";

/** `toolmend patch`: applies the source patches that fit the installed versions. */
export const patch: Command<"patch"> = (given, terminal) => {
  const { names, check, reverse, list, print, partial } = given;
  const { out, err, patches } = terminal;
  if ([check, reverse, list, print].filter(Boolean).length > 1) {
    throw new TypeError("--check, --reverse, --list and --print exclude each other: give one.");
  }
  const unknown = names.find((name) => !PATCHED.includes(name));
  if (unknown !== undefined) {
    const hint = `${askIfMeant(unknown, PATCHED)} There are patches for ${PATCHED.join(", ")}.`;
    throw new TypeError(`There is no patch for "${unknown}".${hint}`);
  }
  const installed = listPackages(listPrograms(terminal.folder));
  const named = installed.filter(({ name }) => names.length === 0 || names.includes(name));
  const found = findPatches(named, terminal);
  if (found.length === 0) {
    err(`No package that toolmend has a patch for is installed here. ${whereToRun("patch")}.`);
    return 1;
  }
  if (print) {
    const [only, another] = new Set(found.flatMap((copy) => copy.patch ?? []));
    if (only === undefined) throw new TypeError("There is no patch for the installed versions.");
    if (another) throw new TypeError("--print is for one package, and several have one: name one.");
    out(printPatch(only, patches));
    return 0;
  }
  const wanted = reverse ? "not applied" : "applied";
  const done = reverse ? "taken back" : "applied";
  const results = found.map(({ title, folder, patch, state, canTurn, fault }) => {
    if (list) out(`${title}: ${state}`);
    else if (state === wanted) out(`${title}: ${check || reverse ? "" : "already "}${wanted}`);
    else if (check || !(patch && canTurn)) err(`${fault.join(". ")}.`);
    else {
      try {
        turnPatch(readPatch(patch, patches), folder, wanted);
        out(`${title}: ${done}`);
        return true;
      } catch (error) {
        err(`${title}: not ${done}. ${(error as Error).message}.`);
      }
    }
    return list || state === wanted || (patch === undefined && (partial || reverse));
  });
  return results.every(Boolean) ? 0 : 1;
};

/** A copy of a package that has patches, and the state of the one for its version. */
export interface PatchableCopy {
  readonly folder: string;
  readonly title: string;
  readonly patch: KnownPatch | undefined;
  readonly state: PatchState | "no patch for this version";
  /** Whether its patch can be applied or reversed. */
  readonly canTurn: boolean;
  /** Why it is not patched, and what to do. */
  readonly fault: readonly [message: string, remedy: string];
}

/** Finds the patches of installed packages, by name and as the project loads them. */
export function findPatches(
  installed: readonly PackageCopy[],
  { folder: project, patches }: Terminal,
): readonly PatchableCopy[] {
  const workspace = workspaceOf(project);
  const seen = new Set<string>();
  const copies = PATCHED.flatMap((name) => installed.filter((copy) => copy.name === name));
  return copies.map(({ name, version, folder }) => {
    const known = KNOWN_PATCHES.filter((one) => one.name === name);
    const patch = known.find((one) => one.version === version);
    const state = patch
      ? patchState(readPatch(patch, patches), folder)
      : "no patch for this version";
    // Other projects may use what is in an archive, or outside the workspace.
    const isShared = folder.includes(`.zip${sep}`) || !isInside(folder, workspace);
    const kind = patch ? (state === "changed" ? state : isShared ? "shared" : "open") : "none";
    // The copy that the project itself loads comes first.
    const title = `${name} ${version}${seen.has(name) ? ` in ${relative(project, folder)}` : ""}`;
    seen.add(name);
    const versions = known.map((one) => one.version).join(", ");
    /** What is wrong, and what to do. */
    const faults: Readonly<Record<typeof kind, readonly [message: string, remedy: string]>> = {
      none: [
        `${title} is installed, and the patch is for ${versions.replace(/, (?=[^,]*$)/, " and ")}`,
        `Install one of these, or a toolmend that has a patch for ${version}; --partial leaves it out`,
      ],
      changed: [
        `${title}: its files are not those that the patch was made for`,
        "Install the package again, without other patches",
      ],
      shared: [
        `${title}: its patch is ${state}, and other projects may use its folder ${folder}`,
        "Run `npx toolmend patch` in the project that it belongs to, or let the package manager patch it: " +
          '`toolmend patch --print` prints the patch for pnpm\'s "patchedDependencies" and yarn\'s "resolutions"',
      ],
      open: [
        `${title}: its patch is ${state}`,
        "Run `npx toolmend patch`, in the `postinstall` script for instance",
      ],
    };
    const canTurn = kind === "open";
    return { folder, title, patch, state, canTurn, fault: faults[kind] };
  });
}

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

const PATCHED: readonly string[] = [...new Set(KNOWN_PATCHES.map(({ name }) => name))];

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
      writeFileSync(beside(path), content, { mode: statSync(path).mode });
    }
    for (const path of contents.keys()) renameSync(beside(path), path);
  } finally {
    for (const path of contents.keys()) rmSync(beside(path), { force: true });
  }
}
