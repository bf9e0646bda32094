import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "@jest/globals";

const INSTALLED = versionOf(require.resolve("langchain"));

/** `test`, or `test.skip` on a langchain without the tested feature. */
export function testSince(version: `${number}.${number}`): typeof test {
  return isSince(version) ? test : (test.skip as typeof test);
}

/** `describe`, or `describe.skip` on a langchain without the tested feature. */
export function describeSince(version: `${number}.${number}`): typeof describe {
  return isSince(version) ? describe : (describe.skip as typeof describe);
}

/** Whether the installed langchain is at least of that version. */
export function isSince(version: string): boolean {
  const [major = 0, minor = 0] = INSTALLED;
  const [wantedMajor = 0, wantedMinor = 0] = version.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

function versionOf(file: string): readonly number[] {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (manifest.name === "langchain") return manifest.version.split(".").map(Number);
    } catch {
      if (folder === dirname(folder)) throw new Error("langchain is not installed.");
    }
  }
}
