import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findPackage, type PackageCopy } from "../langchain/register/find-package.ts";
import { type Manifest, readManifest } from "../langchain/register/read-manifest.ts";
import {
  isVersionOf,
  SUPPORTED_PACKAGES,
  showVersions,
} from "../langchain/register/supported-versions.ts";
import type { PatchState } from "./find-patches.ts";
import type { Terminal } from "./terminal.ts";

/** Of these, each copy may be one too many with what it gets. */
const SUBJECTS: readonly string[] = ["langchain", "@langchain/classic"];
const KNOWN_BAD_NAMES = [...SUBJECTS, "@langchain/core", "zod"];

/** What is known of one program: a project, or a member of a workspace. */
interface Program extends Pick<Diagnosis, "packages" | "format" | "register"> {
  readonly folder: string;
  readonly installed: readonly PackageCopy[];
}

/**
 * Finds what is wrong with what one program has of LangChain.
 *
 * @param program The program.
 */
export function findTroubles(program: Program): readonly Finding[] {
  return [
    ...diagnoseCopies(program),
    ...findUnsupported(program),
    ...findKnownBad(program),
    ...findPatchTrouble(program),
    ...findSplit(program),
    ...findUnmetPeers(program),
  ];
}

/** What a package asks for beside it, and does not get: npm warns of it, and goes on. */
function findUnmetPeers({ installed }: Program): readonly Finding[] {
  return installed
    .filter(({ name }) => SUBJECTS.includes(name) || name.startsWith("@langchain/"))
    .flatMap(({ name, version, folder, manifest }) =>
      Object.entries(manifest.peerDependencies ?? {}).flatMap(([peer, range]) => {
        const found = KNOWN_BAD_NAMES.includes(peer) ? findPackage(peer, folder) : undefined;
        if (found === undefined || satisfies(found.version, String(range))) return [];
        const message = `${name} ${version} needs ${peer} ${range}, and gets ${found.version}`;
        return [problem("unmet-peer", message, `npm install ${peer}@"${range}"`)];
      }),
    );
}

/** Whether a version is in a range of `^1.2.3`, `~1.2`, `>=1.2.3 <2` and `||`. What else there is, it may be. */
function satisfies(version: string, range: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).slice(0, 3).map(Number);
  const compare = (one: readonly number[], other: readonly number[]) =>
    [0, 1, 2].map((at) => (one[at] ?? 0) - (other[at] ?? 0)).find((gap) => gap !== 0) ?? 0;
  const given = numbers(version);
  return range.split("||").some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((one) => {
        const [, sign, text = ""] = /^([\^~]|[<>]=?)?(\d+(?:\.\d+){0,2})$/.exec(one) ?? [];
        if (text === "") return true;
        const wanted = numbers(text);
        if (sign === "<") return compare(given, wanted) < 0;
        if (sign === "<=") return compare(given, wanted) <= 0;
        if (sign === ">") return compare(given, wanted) > 0;
        const kept = sign === "^" ? Math.max(1, wanted.findIndex((n) => n > 0) + 1) : 2;
        const isAlike = wanted
          .slice(0, sign === undefined ? 3 : kept)
          .every((n, at) => n === given[at]);
        return compare(given, wanted) >= 0 && (sign === ">=" || isAlike);
      }),
  );
}

function diagnoseCopies({ packages, register }: Program): readonly Finding[] {
  const copies = packages.filter(({ name }) => name === "@langchain/core");
  if (copies.length < 2) return [];
  const places = copies.map(({ version, folder }) => `${version} in ${folder}`).join(", ");
  const there = `@langchain/core is there ${copies.length} times: ${places}`;
  if (register.length > 0) {
    const isReached = "None needed for tool inputs: toolmend/register reaches each of them.";
    return [{ kind: "note", code: "duplicate-core", message: there, remedy: isReached }];
  }
  const remedy =
    'npm dedupe; where that does not do, "overrides": { "@langchain/core": "…" } in package.json; or import "toolmend/register", which reaches each of them';
  const message = `${there}. Tools of one are strangers to the other`;
  return [problem("duplicate-core", message, remedy)];
}

function findUnsupported({ packages }: Program): readonly Finding[] {
  return packages
    .filter(({ supported }) => supported === "no")
    .map(({ name, version }) => {
      const known = SUPPORTED_PACKAGES.find((one) => one.name === name)?.versions ?? [];
      const message = `${name} ${version} is not supported`;
      return problem(
        "unsupported",
        message,
        `npm install ${name}@${known.at(-1)} (known: ${showVersions(known)})`,
      );
    });
}

/** Of several copies, each package has the one that it gets. */
function findKnownBad({ folder, installed }: Program): readonly Finding[] {
  const subjects = installed.filter(({ name }) => SUBJECTS.includes(name));
  const findings = [undefined, ...subjects].flatMap((subject) => {
    const from = subject?.folder ?? folder;
    const copies = KNOWN_BAD_NAMES.flatMap((name) => findPackage(name, from) ?? []).filter((copy) =>
      installed.some((one) => one.folder === copy.folder),
    );
    const versions = new Map([...copies, ...(subject ? [subject] : [])].map(toVersion));
    return KNOWN_BAD.filter((combination) => combination.holds(versions));
  });
  return [...new Set(findings)].map(({ message, remedy }) => problem("known-bad", message, remedy));
}

function toVersion({ name, version }: PackageCopy): [string, string] {
  return [name, version];
}

