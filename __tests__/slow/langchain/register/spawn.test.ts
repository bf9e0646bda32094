// The side-effect entry in separate processes, with Node's own ESM and CommonJS.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildSync } from "esbuild";

const root = join(__dirname, "../../..", "..");
const cache = join(root, "node_modules", ".cache", "toolmend", `register-${process.pid}`);
const entry = (format: "mjs" | "cjs") => join(cache, `register.${format}`);

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  for (const format of ["esm", "cjs"] as const) {
    buildSync({
      entryPoints: [join(root, "src", "register.ts")],
      outfile: entry(format === "esm" ? "mjs" : "cjs"),
      bundle: true,
      format,
      platform: "node",
      target: "node20",
      packages: "external",
    });
  }
});
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const BOTH_BUILDS = `
import { createRequire } from "node:module";
import * as esm from "@langchain/core/tools";
const cjs = createRequire(process.cwd() + "/x.js")("@langchain/core/tools");
const schema = { type: "object", properties: { selector: { type: "string" } }, required: ["selector"], additionalProperties: false };
const run = ({ tool }) => tool(async (input) => JSON.stringify(input), { name: "click", description: "", schema })
  .invoke({ input: { selector: "#a" } }).catch((error) => error.constructor.name);
const instances = () => [new cjs.ToolInputParsingException("x") instanceof esm.ToolInputParsingException, new esm.ToolInputParsingException("x") instanceof cjs.ToolInputParsingException];
`;
const node = (args: string[], source: string, cwd = root) =>
  execFileSync("node", [...args, "--input-type=module", "-e", source], { cwd, encoding: "utf8" });

test("node --import: both builds are repaired, and recognize each other's exceptions", () => {
  const source = `${BOTH_BUILDS}
console.log(JSON.stringify([esm.StructuredTool === cjs.StructuredTool, await run(esm), await run(cjs), ...instances()]));`;
  const printed = JSON.parse(node(["--import", entry("mjs")], source));
  expect(printed).toEqual([false, '{"selector":"#a"}', '{"selector":"#a"}', true, true]);
});

test("a script started from another folder has its own LangChain hooked, in both builds", () => {
  const app = join(cache, "app.mjs");
  const source = BOTH_BUILDS.replace('process.cwd() + "/x.js"', "import.meta.url");
  writeFileSync(app, `${source}console.log(JSON.stringify([await run(esm), await run(cjs)]));`);
  const args = ["--import", entry("mjs"), app];
  const printed = execFileSync("node", args, { cwd: "/", encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual(['{"selector":"#a"}', '{"selector":"#a"}']);
});

test("bundled with toolmend, LangChain is hooked even if there are installs on disk", () => {
  const app = join(cache, "bundled.cjs");
  const contents = `
import { register } from ${JSON.stringify(join(root, "src/langchain/register/register.ts"))};
import { tool } from "@langchain/core/tools";
register();
const schema = { type: "object", properties: { selector: { type: "string" } }, required: ["selector"], additionalProperties: false };
tool(async (input) => JSON.stringify(input), { name: "click", description: "", schema })
  .invoke({ input: { selector: "#a" } }).then(console.log, () => console.log("refused"));`;
  buildSync({
    stdin: { contents, resolveDir: root },
    outfile: app,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
  });
  const printed = execFileSync("node", [app], { cwd: root, encoding: "utf8" });
  expect(printed).toBe('{"selector":"#a"}\n');
});

test("require does the same, and the two builds of toolmend share their fixers", () => {
  const source = `${BOTH_BUILDS}
const calls = [esm, cjs].map(({ StructuredTool }) => StructuredTool.prototype.call);
const one = createRequire(import.meta.url)(${JSON.stringify(entry("cjs"))});
const results = [await run(esm), await run(cjs), ...instances()];
const other = await import(${JSON.stringify(entry("mjs"))});
other.unregister();
console.log(JSON.stringify([...results, one.globalFixers === other.globalFixers, calls.every((call, i) => call === [esm, cjs][i].StructuredTool.prototype.call)]));`;
  const printed = JSON.parse(node([], source));
  expect(printed).toEqual(['{"selector":"#a"}', '{"selector":"#a"}', true, true, true, true]);
});
