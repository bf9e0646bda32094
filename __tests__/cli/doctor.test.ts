import { expect, test } from "@jest/globals";
import type { Diagnosis } from "../../src/cli/diagnose.ts";
import { fakeCore, makeProject } from "../langchain/register/make-project.ts";
import { root, runCli } from "./run-cli.ts";

const manifest = (name: string, version: string, more: object = {}) => ({ name, version, ...more });
const DUAL = { exports: { ".": { import: "./i.js", require: "./i.cjs" } } };

async function doctor(files: Parameters<typeof makeProject>[0], env?: Record<string, string>) {
  const { code, out } = await runCli(makeProject(files), ["doctor", "--json"], env && { env });
  return { code, ...(JSON.parse(out) as Diagnosis) };
}
const codes = ({ findings }: Diagnosis) => findings.map(({ code }) => code);

test("a sound project: this one", async () => {
  const { code, out } = await runCli(root, ["doctor"]);
  expect(out).toMatch(
    /@langchain\/core +1\.2\.13 +yes +not applied +node_modules\/@langchain\/core/,
  );
  expect(out).toContain("Nothing is wrong.");
  expect(code).toBe(0);
});

test("two copies of core, with their paths and a remedy", async () => {
  const found = await doctor({
    "package.json": { type: "module" },
    ...fakeCore("1.2.12"),
    "node_modules/@langchain/partner/package.json": manifest("@langchain/partner", "1.0.0", DUAL),
    ...fakeCore("0.3.80", "node_modules/@langchain/partner/node_modules/@langchain/core"),
  });
  expect(found.code).toBe(1);
  expect(found.findings).toEqual([
    {
      kind: "problem",
      code: "duplicate-core",
      message:
        "@langchain/core is there 2 times: 1.2.12 in node_modules/@langchain/core, 0.3.80 in node_modules/@langchain/partner/node_modules/@langchain/core. Tools of one are strangers to the other",
      remedy: expect.stringContaining("npm dedupe"),
    },
  ]);
});

test("unsupported versions, and combinations that are known not to work", async () => {
  const found = await doctor({
    ...fakeCore("0.2.36"),
    "node_modules/langchain/package.json": manifest("langchain", "1.5.13"),
    "node_modules/zod/package.json": manifest("zod", "3.23.8"),
  });
  expect(found.code).toBe(1);
  expect(codes(found)).toEqual(["unsupported", "known-bad", "known-bad"]);
  expect(found.findings.map(({ message }) => message)).toEqual([
    "@langchain/core 0.2.36 is not supported",
    "langchain 1.x needs @langchain/core 1.x",
    "zod before 3.25 has no Standard Schema, by which toolmend validates",
  ]);
  expect(found.findings.every(({ remedy }) => remedy.startsWith("npm install "))).toBe(true);
});

test("an ESM project with a package that loads the CommonJS build; register mends it", async () => {
  const files = {
    "package.json": { type: "module" },
    ...fakeCore("1.0.6"),
    "node_modules/old-tools/package.json": manifest("old-tools", "1.0.0", {
      peerDependencies: { "@langchain/core": "1" },
      exports: { ".": { require: "./i.js" } },
    }),
  };
  const split = await doctor(files);
  expect([split.code, codes(split)]).toEqual([1, ["split"]]);
  expect(split.findings[0]?.message).toContain("old-tools");
  for (const mended of [
    await doctor({
      ...files,
      "package.json": {
        type: "module",
        scripts: { start: "node --import toolmend/register app.js" },
      },
    }),
    await doctor({ ...files, "src/main.ts": 'import "toolmend/register";' }),
    await doctor(files, { NODE_OPTIONS: "--import toolmend/register" }),
  ]) {
    expect([mended.code, mended.findings[0]?.kind]).toEqual([0, "note"]);
    expect(mended.register).toHaveLength(1);
  }
});

test("nothing is installed", async () => {
  const { code, findings } = await doctor({ "package.json": {} });
  expect([code, findings[0]?.code]).toEqual([1, "no-langchain"]);
});
