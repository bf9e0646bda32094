import assert from "node:assert/strict";
import { join } from "node:path";
import { install, makeFolder, manifest, node, PROBE, probe, toolmend } from "../work.ts";

/** npm hoists the core of one member into the root's node_modules, and nests the other's. */
export async function npmWorkspace(): Promise<void> {
  const root = makeFolder("npm-workspace", {
    "package.json": { name: "root", private: true, workspaces: ["packages/*"] },
    "packages/a/package.json": manifest({ "@langchain/core": "1.2.13" }, { name: "a" }),
    "packages/a/probe.mjs": PROBE,
    "packages/b/package.json": manifest({ "@langchain/core": "0.3.80" }, { name: "b" }),
    "packages/b/probe.mjs": PROBE,
    "packages/c/package.json": manifest({ "@langchain/core": "1.2.13" }, { name: "c" }),
  });
  await install("npm", root, "--no-audit", "--no-fund");
  const [a, b] = ["a", "b"].map((name) => join(root, "packages", name)) as [string, string];
  const cli = join(root, "node_modules/toolmend/dist/cli.js");
  const findings = async (cwd: string): Promise<readonly string[]> => {
    const { findings: found } = JSON.parse((await node(cwd, cli, "doctor", "--json")).out);
    return found.map(({ message }: { message: string }) => message.split(" times")[0]);
  };
  // The only toolmend is hoisted, so in b it gets a's core: doctor reports only that.
  assert.deepEqual(await findings(root), ["In packages/b: @langchain/core is there 2"]);
  assert.deepEqual(await findings(b), ["@langchain/core is there 2"]);
  assert.deepEqual(await findings(a), []);

  // From a member whose packages are above, as its `prepare` script runs.
  const { code, out } = await node(a, cli, "patch");
  assert.equal(code, 0, out);
  assert.deepEqual([await probe(a), await probe(b)], ["patched", "as published"]);
  assert.equal((await toolmend(root, "patch", "--check")).code, 1);
  assert.equal((await toolmend(root, "patch")).code, 0);
  assert.deepEqual([await probe(a), await probe(b)], ["patched", "patched"]);
  for (const cwd of [a, b, root]) assert.equal((await node(cwd, cli, "patch", "--check")).code, 0);
}
