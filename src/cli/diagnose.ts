import { relative } from "node:path";
import type { PackageCopy } from "../langchain/register/find-package.ts";
import { realFolder } from "../langchain/register/packages-in.ts";
import { readManifest } from "../langchain/register/read-manifest.ts";
import { isVersionOf, SUPPORTED_PACKAGES } from "../langchain/register/supported-versions.ts";
import type { Diagnosis, Finding } from "./diagnosis.ts";
import { findPatches, type PatchableCopy } from "./find-patches.ts";
import { findBroken, findNode, findNothing, findSharedFolders } from "./find-project-troubles.ts";
import { findRegister } from "./find-register.ts";
import { findTroubles } from "./find-troubles.ts";
import { listMembers, listPackages, rememberCopies } from "./list-packages.ts";
import type { PatchState } from "./patch-state.ts";
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
