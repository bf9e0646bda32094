import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { renderHazardsPage } from "../../../scripts/hazards/hazards-page.ts";

test("docs/hazards.md is what the table of hazards says: npm run docs", () => {
  const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "hazards.md"), "utf8");
  expect(page).toBe(renderHazardsPage());
});
