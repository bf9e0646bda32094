import { askIfMeant } from "../repair/usage.ts";
import { parseFlags } from "./arguments.ts";
import {
  describeState,
  findPatches,
  KNOWN_PATCHES,
  type PatchableCopy,
  patchState,
  printPatch,
  readPatch,
  turnPatch,
} from "./find-patches.ts";
import { whereToRun } from "./list-packages.ts";
import { type Terminal, toTable } from "./terminal.ts";

/** What the user wants besides. */
interface Wishes {
  /** Versions without a patch are left out, and that is no failure. */
  readonly partial: boolean;
  /** Files that other projects use are written, too. */
  readonly force: boolean;
}

/** `toolmend patch`: applies the source patches that fit the installed versions. */
export function patch(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      check: { type: "boolean" },
      reverse: { type: "boolean" },
      list: { type: "boolean" },
      print: { type: "boolean" },
      partial: { type: "boolean", default: false },
      force: { type: "boolean", default: false },
    },
  });
  const { check: isCheck, reverse, list: isList, print: isPrint, json } = values;
  if ([isCheck, reverse, isList, isPrint].filter(Boolean).length > 1) {
    throw new TypeError("--check, --reverse, --list and --print exclude each other: give one.");
  }
  if (json && !isCheck && !isList) throw new TypeError("--json goes with --check or --list.");
  for (const name of positionals) assertPatchable(name);
  const copies = findPatches(terminal.project, terminal.patches).filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  if (copies.length === 0) {
    terminal.err(
      `No package that toolmend has a patch for is installed in ${terminal.project}. ${whereToRun(terminal.project, "patch")}`,
    );
    return isList ? 0 : 1;
  }
  if (isPrint) return print(copies, terminal);
  if (json) return showAsJson(copies, isCheck ? values : undefined, terminal);
  if (isList) return list(copies, terminal);
  if (isCheck) return check(copies, values, terminal);
  return apply(copies, { ...values, isBack: reverse ?? false }, terminal);
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
  const [first] = found;
  if (first === undefined || found.length > 1) {
    const names = (first === undefined ? copies : found).map(({ name }) => name).join(", ");
    throw new TypeError(
      first === undefined
        ? `There is no patch for the installed version of ${names}.`
        : `--print is for one package, and there is a patch for each of ${names}: name one.`,
    );
  }
  out(printPatch(first, patches));
  return 0;
}

function showAsJson(
  copies: readonly PatchableCopy[],
  check: Wishes | undefined,
  { out }: Terminal,
): number {
  const packages = copies.map(({ name, installed, folder, patchable, state }) => {
    return { name, installed, folder, patchable, state };
  });
  const ok = check !== undefined && copies.every((copy) => isAsWished(copy, check));
  out(JSON.stringify(check ? { ok, packages } : { packages }, null, 2));
  return check && !ok ? 1 : 0;
}

function list(copies: readonly PatchableCopy[], { out }: Terminal): number {
  const rows = copies.map(({ title, name, patchable, state }) => [
    name,
    title.slice(name.length + 1),
    patchable.join(", "),
    state,
  ]);
  out(toTable([["package", "installed", "patches for", "state"], ...rows]));
  return 0;
}

function check(copies: readonly PatchableCopy[], wishes: Wishes, terminal: Terminal): number {
  for (const copy of copies) {
    if (copy.state === "applied") terminal.out(`${copy.title}: applied`);
    else terminal.err(describeState(copy));
  }
  return copies.every((copy) => isAsWished(copy, wishes)) ? 0 : 1;
}

/** By this, and nothing else, `patch` and `patch --check` succeed. */
function isAsWished({ state }: PatchableCopy, { partial }: Wishes): boolean {
  return state === "applied" || (partial && state === "no patch for this version");
}

function apply(
  copies: readonly PatchableCopy[],
  wishes: Wishes & { readonly isBack: boolean },
  terminal: Terminal,
): number {
  const turned = copies.map((copy) => turn(copy, wishes, terminal));
  return turned.every((copy) =>
    wishes.isBack
      ? copy.state === "not applied" || copy.patch === undefined
      : isAsWished(copy, wishes),
  )
    ? 0
    : 1;
}

/** Applies one patch or takes it back, says so, and returns the copy as it is then. */
function turn(
  copy: PatchableCopy,
  { isBack, force }: Wishes & { readonly isBack: boolean },
  { out, err, patches }: Terminal,
): PatchableCopy {
  const { title, folder, state, patch, sharing } = copy;
  const wanted = isBack ? "not applied" : "applied";
  const done = isBack ? "taken back" : "applied";
  if (state === wanted) {
    out(`${title}: already ${isBack ? "as it was" : "applied"}`);
    return copy;
  }
  if (patch === undefined || state === "changed") {
    err(describeState(copy));
    return copy;
  }
  if (sharing !== undefined && !force) {
    err(`${title}: not ${done}, as ${sharing.reason}. Instead, ${sharing.remedy}.`);
    return copy;
  }
  const files = readPatch(patch, patches);
  try {
    turnPatch(files, folder, wanted);
  } catch (error) {
    err(`${title}: not ${done}. ${(error as Error).message}. All its files are as they were.`);
    return copy;
  }
  out(`${title}: ${done}`);
  return { ...copy, state: patchState(files, folder) };
}
