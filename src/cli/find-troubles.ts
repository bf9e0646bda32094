import { findPackage, type PackageCopy } from "../langchain/register/find-package.ts";
import type { Manifest } from "../langchain/register/read-manifest.ts";
import { SUPPORTED_PACKAGES, showVersions } from "../langchain/register/supported-versions.ts";
import { type Diagnosis, type Finding, problem } from "./diagnosis.ts";
import { KNOWN_BAD } from "./known-bad.ts";

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
  ];
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
