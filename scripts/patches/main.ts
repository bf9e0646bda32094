// Carries a source patch over to another version of its package:
//
//   npm run patches:carry -- @langchain/core 1.2.13 1.4.0 [WORK]
//
// It downloads the version, applies every hunk whose lines occur there exactly once, writes patches/core-1.4.0,
// and lists the hunks that did not fit. Make those changes by hand in WORK/b, then run the same command again:
// the content of WORK/b becomes the patch.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PATCHES } from "../../src/cli/patch.ts";
import { carryPatch, missingLine } from "./carry-patch.ts";

const [name, from, to, folder] = process.argv.slice(2);
const all = Object.entries(PATCHES).flatMap(([one, versions]) =>
  versions.map((version) => ({ name: one, version })),
);
const patch = all.find((one) => one.name === name && one.version === from);
if (patch === undefined || to === undefined) {
  const known = all.map((one) => `${one.name} ${one.version}`).join(", ");
  throw new Error(
    `Usage: npm run patches:carry -- PACKAGE FROM TO [WORK]. There are patches for ${known}.`,
  );
}
const work = resolve(folder ?? mkdtempSync(join(tmpdir(), "toolmend-carry-")));
const patches = fileURLToPath(new URL("../../patches", import.meta.url));
const misfits = carryPatch({ patch, version: to, patches, work });
for (const [path, hunks] of misfits) {
  for (const { hunk, reason, lines } of hunks) {
    console.error(`${path}: hunk ${hunk} does not fit: ${reason}.\n${lines.join("\n")}\n`);
  }
}
const line = missingLine(patch, to);
if (line !== undefined) console.log(`Put this into src/cli/patch.ts:\n${line}`);
if (misfits.size > 0) {
  console.error(
    `Make these changes by hand in ${join(work, "b")}, then run the same command with ${work}.`,
  );
  process.exitCode = 1;
} else {
  console.log(`patches/ has the patch for ${name} ${to}: every hunk fits, or was made by hand.`);
}
