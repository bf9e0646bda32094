import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DEFAULT_LIMITS } from "../../src/repair/limits.ts";

const root = join(__dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("the quick start runs as it stands, and prints what its comments say", () => {
  const code = /## Quick start[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(root, "node_modules", ".quick-start-"));
  try {
    const file = join(folder, "quick-start.ts");
    writeFileSync(file, code);
    const printed = execFileSync("node", [join(root, "scripts", "run-ts.mjs"), file], {
      encoding: "utf8",
    });
    expect(printed.trim().split("\n")).toEqual([
      "Bought.",
      "#buy",
      "clicked #buy",
      "renameKey(element → selector)",
    ]);
    const promised = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
    expect(promised).toEqual(printed.trim().split("\n"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 30_000);

test("every value that the API table names is exported", async () => {
  const table = /## API\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? "";
  const cells = [...table.matchAll(/^\| (.*?) \|/gm)].map((match) => match[1] ?? "");
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Za-z]+)/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(15);
  const exported = Object.keys(await import("toolmend"));
  expect(exported).toEqual(expect.arrayContaining(names));
});

test("the tables of limits and reasons are those of the code", () => {
  const section = (title: string) => readme.slice(readme.indexOf(title));
  const limits = cellsOf(section("### Bounds")).map(([name = "", value = ""]) => [
    name.replaceAll("`", ""),
    Number(value.replaceAll(",", "")),
  ]);
  expect(Object.fromEntries(limits)).toEqual(DEFAULT_LIMITS);
  const told = readFileSync(join(root, "src", "repair", "errors", "refusal-reason.ts"), "utf8");
  const reasons = [...told.matchAll(/^ {2}\| "(\w+)"/gm)].map((match) => match[1]);
  const shown = cellsOf(section("| `error.reason` |")).map(([name = ""]) => name);
  expect(shown.map((name) => name.replaceAll("`", ""))).toEqual(reasons);
});

test("the table of peers is the one that the benchmark made", () => {
  const results = readFileSync(join(root, "bench", "RESULTS.md"), "utf8");
  const made = cellsOf(results.slice(results.indexOf("## Synthetic faults in generated inputs")));
  const shown = cellsOf(readme.slice(readme.indexOf("## Against others")));
  expect(shown.length).toBeGreaterThan(8);
  for (const [method, ...figures] of shown) {
    expect([method, ...figures]).toEqual(made.find(([name]) => name === method)?.slice(0, 5));
  }
});

/** The rows of the first table, without its head and without emphasis. */
function cellsOf(markdown: string): string[][] {
  const [table = ""] = /(?:^\|.*\n)+/m.exec(markdown) ?? [];
  const rows = table.trim().split("\n").slice(2);
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.replaceAll("*", "").trim()),
  );
}
