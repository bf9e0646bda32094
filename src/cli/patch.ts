import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside, type PackageCopy } from "../langchain/register/packages.ts";
import { withoutEnd } from "../repair/text.ts";
import { askIfMeant } from "../repair/usage.ts";
import type { Command, Terminal } from "./commands.ts";
import { listPackages, whereToRun, workspaceOf } from "./list-packages.ts";

/**
 * The versions that have a source patch, the latest first. A new one is a
 * folder in `patches/` and a word.
 */
export const PATCHES: Readonly<Record<string, readonly string[]>> = {
  "@langchain/core": ["1.4.0", "1.2.13", "0.3.80"],
  "@langchain/classic": ["1.0.50"],
  langchain: ["1.5.14", "0.3.37", "0.0.153"],
  "@langchain/langgraph": ["1.7.3", "1.4.17"],
};

/**
 * `toolmend patch`: applies the source patches that fit the installed versions.
 */
export const patch: Command<"patch"> = (options, terminal) => {
  const { names, check, reverse, list, print } = options;
  if ([check, reverse, list, print].filter(Boolean).length > 1) {
    throw new TypeError(
      "--check, --reverse, --list and --print exclude each other: give one.",
    );
  }
  checkNames(names);
  const installed = listPackages(terminal.folder, true);
  const named = installed.filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  const copies = findPatches(named, terminal);
  if (copies.length === 0) {
    terminal.err(
      `No package that toolmend has a patch for is installed here. ${whereToRun("patch")}.`,
    );
    return 1;
  }
  if (print) {
    terminal.out(onlyPatch(copies));
    return 0;
  }
  const results = copies.map((copy) => patchCopy(copy, options, terminal));
  return results.every(Boolean) ? 0 : 1;
};

function checkNames(names: readonly string[]): void {
  const known = Object.keys(PATCHES);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = `${askIfMeant(unknown, known)} There are patches for ${known.join(", ")}.`;
  throw new TypeError(`There is no patch for "${unknown}".${hint}`);
}

function onlyPatch(copies: readonly PatchableCopy[]): string {
  const [text, secondText] = new Set(copies.flatMap((copy) => copy.text ?? []));
  if (text === undefined)
    throw new TypeError("There is no patch for the installed versions.");
  if (secondText === undefined) return text;
  throw new TypeError(
    "--print is for one package, and several have one: name one.",
  );
}

type PatchOptions = Parameters<typeof patch>[0];

/**
 * Lists, checks, applies or reverses one patch; returns whether that is no
 * reason for exit code 1.
 */
function patchCopy(
  { title, folder, text, state, files, fault }: PatchableCopy,
  { list, check, reverse, partial }: PatchOptions,
  { out, err }: Terminal,
): boolean {
  if (list) {
    out(`${title}: ${state}`);
    return true;
  }
  const wanted = reverse ? "not applied" : "applied";
  if (state === wanted) {
    out(`${title}: ${check || reverse ? "" : "already "}${wanted}`);
    return true;
  }
  if (check || files === undefined) {
    err(`${fault.join(". ")}.`);
    return text === undefined && (partial === true || reverse === true);
  }
  const done = DONE[wanted];
  try {
    turnPatch(files, folder, wanted);
  } catch (error) {
    err(`${title}: not ${done}. ${(error as Error).message}.`);
    return false;
  }
  out(`${title}: ${done}`);
  return true;
}

/**
 * A copy of a package that has patches, and the state of the one for its
 * version.
 */
export interface PatchableCopy {
  readonly folder: string;
  readonly title: string;
  readonly text?: string;
  readonly state: PatchState | "no patch for this version";
  /** What the patch changes, if it can be applied or reversed. */
  readonly files?: readonly FilePatch[];
  /** Why it is not applied, and what to do. */
  readonly fault: readonly [message: string, remedy: string];
}

/**
 * Finds the patches of installed packages, of each name the one that the
 * project itself loads first.
 */
export function findPatches(
  installed: readonly PackageCopy[],
  { folder: project, patches }: Terminal,
): readonly PatchableCopy[] {
  const workspace = workspaceOf(project);
  const toCopy = (
    { name, version, folder }: PackageCopy,
    index: number,
  ): PatchableCopy => {
    const title = `${name} ${version}${index === 0 ? "" : ` in ${relative(project, folder)}`}`;
    const versions = PATCHES[name] ?? [];
    if (!versions.includes(version)) {
      const known = new Intl.ListFormat("en-GB").format(versions);
      const message = `${title} is installed, and the patch is for ${known}`;
      const remedy = `Install one of these, or a toolmend that has a patch for ${version}; --partial leaves it out`;
      return {
        folder,
        title,
        state: "no patch for this version",
        fault: [message, remedy],
      };
    }
    const text = readPatch({ name, version }, patches);
    const files = parsePatch(text);
    const state = patchState(files, folder);
    const copy = { folder, title, text, state };
    if (state === "changed") {
      const message = `${title}: its files are not those that the patch was made for`;
      return {
        ...copy,
        fault: [message, "Install the package again, without other patches"],
      };
    }
    // Other projects may use what is in an archive, or outside the workspace.
    if (folder.includes(`.zip${sep}`) || !isInside(folder, workspace)) {
      const message = `${title}: its patch is ${state}, and other projects may use its folder ${folder}`;
      return { ...copy, fault: [message, SHARED_REMEDY] };
    }
    const remedy =
      "Run `npx toolmend patch`, in the `postinstall` script for instance";
    return {
      ...copy,
      files,
      fault: [`${title}: its patch is ${state}`, remedy],
    };
  };
  return Object.keys(PATCHES).flatMap((name) =>
    installed.filter((copy) => copy.name === name).map(toCopy),
  );
}

