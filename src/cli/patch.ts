import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isInside, type ReadCopy, realFolder } from "../langchain/register/packages.ts";
import { askIfMeant } from "../repair/usage.ts";
import { type Command, type Terminal, toTable } from "./commands.ts";
import {
  listMembers,
  listPackages,
  rememberCopies,
  whereToRun,
  workspaceOf,
} from "./list-packages.ts";
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
export const patch: Command<"patch"> = (given, terminal) => {
  const { names, check, reverse, list, print, partial, json } = given;
  const { project, patches, out, err } = terminal;
  if ([check, reverse, list, print].filter(Boolean).length > 1) {
    throw new TypeError("--check, --reverse, --list and --print exclude each other: give one.");
  }
  if (json && !check && !list) throw new TypeError("--json goes with --check or --list.");
  const patched = [...new Set(KNOWN_PATCHES.map(({ name }) => name))];
  const unknown = names.find((name) => !patched.includes(name));
  if (unknown !== undefined) {
    const hint = askIfMeant(unknown, patched);
    throw new TypeError(
      `There is no patch for "${unknown}".${hint} There are patches for ${patched.join(", ")}.`,
    );
  }
  const found = findPatches(project, patches).filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  if (found.length === 0) {
    const where = whereToRun(project, "patch");
    err(`No package that toolmend has a patch for is installed in ${project}. ${where}`);
    return list ? 0 : 1;
  }
  if (print) {
    const [only, another] = new Set(found.flatMap((copy) => copy.patch ?? []));
    if (only === undefined) throw new TypeError("There is no patch for the installed versions.");
    if (another) throw new TypeError("--print is for one package, and several have one: name one.");
    out(printPatch(only, patches));
    return 0;
  }
  const copies = check || list ? found : found.map((copy) => turn(copy, given, terminal));
  const ok = copies.every(({ state }) =>
    state === NO_PATCH ? partial || reverse : state === (reverse ? "not applied" : "applied"),
  );
  if (json) {
    const packages = copies.map(({ title, patch, sharing, ...copy }) => copy);
    out(JSON.stringify({ ok, packages }, null, 2));
  } else if (list) {
    const rows = copies.map(({ title, name, patchable, state }) => {
      return [name, title.slice(name.length + 1), patchable.join(", "), state];
    });
    out(toTable([["package", "installed", "patches for", "state"], ...rows]));
  } else if (check) {
    for (const copy of copies) {
      if (copy.state === "applied") out(`${copy.title}: applied`);
      else err(`${faultOf(copy).join(". ")}.`);
    }
  }
  return ok || list ? 0 : 1;
};

const NO_PATCH = "no patch for this version";

/** Applies one patch or reverses it, and returns the copy with its new state. */
function turn(
  copy: PatchableCopy,
  { reverse, force }: Parameters<typeof patch>[0],
  { out, err, patches }: Terminal,
): PatchableCopy {
  const { title, folder, state, patch, sharing } = copy;
  const wanted = reverse ? "not applied" : "applied";
  const done = reverse ? "taken back" : "applied";
  if (state === wanted) out(`${title}: already ${reverse ? "as it was" : "applied"}`);
  else if (patch === undefined || state === "changed") err(`${faultOf(copy).join(". ")}.`);
  else if (sharing !== undefined && !force) {
    err(`${title}: not ${done}, as ${sharing.reason}. Instead, ${sharing.remedy}.`);
  } else {
    const files = readPatch(patch, patches);
    try {
      turnPatch(files, folder, wanted);
      out(`${title}: ${done}`);
      return { ...copy, state: patchState(files, folder) };
    } catch (error) {
      err(`${title}: not ${done}. ${(error as Error).message}. No file was changed.`);
    }
  }
  return copy;
}

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
  readonly state: PatchState | typeof NO_PATCH;
  /** Why other projects use the same files, and what to do instead of patching them. */
  readonly sharing: { readonly reason: string; readonly remedy: string } | undefined;
}

