import assert from "node:assert/strict";
import { copyFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { diagnose, install, makeFolder, manifest, PROBE, probe, toolmend } from "../work.ts";

const UTILS = "node_modules/@langchain/core/dist/tools/utils.js";

/** Two projects share files through hard links into one store; one of them is patched. */
export async function pnpmStore(): Promise<void> {
  const files = { "package.json": manifest({ "@langchain/core": "1.2.13" }), "probe.mjs": PROBE };
  const [one, other, third] = ["pnpm-one", "pnpm-other", "pnpm-third"].map((name) =>
    makeFolder(name, files),
  ) as [string, string, string];
  await install("pnpm", one);
  for (const project of [other, third]) {
    copyFileSync(join(one, "pnpm-lock.yaml"), join(project, "pnpm-lock.yaml"));
  }
  await install("pnpm", other, "--offline", "--frozen-lockfile");
  const shared = statSync(join(one, UTILS)).ino;
  assert.equal(statSync(join(other, UTILS)).ino, shared, "pnpm has linked the same file");
  const published = readFileSync(join(one, UTILS), "utf8");
  assert.deepEqual(await diagnose(one), []);

  assert.equal((await toolmend(one, "patch")).code, 0);
  assert.equal((await toolmend(one, "patch", "--check")).code, 0);
  assert.deepEqual([await probe(one), await probe(other)], ["patched", "as published"]);
  assert.equal((await toolmend(other, "patch", "--check")).code, 1);
  assert.deepEqual(
    [statSync(join(other, UTILS)).ino, readFileSync(join(other, UTILS), "utf8")],
    [shared, published],
  );

  // The store is intact: pnpm does not install from a damaged one.
  await install("pnpm", third, "--offline", "--frozen-lockfile");
  assert.equal(await probe(third), "as published");
  await install("pnpm", one, "--offline", "--frozen-lockfile");
  assert.equal(await probe(one), "patched");

  assert.equal((await toolmend(one, "patch", "--reverse")).code, 0);
  assert.equal(readFileSync(join(one, UTILS), "utf8"), published);
}
