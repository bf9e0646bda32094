import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import {
  findPackage,
  type Manifest,
  type PackageCopy,
  readCopy,
  readManifest,
  realFolder,
} from "../langchain/register/packages.ts";
import {
  isVersionOf,
  SUPPORTED_PACKAGES,
  showVersions,
} from "../langchain/register/supported-versions.ts";
import { flag, readCommandLine } from "./arguments.ts";
import { findPatches, type PatchableCopy } from "./find-patches.ts";
import { listMembers, listPackages, rememberCopies, whereToRun } from "./list-packages.ts";
import type { PatchState } from "./patch-files.ts";
import { type Terminal, toTable } from "./terminal.ts";

/** `toolmend doctor`: what is installed, and what is wrong with it. */
export function doctor(args: readonly string[], terminal: Terminal): number {
  const { json } = readCommandLine(args, { json: flag });
  const diagnosis = diagnose(terminal);
  terminal.out(json ? JSON.stringify(diagnosis, null, 2) : toReport(diagnosis));
  return diagnosis.findings.some(({ kind }) => kind === "problem") ? 1 : 0;
}

/** Something that is wrong, and what to do about it. A note does not fail the command. */
interface Finding {
  readonly kind: "problem" | "note";
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

/** What a project has of LangChain. */
export interface Diagnosis {
  readonly node: string;
  /** The format of the project's own `.js` files. */
  readonly format: "ESM" | "CJS";
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** From the project. */
    readonly folder: string;
    readonly supported: "yes" | "no" | "by patch only" | "not hooked";
    readonly patch: PatchState | "none";
  }[];
  /** Where `toolmend/register` is activated. */
  readonly register: readonly string[];
  readonly findings: readonly Finding[];
}

/** One program, a project or a member of a workspace, and what it has of LangChain. */
interface Program extends Pick<Diagnosis, "packages" | "format" | "register"> {
  readonly folder: string;
  /** From the project; empty for the project itself. */
  readonly where: string;
  readonly installed: readonly PackageCopy[];
}

/** A project with all its programs. */
interface Project extends Pick<Diagnosis, "packages"> {
  readonly project: string;
  readonly patchable: readonly PatchableCopy[];
}

function diagnose(terminal: Terminal): Diagnosis {
  const { project, patches } = terminal;
  const read = rememberCopies();
  const patchable = findPatches(project, patches, read);
  const programs = listPrograms(project).map((folder): Program => {
    const installed = listPackages(folder, read);
    const relevant = installed.filter(({ name }) => isRelevant(name));
    return {
      folder,
      where: relative(project, folder),
      installed,
      packages: relevant.map((copy) => toRow(copy, project, patchable)),
      format: formatOf(folder),
      register: findRegister(folder, terminal.env),
    };
  });
  const all = programs.flatMap(({ packages }) => packages);
  const packages = [...new Map(all.map((one) => [one.folder, one])).values()];
  // What several programs share is reported for the first.
  const ofPrograms = new Map<string, Finding>();
  for (const program of programs) {
    for (const finding of PROGRAM_CHECKS.flatMap((check) => [...check(program)])) {
      const { code, message } = finding;
      const told = program.where === "" ? message : `In ${program.where}: ${message}`;
      const key = `${code} ${message}`;
      if (!ofPrograms.has(key)) ofPrograms.set(key, { ...finding, message: told });
    }
  }
  const run = (checks: readonly Check<Project>[]) =>
    checks.flatMap((check) => [...check({ project, packages, patchable })]);
  return {
    node: process.versions.node,
    format: formatOf(project),
    packages,
    register: programs.flatMap(({ where, register }) =>
      register.map((place) => (where === "" ? place : `${place} of ${where}`)),
    ),
    findings: [...run(FIRST_CHECKS), ...ofPrograms.values(), ...run(LAST_CHECKS)],
  };
}

type Check<Of> = (of: Of) => Iterable<Finding>;

function problem(code: string, message: string, remedy: string): Finding {
  return { kind: "problem", code, message, remedy };
}

function note(code: string, message: string, remedy: string): Finding {
  return { kind: "note", code, message, remedy };
}

/** Whether anything can work here at all. */
const FIRST_CHECKS: readonly Check<Project>[] = [
  function* nothing({ packages, project }) {
    if (packages.some(({ name }) => name === CORE || name === "langchain")) return;
    const remedy = whereToRun(project, "doctor");
    yield problem("no-langchain", "No LangChain package is installed here", remedy);
  },
  /** A link that dangles, an install that was ended in the middle. */
  function* broken({ project }) {
    for (const { name } of SUPPORTED_PACKAGES) {
      const folder = join("node_modules", name);
      const [path, scope] = [join(project, folder), join(project, dirname(folder))];
      if (readCopy(path) !== undefined) continue;
      if (!isThere(path) && (!isThere(scope) || existsSync(scope))) continue;
      const message = `${folder} is there, but not a package.json of it that can be read`;
      yield problem("broken-package", message, "Install anew: npm ci");
    }
  },
  function* oldNode() {
    const { node } = process.versions;
    if (satisfies(node, ">=20.19")) return;
    const message = `Node.js ${node} is older than 20.19`;
    yield problem("old-node", message, "Install Node.js 20.19 or later.");
  },
];

