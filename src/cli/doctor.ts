import { relative } from "node:path";
import {
  findPackage,
  type PackageCopy,
  readManifest,
} from "../langchain/register/packages.ts";
import {
  isVersionOf,
  SUPPORTED_PACKAGES,
  showVersions,
} from "../langchain/register/supported-versions.ts";
import { wordsIn } from "../repair/words/vocabulary.ts";
import { type Command, toTable } from "./commands.ts";
import {
  ALWAYS,
  listPackages,
  membersOf,
  whereToRun,
} from "./list-packages.ts";
import { findPatches, type PatchableCopy } from "./patch.ts";

/** `toolmend doctor`: what is installed, and what is wrong with it. */
export const doctor: Command<"doctor"> = ({ json }, terminal) => {
  const { folder: project, env, out } = terminal;
  const installed = listPackages(project, true).filter(
    ({ name }) => CONCERNED.includes(name) || name.startsWith("@langchain/"),
  );
  const scripts = readManifest(project)?.scripts ?? {};
  const commands = [env.NODE_OPTIONS, ...Object.values(scripts)].map(String);
  const register = commands.filter((command) =>
    command.includes("toolmend/register"),
  );
  const patchable = findPatches(installed, terminal);
  const patchScript = patchScriptIn(scripts);
  const isApplied = patchable.some(({ state }) => state === "applied");
  const mustPatch = isApplied || patchScript !== undefined;
  const packages = installed.map((copy) => {
    const { name, version } = copy;
    const folder = relative(project, copy.folder);
    const supported = supportOf(copy);
    const patched = patchable.find((row) => row.folder === copy.folder);
    const patch = patchColumn(supported, patched, mustPatch);
    return { name, version, supported, patch, folder };
  });
  const findings = [
    ...checkInstalled(installed),
    ...checkPatches(patchable, patchScript, mustPatch),
    ...(register.length > 0 ? [] : checkDuplicates(project)),
    ...installed.flatMap((copy) => [...checkCopy(copy)]),
    ...checkToolmend(project),
  ];
  const report = { node: process.versions.node, packages, register, findings };
  out(json ? JSON.stringify(report, null, 2) : showReport(report));
  return findings.length > 0 ? 1 : 0;
};

const CONCERNED = ["zod", "langchain"];

interface DoctorReport {
  readonly node: string;
  readonly packages: readonly Readonly<Record<string, string>>[];
  /** The commands that load toolmend/register. */
  readonly register: readonly string[];
  readonly findings: readonly Finding[];
}

function showReport({
  node,
  packages,
  register,
  findings,
}: DoctorReport): string {
  const head = ["package", "version", "supported", "patch", "folder"];
  const lines = [
    toTable([head, ...packages.map(Object.values<string>)]),
    `\nNode.js ${node}; toolmend/register: ${register.join(", ") || "not in NODE_OPTIONS or scripts"}.\n`,
    ...findings.map(({ message, remedy }) => `${message}.\n  → ${remedy}`),
  ];
  if (findings.length === 0) lines.push("Nothing is wrong.");
  return lines.join("\n");
}

const NOT_NEEDED = "not needed";
const BY_PATCH_ONLY = "by patch only";

/**
 * What the table says of a package's patch: one that is not applied matters
 * only where patches are used.
 */
function patchColumn(
  supported: string,
  patched: PatchableCopy | undefined,
  mustPatch: boolean,
): string {
  const hasPatch = patched?.text !== undefined;
  if (supported === BY_PATCH_ONLY) return hasPatch ? patched.state : "none";
  const isIdle = patched?.state === "not applied" && !mustPatch;
  return hasPatch && !isIdle ? patched.state : NOT_NEEDED;
}

/** The script of an install that runs `toolmend patch`. */
interface PatchScript {
  readonly name: string;
  /** Whether it fails for a version without a patch. */
  readonly isStrict: boolean;
}

function patchScriptIn(scripts: object): PatchScript | undefined {
  for (const [name, script] of Object.entries(scripts)) {
    const patches = /\btoolmend patch\b(?!.*--print)/.test(String(script));
    if (!INSTALL_SCRIPTS.includes(name) || !patches) continue;
    return { name, isStrict: !String(script).includes("--partial") };
  }
  return undefined;
}

/** The scripts that an install runs. */
const INSTALL_SCRIPTS = wordsIn("preinstall install postinstall prepare");

type Finding = Readonly<Record<"code" | "message" | "remedy", string>>;

type NamedPackage = Pick<PackageCopy, "name" | "version">;

function supportOf({ name, version }: NamedPackage): string {
  const known = knownPackage(name);
  if (known === undefined) return NOT_NEEDED;
  if (isVersionOf(version, known.patchOnly ?? [])) return BY_PATCH_ONLY;
  return isVersionOf(version, known.versions) ? "yes" : "no";
}

function knownPackage(name: string) {
  return SUPPORTED_PACKAGES.find((supported) => supported.name === name);
}

const CORE = "@langchain/core";

