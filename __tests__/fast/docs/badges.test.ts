import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { drawBadge, makeBadges } from "../../../scripts/badges/badges.ts";

const root = join(__dirname, "..", "..", "..");

test.each(makeBadges(root))("the badge $file shows the measured value: npm run badges", (badge) => {
  expect(badge.value).toMatch(/\d/);
  expect(readFileSync(join(root, "docs", "badges", badge.file), "utf8")).toBe(drawBadge(badge));
});
