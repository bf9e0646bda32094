import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
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
import { type Command, type Terminal, toTable } from "./commands.ts";
import { ALWAYS, listMembers, listPackages, rememberCopies, whereToRun } from "./list-packages.ts";
import { faultOf, findPatches, type PatchableCopy } from "./patch.ts";

/** `toolmend doctor`: what is installed, and what is wrong with it. */
export const doctor: Command<"doctor"> = ({ json }, terminal) => {
  const diagnosis = diagnose(terminal);
  terminal.out(json ? JSON.stringify(diagnosis, null, 2) : toReport(diagnosis));
  return diagnosis.findings.some(({ kind }) => kind === "problem") ? 1 : 0;
};

/** What a project has of LangChain. */
export interface Diagnosis extends Omit<Program, "folder" | "installed"> {
  readonly node: string;
  readonly findings: readonly Finding[];
}

/** What is wrong, and what to do. A note does not fail the command. */
interface Finding extends Readonly<Record<"code" | "message" | "remedy", string>> {
  readonly kind: "problem" | "note";
}

/** One program, a project or a member of a workspace. */
interface Program {
  readonly folder: string;
  readonly installed: readonly PackageCopy[];
  /** The packages of LangChain, and zod. */
  readonly packages: readonly {
    readonly name: string;
    readonly version: string;
    /** From the project. */
    readonly folder: string;
    readonly supported: "yes" | "no" | "by patch only" | "not hooked";
    readonly patch: string;
  }[];
  /** The format of the program's own `.js` files. */
  readonly format: "ESM" | "CJS";
  /** Where `toolmend/register` is activated. */
  readonly register: readonly string[];
}

/** A project with all its programs. */
interface Project extends Pick<Program, "packages" | "folder"> {
  readonly patchable: readonly PatchableCopy[];
}

function diagnose({ project, patches, env }: Terminal): Diagnosis {
  const read = rememberCopies();
  const patchable = findPatches(project, patches, read);
  const toRow = ({ name, version, folder }: PackageCopy): Program["packages"][number] => {
    const { patch, state } = patchable.find((one) => one.folder === folder) ?? {};
    const own = relative(realFolder(project) ?? project, folder);
    const supported = supportOf(name, version);
    return { name, version, folder: own, supported, patch: (patch && state) ?? "none" };
  };
  const programs = listPrograms(project).map((folder): Program => {
    const installed = listPackages(folder, read);
    const packages = installed.filter(isRelevant).map(toRow);
    const [format, register] = [formatOf(folder), findRegister(folder, env)];
    return { folder, installed, packages, format, register };
  });
  const rows = programs.flatMap(({ packages }) => packages);
  const packages = [...new Map(rows.map((one) => [one.folder, one])).values()];
  const found = [
    ...run(PROJECT_CHECKS, { folder: project, packages, patchable }, project),
    ...programs.flatMap((program) => run(PROGRAM_CHECKS, program, project)),
  ];
  return {
    node: process.versions.node,
    format: formatOf(project),
    packages,
    register: [...new Set(programs.flatMap(({ register }) => register))],
    // What several programs share is reported for the first.
    findings: [...new Map(found.toReversed()).values()].toReversed(),
  };
}

/** Checks by the code of what they find. */
type Checks<Of> = Readonly<
  Record<string, (of: Of) => Iterable<[message: string, remedy: string, kind?: "note"]>>
>;

function run<Of extends { readonly folder: string }>(checks: Checks<Of>, of: Of, project: string) {
  const where = relative(project, of.folder);
  return Object.entries(checks).flatMap(([code, check]) =>
    [...check(of)].map(([what, remedy, kind = "problem" as const]): [string, Finding] => {
      const message = where === "" ? what : `In ${where}: ${what}`;
      return [`${code} ${what}`, { kind, code, message, remedy }];
    }),
  );
}

const CORE = "@langchain/core";

