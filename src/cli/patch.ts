import { relative, sep } from "node:path";
import { isInside } from "../langchain/register/packages.ts";
import { askIfMeant } from "../repair/usage.ts";
import type { Command } from "./commands.ts";
import { listPrograms, type Program, whereToRun, workspaceOf } from "./list-packages.ts";
import {
  KNOWN_PATCHES,
  type KnownPatch,
  type PatchState,
  patchState,
  printPatch,
  readPatch,
  turnPatch,
} from "./patch-files.ts";

/** `toolmend patch`: applies the source patches that fit the installed versions. */
export const patch: Command<"patch"> = (given, { project, patches, out, err }) => {
  const { names, check, reverse, list, print, partial } = given;
  if ([check, reverse, list, print].filter(Boolean).length > 1) {
    throw new TypeError("--check, --reverse, --list and --print exclude each other: give one.");
  }
  const unknown = names.find((name) => !PATCHED.includes(name));
  if (unknown !== undefined) {
    const hint = askIfMeant(unknown, PATCHED);
    throw new TypeError(
      `There is no patch for "${unknown}".${hint} There are patches for ${PATCHED.join(", ")}.`,
    );
  }
  const found = findPatches(project, patches).filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  if (found.length === 0) {
    err(`No package that toolmend has a patch for is installed here. ${whereToRun("patch")}.`);
    return 1;
  }
  if (list) {
    for (const { title, state } of found) out(`${title}: ${state}`);
    return 0;
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
  const turn = (copy: PatchableCopy): boolean => {
    const { title, folder, state, patch, isShared } = copy;
    const canTurn = patch !== undefined && state !== "changed" && !isShared;
    if (state === wanted) out(`${title}: ${check || reverse ? "" : "already "}${wanted}`);
    else if (check || !canTurn) err(`${faultOf(copy).join(". ")}.`);
    else {
      try {
        turnPatch(readPatch(patch, patches), folder, wanted);
        out(`${title}: ${done}`);
        return true;
      } catch (error) {
        err(`${title}: not ${done}. ${(error as Error).message}.`);
      }
    }
    return state === wanted || (patch === undefined && Boolean(partial || reverse));
  };
  return found.map(turn).every(Boolean) ? 0 : 1;
};

const PATCHED = [...new Set(KNOWN_PATCHES.map(({ name }) => name))];

/** A copy of a package that has patches. */
export interface PatchableCopy {
  readonly name: string;
  readonly installed: string;
  readonly folder: string;
  /** Name and version; with the folder, if it is not the copy that the project itself loads. */
  readonly title: string;
  /** The versions that have a patch. */
  readonly patchable: readonly string[];
  /** The patch for the installed version. */
  readonly patch: KnownPatch | undefined;
  readonly state: PatchState | "no patch for this version";
  /** Whether its folder is outside the project or in an archive: other projects may use it. */
  readonly isShared: boolean;
}

/** Finds the packages with patches that programs can load, and their states. */
export function findPatches(
  project: string,
  patches: string,
  programs: readonly Program[] = listPrograms(project),
): readonly PatchableCopy[] {
  const installed = programs.flatMap((program) => program.installed);
  const copies = [...new Map(installed.map((copy) => [copy.folder, copy])).values()];
  const workspace = workspaceOf(project);
  return PATCHED.flatMap((name) => {
    const known = KNOWN_PATCHES.filter((patch) => patch.name === name);
    const named = copies.filter((copy) => copy.name === name);
    return named.map(({ version, folder }, i): PatchableCopy => {
      const patch = known.find((one) => one.version === version);
      return {
        name,
        installed: version,
        folder,
        title: `${name} ${version}${i === 0 ? "" : ` in ${relative(project, folder)}`}`,
        patchable: known.map((one) => one.version),
        patch,
        state: patch ? patchState(readPatch(patch, patches), folder) : "no patch for this version",
        isShared: folder.includes(`.zip${sep}`) || !isInside(folder, workspace),
      };
    });
  });
}

/** Says why a copy is not as wanted, and what to do. */
export function faultOf(copy: PatchableCopy): readonly [message: string, remedy: string] {
  const { installed, title, folder, patchable, patch, state, isShared } = copy;
  if (patch === undefined) {
    const versions = patchable.join(", ").replace(/, (?=[^,]*$)/, " and ");
    return [
      `${title} is installed, and the patch is for ${versions}`,
      `Install one of these, or a toolmend that has a patch for ${installed}; --partial leaves it out`,
    ];
  }
  if (state === "changed") {
    const message = `${title}: its files are not those that the patch was made for`;
    return [message, "Install the package again, without other patches"];
  }
  if (isShared) {
    return [
      `${title}: its patch is ${state}, and other projects may use its folder ${folder}`,
      "Run `npx toolmend patch` in the project that it belongs to, or let the package manager patch it: " +
        '`toolmend patch --print` prints the patch for pnpm\'s "patchedDependencies" and yarn\'s "resolutions"',
    ];
  }
  const remedy = "Run `npx toolmend patch`, in the `postinstall` script for instance";
  return [`${title}: its patch is ${state}`, remedy];
}
