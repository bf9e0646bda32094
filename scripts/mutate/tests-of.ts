// Which tests a file has.
//
// Its own tests are those in the folder that mirrors its folder: src/repair/words/names.ts has
// __tests__/fast/repair/words/. If there is no such folder, the next one above counts. Its wider tests
// are those of the table below.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The beginnings of the paths of wider tests, by the first folder in src. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  repair: ["repair/", "hazards/", "faults/", "docs/edit-catalogue"],
  langchain: ["langchain/", "repair/events/", "options/", "examples/"],
  evidence: ["evidence/", "cli/"],
  cli: ["cli/", "patches/"],
};

const FAST = "__tests__/fast";

export interface TestsOfFile {
  readonly own: readonly string[];
  /** Those that are not its own. */
  readonly wider: readonly string[];
}

/** The tests of a file in src, as paths from the root. */
export function testsOf(root: string, file: string): TestsOfFile {
  const folder = mirrorOf(root, dirname(file));
  const room = file.split("/")[1] ?? "";
  const prefixes = (WIDER[room] ?? []).map((prefix) => `${FAST}/${prefix}`);
  const all = readdirSync(join(root, FAST), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => `${FAST}/${path}`)
    .sort();
  const isOwn = (test: string) => test.startsWith(`${folder}/`);
  const isWider = (test: string) => prefixes.some((prefix) => test.startsWith(prefix));
  return {
    own: all.filter(isOwn),
    wider: all.filter((test) => isWider(test) && !isOwn(test)),
  };
}

function mirrorOf(root: string, folder: string): string {
  const mirror = folder.replace(/^src/, FAST);
  if (folder === "src" || existsSync(join(root, mirror))) return mirror;
  return mirrorOf(root, dirname(folder));
}
