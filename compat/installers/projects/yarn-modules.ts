import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { diagnose, install, makeFolder, manifest, PROBE, probe, run } from "../work.ts";

const UTILS = "node_modules/@langchain/core/dist/tools/utils.js";

/** yarn with node_modules: once with hard links into its store, once with symbolic links. */
export async function yarnModules(): Promise<void> {
  for (const [name, rc] of [
    ["hardlinks", "nodeLinker: node-modules\nnmMode: hardlinks-global\n"],
    ["links", "nodeLinker: pnpm\n"],
  ]) {
    const projects = ["one", "other"].map((which) =>
      makeFolder(`yarn-${name}-${which}`, {
        "package.json": manifest({ "@langchain/core": "1.2.13" }),
        ".yarnrc.yml": rc ?? "",
        "yarn.lock": "",
        "probe.mjs": PROBE,
      }),
    );
    const [one, other] = projects as [string, string];
    for (const project of projects) await install("yarn", project);
    const [before, published] = [statSync(join(other, UTILS)), readFileSync(join(other, UTILS))];
    assert.deepEqual(await diagnose(one, "yarn"), [], name);
    const { code, out } = await run("yarn", one, ["toolmend", "patch"]);
    assert.equal(code, 0, out);
    assert.deepEqual([await probe(one), await probe(other)], ["patched", "as published"], name);
    assert.equal(statSync(join(other, UTILS)).ino, before.ino);
    assert.deepEqual(readFileSync(join(other, UTILS)), published);
    assert.equal((await run("yarn", one, ["toolmend", "patch", "--check"])).code, 0);
  }
}