const CORE = "@langchain/core";

/** What LangChain's packages ask for beside them, and must be as they ask. */
const PEERS: readonly string[] = ["langchain", "@langchain/classic", CORE, "zod"];

/** What may be wrong with what one program has of LangChain. */
const PROGRAM_CHECKS: readonly Check<Program>[] = [
  function* copies({ packages, register }) {
    const found = packages.filter(({ name }) => name === CORE);
    if (found.length < 2) return;
    const places = found.map(({ version, folder }) => `${version} in ${folder}`).join(", ");
    const there = `${CORE} is there ${found.length} times: ${places}`;
    const reached = "None needed for tool inputs: toolmend/register reaches each of them.";
    const remedy = [
      `npm dedupe; where that does not do, "overrides": { "${CORE}": "…" } in package.json`,
      'or import "toolmend/register", which reaches each of them',
    ].join("; ");
    yield register.length > 0
      ? note("duplicate-core", there, reached)
      : problem("duplicate-core", `${there}. Tools of one are strangers to the other`, remedy);
  },
  function* unsupported({ packages }) {
    for (const { name, version, supported } of packages) {
      if (supported !== "no") continue;
      const known = SUPPORTED_PACKAGES.find((one) => one.name === name)?.versions ?? [];
      const remedy = `npm install ${name}@${known.at(-1)} (known: ${showVersions(known)})`;
      yield problem("unsupported", `${name} ${version} is not supported`, remedy);
    }
  },
  function* oldZod({ folder, installed }) {
    const zod = findPackage("zod", folder);
    const isOwn = installed.some((one) => one.folder === zod?.folder);
    const hasCore = installed.some(({ name }) => name === CORE);
    if (!zod || !isOwn || !hasCore || satisfies(zod.version, ">=3.25")) return;
    const message = `zod ${zod.version} has no Standard Schema, by which toolmend validates`;
    yield problem("old-zod", message, "npm install zod@^3.25, or zod@4");
  },
  function* patched({ packages }) {
    const isPatched = packages.some(({ patch }) => patch === "applied");
    for (const { name, version, patch } of packages) {
      // A patch alone is an intention: then the others belong to it.
      const known = patch === "not applied" && !isPatched ? undefined : PATCH_TROUBLES[patch];
      if (known !== undefined) yield problem(known[0], `${name} ${version} ${known[1]}`, known[2]);
    }
  },
  /** Two builds are two sets of classes: `instanceof` fails between them (langchainjs issue #6374). */
  function* split({ installed, format, packages, register }) {
    const others = installed.filter(
      ({ manifest }) => usesCore(manifest) && !formatsOf(manifest).includes(format),
    );
    if (others.length === 0) return;
    const names = others.map(({ name }) => name).join(", ");
    const message = `The project is ${format}, and these load the other build of ${CORE}: ${names}`;
    const isMended =
      register.length > 0 ||
      packages.some(({ name, patch }) => name === CORE && patch === "applied");
    yield isMended
      ? note("split", message, "None needed: instanceof is mended.")
      : problem("split", message, 'import "toolmend/register", or npx toolmend patch');
  },
  /** What a package asks for beside it, and does not get: npm warns of it, and goes on. */
  function* peers({ installed }) {
    for (const { name, version, issuer, manifest } of installed) {
      if (name === "zod" || !isRelevant(name)) continue;
      for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
        const found = PEERS.includes(peer) ? findPackage(peer, issuer) : undefined;
        if (found === undefined || satisfies(found.version, String(range))) continue;
        const message = `${name} ${version} needs ${peer} ${range}, and gets ${found.version}`;
        yield problem("unmet-peer", message, `npm install ${peer}@"${range}"`);
      }
    }
  },
];

const PATCH_TROUBLES: Readonly<
  Partial<Record<PatchState | "none", readonly [code: string, what: string, remedy: string]>>
> = {
  changed: [
    "patch-changed",
    "is neither as published nor patched",
    "Install the package anew: npm ci",
  ],
  "partly applied": [
    "patch-partly",
    "is patched in some of its files only",
    "npx toolmend patch, or npx toolmend patch --reverse",
  ],
  "not applied": [
    "patch-missing",
    "is not patched, while other packages are",
    "npx toolmend patch",
  ],
};

/** Scripts that npm runs with an install. */
const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall", "prepare"];

