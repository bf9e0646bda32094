import { mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { listPackages } from "#src/cli/list-packages.ts";
import { parsePatch, patchFileOf } from "#src/cli/patch.ts";
import { patches, root, runCli } from "../../support/cli/run-cli.ts";
import { fakeCore, makeProject } from "../../support/langchain/register/make-project.ts";

/** What doctor prints as JSON. */
interface Diagnosis {
  readonly packages: readonly { readonly name: string; version: string; folder: string }[];
  readonly register: readonly string[];
  readonly findings: readonly { readonly code: string; message: string; remedy: string }[];
}

const manifest = (name: string, version: string, more: object = {}) => ({ name, version, ...more });
const PEERS = { peerDependencies: { "@langchain/core": "^1.2.13" } };
const DUAL = { exports: { ".": { import: "./i.js", require: "./i.cjs" } } };

async function doctor(files: Parameters<typeof makeProject>[0], env?: Record<string, string>) {
  const { code, out } = await runCli(makeProject(files), ["doctor", "--json"], env && { env });
  return { code, ...(JSON.parse(out) as Diagnosis) };
}

/** The installed core, as far as its patch touches it. */
function publishedCore(): Record<string, string> {
  const name = "@langchain/core";
  const manifestPath = `node_modules/${name}/package.json`;
  const { version } = JSON.parse(readFileSync(join(root, manifestPath), "utf8"));
  const patch = parsePatch(readFileSync(join(patches, patchFileOf({ name, version })), "utf8"));
  const paths = [manifestPath, ...patch.map(({ path }) => path)];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}
const codes = ({ findings }: Diagnosis) => findings.map(({ code }) => code);

test("a sound project has no findings", async () => {
  const project = makeProject({ "package.json": { type: "module" }, ...fakeCore("1.0.6") });
  const { code, out } = await runCli(project, ["doctor"]);
  expect(out).toMatch(/@langchain\/core +1\.0\.6 +yes +not needed +node_modules\/@langchain\/core/);
  expect(out).toContain("Nothing is wrong.");
  expect(code).toBe(0);
});

test("two copies of core are reported with their paths and a remedy", async () => {
  const found = await doctor({
    "package.json": { type: "module" },
    ...fakeCore("1.2.12"),
    "node_modules/@langchain/partner/package.json": manifest("@langchain/partner", "1.0.0", DUAL),
    ...fakeCore("0.3.79", "node_modules/@langchain/partner/node_modules/@langchain/core"),
  });
  expect(found.code).toBe(1);
  expect(found.findings).toEqual([
    {
      code: "duplicate-core",
      message: [
        "@langchain/core is there 2 times: 1.2.12 in node_modules/@langchain/core",
        "0.3.79 in node_modules/@langchain/partner/node_modules/@langchain/core. Tools of one are strangers to the other",
      ].join(", "),
      remedy: expect.stringContaining("npm dedupe"),
    },
  ]);
});

test("unsupported versions, and a peer that langchain does not get, are reported", async () => {
  const found = await doctor({
    ...fakeCore("0.2.36"),
    "node_modules/langchain/package.json": manifest("langchain", "1.5.13", PEERS),
  });
  expect(found.code).toBe(1);
  expect(codes(found)).toEqual(["unsupported", "unmet-peer"]);
  expect(found.findings.map(({ message }) => message)).toEqual([
    "@langchain/core 0.2.36 is not supported",
    "langchain 1.5.13 needs @langchain/core ^1.2.13, and gets 0.2.36",
  ]);
  expect(found.findings.every(({ remedy }) => remedy.startsWith("npm install "))).toBe(true);
});

test("two copies of core are fine where register is activated, by a script or NODE_OPTIONS", async () => {
  const files = {
    "package.json": { scripts: { start: "node app.js" } },
    ...fakeCore("1.0.6"),
    "node_modules/old-tools/package.json": manifest("old-tools", "1.0.0"),
    ...fakeCore("1.0.5", "node_modules/old-tools/node_modules/@langchain/core"),
  };
  expect(codes(await doctor(files))).toEqual(["duplicate-core"]);
  const start = "node --import toolmend/register app.js";
  for (const fixed of [
    await doctor({ ...files, "package.json": { scripts: { start } } }),
    await doctor(files, { NODE_OPTIONS: "--import toolmend/register" }),
  ]) {
    expect([fixed.code, fixed.findings, fixed.register.length]).toEqual([0, [], 1]);
  }
});

test("an empty project is reported", async () => {
  const { code, findings } = await doctor({ "package.json": {} });
  expect([code, findings[0]?.code]).toEqual([1, "no-langchain"]);
});

const WORKSPACE = {
  "package.json": { private: true, workspaces: ["packages/*"] },
  ...fakeCore("1.2.12"),
  "packages/new/package.json": manifest("new", "1.0.0", {
    type: "module",
    dependencies: { "@langchain/core": "1" },
  }),
  "packages/old/package.json": manifest("old", "1.0.0", {
    type: "module",
    dependencies: { langchain: "0.3", "@langchain/core": "0.3" },
  }),
  "packages/old/node_modules/langchain/package.json": manifest("langchain", "0.3.36", DUAL),
  ...fakeCore("0.3.79", "packages/old/node_modules/@langchain/core"),
};

function linkMembers(project: string, names: readonly string[]) {
  for (const name of names) {
    symlinkSync(join(project, "packages", name), join(project, "node_modules", name));
  }
  return project;
}
const doctorIn = async (project: string) =>
  JSON.parse((await runCli(project, ["doctor", "--json"])).out) as Diagnosis;

test("members of a workspace that each have their own core are fine, at the root and in each", async () => {
  const project = linkMembers(makeProject(WORKSPACE), ["new", "old"]);
  const root = await doctorIn(project);
  expect(root.findings).toEqual([]);
  expect(root.packages.map(({ name, version, folder }) => [name, version, folder])).toEqual([
    ["@langchain/core", "1.2.12", "node_modules/@langchain/core"],
    ["@langchain/core", "0.3.79", "packages/old/node_modules/@langchain/core"],
    ["langchain", "0.3.36", "packages/old/node_modules/langchain"],
  ]);
  const hoisted = await doctorIn(join(project, "packages/new"));
  expect([hoisted.findings, hoisted.packages.map(({ folder }) => folder)]).toEqual([
    [],
    ["../../node_modules/@langchain/core"],
  ]);
});

test("a member that asks for the other has both, which is reported in it and at the root", async () => {
  const both = { type: "module", dependencies: { "@langchain/core": "1", old: "*" } };
  const project = linkMembers(
    makeProject({ ...WORKSPACE, "packages/new/package.json": manifest("new", "1.0.0", both) }),
    ["new", "old"],
  );
  expect(codes(await doctorIn(join(project, "packages/new")))).toEqual(["duplicate-core"]);
  const [found, ...others] = (await doctorIn(project)).findings;
  expect([found?.message, others]).toEqual([expect.stringMatching(/^In packages\/new: /), []]);
});

test("langchain with a wrong core is reported, although the project has a right one", async () => {
  const found = await doctor({
    ...fakeCore("0.3.79"),
    "node_modules/dep/package.json": manifest("dep", "1.0.0"),
    "node_modules/dep/node_modules/langchain/package.json": manifest("langchain", "1.5.13", PEERS),
  });
  expect(found.findings.map(({ message }) => message)).toEqual([
    "langchain 1.5.13 needs @langchain/core ^1.2.13, and gets 0.3.79",
  ]);
});

test("packages in pnpm's own folder are found through their dependents", async () => {
  const project = makeProject({
    "package.json": {
      type: "module",
      dependencies: { "@langchain/classic": "1", "@langchain/core": "1" },
    },
    "store/classic/node_modules/@langchain/classic/package.json": manifest(
      "@langchain/classic",
      "1.0.49",
      { ...DUAL, peerDependencies: { "@langchain/core": "1" } },
    ),
    ...fakeCore("1.2.12", "store/core-2/node_modules/@langchain/core"),
    ...fakeCore("1.2.11", "store/core-1/node_modules/@langchain/core"),
    "node_modules/.keep": "",
  });
  const store = join(project, "node_modules/.pnpm");
  renameSync(join(project, "store"), store);
  mkdirSync(join(project, "node_modules/@langchain"));
  for (const [from, to] of [
    ["core-2/node_modules/@langchain/core", "node_modules/@langchain/core"],
    ["classic/node_modules/@langchain/classic", "node_modules/@langchain/classic"],
    [
      "core-1/node_modules/@langchain/core",
      "node_modules/.pnpm/classic/node_modules/@langchain/core",
    ],
  ] as const) {
    symlinkSync(join(store, from), join(project, to));
  }
  const { findings } = await doctorIn(project);
  expect(findings.map(({ code }) => code)).toEqual(["duplicate-core"]);
});

test("an empty folder gets a hint where to run doctor instead", async () => {
  const remedy = async (files: Record<string, string | object>) =>
    (await doctorIn(makeProject(files))).findings[0]?.remedy;
  expect(await remedy({ "pnpm-workspace.yaml": "packages: [a]" })).toContain(
    "`pnpm -r exec toolmend doctor`",
  );
  expect(await remedy({ ".pnp.cjs": "" })).toContain("`yarn toolmend doctor`");
});

test("a package installed above for another project is ignored, unless this one asks for it", async () => {
  const files = {
    ...fakeCore("0.2.36"),
    "node_modules/zod/package.json": manifest("zod", "3.22.0"),
    ...fakeCore("1.2.12", "inner/node_modules/@langchain/core"),
    "inner/node_modules/x/package.json": manifest("x", "1.0.0", {
      peerDependencies: { langchain: "1" },
    }),
    "inner/package.json": { type: "module" },
    "node_modules/langchain/package.json": manifest("langchain", "0.3.2", {
      peerDependencies: { "@langchain/core": ">=0.3.0 <0.4.0" },
    }),
  };
  const inner = join(makeProject(files), "inner");
  const found = await doctorIn(inner);
  expect([found.findings, found.packages.length]).toEqual([[], 1]);
  const asks = {
    ...files,
    "inner/package.json": { type: "module", dependencies: { langchain: "1" } },
  };
  const { findings } = await doctorIn(join(makeProject(asks), "inner"));
  expect(findings.map(({ message }) => message)).toContain(
    "langchain 0.3.2 needs @langchain/core >=0.3.0 <0.4.0, and gets 0.2.36",
  );
});

test("shared packages of a workspace are listed once", () => {
  const project = linkMembers(makeProject(WORKSPACE), ["new", "old"]);
  const foldersOf = (folder: string, withMembers: boolean) =>
    listPackages(folder, withMembers).map((one) => one.folder);
  const folders = foldersOf(project, true);
  expect(folders).toEqual([...new Set(folders)]);
  expect([folders.length, foldersOf(project, false)]).toEqual([3, folders.slice(0, 1)]);
  expect(foldersOf(join(project, "packages/new"), false)).toEqual(folders.slice(0, 1));
});

test("a failing install script and an unmet peer are reported", async () => {
  const found = await doctor({
    "package.json": { type: "module", scripts: { prepare: "toolmend patch" } },
    ...fakeCore("1.2.12"),
    "node_modules/@langchain/classic/package.json": manifest("@langchain/classic", "1.0.0", {
      ...DUAL,
      peerDependencies: { "@langchain/core": "^0.3 || ^1.2.13" },
    }),
  });
  expect(found.code).toBe(1);
  expect(codes(found)).toEqual(expect.arrayContaining(["unmet-peer", "failing-script"]));
  const messages = found.findings.map(({ message }) => message).join("\n");
  expect(messages).toContain(
    "@langchain/classic 1.0.0 needs @langchain/core ^0.3 || ^1.2.13, and gets 1.2.12",
  );
  expect(messages).toContain("The script prepare runs toolmend patch, which fails");
});

test("a zod that toolmend cannot be imported with is reported, also the one that pnpm links beside toolmend", async () => {
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const stored = "node_modules/.pnpm/toolmend@0.1.0/node_modules";
  const project = makeProject({
    "package.json": { type: "module", dependencies: { toolmend: "0.1.0", zod: "4.1.0" } },
    ...fakeCore("1.0.6"),
    "node_modules/zod/package.json": manifest("zod", "4.1.0"),
    [`${stored}/toolmend/package.json`]: manifest("toolmend", "0.1.0", { peerDependencies }),
    [`${stored}/zod/package.json`]: manifest("zod", "3.22.4"),
  });
  symlinkSync(join(project, stored, "toolmend"), join(project, "node_modules/toolmend"));
  const { code, out } = await runCli(project, ["doctor"]);
  expect(out).toContain("toolmend 0.1.0 needs zod ^3.25 || ^4, and gets 3.22.4");
  expect(code).toBe(1);
});

test("a missing zod is reported where toolmend is installed", async () => {
  const { peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const found = await doctor({
    "package.json": { type: "module" },
    ...fakeCore("1.0.6"),
    "node_modules/toolmend/package.json": manifest("toolmend", "0.1.0", { peerDependencies }),
  });
  expect([found.code, codes(found)]).toEqual([1, ["unmet-peer"]]);
  expect(found.findings[0]?.message).toContain("needs zod ^3.25 || ^4, which is not installed");
});

test("a patch that postinstall should have applied is reported, and without the script it is not needed", async () => {
  const files = publishedCore();
  const patched = { type: "module", scripts: { postinstall: "toolmend patch --partial" } };
  const missing = await doctor({ ...files, "package.json": patched });
  expect([missing.code, codes(missing)]).toEqual([1, ["patch"]]);
  const [row] = missing.packages.filter(({ name }) => name === "@langchain/core");
  expect(row).toMatchObject({ patch: "not applied" });
  const without = await doctor({ ...files, "package.json": { type: "module" } });
  expect([without.code, codes(without)]).toEqual([0, []]);
  expect(without.packages[0]).toMatchObject({ patch: "not needed" });
});