const PROJECT_CHECKS: Checks<Project> = {
  *"no-langchain"({ packages, folder }) {
    if (packages.some(({ name }) => name === CORE || name === "langchain")) return;
    yield ["No LangChain package is installed here", whereToRun(folder, "doctor")];
  },
  *"broken-package"({ folder }) {
    for (const { name } of SUPPORTED_PACKAGES) {
      const path = join(folder, "node_modules", name);
      const isDangling = isListed(dirname(path)) && !existsSync(dirname(path));
      if (readCopy(path) !== undefined || !(isListed(path) || isDangling)) continue;
      yield [`node_modules/${name} has no readable package.json`, "Install again: npm ci"];
    }
  },
  *patch({ patchable }) {
    const isUsed = patchable.some(({ state }) => state === "applied");
    for (const copy of patchable) {
      const { title, patch, state, sharing } = copy;
      if (patch === undefined || state === "applied") continue;
      if (sharing !== undefined) {
        const message = `toolmend patch does not write to ${title}, as ${sharing.reason}`;
        yield [message, `To patch it, ${sharing.remedy}`, "note"];
      }
      if (state !== "not applied" || (isUsed && sharing === undefined)) yield faultOf(copy);
    }
  },
  *"failing-script"({ folder, patchable }) {
    const without = patchable.filter(({ patch }) => patch === undefined);
    const titles = without.map(({ title }) => title).join(", ");
    for (const [name, script] of Object.entries(readManifest(folder)?.scripts ?? {})) {
      const isRun = /^(?:(?:pre|post)?install|prepare)$/.test(name);
      if (without.length === 0 || !isRun) continue;
      if (!/\btoolmend patch\b(?!.*--(?:partial|list|print))/.test(String(script))) continue;
      const message = `The script ${name} runs toolmend patch, which fails: there is no patch for ${titles}`;
      yield [message, "Install a version that has one, or add --partial"];
    }
  },
};

const PROGRAM_CHECKS: Checks<Program> = {
  *"duplicate-core"({ packages, register }) {
    const found = packages.filter(({ name }) => name === CORE);
    if (found.length < 2) return;
    const places = found.map(({ version, folder }) => `${version} in ${folder}`).join(", ");
    const message = `${CORE} is there ${found.length} times: ${places}`;
    const override = `"overrides": { "${CORE}": "…" } in package.json`;
    yield register.length > 0
      ? [message, "None needed for tool inputs: toolmend/register reaches each of them", "note"]
      : [
          `${message}. Tools of one are strangers to the other`,
          `npm dedupe, or else ${override}; or import "toolmend/register", which reaches each of them`,
        ];
  },
  *unsupported({ packages }) {
    for (const { name, version } of packages.filter(({ supported }) => supported === "no")) {
      const known = SUPPORTED_PACKAGES.find((one) => one.name === name)?.versions ?? [];
      const remedy = `npm install ${name}@${known.at(-1)} (known: ${showVersions(known)})`;
      yield [`${name} ${version} is not supported`, remedy];
    }
  },
  *"old-zod"({ folder, installed }) {
    const zod = findPackage("zod", folder);
    const isOwn = installed.some((one) => one.folder === zod?.folder);
    const hasCore = installed.some(({ name }) => name === CORE);
    if (!zod || !isOwn || !hasCore || satisfies(zod.version, ">=3.25")) return;
    const message = `zod ${zod.version} has no Standard Schema, by which toolmend validates`;
    yield [message, "npm install zod@^3.25, or zod@4"];
  },
  /** Two builds have two sets of classes: `instanceof` fails between them (langchainjs issue #6374). */
  *split({ installed, format, packages, register }) {
    const others = installed.filter(
      ({ manifest }) => usesCore(manifest) && !formatsOf(manifest).includes(format),
    );
    if (others.length === 0) return;
    const names = others.map(({ name }) => name).join(", ");
    const message = `The project is ${format}, and these load the other build of ${CORE}: ${names}`;
    const isPatched = packages.some(({ name, patch }) => name === CORE && patch === "applied");
    yield register.length > 0 || isPatched
      ? [message, "None needed: instanceof works across builds", "note"]
      : [message, 'import "toolmend/register", or npx toolmend patch'];
  },
  /** npm only warns of it. */
  *"unmet-peer"({ installed }) {
    for (const { name, version, issuer, manifest } of installed.filter(isRelevant)) {
      for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
        const found = ALWAYS.includes(peer) ? findPackage(peer, issuer) : undefined;
        if (found === undefined || satisfies(found.version, String(range))) continue;
        const message = `${name} ${version} needs ${peer} ${range}, and gets ${found.version}`;
        yield [message, `npm install ${peer}@"${range}"`];
      }
    }
  },
};

/** The folders whose code runs: members of a workspace, and its root if that declares LangChain itself. */
function listPrograms(project: string): readonly string[] {
  const members = listMembers(project);
  const { dependencies, devDependencies } = readManifest(project) ?? {};
  const declared = Object.keys({ ...dependencies, ...devDependencies });
  const isProgram = members.length === 0 || declared.some((name) => isRelevant({ name }));
  return isProgram ? [project, ...members] : members;
}