/** A patch alone is an intention: then the others belong to it. */
function findPatchTrouble({ packages }: Program): readonly Finding[] {
  const isPatched = packages.some(({ patch }) => patch === "applied");
  return packages.flatMap(({ name, version, patch }) => {
    if (patch === "changed") {
      const remedy = "Install the package anew: npm ci";
      return [
        problem("patch-changed", `${name} ${version} is neither as published nor patched`, remedy),
      ];
    }
    if (patch === "partly applied") {
      const remedy = "npx toolmend patch, or npx toolmend patch --reverse";
      const message = `${name} ${version} is patched in some of its files only`;
      return [problem("patch-partly", message, remedy)];
    }
    if (patch !== "not applied" || !isPatched) return [];
    const message = `${name} ${version} is not patched, while other packages are`;
    return [problem("patch-missing", message, "npx toolmend patch")];
  });
}

/** Two builds are two sets of classes: `instanceof` fails between them (langchainjs issue #6374). */
function findSplit({ installed, format, packages, register }: Program): readonly Finding[] {
  const others = installed.filter(
    ({ manifest }) => usesCore(manifest) && !formatsOf(manifest).includes(format),
  );
  if (others.length === 0) return [];
  const names = others.map(({ name }) => name).join(", ");
  const message = `The project is ${format}, and these load the other build of @langchain/core: ${names}`;
  const isMended =
    register.length > 0 ||
    packages.some(({ name, patch }) => name === "@langchain/core" && patch === "applied");
  if (isMended) {
    return [{ kind: "note", code: "split", message, remedy: "None needed: instanceof is mended." }];
  }
  const remedy = 'import "toolmend/register", or npx toolmend patch';
  return [problem("split", message, remedy)];
}

function usesCore({ dependencies, peerDependencies }: Manifest): boolean {
  return "@langchain/core" in { ...dependencies, ...peerDependencies };
}

/** The builds that a package has. */
function formatsOf({ exports, type, module }: Manifest): readonly Diagnosis["format"][] {
  const text = JSON.stringify(exports) ?? "";
  const isEsm = type === "module" || module !== undefined || text.includes('"import"');
  const isCjs = type !== "module" || text.includes('"require"');
  return [...(isEsm ? (["ESM"] as const) : []), ...(isCjs ? (["CJS"] as const) : [])];
}

/** Versions by package name, as one package gets them, and its own. */
export type Versions = ReadonlyMap<string, string>;

/** Packages that do not work together. */
export interface KnownBad {
  readonly message: string;
  readonly remedy: string;
  holds(versions: Versions): boolean;
}

/** Which combinations are known not to work is data. */
const KNOWN_BAD: readonly KnownBad[] = [
  {
    message: "langchain 1.x needs @langchain/core 1.x",
    remedy: "npm install @langchain/core@1",
    holds: (versions) => is(versions, "langchain", "1") && is(versions, "@langchain/core", "0"),
  },
  {
    message: "langchain 0.3 needs @langchain/core 0.3",
    remedy: "npm install @langchain/core@0.3, or langchain@1",
    holds: (versions) => is(versions, "langchain", "0.3") && is(versions, "@langchain/core", "1"),
  },
  {
    message: "@langchain/classic 1.x needs @langchain/core 1.x",
    remedy: "npm install @langchain/core@1",
    holds: (versions) =>
      is(versions, "@langchain/classic", "1") && is(versions, "@langchain/core", "0"),
  },
  {
    message: "zod before 3.25 has no Standard Schema, by which toolmend validates",
    remedy: "npm install zod@^3.25, or zod@4",
    holds: (versions) => {
      if (!versions.has("@langchain/core")) return false;
      const [major = 0, minor = 0] = (versions.get("zod") ?? "4").split(".").map(Number);
      return major < 3 || (major === 3 && minor < 25);
    },
  },
];

function is(versions: Versions, name: string, version: string): boolean {
  return isVersionOf(versions.get(name) ?? "", [version]);
}

/** Something that is wrong, and what to do about it. A note does not fail the command. */
export interface Finding {
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

/**
 * Makes a finding that fails the command.
 *
 * @param code What kind of thing is wrong.
 * @param message What is wrong.
 * @param remedy What to do about it.
 */
export function problem(code: string, message: string, remedy: string): Finding {
  return { kind: "problem", code, message, remedy };
}

const NAME = "toolmend/register";
const SOURCE = /\.[cm]?[jt]sx?$/;
const FOLDERS = [".", "src", "app", "lib", "server", "bin", "scripts"];

/**
 * Finds where a project activates `toolmend/register`: its Node.js options, its scripts, its source.
 *
 * @param terminal The project and its environment.
 * @returns The places, in words.
 */
export function findRegister({ project, env }: Terminal): readonly string[] {
  const places = (env.NODE_OPTIONS ?? "").includes(NAME) ? ["NODE_OPTIONS"] : [];
  const scripts = readManifest(project)?.scripts ?? {};
  for (const [script, command] of Object.entries(scripts)) {
    if (String(command).includes(NAME)) places.push(`the script "${script}"`);
  }
  for (const folder of FOLDERS) {
    const path = join(project, folder);
    const entries = isFolder(path) ? readdirSync(path, { withFileTypes: true }) : [];
    for (const entry of entries) {
      if (!entry.isFile() || !SOURCE.test(entry.name)) continue;
      const text = readFileSync(join(path, entry.name), "utf8");
      if (text.includes(`"${NAME}"`) || text.includes(`'${NAME}'`)) {
        places.push(join(folder, entry.name));
      }
    }
  }
  return places;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
