import { join, relative } from "node:path";
import { readManifest } from "../langchain/register/read-manifest.ts";
import {
  isVersionOf,
  SUPPORTED_PACKAGES,
  showVersions,
} from "../langchain/register/supported-versions.ts";
import { findPatches } from "./find-patches.ts";
import { findRegister } from "./find-register.ts";
import { KNOWN_BAD } from "./known-bad.ts";
import { type InstalledPackage, listPackages } from "./list-packages.ts";
import type { PatchState } from "./patch-state.ts";
import type { Terminal } from "./terminal.ts";

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
 * Finds out what a project has of LangChain, and what is wrong with it.
 *
 * @param terminal The project, and its environment.
 */
export function diagnose(terminal: Terminal): Diagnosis {
  const { project, patches } = terminal;
  const installed = listPackages(project);
  const relevant = installed.filter(({ name }) => isRelevant(name));
  const patchable = findPatches(project, patches);
  const packages = relevant.map(({ name, version, folder }) => {
    const own = folder === ownFolder(name, project, relevant);
    const patch = own ? patchable.find((one) => one.name === name)?.patch : undefined;
    const state = patchable.find((one) => one.name === name)?.state;
    return {
      name,
      version,
      folder: relative(project, folder),
      supported: supportOf(name, version),
      patch:
        patch === undefined || state === "no patch for this version" ? "none" : (state ?? "none"),
    } as const;
  });
  const format = formatOf(project);
  const register = findRegister(terminal);
  const facts = { packages, format, register, installed };
  const findings = [
    ...findNothing(facts),
    ...findNode(),
    ...diagnoseCopies(facts),
    ...findUnsupported(facts),
    ...findKnownBad(facts),
    ...findPatchTrouble(facts),
    ...findSplit(facts),
  ];
  return { node: process.versions.node, format, packages, register, findings };
}

type Facts = Pick<Diagnosis, "packages" | "format" | "register"> & {
  readonly installed: readonly InstalledPackage[];
};

function isRelevant(name: string): boolean {
  return name === "zod" || name === "langchain" || name.startsWith("@langchain/");
}

function ownFolder(name: string, project: string, all: readonly InstalledPackage[]): string {
  const inProject = all.find((one) => one.name === name);
  return inProject?.folder ?? join(project, "node_modules", name);
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

function problem(code: string, message: string, remedy: string): Finding {
  return { kind: "problem", code, message, remedy };
}

function findNothing({ packages }: Facts): readonly Finding[] {
  if (packages.some(({ name }) => name === "@langchain/core" || name === "langchain")) return [];
  const remedy = "Run doctor where the project's package.json is, after npm install.";
  return [problem("no-langchain", "No LangChain package is installed here", remedy)];
}

function findNode(): readonly Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return [];
  const message = `Node.js ${process.versions.node} is older than 20.19`;
  return [problem("old-node", message, "Install Node.js 20.19 or later.")];
}

function diagnoseCopies({ packages }: Facts): readonly Finding[] {
  const copies = packages.filter(({ name }) => name === "@langchain/core");
  if (copies.length < 2) return [];
  const places = copies.map(({ version, folder }) => `${version} in ${folder}`).join(", ");
  const remedy =
    'npm dedupe; where that does not do, "overrides": { "@langchain/core": "…" } in package.json';
  const message = `@langchain/core is there ${copies.length} times: ${places}. Tools of one are strangers to the other`;
  return [problem("duplicate-core", message, remedy)];
}

function findUnsupported({ packages }: Facts): readonly Finding[] {
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

function findKnownBad({ packages }: Facts): readonly Finding[] {
  const versions = new Map([...packages].reverse().map(({ name, version }) => [name, version]));
  return KNOWN_BAD.filter((combination) => combination.holds(versions)).map(({ message, remedy }) =>
    problem("known-bad", message, remedy),
  );
}

/** A patch alone is an intention: then the others belong to it. */
function findPatchTrouble({ packages }: Facts): readonly Finding[] {
  const isPatched = packages.some(({ patch }) => patch === "applied");
  return packages.flatMap(({ name, version, patch }) => {
    if (patch === "changed") {
      const remedy = "Install the package anew: npm ci";
      return [
        problem("patch-changed", `${name} ${version} is neither as published nor patched`, remedy),
      ];
    }
    if (patch !== "not applied" || !isPatched) return [];
    const message = `${name} ${version} is not patched, while other packages are`;
    return [problem("patch-missing", message, "npx toolmend patch")];
  });
}

/** Two builds are two sets of classes: `instanceof` fails between them (langchainjs issue #6374). */
function findSplit({ installed, format, packages, register }: Facts): readonly Finding[] {
  const others = installed.filter(({ usesCore, formats }) => usesCore && !formats.includes(format));
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
