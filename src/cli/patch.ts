import { askIfMeant } from "../repair/usage.ts";
import { flag, readCommandLine } from "./arguments.ts";
import { describeState, findPatches, type PatchableCopy } from "./find-patches.ts";
import { whereToRun } from "./list-packages.ts";
import { KNOWN_PATCHES, patchState, printPatch, readPatch, turnPatch } from "./patch-files.ts";
import { type Terminal, toTable } from "./terminal.ts";

const FLAGS = {
  json: flag,
  check: flag,
  reverse: flag,
  list: flag,
  print: flag,
  /** Versions without a patch are left out, and that is no failure. */
  partial: flag,
  /** Files that other projects use are written, too. */
  force: flag,
};

/** What the user wants besides. */
type Wishes = Readonly<Record<"partial" | "force", boolean>>;

/** `toolmend patch`: applies the source patches that fit the installed versions. */
export function patch(args: readonly string[], terminal: Terminal): number {
  const { names, ...values } = readCommandLine(args, FLAGS, "");
  const { check: isCheck, reverse, list: isList, print: isPrint, json } = values;
  if ([isCheck, reverse, isList, isPrint].filter(Boolean).length > 1) {
    throw new TypeError("--check, --reverse, --list and --print exclude each other: give one.");
  }
  if (json && !isCheck && !isList) throw new TypeError("--json goes with --check or --list.");
  for (const name of names) assertPatchable(name);
  const copies = findPatches(terminal.project, terminal.patches).filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  if (copies.length === 0) {
    terminal.err(
      `No package that toolmend has a patch for is installed in ${terminal.project}. ${whereToRun(terminal.project, "patch")}`,
    );
    return isList ? 0 : 1;
  }
  if (isPrint) return print(copies, terminal);
  if (isCheck || isList) return show(copies, isCheck ? values : undefined, { json, terminal });
  const turned = copies.map((copy) => turn(copy, values, reverse, terminal));
  const isBack = ({ state, patch }: PatchableCopy) => state === "not applied" || !patch;
  return turned.every((copy) => (reverse ? isBack(copy) : isAsWished(copy, values))) ? 0 : 1;
}

/** A misspelt name must not be a check that finds nothing. */
function assertPatchable(name: string): void {
  const names = [...new Set(KNOWN_PATCHES.map((patch) => patch.name))];
  if (names.includes(name)) return;
  const hint = askIfMeant(name, names);
  throw new TypeError(
    `There is no patch for "${name}".${hint} There are patches for ${names.join(", ")}.`,
  );
}

function print(copies: readonly PatchableCopy[], { out, patches }: Terminal): number {
  const found = [...new Set(copies.flatMap((copy) => copy.patch ?? []))];
  const [first, another] = found;
  const names = (first ? found : copies).map(({ name }) => name).join(", ");
  if (first === undefined) {
    throw new TypeError(`There is no patch for the installed version of ${names}.`);
  }
  if (another !== undefined) {
    throw new TypeError(
      `--print is for one package, and there is a patch for each of ${names}: name one.`,
    );
  }
  out(printPatch(first, patches));
  return 0;
}

/** Shows which patches are applied; where that is to be checked, whether it is as wished. */
function show(
  copies: readonly PatchableCopy[],
  wishes: Wishes | undefined,
  { json, terminal }: { readonly json: boolean; readonly terminal: Terminal },
): number {
  const { out, err } = terminal;
  const ok = wishes === undefined || copies.every((copy) => isAsWished(copy, wishes));
  if (json) {
    const packages = copies.map(({ name, installed, folder, patchable, state }) => {
      return { name, installed, folder, patchable, state };
    });
    out(JSON.stringify(wishes ? { ok, packages } : { packages }, null, 2));
  } else if (wishes === undefined) {
    const rows = copies.map(({ title, name, patchable, state }) => {
      return [name, title.slice(name.length + 1), patchable.join(", "), state];
    });
    out(toTable([["package", "installed", "patches for", "state"], ...rows]));
  } else {
    for (const copy of copies) {
      if (copy.state === "applied") out(`${copy.title}: applied`);
      else err(describeState(copy));
    }
  }
  return ok ? 0 : 1;
}

/** By this, and nothing else, `patch` and `patch --check` succeed. */
function isAsWished({ state }: PatchableCopy, { partial }: Wishes): boolean {
  return state === "applied" || (partial && state === "no patch for this version");
}

/** Applies one patch or takes it back, says so, and returns the copy as it is then. */
function turn(
  copy: PatchableCopy,
  { force }: Wishes,
  isBack: boolean,
  { out, err, patches }: Terminal,
): PatchableCopy {
  const { title, folder, state, patch, sharing } = copy;
  const wanted = isBack ? "not applied" : "applied";
  const done = isBack ? "taken back" : "applied";
  if (state === wanted) {
    out(`${title}: already ${isBack ? "as it was" : "applied"}`);
  } else if (patch === undefined || state === "changed") {
    err(describeState(copy));
  } else if (sharing !== undefined && !force) {
    err(`${title}: not ${done}, as ${sharing.reason}. Instead, ${sharing.remedy}.`);
  } else {
    const files = readPatch(patch, patches);
    try {
      turnPatch(files, folder, wanted);
      out(`${title}: ${done}`);
      return { ...copy, state: patchState(files, folder) };
    } catch (error) {
      err(`${title}: not ${done}. ${(error as Error).message}. All its files are as they were.`);
    }
  }
  return copy;
}
