import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { COMMANDS } from "#src/cli/commands.ts";
import { renderCliPage } from "../../../scripts/cli/cli-page.ts";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "reference", "cli.md"), "utf8");

test("docs/reference/cli.md matches the help: npm run docs", () => {
  expect(page).toBe(renderCliPage());
});

test("docs/reference/cli.md has the exit codes of every command", () => {
  const named = [...page.matchAll(/^\| \[`(\w+)`\]\(\.\.\/[\w-]+\.md\) \| \d/gm)].map(
    ([, name]) => name,
  );
  expect(named).toEqual(Object.keys(COMMANDS));
});
