import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "..", "..", "..");
const page = readFileSync(join(root, "docs", "how-it-works.md"), "utf8");
const contributing = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");

test("the diagram of modules shows the imports of src, and no others", () => {
  const script = join(root, "scripts", "check-layers.mjs");
  const printed = execFileSync("node", [script, "--graph"], { encoding: "utf8" });
  const graph: Record<string, string[]> = JSON.parse(printed);
  const arrows = Object.entries(graph)
    .filter(([room]) => room !== "entry")
    .flatMap(([room, uses]) => uses.map((used) => `${room} --> ${used}`));
  const [, picture = ""] = /```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(page) ?? [];
  const drawn = picture
    .trim()
    .split("\n")
    .map((line) => line.trim());
  expect([...drawn].sort()).toEqual(arrows.sort());
});

test.each([
  ["docs/how-it-works.md", page],
  ["CONTRIBUTING.md", contributing],
])("every file that %s names exists", (_, text) => {
  const named = [...text.matchAll(/`((?:repair|langchain)\/[\w/-]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(join(root, "src", path)))).toEqual([]);
});

test.each(["a message rewritten", "a call found in text", "the model asked again"])(
  "CONTRIBUTING names one place to find %s",
  (question) => {
    const rows = contributing.split("\n").filter((line) => line.includes(`where is ${question}?`));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.match(/`(?:repair|langchain)\/[\w/-]+\.ts`/g)).toHaveLength(1);
  },
);
