import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readTextCalls } from "toolmend/messages";
import { formatEntries } from "#src/repair/text-calls/format-catalogue.ts";
import { rowsByAge } from "../../../scripts/text-calls/rows-by-age.ts";
import { renderTextCallsPage } from "../../../scripts/text-calls/text-calls-page.ts";
import { allFormats } from "../../support/repair/text-calls/forms.ts";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "text-calls.md"), "utf8");

test("docs/text-calls.md matches the table of formats: npm run docs", () => {
  expect(page).toBe(renderTextCallsPage());
});

test("every example of a format is read", () => {
  const examples = formatEntries.flatMap((entry) => entry.examples);
  const tool = {
    name: "get_weather",
    schema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "number" } },
    },
  };
  expect(examples.length).toBeGreaterThan(50);
  for (const text of examples) {
    expect(
      readTextCalls(text, [tool], { formats: allFormats })?.calls.map(({ args }) =>
        JSON.parse(args),
      ),
    ).toEqual([{ city: "Paris", days: 3 }]);
  }
});

test("the formats are listed by age", () => {
  const rows = rowsByAge();
  expect(rows.length).toBeGreaterThan(40);
  for (const row of rows) expect(row).toMatch(/^(?:never|20\d\d-\d\d-\d\d) +[\w.-]+ +[\w.-]+ \S+/);
});
