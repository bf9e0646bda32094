import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { parsePatch, patchFileOf, replaceFiles, turnPatch } from "#src/cli/patch.ts";
import { patches, root, runCli } from "../../support/cli/run-cli.ts";
import { makeProject } from "../../support/langchain/register/make-project.ts";

const NAMES = ["@langchain/core", "@langchain/langgraph"];
const VERSIONS = new Map(NAMES.map((name) => [name, versionOf(root, name)]));
const [CORE, LANGGRAPH] = [...VERSIONS].map(([name, version]) => `${name} ${version}`);
const files = [...VERSIONS].flatMap(([name, version]) =>
  parsePatch(readFileSync(join(patches, patchFileOf({ name, version })), "utf8")).map(
    ({ path }) => path,
  ),
);

let project = "";
beforeEach(() => {
  // The parts of the packages that the patches touch.
  project = makeProject({
    "package.json": { name: "consumer", version: "1.0.0" },
    "package-lock.json": {},
  });
  const manifests = NAMES.map((name) => `node_modules/${name}/package.json`);
  for (const path of [...files, ...manifests]) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    cpSync(join(root, path), join(project, path));
  }
});

function versionOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8"))
    .version;
}
const contents = () => files.map((path) => readFileSync(join(project, path), "utf8"));

test("applies, checks, applies again, and reverses without a trace", async () => {
  const published = contents();
  const before = await runCli(project, ["patch", "--check"]);
  expect(before).toMatchObject({ code: 1, out: "" });
  expect(before.err).toContain(`${CORE}: its patch is not applied. Run \`npx toolmend patch\``);

  expect(await runCli(project, ["patch"])).toEqual({
    code: 0,
    out: `${CORE}: applied\n${LANGGRAPH}: applied`,
    err: "",
  });
  const patched = contents();
  expect(patched.every((content, i) => content !== published[i])).toBe(true);
  expect(await runCli(project, ["patch", "--check"])).toMatchObject({ code: 0, err: "" });
  const list = await runCli(project, ["patch", "--list", "@langchain/core"]);
  expect(list).toEqual({ code: 0, out: `${CORE}: applied`, err: "" });

  const again = await runCli(project, ["patch"]);
  expect([again.code, again.out.match(/already applied/g)]).toEqual([
    0,
    ["already applied", "already applied"],
  ]);
  expect(contents()).toEqual(patched);

  expect((await runCli(project, ["patch", "--reverse", "@langchain/core"])).code).toBe(0);
  const half = await runCli(project, ["patch", "--check"]);
  expect([half.code, half.out]).toEqual([1, `${LANGGRAPH}: applied`]);
  expect(half.err.startsWith(`${CORE}: its patch is not applied`)).toBe(true);
  const reversed = await runCli(project, ["patch", "--reverse"]);
  expect(reversed.out).toBe(`${CORE}: not applied\n${LANGGRAPH}: taken back`);
  expect(contents()).toEqual(published);
});

test("a version without a patch is left out: patch and --check report the same exit code and message", async () => {
  const manifest = join(project, "node_modules/@langchain/core/package.json");
  writeFileSync(manifest, JSON.stringify({ name: "@langchain/core", version: "1.2.14" }));
  const message =
    "@langchain/core 1.2.14 is installed, and the patch is for 1.4.0, 1.2.13 and 0.3.80. Install one of these, or a toolmend that has a patch for 1.2.14; --partial leaves it out.";
  const said = { out: `${LANGGRAPH}: applied`, err: message };
  expect(await runCli(project, ["patch"])).toEqual({ code: 1, ...said });
  expect(await runCli(project, ["patch", "--check"])).toEqual({ code: 1, ...said });
  const again = { ...said, out: `${LANGGRAPH}: already applied` };
  expect(await runCli(project, ["patch", "--partial"])).toEqual({ code: 0, ...again });
  expect(await runCli(project, ["patch", "--check", "--partial"])).toEqual({ code: 0, ...said });
  expect((await runCli(project, ["patch", "--check", "@langchain/langgraph"])).code).toBe(0);
});

