import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import * as toolmend from "toolmend";

const page = readFileSync("docs/fixers.md", "utf8");

/** The rows of its tables: [fixer, from, to]. */
const rows = [...page.matchAll(/^\| `(\w+\(.*\))` \| `(.+)` \| `(.+)` \|$/gm)].map(
  ([, fixer = "", from = "", to = ""]) => [fixer, from, to] as const,
);

test.each(rows)("%s makes of %s what docs/fixers.md says", async (source, from, to) => {
  const make = new Function("toolmend", `with (toolmend) { return ${source}; }`);
  const fixer: toolmend.Fixer = make(toolmend);
  const issues = [{ path: "/limit", code: "type", message: "" }];
  expect(await fixer(JSON.parse(from), { issues } as never)).toEqual(JSON.parse(to));
});

test("docs/fixers.md shows every built-in fixer", () => {
  const others = [
    "createFixerRegistry",
    "unwrapTool",
    "wrapAgentExecutor",
    "wrapTool",
    "wrapTools",
  ];
  const shown = new Set(rows.map(([source]) => source.slice(0, source.indexOf("("))));
  const isFixer = (name: string) =>
    /^(rename|wrap|unwrap|parse|split|drop|map|set|coerce)/.test(name);
  const known = Object.keys(toolmend).filter((name) => isFixer(name) && !others.includes(name));
  expect([...shown].sort()).toEqual(known.sort());
});
