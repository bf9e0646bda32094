import { relative } from "node:path";
import { findPackage, type PackageCopy, readManifest } from "../langchain/register/packages.ts";
import {
  isVersionOf,
  SUPPORTED_PACKAGES,
  showVersions,
} from "../langchain/register/supported-versions.ts";
import { type Command, type Terminal, toTable } from "./commands.ts";
import { ALWAYS, listPrograms, whereToRun } from "./list-packages.ts";
import { faultOf, findPatches, type PatchableCopy } from "./patch.ts";

/** `toolmend doctor`: what is installed, and what is wrong with it. */
export const doctor: Command<"doctor"> = ({ json }, terminal) => {
  const diagnosis = diagnose(terminal);
  const { node, packages, register, findings } = diagnosis;
  const rows = packages.map((one) => [one.name, one.version, one.supported, one.patch, one.folder]);
  const lines = [
    toTable([["package", "version", "supported", "patch", "folder"], ...rows]),
    `\nNode.js ${node}; toolmend/register: ${register.join(", ") || "not in NODE_OPTIONS or scripts"}.\n`,
    ...(findings.length === 0 ? ["Nothing is wrong."] : []),
    ...findings.map(({ message, remedy }) => `${message}.\n  → ${remedy}`),
  ];
  terminal.out(json ? JSON.stringify(diagnosis, null, 2) : lines.join("\n"));
  return findings.length > 0 ? 1 : 0;
};

/** What a project has of LangChain. */
export interface Diagnosis {
  readonly node: string;
  /** The packages of LangChain, and zod; their folders are from the project. */
  readonly packages: readonly Readonly<
    Record<"name" | "version" | "supported" | "patch" | "folder", string>
  >[];
  /** Where `toolmend/register` is activated. */
  readonly register: readonly string[];
  readonly findings: readonly Finding[];
}

/** What is wrong, and what to do. */
type Finding = Readonly<Record<"code" | "message" | "remedy", string>>;

function diagnose({ project, patches, env }: Terminal): Diagnosis {
  const programs = listPrograms(project);
  const patchable = findPatches(project, patches, programs);
  const packages = new Map<string, Diagnosis["packages"][number]>();
  const activated = new Set<string>();
  const findings = new Map<string, Finding>();
  for (const { folder: program, installed } of programs) {
    const copies = installed.filter(isRelevant);
    for (const { name, version, folder } of copies) {
      const { patch, state = "" } = patchable.find((one) => one.folder === folder) ?? {};
      packages.set(folder, {
        ...{ name, version, supported: supportOf(name, version) },
        ...{ patch: patch ? state : "none", folder: relative(project, folder) },
      });
    }
    const register = findRegister(program, env);
    for (const place of register) activated.add(place);
    const where = program === project ? "" : `In ${relative(project, program)}: `;
    for (const found of checkProgram(copies, register.length > 0, project)) {
      const key = `${found.code} ${found.message}`;
      // What several programs share is reported for the first.
      if (!findings.has(key)) findings.set(key, { ...found, message: where + found.message });
    }
  }
  return {
    node: process.versions.node,
    packages: [...packages.values()],
    register: [...activated],
    findings: [...checkProject(project, [...packages.values()], patchable), ...findings.values()],
  };
}

function isRelevant({ name }: Pick<PackageCopy, "name">): boolean {
  return name === "zod" || name === "langchain" || name.startsWith("@langchain/");
}

function supportOf(name: string, version: string): string {
  const known = SUPPORTED_PACKAGES.find((one) => one.name === name);
  if (known === undefined) return "not hooked";
  if (isVersionOf(version, known.patchOnly ?? [])) return "by patch only";
  return isVersionOf(version, known.versions) ? "yes" : "no";
}

const CORE = "@langchain/core";

