import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { readCopy } from "../langchain/register/find-package.ts";
import { SUPPORTED_PACKAGES } from "../langchain/register/supported-versions.ts";
import { type Diagnosis, type Finding, problem } from "./diagnosis.ts";
import type { PatchableCopy } from "./find-patches.ts";
import { whereToRun } from "./where-to-run.ts";

/** Finds out whether there is no LangChain at all. */
export function findNothing(packages: Diagnosis["packages"], project: string): readonly Finding[] {
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
export function findBroken(project: string): readonly Finding[] {
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
export function findNode(): readonly Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return [];
  const message = `Node.js ${process.versions.node} is older than 20.19`;
  return [problem("old-node", message, "Install Node.js 20.19 or later.")];
}

/** A patch there would change other projects. */
export function findSharedFolders(patchable: readonly PatchableCopy[]): readonly Finding[] {
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
