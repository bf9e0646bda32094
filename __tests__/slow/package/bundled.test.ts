import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BuildOptions } from "esbuild";
import { bundleOf } from "../../../scripts/bundles.ts";

const SOURCE = `
import { repairToolInput } from "./index.ts";
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
const tool = { name: "count", schema };
const run = async () => {
  const right = await repairToolInput('{"n": 5}', tool);
  const faulty = await repairToolInput("{'n': '5',}", tool);
  console.log(JSON.stringify([
    right.ok && right.toolInput,
    faulty.ok && faulty.toolInput,
  ]));
};
run();
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-bundled-"));
  symlinkSync(join(__dirname, "../../../node_modules"), join(folder, "node_modules"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles the source, and runs it. */
async function run(name: string, options: BuildOptions): Promise<unknown> {
  const { outputFiles } = await bundleOf(SOURCE, options);
  mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, name, "package.json"),
    JSON.stringify({ type: options.format === "cjs" ? "commonjs" : "module" }),
  );
  const [entry = ""] = outputFiles
    .map(({ path }) => path)
    .filter((path) => path.endsWith("stdin.js"));
  for (const { path, contents } of outputFiles) {
    writeFileSync(join(folder, name, basename(path)), contents);
  }
  return JSON.parse(
    execFileSync("node", [join(folder, name, basename(entry))], { encoding: "utf8" }),
  );
}

describe("bundled by esbuild", () => {
  test("into one ES module, it repairs", async () => {
    expect(await run("esm", { format: "esm" })).toEqual([{ n: 5 }, { n: 5 }]);
  });

  test("into one CommonJS file, it repairs", async () => {
    expect(await run("cjs", { format: "cjs" })).toEqual([{ n: 5 }, { n: 5 }]);
  });

  test("into chunks, it repairs", async () => {
    expect(await run("split", { splitting: true })).toEqual([{ n: 5 }, { n: 5 }]);
  });
});
