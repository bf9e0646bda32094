import { symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, expect, jest, test } from "@jest/globals";
import { findCopies, findPackage } from "#src/langchain/register/packages.ts";
import { instrument, uninstrument } from "#src/langchain/register/register.ts";
import { globalState } from "#src/langchain/register/registrations.ts";
import { isVersionOf } from "#src/langchain/register/supported-versions.ts";
import { fakeCore, makeProject } from "../../../support/langchain/register/make-project.ts";

const partner = {
  "node_modules/@langchain/partner/package.json": { name: "@langchain/partner", version: "1.0.0" },
};
const NESTED = "node_modules/@langchain/partner/node_modules/@langchain/core";
const instances: (() => void)[] = [];

afterEach(() => {
  uninstrument();
  globalState().registrations.clear();
  for (const undo of instances.splice(0)) undo();
});

test("finds the project's own copy, and a second one nested in another package", () => {
  const folder = makeProject({ ...fakeCore("1.2.13"), ...partner, ...fakeCore("0.3.80", NESTED) });
  const found = findCopies(folder).map(({ name, version, folder: at }) => [name, version, at]);
  expect(found).toEqual([
    ["@langchain/core", "1.2.13", join(folder, "node_modules/@langchain/core")],
    ["@langchain/partner", "1.0.0", join(folder, "node_modules/@langchain/partner")],
    ["@langchain/core", "0.3.80", join(folder, NESTED)],
  ]);
});

test("finds installs in packages that are not LangChain's, at any depth, and beside links as in pnpm's layout", () => {
  const deep = "node_modules/a/node_modules/b/node_modules/@langchain/core";
  const folder = makeProject({
    "package.json": { dependencies: { lc: "npm:@langchain/core@1.2.9", member: "*" } },
    ...fakeCore("1.2.12", deep),
    ...fakeCore("1.2.9", "node_modules/lc"),
    ...fakeCore("1.2.11", "node_modules/.pnpm/dep@1/node_modules/@langchain/core"),
    "node_modules/.pnpm/dep@1/node_modules/dep/package.json": { name: "dep", version: "1.0.0" },
    ...fakeCore("1.2.10", "packages/member/node_modules/@langchain/core"),
    ...fakeCore("1.2.8", "packages/stranger/node_modules/@langchain/core"),
  });
  const link = (from: string, to: string) => symlinkSync(join(folder, from), join(folder, to));
  link("node_modules/.pnpm/dep@1/node_modules/dep", "node_modules/dep");
  link("packages/member", "node_modules/member");
  link("packages/stranger", "node_modules/stranger");
  const versions = findCopies(folder).map(({ version }) => version);
  expect(versions.toSorted()).toEqual(["1.2.10", "1.2.11", "1.2.12", "1.2.9"]);
});

test("finds them from a folder below; a linked package counts once; unreadable ones are skipped", () => {
  const store = makeProject(fakeCore("1.2.13", "core"));
  const folder = makeProject({
    "node_modules/@langchain/x": "",
    "node_modules/langchain/package.json": "{",
  });
  symlinkSync(join(store, "core"), join(folder, "node_modules/@langchain/core"));
  symlinkSync(join(store, "core"), join(folder, "node_modules/@langchain/alias"));
  expect(findCopies(join(folder, "src", "deep")).map(({ folder: at }) => at)).toEqual([
    join(store, "core"),
  ]);
  expect(findPackage("nowhere-to-be-found", folder)).toBeUndefined();
});

test("every install is hooked, and restored", async () => {
  const folder = makeProject({ ...fakeCore("1.2.13"), ...partner, ...fakeCore("0.3.80", NESTED) });
  const load = (at: string) => createRequire(join(folder, at, "package.json"))("./tools.cjs");
  const copies = ["node_modules/@langchain/core", NESTED].map(load);
  const before = copies.map(({ StructuredTool }) => StructuredTool.prototype.call);
  instrument(folder);
  const [one, other] = copies;
  expect(copies.map(({ StructuredTool }) => StructuredTool.prototype.call)).not.toEqual(before);
  expect(
    new one.ToolInputParsingException("x", "{}") instanceof other.ToolInputParsingException,
  ).toBe(true);
  const Mine = class extends one.ToolInputParsingException {} as new (...args: string[]) => Error;
  expect(new Mine("x", "{}") instanceof other.ToolInputParsingException).toBe(true);
  expect(new other.ToolInputParsingException("x", "{}") instanceof Mine).toBe(false);
  expect(new Error("x") instanceof one.ToolInputParsingException).toBe(false);
  uninstrument();
  expect(copies.map(({ StructuredTool }) => StructuredTool.prototype.call)).toEqual(before);
  expect(
    new one.ToolInputParsingException("x", "{}") instanceof other.ToolInputParsingException,
  ).toBe(false);
  expect(Object.hasOwn(one.ToolInputParsingException, Symbol.hasInstance)).toBe(false);
});

test("an unknown version is left alone, with one warning that says what to do", () => {
  const folder = makeProject({
    ...fakeCore("2.0.0"),
    "node_modules/langchain/package.json": { name: "langchain", version: "0.0.153" },
  });
  const { StructuredTool } = createRequire(join(folder, "x.js"))("@langchain/core/tools");
  const { call } = StructuredTool.prototype;
  const warnings: string[] = [];
  const spy = jest
    .spyOn(process, "emitWarning")
    .mockImplementation((text) => void warnings.push(String(text)));
  instances.push(() => spy.mockRestore());
  instrument(folder);
  instrument(folder);
  expect(StructuredTool.prototype.call).toBe(call);
  expect(warnings).toEqual([
    `toolmend leaves @langchain/core 2.0.0 in ${join(folder, "node_modules/@langchain/core")} alone: it knows 0.3.44 or later and 1.x. Update toolmend, or wrap its tools with wrapTool.`,
    `toolmend leaves langchain 0.0.153 in ${join(folder, "node_modules/langchain")} alone: it knows 0.3.x and 1.x. \`npx toolmend patch\` has a source patch for it.`,
  ]);
});

test("versions are compared part by part", () => {
  expect(
    ["1.2.13", "1.0.0", "10.0.0", "0.3.1", "0.30.1"].map((version) =>
      isVersionOf(version, ["1", "0.3"]),
    ),
  ).toEqual([true, true, false, true, false]);
  expect(isVersionOf("0.0.153", ["0.0.153"])).toBe(true);
  const from = ["0.3.43", "0.3.44", "0.3.100", "0.4.50", "0.30.44", "1.3.44"];
  expect(from.map((version) => isVersionOf(version, ["0.3.44+"]))).toEqual([
    false,
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("where the scope is a file, and a manifest begins with a byte order mark", () => {
  const folder = makeProject({ "node_modules/@langchain": "" });
  expect(findCopies(folder)).toEqual([]);
  const marked = makeProject({
    "node_modules/langchain/package.json": '\ufeff{"name": "langchain", "version": "1.5.14"}',
  });
  expect(findCopies(marked)).toMatchObject([{ name: "langchain", version: "1.5.14" }]);
});