const SHARED_REMEDY =
  "Run `npx toolmend patch` in the project that it belongs to, or let the package manager patch it: " +
  '`toolmend patch --print` prints the patch for pnpm\'s "patchedDependencies" and yarn\'s "resolutions"';

export type Patched = Pick<PackageCopy, "name" | "version">;

/** The path of a patch in `patches/`; its name is as patch-package has it. */
export function patchFileOf({ name, version }: Patched): string {
  return `${name.split("/").at(-1)}-${version}/${name.replace("/", "+")}+${version}.patch`;
}

/**
 * Reads a patch with paths from the package's folder, as pnpm and yarn take it.
 */
export function readPatch(patched: Patched, patches: string): string {
  const text = readFileSync(
    join(patches, patchFileOf(patched)),
    "utf8",
  ).trimEnd();
  return text.replaceAll(`/node_modules/${patched.name}/`, "/");
}

/**
 * Lines that a patch replaces. It starts at a line, from 0, of the published
 * and of the patched file.
 */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface FilePatch {
  readonly path: string;
  readonly hunks: readonly Hunk[];
}

/**
 * Reads a unified diff of existing text files, as git and patch-package write
 * it.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  const diff = `\n${text.replaceAll("\r\n", "\n")}`;
  const [, ...files] = diff.split("\ndiff --git ");
  return files.map((file) => {
    const [head = "", ...hunks] = file.split("\n@@ ");
    const path = /^\+\+\+ b\/(.+)$/m.exec(head)?.[1] ?? "";
    return { path, hunks: hunks.map(parseHunk) };
  });
}

function parseHunk(text: string): Hunk {
  const [head = "", ...lines] = text.split("\n");
  // `-3,1 +4,1 @@`, and a line of the file
  const [oldStart = 0, newStart = 0] = head
    .split(" ", 2)
    .map((range) => Number.parseInt(range.slice(1), 10));
  const linesOf = (...signs: string[]) =>
    lines
      .filter(([sign = ""]) => signs.includes(sign))
      .map((line) => line.slice(1));
  const [before, after] = [linesOf(" ", "-"), linesOf(" ", "+")];
  return { oldStart: oldStart - 1, newStart: newStart - 1, before, after };
}

/**
 * `changed`: a file is neither published nor patched. `partly applied`: an
 * interrupted run left some of each.
 */
type PatchState = Wanted | "partly applied" | "changed";

type Wanted = "applied" | "not applied";

/** The word for what was done, by the state that was wanted. */
const DONE = { applied: "applied", "not applied": "taken back" } as const;

/** Compares a package's files with a patch. */
export function patchState(
  files: readonly FilePatch[],
  folder: string,
): PatchState {
  const states = files.map((file): PatchState => {
    if (turnFile(file, folder, "not applied") !== undefined) return "applied";
    return turnFile(file, folder, "applied") === undefined
      ? "changed"
      : "not applied";
  });
  if (states.includes("changed")) return "changed";
  return new Set(states).size > 1
    ? "partly applied"
    : (states[0] ?? "not applied");
}

/** Applies a patch to a package, or reverses it: all its files or none. */
export function turnPatch(
  files: readonly FilePatch[],
  folder: string,
  wanted: Wanted,
): void {
  const turned = new Map<string, string>();
  for (const file of files) {
    if (patchState([file], folder) === wanted) continue;
    const text = turnFile(file, folder, wanted);
    if (text === undefined)
      throw new Error(`${file.path} was changed meanwhile`);
    turned.set(join(folder, file.path), text);
  }
  replaceFiles(turned);
}

/**
 * A file's text with a patch applied or reversed; `undefined` if a hunk is not
 * at its exact line.
 */
function turnFile({ path, hunks }: FilePatch, folder: string, wanted: Wanted) {
  const file = join(folder, path);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  // From the last to the first: those before keep their lines.
  for (const { oldStart, newStart, before, after } of hunks.toReversed()) {
    const [start, from, to] =
      wanted === "applied"
        ? [oldStart, before, after]
        : [newStart, after, before];
    const now = lines.slice(start, start + from.length);
    if (now.length < from.length) return undefined;
    if (from.some((line, i) => withoutEnd(now[i] ?? "", "\r") !== line))
      return undefined;
    const end = lines[start]?.endsWith("\r") ? "\r" : "";
    lines.splice(start, from.length, ...to.map((line) => line + end));
  }
  return lines.join("\n");
}

/**
 * Replaces files once all new ones are written. Each takes the place of the old
 * one, which is never written to: an installer may have linked it into a store
 * that other projects share.
 */
export function replaceFiles(contents: ReadonlyMap<string, string>): void {
  // In the same folder, so that it can be renamed; by process, as the members
  // of a workspace patch at once.
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
