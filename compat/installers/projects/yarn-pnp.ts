import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose, install, makeFolder, manifest, node, PROBE, run, work } from "../work.ts";

const REGISTERED = `
import "toolmend/register";
import { createRequire } from "node:module";
import * as esm from "@langchain/core/tools";
const cjs = createRequire(import.meta.url)("@langchain/core/tools");
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"], additionalProperties: false };
for (const { tool } of [esm, cjs]) {
  const count = tool(async ({ n }) => n, { name: "count", description: "", schema });
  console.log(await count.invoke({ input: { n: 5 } }).catch(() => "refused"));
}
`;

/** The packages are in archives: patch fails, and the remedy in its message works. */
export async function yarnPnp(): Promise<void> {
  const project = makeFolder("yarn-pnp", {
    "package.json": manifest({ "@langchain/core": "1.2.13" }),
    ".yarnrc.yml": "nodeLinker: pnp\n",
    "yarn.lock": "",
    "probe.mjs": PROBE,
    "registered.mjs": REGISTERED,
  });
  await install("yarn", project);
  const yarn = (...args: string[]) => run("yarn", project, args);
  const probed = async () => (await yarn("node", "probe.mjs")).out;
  assert.deepEqual(await diagnose(project, "yarn"), []);
  assert.match(await probed(), /as published/);
  assert.match((await yarn("node", "registered.mjs")).out, /^5\n5\n/m);
  const { code, out } = await yarn("toolmend", "patch");
  assert.equal(code, 1);
  assert.match(out, /toolmend patch --print.+"resolutions"/);

  const { out: printed } = await yarn("toolmend", "patch", "--print", "@langchain/core");
  writeFileSync(join(project, "core.patch"), printed);
  const file = join(project, "package.json");
  const resolutions = {
    "@langchain/core@npm:1.2.13": "patch:@langchain/core@npm%3A1.2.13#./core.patch",
  };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), resolutions }));
  await install("yarn", project);
  assert.match(await probed(), /patched/);
  assert.deepEqual(await diagnose(project, "yarn"), []);
  assert.equal((await yarn("toolmend", "patch", "--check")).code, 0);

  await checkTransitive();

  // Outside yarn's process, packages in archives are invisible, and the message says so.
  const other = makeFolder("outside", { "package.json": manifest({}) });
  await install("npm", other, "--no-audit", "--no-fund");
  const blind = await node(project, join(other, "node_modules/toolmend/dist/cli.js"), "doctor");
  assert.match(blind.out, /yarn toolmend doctor/);
  assert.ok(project.startsWith(work));
}

/** Packages that only other packages depend on, with peers, are listed and checked like the project's own. */
async function checkTransitive(): Promise<void> {
  const project = makeFolder("yarn-pnp-transitive", {
    "package.json": manifest(
      { "@langchain/core": "1.2.13", langchain: "1.5.14" },
      { resolutions: { "@langchain/langgraph": "1.4.17" } },
    ),
    ".yarnrc.yml": "nodeLinker: pnp\n",
    "yarn.lock": "",
  });
  await install("yarn", project);
  const { code, out } = await run("yarn", project, ["toolmend", "patch", "--check"]);
  assert.equal(code, 1);
  assert.deepEqual(
    [...out.matchAll(/^(\S+ \S+): its patch is not applied/gm)].map(([, title]) => title),
    ["@langchain/core 1.2.13", "langchain 1.5.14", "@langchain/langgraph 1.4.17"],
  );
}
