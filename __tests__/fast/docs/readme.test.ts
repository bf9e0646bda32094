import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DEFAULT_LIMITS } from "#src/repair/limits.ts";

const root = join(__dirname, "..", "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const page = (name: string) => readFileSync(join(root, "docs", `${name}.md`), "utf8");

test("README is short", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(201);
});

test("every page that README and docs/ link to is there", () => {
  const pages = ["README.md", ...readdirSync(join(root, "docs")).map((file) => join("docs", file))];
  const links = pages
    .filter((page) => page.endsWith(".md"))
    .flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(
        ([, link = ""]) => join(root, page, "..", link),
      ),
    );
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter((file) => !existsSync(file))).toEqual([]);
});

test("every value that the API table names is exported", async () => {
  const table = /## By entry\n([\s\S]*?)\n`toolmend\/core`/.exec(page("api"))?.[1] ?? "";
  const cells = [...table.matchAll(/^\| (.*?) \|/gm)].map((match) => match[1] ?? "");
  const names = cells.flatMap((cell) =>
    [...cell.matchAll(/`([A-Za-z]+)/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(15);
  const exported = Object.keys(await import("toolmend"));
  expect(exported).toEqual(expect.arrayContaining(names));
});

test("the tables of limits and reasons are those of the code", () => {
  const limits = cellsOf(page("levels").slice(page("levels").indexOf("## Limits"))).map(
    ([name = "", value = ""]) => [name.replaceAll("`", ""), Number(value.replaceAll(",", ""))],
  );
  expect(Object.fromEntries(limits)).toEqual(DEFAULT_LIMITS);
  const told = readFileSync(join(root, "src", "repair", "errors", "refusal-reason.ts"), "utf8");
  const reasons = [...told.matchAll(/^ {2}\| "(\w+)"/gm)].map((match) => match[1]);
  const shown = cellsOf(page("errors").slice(page("errors").indexOf("| `error.reason` |"))).map(
    ([name = ""]) => name,
  );
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