function isRelevant({ name }: Pick<PackageCopy, "name">): boolean {
  return name === "zod" || name === "langchain" || name.startsWith("@langchain/");
}

function supportOf(name: string, version: string): Program["packages"][number]["supported"] {
  const known = SUPPORTED_PACKAGES.find((one) => one.name === name);
  if (known === undefined) return "not hooked";
  if (isVersionOf(version, known.patchOnly ?? [])) return "by patch only";
  return isVersionOf(version, known.versions) ? "yes" : "no";
}

function formatOf(folder: string): "ESM" | "CJS" {
  return readManifest(folder)?.type === "module" ? "ESM" : "CJS";
}

function usesCore({ dependencies, peerDependencies }: Manifest): boolean {
  return CORE in { ...dependencies, ...peerDependencies };
}

/** The builds that a package has. */
function formatsOf({ exports, type, module }: Manifest): readonly string[] {
  const text = JSON.stringify(exports) ?? "";
  const isEsm = type === "module" || module !== undefined || text.includes('"import"');
  const isCjs = type !== "module" || text.includes('"require"');
  return [isEsm ? "ESM" : "", isCjs ? "CJS" : ""];
}

/** Lists a folder; what is not there, or no folder, is empty. */
function entriesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : [];
}

/** Whether its folder lists a path, which may be a link that leads nowhere. */
function isListed(path: string): boolean {
  return entriesIn(dirname(path)).includes(basename(path));
}

/** Checks a version against ranges such as `^1.2.3`, `~1.2` and `>=1.2.3 <2 || 3`; other ranges count as met. */
function satisfies(version: string, range: string): boolean {
  const isMet = (part: string) => {
    const [, sign = "", wanted] = /^([\^~]|[<>]=?)?(\d+(?:\.\d+){0,2})$/.exec(part) ?? [];
    if (wanted === undefined) return true;
    const order = version.localeCompare(wanted, "en", { numeric: true });
    if (sign.startsWith("<")) return sign === "<" ? order < 0 : order <= 0;
    if (sign.startsWith(">")) return sign === ">" ? order > 0 : order >= 0;
    const parts = wanted.split(".");
    const fixed =
      { "^": Math.max(1, parts.findIndex((one) => one !== "0") + 1), "~": 2 }[sign] ?? 3;
    return order >= 0 && isVersionOf(version, [parts.slice(0, fixed).join(".")]);
  };
  return range.split("||").some((part) => part.trim().split(/\s+/).every(isMet));
}

/** The folders whose files are searched for an import of `toolmend/register`. */
const SOURCES = [".", "src", "app", "lib", "server", "bin", "scripts"];

/** Finds where a program activates `toolmend/register`: its Node.js options, its scripts, its source. */
function findRegister(folder: string, env: Terminal["env"]): readonly string[] {
  const name = "toolmend/register";
  const scripts = Object.entries(readManifest(folder)?.scripts ?? {})
    .filter(([, command]) => String(command).includes(name))
    .map(([script]) => `the script "${script}"`);
  const sources = SOURCES.flatMap((source) =>
    entriesIn(join(folder, source))
      .map((file) => join(source, file))
      .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && imports(join(folder, file), name)),
  );
  return [...(env.NODE_OPTIONS?.includes(name) ? ["NODE_OPTIONS"] : []), ...scripts, ...sources];
}

function imports(file: string, name: string): boolean {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const text = readFileSync(file, "utf8");
  return text.includes(`"${name}"`) || text.includes(`'${name}'`);
}

function toReport({ node, format, packages, register, findings }: Diagnosis): string {
  const rows = packages.map((one) => [one.name, one.version, one.supported, one.patch, one.folder]);
  const places =
    register.length > 0 ? `in ${register.join(", ")}` : "not in NODE_OPTIONS, scripts or source";
  return [
    toTable([["package", "version", "supported", "patch", "folder"], ...rows]),
    "",
    `Node.js ${node}; the project's own files are ${format}.`,
    `toolmend/register: ${places}.`,
    "",
    ...(findings.length === 0 ? ["Nothing is wrong."] : []),
    ...findings.map(({ kind, message, remedy }) => `${kind}: ${message}.\n  → ${remedy}`),
  ].join("\n");
}
