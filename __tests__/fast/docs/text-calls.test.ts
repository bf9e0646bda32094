import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { readTextCalls } from "toolmend/messages";
import { renderTextCallsPage } from "../../../scripts/text-calls/text-calls-page.ts";
import { allFormats } from "../../support/repair/text-calls/forms.ts";

const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "text-calls.md"), "utf8");

test("docs/text-calls.md is what the table makes of it: npm run docs", () => {
  expect(page).toBe(renderTextCallsPage());
});

test("every example on the page is read", () => {
  const examples = [...page.matchAll(/````text\n([\s\S]*?)\n````/g)].map(([, text = ""]) => text);
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
