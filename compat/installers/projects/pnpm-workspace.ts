import assert from "node:assert/strict";
import { join } from "node:path";
import {
  diagnose,
  install,
  makeFolder,
  manifest,
  PROBE,
  probe,
  run,
  toolmend,
  work,
} from "../work.ts";

/** Two members; one has its own, older core. */
export async function pnpmWorkspace(): Promise<void> {
  const root = makeFolder("pnpm-workspace", {
    "package.json": { name: "root", private: true },
    "pnpm-workspace.yaml": "packages:\n  - packages/*\n",
    "packages/new/package.json": manifest({ "@langchain/core": "1.2.13" }, { name: "new" }),
    "packages/new/probe.mjs": PROBE,
    "packages/old/package.json": manifest({ "@langchain/core": "0.3.80" }, { name: "old" }),
    "packages/old/probe.mjs": PROBE,
  });
  await install("pnpm", root);
  const [one, other] = ["new", "old"].map((name) => join(root, "packages", name)) as [
    string,
    string,
  ];
  assert.deepEqual([await diagnose(one), await diagnose(other)], [[], []]);
  const { code, out } = await run("pnpm", root, ["-r", "exec", "toolmend", "patch"]);
  assert.equal(code, 0, out);
  assert.deepEqual([await probe(one), await probe(other)], ["patched", "patched"]);
  assert.deepEqual([await diagnose(one), await diagnose(other)], [[], []]);

  const fromRoot = join(one, "node_modules/toolmend/dist/cli.js");
  const atRoot = await run("pnpm", root, ["exec", "node", fromRoot, "patch"]);
  assert.match(atRoot.out, /pnpm -r exec toolmend patch/);
  assert.equal((await toolmend(other, "patch", "--reverse")).code, 0);
  assert.deepEqual([await probe(one), await probe(other)], ["patched", "as published"]);
  assert.ok(root.startsWith(work));
}