test("files that differ from the published ones are left alone", async () => {
  const path = join(project, "node_modules/@langchain/core/dist/tools/utils.js");
  const changed = readFileSync(path, "utf8").replace("super(message)", "super()");
  writeFileSync(path, changed);
  const applied = await runCli(project, ["patch", "@langchain/core"]);
  expect(applied).toMatchObject({ code: 1, out: "" });
  expect(applied.err).toContain(`${CORE}: its files are not those that the patch was made for`);
  expect(readFileSync(path, "utf8")).toBe(changed);
});

test("--check compares the lines of the patch, not the rest of a file", async () => {
  await runCli(project, ["patch"]);
  const path = join(project, "node_modules/@langchain/core/dist/tools/utils.js");
  const patched = readFileSync(path, "utf8");
  writeFileSync(path, `${patched}\n// mine`);
  expect((await runCli(project, ["patch", "--check"])).code).toBe(0);
  writeFileSync(path, `// mine\n${patched}`);
  expect((await runCli(project, ["patch", "--check"])).err).toContain("its files are not those");
});

test("says if there is nothing to patch", async () => {
  const empty = makeProject({ "package.json": {} });
  expect(await runCli(empty, ["patch", "--check"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("No package"),
  });
});

const inCore = (path: string) => join(project, "node_modules/@langchain/core", path);

test("a file that is a hard link into a store is replaced: the store's own, and other projects', stay", async () => {
  const store = makeProject({});
  const published = contents();
  for (const [i, path] of files.entries()) linkSync(join(project, path), join(store, `${i}`));
  expect((await runCli(project, ["patch"])).code).toBe(0);
  expect(contents()).not.toEqual(published);
  expect(files.map((_, i) => readFileSync(join(store, `${i}`), "utf8"))).toEqual(published);
  expect((await runCli(project, ["patch", "--reverse"])).code).toBe(0);
  expect(contents()).toEqual(published);
});

test("an interrupted run is completed, or reversed", async () => {
  const published = contents();
  await runCli(project, ["patch"]);
  const [first = ""] = files;
  writeFileSync(join(project, first), published[0] ?? "");
  const checked = await runCli(project, ["patch", "--check"]);
  expect([checked.code, checked.err]).toEqual([1, expect.stringContaining("partly applied")]);
  expect((await runCli(project, ["patch"])).code).toBe(0);
  expect((await runCli(project, ["patch", "--check"])).code).toBe(0);
  writeFileSync(join(project, first), published[0] ?? "");
  expect((await runCli(project, ["patch", "--reverse"])).code).toBe(0);
  expect(contents()).toEqual(published);
});

test("a file changed since it was read is not overwritten", () => {
  const folder = makeProject({ "x.js": "one\nother\n" });
  const files = [
    {
      path: "x.js",
      hunks: [{ oldStart: 0, newStart: 0, before: ["one", "two"], after: ["1", "two"] }],
    },
  ];
  expect(() => turnPatch(files, folder, "applied")).toThrow(/x\.js was changed meanwhile/);
  expect(readFileSync(join(folder, "x.js"), "utf8")).toBe("one\nother\n");
});

test("a file that cannot be replaced leaves all files unchanged, and nothing beside them", async () => {
  const published = contents();
  const path = inCore("dist/tools/utils.js");
  // Its name has the maximum length, so nothing can be written beside it: root fails too.
  const copies = new Map(files.map((file) => [join(project, file), "x"]));
  const long = join(dirname(path), "n".repeat(255));
  writeFileSync(long, "old");
  expect(() => replaceFiles(new Map([...copies, [long, "new"]]))).toThrow(/ENAMETOOLONG/);
  expect(contents()).toEqual(published);
  expect(readdirSync(dirname(path)).filter((name) => name.includes("toolmend"))).toEqual([]);
});

test("Windows line endings are kept", async () => {
  const path = inCore("dist/tools/utils.js");
  const windows = readFileSync(path, "utf8").replaceAll("\n", "\r\n");
  writeFileSync(path, windows);
  expect((await runCli(project, ["patch"])).code).toBe(0);
  const patched = readFileSync(path, "utf8");
  expect(patched).not.toBe(windows);
  expect(patched.match(/[^\r]\n/)).toBeNull();
  expect((await runCli(project, ["patch", "--reverse"])).code).toBe(0);
  expect(readFileSync(path, "utf8")).toBe(windows);
});

test("a file's mode is kept", async () => {
  const path = inCore("dist/tools/utils.js");
  chmodSync(path, 0o640);
  await runCli(project, ["patch"]);
  expect(statSync(path).mode & 0o777).toBe(0o640);
});

test("a copy nested in another package is patched and checked, too, and named", async () => {
  const nested = "node_modules/dep/node_modules/@langchain/core";
  cpSync(inCore(""), join(project, nested), { recursive: true });
  writeFileSync(join(project, "node_modules/dep/package.json"), '{"name":"dep","version":"1.0.0"}');
  const { code, out } = await runCli(project, ["patch", "@langchain/core"]);
  expect([code, out.split("\n")]).toEqual([
    0,
    [`${CORE}: applied`, `${CORE} in ${nested}: applied`],
  ]);
  cpSync(
    join(root, "node_modules/@langchain/core/dist/tools/utils.js"),
    join(project, nested, "dist/tools/utils.js"),
  );
  const checked = await runCli(project, ["patch", "--check", "@langchain/core"]);
  expect([checked.code, checked.err]).toEqual([1, expect.stringContaining(`in ${nested}`)]);
});

describe("a package that other projects share", () => {
  test("in a linked store is rejected with a remedy", async () => {
    const store = makeProject({});
    renameSync(join(project, "node_modules"), join(store, "node_modules"));
    symlinkSync(join(store, "node_modules"), join(project, "node_modules"));
    const published = contents();
    const refused = await runCli(project, ["patch", "@langchain/core"]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/other projects may use its folder.+--print.+patchedDependencies/),
    ]);
    expect(contents()).toEqual(published);
    expect((await runCli(project, ["doctor"])).out).toContain("Nothing is wrong.");
  });

  test("in the folder of another project above is rejected; a workspace's root is patched", async () => {
    const inner = join(project, "inner");
    mkdirSync(inner);
    writeFileSync(join(inner, "package.json"), '{"dependencies":{"@langchain/core":"1"}}');
    const refused = await runCli(inner, ["patch"]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("Run `npx toolmend patch` in the project that it belongs to"),
    ]);
    writeFileSync(join(project, "package.json"), '{"workspaces":["inner"]}');
    expect((await runCli(inner, ["patch"])).code).toBe(0);
    expect((await runCli(inner, ["patch", "--check"])).code).toBe(0);
  });
});

test("a hunk starts where its ranges say, even if numbers stand in the line that git shows behind them", () => {
  const diff = `diff --git a/file.js b/file.js
--- a/file.js
+++ b/file.js
@@ -3,1 +4,1 @@ const sum = 1 - 8 +90;
-old
+new`;
  expect(parsePatch(diff)).toEqual([
    { path: "file.js", hunks: [{ oldStart: 2, newStart: 3, before: ["old"], after: ["new"] }] },
  ]);
});

test("--print writes one package's patch in the format of pnpm and yarn", async () => {
  const { code, out } = await runCli(project, ["patch", "--print", "@langchain/core"]);
  expect([code, out.match(/node_modules/)]).toEqual([0, null]);
  expect(parsePatch(out).map(({ path }) => `node_modules/@langchain/core/${path}`)).toEqual(
    files.filter((path) => path.startsWith("node_modules/@langchain/core/")),
  );
  const several = await runCli(project, ["patch", "--print"]);
  expect([several.code, several.err]).toEqual([1, expect.stringContaining("name one")]);
});