/** What `toolmend patch` would meet. */
const LAST_CHECKS: readonly Check<Project>[] = [
  /** Without `--partial`, where there is a package that no patch fits, each install would fail. */
  function* failingScript({ project, patchable }) {
    const scripts: Record<string, unknown> = { ...(readManifest(project)?.scripts as object) };
    const without = patchable.filter(({ patch }) => patch === undefined);
    const titles = without.map(({ title }) => title).join(", ");
    for (const name of without.length === 0 ? [] : INSTALL_SCRIPTS) {
      const script = String(scripts[name] ?? "");
      if (!/\btoolmend patch\b/.test(script) || /--partial|--list|--print/.test(script)) continue;
      const message = `The script ${name} runs toolmend patch, which fails: there is no patch for ${titles}`;
      yield problem("failing-script", message, "Install a version that has one, or add --partial");
    }
  },
  function* sharedFolder({ patchable }) {
    for (const { title, sharing, patch, state } of patchable) {
      if (patch === undefined || state === "applied" || sharing === undefined) continue;
      const message = `toolmend patch does not write to ${title}, as ${sharing.reason}`;
      yield note("shared-folder", message, `To patch it, ${sharing.remedy}.`);
    }
  },
];

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
  const { state = "none" } = patchable.find((one) => one.folder === folder) ?? {};
  return {
    name,
    version,
    folder: relative(realFolder(project) ?? project, folder),
    supported: supportOf(name, version),
    patch: state === "no patch for this version" ? "none" : state,
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

function usesCore({ dependencies, peerDependencies }: Manifest): boolean {
  return CORE in { ...dependencies, ...peerDependencies };
}

/** The builds that a package has. */
function formatsOf({ exports, type, module }: Manifest): readonly Diagnosis["format"][] {
  const text = JSON.stringify(exports) ?? "";
  const isEsm = type === "module" || module !== undefined || text.includes('"import"');
  const isCjs = type !== "module" || text.includes('"require"');
  return [...(isEsm ? (["ESM"] as const) : []), ...(isCjs ? (["CJS"] as const) : [])];
}

/** Also where it is a link that dangles. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a version is in a range of `^1.2.3`, `~1.2`, `>=1.2.3 <2` and `||`. What else there is, it may be. */
function satisfies(version: string, range: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).slice(0, 3).map(Number);
  const given = numbers(version);
  const isIn = (one: string) => {
    const [, sign, text = ""] = /^([\^~]|[<>]=?)?(\d+(?:\.\d+){0,2})$/.exec(one) ?? [];
    if (text === "") return true;
    const wanted = numbers(text);
    const gaps = [0, 1, 2].map((at) => (given[at] ?? 0) - (wanted[at] ?? 0));
    const gap = gaps.find((one) => one !== 0) ?? 0;
    if (sign === "<") return gap < 0;
    if (sign === "<=") return gap <= 0;
    if (sign === ">") return gap > 0;
    const kept = sign === "^" ? Math.max(1, wanted.findIndex((n) => n > 0) + 1) : 2;
    const named = wanted.slice(0, sign === undefined ? 3 : kept);
    return gap >= 0 && (sign === ">=" || named.every((n, at) => n === given[at]));
  };
  return range.split("||").some((part) => part.trim().split(/\s+/).every(isIn));
}

const NAME = "toolmend/register";
const SOURCE = /\.[cm]?[jt]sx?$/;
const FOLDERS = [".", "src", "app", "lib", "server", "bin", "scripts"];

/** Finds where a project activates `toolmend/register`: its Node.js options, its scripts, its source. */
function findRegister(project: string, env: Terminal["env"]): readonly string[] {
  const places = (env.NODE_OPTIONS ?? "").includes(NAME) ? ["NODE_OPTIONS"] : [];
  for (const [script, command] of Object.entries(readManifest(project)?.scripts ?? {})) {
    if (String(command).includes(NAME)) places.push(`the script "${script}"`);
  }
  for (const folder of FOLDERS) {
    const path = join(project, folder);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    for (const entry of isFolder ? readdirSync(path, { withFileTypes: true }) : []) {
      if (!entry.isFile() || !SOURCE.test(entry.name)) continue;
      const text = readFileSync(join(path, entry.name), "utf8");
      const isNamed = text.includes(`"${NAME}"`) || text.includes(`'${NAME}'`);
      if (isNamed) places.push(join(folder, entry.name));
    }
  }
  return places;
}

function toReport({ node, format, packages, register, findings }: Diagnosis): string {
  const rows = packages.map((one) => [one.name, one.version, one.supported, one.patch, one.folder]);
  return [
    toTable([["package", "version", "supported", "patch", "folder"], ...rows]),
    "",
    `Node.js ${node}; the project's own files are ${format}.`,
    register.length === 0
      ? "toolmend/register: not seen in NODE_OPTIONS, scripts or source."
      : `toolmend/register: in ${register.join(", ")}.`,
    "",
    ...(findings.length === 0 ? ["Nothing is wrong."] : []),
    ...findings.map(({ kind, message, remedy }) => `${kind}: ${message}.\n  → ${remedy}`),
  ].join("\n");
}
