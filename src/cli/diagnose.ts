import { existsSync, lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type PackageCopy, readCopy } from "../langchain/register/find-package.ts";
import { realFolder } from "../langchain/register/packages-in.ts";
import { readManifest } from "../langchain/register/read-manifest.ts";
import { isVersionOf, SUPPORTED_PACKAGES } from "../langchain/register/supported-versions.ts";
import { findPatches, type PatchableCopy, type PatchState } from "./find-patches.ts";
import {
  type Diagnosis,
  type Finding,
  findRegister,
  findTroubles,
  problem,
} from "./find-troubles.ts";
import { listMembers, listPackages, rememberCopies, whereToRun } from "./list-packages.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Finds out what a project has of LangChain, and what is wrong with it.
 *
 * @param terminal The project, and its environment.
 */
export function diagnose(terminal: Terminal): Diagnosis {
  const { project, patches } = terminal;
  const read = rememberCopies();
  const patchable = findPatches(project, patches, read);
  const programs = listPrograms(project).map((folder) => {
    const installed = listPackages(folder, read);
    const packages = installed
      .filter(({ name }) => isRelevant(name))
      .map((copy) => toRow(copy, project, patchable));
    const register = findRegister({ ...terminal, project: folder });
    const where = relative(project, folder);
    return { folder, where, installed, packages, format: formatOf(folder), register };
  });
  const all = new Map(programs.flatMap(({ packages }) => packages.map((one) => [one.folder, one])));
  const findings = new Map<string, Finding>();
  for (const program of programs) {
    for (const finding of findTroubles(program)) {
      const place = program.where === "" ? "" : `In ${program.where}: `;
      const key = `${finding.code} ${finding.message}`;
      if (!findings.has(key)) {
        findings.set(key, { ...finding, message: `${place}${finding.message}` });
      }
    }
  }
  const packages = [...all.values()];
  return {
    node: process.versions.node,
    format: formatOf(project),
    packages,
    register: programs.flatMap(({ where, register }) =>
      register.map((place) => (where === "" ? place : `${place} of ${where}`)),
    ),
    findings: [
      ...findNothing(packages, project),
      ...findBroken(project),
      ...findNode(),
      ...findings.values(),
      ...findFailingScripts(project, patchable),
      ...findSharedFolders(patchable),
    ],
  };
}

/** The folders whose code runs: members of a workspace, and its root where that asks for LangChain itself. */
function listPrograms(project: string): readonly string[] {
  const members = listMembers(project).map(({ folder }) => folder);
  const { dependencies, devDependencies } = readManifest(project) ?? {};
  const asksItself = Object.keys({ ...dependencies, ...devDependencies }).some(isRelevant);
  return members.length > 0 && !asksItself ? members : [project, ...members];
}

function isRelevant(name: string): boolean {
  return name === "zod" || name === "langchain" || name.startsWith("@langchain/");
}

function toRow(
  { name, version, folder }: PackageCopy,
  project: string,
  patchable: readonly PatchableCopy[],
): Diagnosis["packages"][number] {
  const patch = patchable.find((one) => one.folder === folder);
  const isNone = patch === undefined || patch.state === "no patch for this version";
  return {
    name,
    version,
    folder: relative(realFolder(project) ?? project, folder),
    supported: supportOf(name, version),
    patch: isNone ? "none" : (patch.state as PatchState),
  };
}

function supportOf(name: string, version: string): Diagnosis["packages"][number]["supported"] {
  const known = SUPPORTED_PACKAGES.find((one) => one.name === name);
  if (known === undefined) return "not hooked";
  if (isVersionOf(version, known.patchOnly ?? [])) return "by patch only";
  return isVersionOf(version, known.versions) ? "yes" : "no";
}

function formatOf(project: string): "ESM" | "CJS" {
  return readManifest(project)?.type === "module" ? "ESM" : "CJS";
}

/** Finds out whether there is no LangChain at all. */
function findNothing(packages: Diagnosis["packages"], project: string): readonly Finding[] {
  if (packages.some(({ name }) => name === "@langchain/core" || name === "langchain")) return [];
  const message = "No LangChain package is installed here";
  return [problem("no-langchain", message, whereToRun(project, "doctor"))];
}

/**
 * Finds LangChain packages that are there but cannot be read: a link that dangles, an install that was ended in the
 * middle.
 *
 * @param project The project's folder.
 */
function findBroken(project: string): readonly Finding[] {
  return SUPPORTED_PACKAGES.map(({ name }) => join("node_modules", name))
    .filter((folder) => readCopy(join(project, folder)) === undefined)
    .filter(
      (folder) =>
        isThere(join(project, folder)) ||
        (isThere(join(project, dirname(folder))) && !existsSync(join(project, dirname(folder)))),
    )
    .map((folder) => {
      const message = `${folder} is there, but not a package.json of it that can be read`;
      return problem("broken-package", message, "Install anew: npm ci");
    });
}

/** Also where it is a link that dangles. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Finds out whether this Node.js is too old. */
function findNode(): readonly Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return [];
  const message = `Node.js ${process.versions.node} is older than 20.19`;
  return [problem("old-node", message, "Install Node.js 20.19 or later.")];
}

/** Scripts that npm runs with an install. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"] as const;

/**
 * Finds out whether a script that runs with each install would fail: `toolmend patch` without
 * `--partial`, where there is a package that no patch fits.
 *
 * @param project The project's folder.
 * @param patchable What can be patched there.
 */
function findFailingScripts(
  project: string,
  patchable: readonly PatchableCopy[],
): readonly Finding[] {
  const scripts = { ...(readManifest(project)?.scripts as object | undefined | null) };
  const without = patchable.filter(({ patch }) => patch === undefined);
  if (without.length === 0) return [];
  return INSTALL_SCRIPTS.filter((name) => {
    const script = String((scripts as Record<string, unknown>)[name] ?? "");
    return /\btoolmend patch\b/.test(script) && !/--partial|--list|--print/.test(script);
  }).map((name) => {
    const titles = without.map(({ title }) => title).join(", ");
    const message = `The script ${name} runs toolmend patch, which fails: there is no patch for ${titles}`;
    return problem("failing-script", message, "Install a version that has one, or add --partial");
  });
}

/** A patch there would change other projects. */
function findSharedFolders(patchable: readonly PatchableCopy[]): readonly Finding[] {
  return patchable
    .filter(({ patch, state }) => patch !== undefined && state !== "applied")
    .flatMap(({ title, sharing }) =>
      sharing === undefined
        ? []
        : [
            {
              kind: "note",
              code: "shared-folder",
              message: `toolmend patch does not write to ${title}, as ${sharing.reason}`,
              remedy: `To patch it, ${sharing.remedy}.`,
            } as const,
          ],
    );
}
