import assert from "node:assert/strict";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose, install, makeFolder, manifest, PROBE, probe, toolmend, work } from "../work.ts";

const GLOBAL = "enableGlobalVirtualStore: true\n";

/**
 * The package's folder itself is in the store: patch fails, and the remedy in its message works.
 */
export async function pnpmLinks(): Promise<void> {
  const project = makeFolder("pnpm-links", {
    "package.json": manifest({ "@langchain/core": "1.2.13" }),
    "pnpm-workspace.yaml": GLOBAL,
    "probe.mjs": PROBE,
  });
  await install("pnpm", project);
  const folder = realpathSync(join(project, "node_modules/@langchain/core"));
  assert.ok(folder.startsWith(join(work, "pnpm-store")), folder);
  const path = join(folder, "dist/tools/utils.js");
  const published = readFileSync(path, "utf8");

  assert.deepEqual(await diagnose(project), []);
  const { code, out } = await toolmend(project, "patch");
  assert.equal(code, 1, out);
  assert.match(out, /--print.+"patchedDependencies"/);
  assert.equal(readFileSync(path, "utf8"), published);

  const printed = await toolmend(project, "patch", "--print", "@langchain/core");
  mkdirSync(join(project, "patches"));
  writeFileSync(join(project, "patches/core.patch"), printed.out);
  writeFileSync(
    join(project, "pnpm-workspace.yaml"),
    `${GLOBAL}patchedDependencies:\n  "@langchain/core@1.2.13": patches/core.patch\n`,
  );
  await install("pnpm", project);
  assert.equal(await probe(project), "patched");
  assert.deepEqual(await diagnose(project), []);
  assert.equal((await toolmend(project, "patch", "--check")).code, 0);
  assert.equal((await toolmend(project, "patch")).code, 0);
  assert.equal(readFileSync(path, "utf8"), published);
}
