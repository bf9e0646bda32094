import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { renderEditsPage } from "../../../scripts/edits/edits-page.ts";

test("docs/edits.md matches the generated page: npm run docs", () => {
  const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "edits.md"), "utf8");
  expect(page).toBe(renderEditsPage());
});
