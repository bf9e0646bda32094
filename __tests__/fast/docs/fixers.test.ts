import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import type { Fixer } from "toolmend";
import * as builtIn from "toolmend/fixers";

const page = readFileSync("docs/repair.md", "utf8");

/** The rows of its tables: [fixer, from, to]. */
const rows = [...page.matchAll(/^\| `(\w+\(.*\))` \| `(.+)` \| `(.+)` \|$/gm)].map(
  ([, fixer = "", from = "", to = ""]) => [fixer, from, to] as const,
);

test.each(rows)("%s turns %s into what docs/repair.md says", async (source, from, to) => {
  const make = new Function("fixers", `with (fixers) { return ${source}; }`);
  const fixer: Fixer = make(builtIn);
  expect(await fixer(JSON.parse(from), { issues: [] } as never)).toEqual(JSON.parse(to));
});

test("docs/repair.md shows every built-in fixer", () => {
  const shown = new Set(rows.map(([source]) => source.slice(0, source.indexOf("("))));
  expect([...shown].sort()).toEqual(Object.keys(builtIn).sort());
});
