import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { KNOWN_PATCHES, patchFileOf } from "../../src/cli/known-patches.ts";
import { parsePatch } from "../../src/cli/parse-patch.ts";
import { makeProject } from "../langchain/register/make-project.ts";
import { patches, root, runCli } from "./run-cli.ts";

const NAMES = ["@langchain/core", "@langchain/langgraph"];
const VERSIONS = new Map(NAMES.map((name) => [name, versionOf(root, name)]));
const files = KNOWN_PATCHES.filter(({ name, version }) => VERSIONS.get(name) === version).flatMap(
  (known) =>
    parsePatch(readFileSync(join(patches, patchFileOf(known)), "utf8")).map(({ path }) => path),
);

let project = "";
beforeEach(() => {
  // Of the packages, what the patches touch; patch-package is the project's own.
  project = makeProject({
    "package.json": { name: "consumer", version: "1.0.0" },
    "package-lock.json": {},
  });
  const manifests = NAMES.map((name) => `node_modules/${name}/package.json`);
  for (const path of [...files, ...manifests]) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    cpSync(join(root, path), join(project, path));
  }
  symlinkSync(
    join(root, "node_modules/patch-package"),
    join(project, "node_modules/patch-package"),
  );
});

function versionOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))
    .version;
}
const contents = () => files.map((path) => readFileSync(join(project, path), "utf8"));

test("applies, checks, applies again, and takes back without a trace", async () => {
  const published = contents();
  const before = await runCli(project, ["patch", "--check"]);
  expect(before).toMatchObject({ code: 1, out: "" });
  expect(before.err).toContain(
    "@langchain/core 1.2.13: its patch is not applied. Run `npx toolmend patch`",
  );

  expect(await runCli(project, ["patch"])).toEqual({
    code: 0,
    out: "@langchain/core 1.2.13: applied\n@langchain/langgraph 1.4.17: applied",
    err: "",
  });
  const patched = contents();
  expect(patched.every((content, i) => content !== published[i])).toBe(true);
  expect(await runCli(project, ["patch", "--check"])).toMatchObject({ code: 0, err: "" });

  const again = await runCli(project, ["patch"]);
  expect([again.code, again.out.match(/already applied/g)]).toEqual([
    0,
    ["already applied", "already applied"],
  ]);
  expect(contents()).toEqual(patched);

  expect((await runCli(project, ["patch", "--reverse", "@langchain/core"])).code).toBe(0);
  expect((await runCli(project, ["patch", "--list"])).out).toMatch(
    /core +1\.2\.13 +1\.2\.13, 0\.3\.80 +not applied\n.+ applied$/,
  );
  const reversed = await runCli(project, ["patch", "--reverse"]);
  expect(reversed.out).toBe(
    "@langchain/core 1.2.13: already as it was\n@langchain/langgraph 1.4.17: taken back",
  );
  expect(contents()).toEqual(published);
});

test("a version without a patch: applying goes on, and --check names both versions", async () => {
  const manifest = join(project, "node_modules/@langchain/core/package.json");
  writeFileSync(manifest, JSON.stringify({ name: "@langchain/core", version: "1.2.14" }));
  const message =
    "@langchain/core 1.2.14 is installed, and the patch is for 1.2.13 and 0.3.80. Install @langchain/core@1.2.13, or a toolmend that has a patch for 1.2.14.";
  expect(await runCli(project, ["patch"])).toEqual({
    code: 0,
    out: "@langchain/langgraph 1.4.17: applied",
    err: message,
  });
  const checked = await runCli(project, ["patch", "--check"]);
  expect(checked).toEqual({ code: 1, out: "@langchain/langgraph 1.4.17: applied", err: message });
  expect((await runCli(project, ["patch", "--check", "@langchain/langgraph"])).code).toBe(0);
});

test("files that are not as published are left alone", async () => {
  const path = join(project, "node_modules/@langchain/core/dist/tools/utils.js");
  const changed = readFileSync(path, "utf8").replace("super(message)", "super()");
  writeFileSync(path, changed);
  const applied = await runCli(project, ["patch", "@langchain/core"]);
  expect(applied).toMatchObject({ code: 1, out: "" });
  expect(applied.err).toContain(
    "@langchain/core 1.2.13: its files are not those that the patch was made for.",
  );
  expect(readFileSync(path, "utf8")).toBe(changed);
});

test("nothing to patch is said", async () => {
  const empty = makeProject({ "package.json": {} });
  expect(await runCli(empty, ["patch", "--check"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("No package"),
  });
});