/** Finds the packages with patches in a project and the members of its workspace, and their states. */
export function findPatches(
  project: string,
  patches: string,
  read: ReadCopy = rememberCopies(),
): readonly PatchableCopy[] {
  const found = [project, ...listMembers(project)].flatMap((one) => listPackages(one, read));
  const copies = [...new Map(found.map((copy) => [copy.folder, copy])).values()];
  return [...new Set(KNOWN_PATCHES.map(({ name }) => name))].flatMap((name) => {
    const known = KNOWN_PATCHES.filter((patch) => patch.name === name);
    const named = copies.filter((copy) => copy.name === name);
    return named.map(({ version: installed, folder }, i) => {
      const patch = known.find(({ version }) => version === installed);
      return {
        name,
        installed,
        folder,
        title: `${name} ${installed}${i === 0 ? "" : ` in ${relative(project, folder)}`}`,
        patchable: known.map(({ version }) => version),
        patch,
        state: patch ? patchState(readPatch(patch, patches), folder) : NO_PATCH,
        sharing: findSharing(folder, project),
      };
    });
  });
}

/** Files in the root of a project or workspace that pnpm installs. */
const PNPM = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "node_modules/.modules.yaml"];

/**
 * Finds out whether other projects use the same folder: a store that pnpm links to, an archive of Yarn Plug'n'Play,
 * another project above. A file that is a hard link into a store is replaced, so it does not count.
 */
function findSharing(folder: string, project: string): PatchableCopy["sharing"] {
  const own = realFolder(project) ?? project;
  const root = workspaceOf(own);
  if (folder.includes(`.zip${sep}`)) {
    const reason = "it lies in an archive of Yarn Plug'n'Play";
    return { reason, remedy: byManager("yarn", "resolutions", "nodeLinker: node-modules") };
  }
  if (isInside(folder, root)) return undefined;
  const [owner = folder, ...installed] = folder.split(`${sep}node_modules${sep}`);
  if (installed.length > 0 && isInside(own, owner)) {
    const reason = `it lies in ${owner}, which is another project`;
    return { reason, remedy: "run `npx toolmend patch` there, or install it here" };
  }
  return {
    reason: `it lies in ${folder}, where other projects may use it`,
    remedy: PNPM.some((name) => existsSync(join(root, name)))
      ? byManager("pnpm", "patchedDependencies", "enableGlobalVirtualStore: false")
      : "install it in the project, or give --force (if no other project uses it)",
  };
}

function byManager(manager: string, field: string, setting: string): string {
  const print = `\`${manager} toolmend patch --print\` writes the patch for "${field}"`;
  return `let ${manager} patch it: ${print} (docs/patches.md), or set ${setting}`;
}

/** Says why a copy is not patched, and what to do. */
export function faultOf(copy: PatchableCopy): [message: string, remedy: string] {
  const { name, installed, title, patchable, state, sharing } = copy;
  if (state === "not applied") {
    return sharing
      ? [
          `${title}: its patch is not applied, and ${sharing.reason}`,
          `To patch it, ${sharing.remedy}`,
        ]
      : [
          `${title}: its patch is not applied`,
          "Run `npx toolmend patch`, in the `postinstall` script for instance",
        ];
  }
  if (state === "partly applied") {
    return [
      `${title}: its patch is applied to some of its files only`,
      "Run `npx toolmend patch` again, or --reverse",
    ];
  }
  if (state === "changed") {
    const message = `${title}: its files are not those that the patch was made for`;
    return [message, "Install the package again, without other patches"];
  }
  const versions = patchable.join(", ").replace(/, (?=[^,]*$)/, " and ");
  const parts = installed.split(".");
  const likeness = (other: string) => other.split(".").findIndex((part, i) => part !== parts[i]);
  const [nearest] = patchable.toSorted((one, other) => likeness(other) - likeness(one));
  const other = `a toolmend that has a patch for ${installed}`;
  return [
    `${title} is installed, and the patch is for ${versions}`,
    `Install ${name}@${nearest}, or ${other}; --partial leaves it out`,
  ];
}
