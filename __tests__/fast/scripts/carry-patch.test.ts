import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { parsePatch, patchState, turnPatch } from "#src/cli/patch.ts";
import { carryHunks } from "../../../scripts/patches/carry-hunks.ts";
import { carryPatch } from "../../../scripts/patches/carry-patch.ts";
import { makeProject } from "../../support/langchain/register/make-project.ts";

const lines = (...all: readonly string[]) => all.join("\n");
const hunk = (before: readonly string[], after: readonly string[]) => ({
  oldStart: 0,
  newStart: 0,
  before,
  after,
});

test("a hunk is applied where its lines are now", () => {
  const text = lines("new line", "a", "b", "old", "c", "end", "");
  const carried = carryHunks(text, [
    hunk(["a", "b", "old", "c"], ["a", "b", "fresh", "more", "c"]),
  ]);
  expect(carried).toEqual({
    text: lines("new line", "a", "b", "fresh", "more", "c", "end", ""),
    misfits: [],
  });
});

test("changed context lines of a hunk are kept", () => {
  const text = lines("import x", "b", "old", "c", "changed");
  const carried = carryHunks(text, [
    hunk(["a", "b", "old", "c", "d"], ["a", "b", "fresh", "c", "d"]),
  ]);
  expect(carried).toEqual({ text: lines("import x", "b", "fresh", "c", "changed"), misfits: [] });
});

test("of two places, the one with more matching context wins, on either side", () => {
  const text = lines("one", "{", "}", "two", "{", "}");
  const carried = carryHunks(text, [
    hunk(["two", "{", "}", "gone"], ["two", "{", "}", "fresh", "gone"]),
  ]);
  expect(carried).toEqual({ text: lines("one", "{", "}", "two", "{", "}", "fresh"), misfits: [] });
});

test.each([
  ["lines that stand twice", lines("x", "old", "y", "old"), ["a", "old", "b"], /in 2 places/],
  ["lines that are gone", lines("x", "y"), ["a", "old", "b"], /not there/],
  [
    "two places that are equally alike",
    lines("a", "old", "x", "old", "b"),
    ["a", "old", "b"],
    /2 places/,
  ],
])("%s: nothing is changed, and a message says so", (_, text, before, reason) => {
  const carried = carryHunks(text, [hunk(before, [before[0] ?? "", "fresh", before[2] ?? ""])]);
  expect(carried.text).toBe(text);
  expect(carried.misfits).toEqual([
    { hunk: 1, reason: expect.stringMatching(reason), lines: before },
  ]);
});

test("a hunk whose lines come before those of the previous one is not carried", () => {
  const text = lines("b", "a");
  const { text: carried, misfits } = carryHunks(text, [hunk(["a"], ["A"]), hunk(["b"], ["B"])]);
  expect([carried, misfits.map((misfit) => misfit.hunk)]).toEqual([lines("b", "A"), [2]]);
});

test("a hunk that adds lines needs a non-empty line as an anchor", () => {
  const { misfits } = carryHunks(lines("x", "", "y"), [
    hunk(["a", "", "b"], ["a", "", "new", "b"]),
  ]);
  expect(misfits).toHaveLength(1);
});

test("a change made by hand becomes a patch that applies and reverses", () => {
  const at = "node_modules/@langchain/core/dist/x.js";
  const work = makeProject({ [`a/${at}`]: "one\ntwo\nthree\n", [`b/${at}`]: "one\n2\nthree\n" });
  const known = { name: "@langchain/core", version: "1.2.13", folder: "core-1.2.13" };
  const patches = makeProject({
    "core-1.2.13/README.md": "# @langchain/core 1.2.13\n\n1.2.13 is what it is for.\n",
  });
  expect(carryPatch({ patch: known, version: "9.9.9", patches, work }).size).toBe(0);
  expect(readFileSync(join(patches, "core-9.9.9/README.md"), "utf8")).toMatch(
    /^# @langchain\/core 9\.9\.9/,
  );
  const diff = readFileSync(join(patches, "core-9.9.9/@langchain+core+9.9.9.patch"), "utf8");
  const files = parsePatch(diff);
  expect(files.map(({ path }) => path)).toEqual([at]);
  const project = makeProject({ [at]: "one\ntwo\nthree\n" });
  turnPatch(files, project, "applied");
  expect(readFileSync(join(project, at), "utf8")).toBe("one\n2\nthree\n");
  expect(patchState(files, project)).toBe("applied");
  turnPatch(files, project, "not applied");
  expect(patchState(files, project)).toBe("not applied");
});