function* checkProject(
  project: string,
  packages: Diagnosis["packages"],
  patchable: readonly PatchableCopy[],
): Iterable<Finding> {
  if (!packages.some(({ name }) => name === CORE || name === "langchain")) {
    const message = "No LangChain package is installed here";
    yield { code: "no-langchain", message, remedy: whereToRun("doctor") };
  }
  const isUsed = patchable.some(({ state }) => state === "applied");
  for (const copy of patchable) {
    if (copy.patch === undefined || copy.state === "applied") continue;
    const [message, remedy] = faultOf(copy);
    if (isUsed || copy.state !== "not applied") yield { code: "patch", message, remedy };
  }
  const titles = patchable.flatMap(({ patch, title }) => (patch ? [] : title)).join(", ");
  for (const [name, script] of Object.entries(readManifest(project)?.scripts ?? {})) {
    const isRun = /^(?:(?:pre|post)?install|prepare)$/.test(name);
    const isStrict = /\btoolmend patch\b(?!.*--(?:partial|print))/.test(String(script));
    if (titles === "" || !isRun || !isStrict) continue;
    const message = `The script ${name} runs toolmend patch, which fails: there is no patch for ${titles}`;
    const remedy = "Install a version that has one, or add --partial";
    yield { code: "failing-script", message, remedy };
  }
}

function* checkProgram(
  installed: readonly PackageCopy[],
  isRegistered: boolean,
  project: string,
): Iterable<Finding> {
  const cores = installed.filter(({ name }) => name === CORE);
  // toolmend/register reaches each of several.
  if (cores.length > 1 && !isRegistered) {
    const places = cores.map((one) => `${one.version} in ${relative(project, one.folder)}`);
    const message = `${CORE} is there ${cores.length} times: ${places.join(", ")}. Tools of one are strangers to the other`;
    const override = `"overrides": { "${CORE}": "…" } in package.json`;
    const remedy = `npm dedupe, or else ${override}; or node --import toolmend/register, which reaches each of them`;
    yield { code: "duplicate-core", message, remedy };
  }
  for (const { name, version, issuer, manifest } of installed) {
    if (supportOf(name, version) === "no") {
      const known = SUPPORTED_PACKAGES.find((one) => one.name === name)?.versions ?? [];
      const remedy = `npm install ${name}@${known.at(-1)} (known: ${showVersions(known)})`;
      yield { code: "unsupported", message: `${name} ${version} is not supported`, remedy };
    }
    // npm only warns about these.
    for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
      const found = ALWAYS.includes(peer) ? findPackage(peer, issuer) : undefined;
      if (found === undefined || satisfies(found.version, String(range))) continue;
      const message = `${name} ${version} needs ${peer} ${range}, and gets ${found.version}`;
      yield { code: "unmet-peer", message, remedy: `npm install ${peer}@"${range}"` };
    }
  }
}

/** Checks a version against ranges such as `^1.2.3`, `~1.2` and `>=1.2.3 <2 || 3`; other ranges count as met. */
function satisfies(version: string, range: string): boolean {
  const isMet = (part: string) => {
    const [, sign = "", wanted] = /^(\^|~|>=|<)?(\d+(?:\.\d+){0,2})$/.exec(part) ?? [];
    if (wanted === undefined) return true;
    const isLower = version.localeCompare(wanted, "en", { numeric: true }) < 0;
    if (sign === "<" || sign === ">=" || isLower) return isLower === (sign === "<");
    const parts = wanted.split(".");
    const major = Math.max(1, parts.findIndex((one) => one !== "0") + 1);
    const fixed = sign === "^" ? major : sign === "~" ? 2 : 3;
    return isVersionOf(version, [parts.slice(0, fixed).join(".")]);
  };
  return range.split("||").some((part) => part.trim().split(/\s+/).every(isMet));
}

/** Finds where a program activates `toolmend/register`: in its Node.js options and its scripts. */
function findRegister(folder: string, env: Terminal["env"]): readonly string[] {
  const name = "toolmend/register";
  const scripts = Object.entries(readManifest(folder)?.scripts ?? {})
    .filter(([, command]) => String(command).includes(name))
    .map(([script]) => `the script "${script}"`);
  return [...(env.NODE_OPTIONS?.includes(name) ? ["NODE_OPTIONS"] : []), ...scripts];
}