function* checkInstalled(installed: readonly PackageCopy[]): Iterable<Finding> {
  if (installed.some(({ name }) => name === CORE || name === "langchain"))
    return;
  const message = "No LangChain package is installed here";
  yield { code: "no-langchain", message, remedy: whereToRun("doctor") };
}

function* checkPatches(
  patchable: readonly PatchableCopy[],
  script: PatchScript | undefined,
  mustPatch: boolean,
): Iterable<Finding> {
  for (const { text, state, fault } of patchable) {
    const [message, remedy] = fault;
    if (text === undefined && script?.isStrict) {
      const why = `The script ${script.name} runs toolmend patch, which fails: ${message}`;
      yield { code: "failing-script", message: why, remedy };
    } else if (
      text !== undefined &&
      state !== "applied" &&
      (mustPatch || state !== "not applied")
    ) {
      yield { code: "patch", message, remedy };
    }
  }
}

/**
 * Copies of core that the project or a member of its workspace loads side by
 * side; toolmend/register reaches each of them.
 */
function* checkDuplicates(project: string): Iterable<Finding> {
  const seen = new Set<string>();
  for (const program of [project, ...membersOf(project)]) {
    const cores = listPackages(program, false).filter(
      ({ name }) => name === CORE,
    );
    const places = cores
      .map(
        ({ version, folder }) => `${version} in ${relative(project, folder)}`,
      )
      .join(", ");
    if (cores.length < 2 || seen.has(places)) continue;
    seen.add(places);
    const where =
      program === project ? "" : `In ${relative(project, program)}: `;
    const message = `${where}${CORE} is there ${cores.length} times: ${places}. Tools of one are strangers to the other`;
    const override = `"overrides": { "${CORE}": "…" } in package.json`;
    const remedy = `npm dedupe, or else ${override}; or node --import toolmend/register, which reaches each of them`;
    yield { code: "duplicate-core", message, remedy };
  }
}

function* checkCopy(copy: PackageCopy): Iterable<Finding> {
  const { name, version } = copy;
  if (supportOf(copy) === "no") {
    const known = knownPackage(name)?.versions ?? [];
    const remedy = `npm install ${name}@${known.at(-1)} (known: ${showVersions(known)})`;
    yield {
      code: "unsupported",
      message: `${name} ${version} is not supported`,
      remedy,
    };
  }
  yield* checkPeers(copy);
}

/**
 * Checks what `import "toolmend"` needs: with pnpm it may get another zod than
 * the project.
 */
function* checkToolmend(project: string): Iterable<Finding> {
  const installed = findPackage("toolmend", project);
  const range = installed?.manifest.peerDependencies?.zod;
  if (installed === undefined || range === undefined) return;
  if (findPackage("zod", installed.issuer) === undefined) {
    const message = `toolmend ${installed.version} needs zod ${range}, which is not installed`;
    yield { code: "unmet-peer", message, remedy: `npm install zod@"${range}"` };
    return;
  }
  yield* checkPeers({
    ...installed,
    manifest: { peerDependencies: { zod: range } },
  });
}

type WithPeers = Pick<PackageCopy, "name" | "version" | "issuer" | "manifest">;

/** Checks the peers that a package gets. npm only warns about these. */
function* checkPeers({
  name,
  version,
  issuer,
  manifest,
}: WithPeers): Iterable<Finding> {
  for (const [peer, range] of Object.entries(manifest.peerDependencies ?? {})) {
    const copy = ALWAYS.includes(peer) ? findPackage(peer, issuer) : undefined;
    if (copy === undefined || satisfies(copy.version, String(range))) continue;
    const message = `${name} ${version} needs ${peer} ${range}, and gets ${copy.version}`;
    yield {
      code: "unmet-peer",
      message,
      remedy: `npm install ${peer}@"${range}"`,
    };
  }
}

/**
 * Checks a version against ranges such as `^1.2.3`, `~1.2` and
 * `>=1.2.3 <2 || 3`; other ranges count as met.
 */
function satisfies(version: string, range: string): boolean {
  return range
    .split("||")
    .map(wordsIn)
    .some((parts) => parts.every((part) => meets(version, part)));
}

function meets(version: string, part: string): boolean {
  const [, sign, wanted] = /^(\^|~|>=|<)?(\d+(?:\.\d+){0,2})$/.exec(part) ?? [];
  if (wanted === undefined) return true;
  const isLower = version.localeCompare(wanted, "en", { numeric: true }) < 0;
  if (sign === "<") return isLower;
  if (isLower) return false;
  if (sign === ">=") return true;
  return isVersionOf(version, [fixedPart(sign, wanted)]);
}

/** What a range leaves no choice of: `^0.2.1` `0.2`, `^1.2.3` `1`, `~1.2.3` `1.2`. */
function fixedPart(sign: string | undefined, wanted: string): string {
  if (sign === undefined) return wanted;
  const numbers = wanted.split(".");
  const firstAboveZero = numbers.findIndex((number) => Number(number) > 0);
  const last = sign === "~" ? 1 : firstAboveZero;
  return last < 0 ? wanted : numbers.slice(0, last + 1).join(".");
}
