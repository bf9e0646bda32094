import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import type { CallLine, LogLine } from "#src/evidence/log-line.ts";
import { findChromium, launchChromium } from "../../../../examples/click-agent/browser.ts";
import { runCli } from "../../../support/cli/run-cli.ts";
import { plantedLog } from "../../../support/evidence/planted-log/planted-log.ts";
import { openPage, violationsOf } from "../../../support/open-page.ts";

/** Screenshots are saved here for inspection. */
const OUTPUT = join(__dirname, "..", "..", "..", "output", "report");

const HOSTILE = [
  "</script><img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)><a href="javascript:alert(1)">',
  "</style></title><script>alert(1)</script>",
  "gpj.\u202eexe\u200b\u0000\u001b[31m\r\n",
  "{{alert(1)}}&lt;b&gt;'\"",
  "__proto__",
  `long-${"name".repeat(3_000)}`,
  "\ud800 half",
];

/** The longest name that providers permit. */
const LONG = "mcp__billing_service_of_the_group__create_invoice_for_a_customer";

function hostileLines(): readonly CallLine[] {
  return HOSTILE.flatMap((name, index) =>
    (["refused", "repaired"] as const).map((outcome) => ({
      v: 1,
      kind: "call",
      t: `2026-11-1${index}T10:00:00.000Z`,
      tool: name,
      schema: name,
      model: name,
      seam: "tool",
      outcome,
      level: "safe",
      issues: [{ path: `/${name}`, code: name, expected: name, received: name }],
      repairs: [{ fixer: name, path: name, level: name }],
      call: name,
      raw: { [name]: name },
      toolInput: { [name]: name },
    })),
  );
}

let browser: Browser;
let pages: Readonly<Record<"planted" | "hostile" | "empty" | "one", string>>;
let json: {
  total: Record<string, number>;
  rows: { calls: number; name: string }[];
};

async function writeLog(name: string, lines: readonly LogLine[], ...args: string[]) {
  writeFileSync(
    join(OUTPUT, `${name}.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
  const file = `${name}.html`;
  const { code, out, err } = await runCli(OUTPUT, [
    "report",
    `${name}.jsonl`,
    "--out",
    file,
    ...args,
  ]);
  expect([code, err]).toEqual([0, ""]);
  return { file: join(OUTPUT, file), out };
}

beforeAll(async () => {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error("No Chromium: apt-get install chromium");
  mkdirSync(OUTPUT, { recursive: true });
  const lines = (await plantedLog({ runs: 400 })).map((line) =>
    line.tool === "create_invoice" ? { ...line, tool: LONG } : line,
  );
  const planted = await writeLog("planted", lines, "--json");
  json = JSON.parse(planted.out);
  const [first] = hostileLines();
  pages = {
    planted: planted.file,
    hostile: (await writeLog("hostile", [...lines.slice(0, 200), ...hostileLines()])).file,
    empty: (await writeLog("empty", [])).file,
    one: (await writeLog("one", first === undefined ? [] : [first], "--by", "model")).file,
  };
  browser = await launchChromium(chromium);
}, 120_000);
afterAll(() => browser?.close());

describe.each([
  ["planted", 1280, "light"],
  ["planted", 1280, "dark"],
  ["planted", 400, "light"],
  ["planted", 400, "dark"],
  ["hostile", 1280, "light"],
  ["hostile", 400, "dark"],
  ["empty", 400, "light"],
  ["one", 1280, "dark"],
] as const)("the page of the %s log, %i pixels wide, %s", (name, width, scheme) => {
  test("stays within the screen, has no accessibility violation, requests nothing", async () => {
    const { page, complaints } = await openPage(browser, pages[name], { width, scheme });
    const file = join(OUTPUT, `${name}-${width}-${scheme}.png`);
    await page.screenshot({ path: file, fullPage: true });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});

describe("the page", () => {
  test("is one file without script that names no other, with a policy that allows nothing", () => {
    for (const file of [pages.planted, pages.hostile]) {
      const text = readFileSync(file, "utf8");
      expect(text).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script|unsafe-inline|@import|url\((?!#)|<link|<iframe|<img/);
      expect(Buffer.byteLength(text)).toBeLessThan(300_000);
    }
    expect(readFileSync(pages.planted, "utf8")).not.toMatch(/https?:/);
  });

  test("holds no value of the log", () => {
    const text = readFileSync(pages.planted, "utf8");
    expect(text).toContain("renameKey(");
    expect(text).not.toMatch(/euros|metric|192\.168|INV-\d/);
  });

  test("shows hostile names as text: they become no element and no attribute", async () => {
    const { page, complaints } = await openPage(browser, pages.hostile);
    const found = await page.evaluate(`({
      foreign: document.querySelectorAll("script, img, iframe, object, a").length,
      handlers: [...document.querySelectorAll("*")].filter((one) =>
        one.getAttributeNames().some((attribute) => attribute.startsWith("on")),
      ).length,
    })`);
    const text = await page.locator("body").innerText();
    expect(found).toEqual({ foreign: 0, handlers: 0 });
    expect(text).toContain("</script><img src=x onerror=alert(1)>");
    expect(text).toContain("\\u202eexe\\u200b\\u0000\\u001b[31m\\u000d\\u000a");
    expect(text).not.toMatch(/[\p{Cf}\ud800]/u);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test("has the numbers of --json, and folds rows beyond twenty", async () => {
    const { page } = await openPage(browser, pages.planted);
    const figures = await page.locator(".figures dd").allInnerTexts();
    const figure = (index: number) =>
      Number(figures[index]?.split("\n")[0]?.replaceAll(",", "") ?? "none");
    expect(figure(0)).toBe(json.total.calls);
    expect(figure(3)).toBe(json.total.refused);
    const table = page.getByRole("region", { name: "Table of tools" }).locator("tbody tr");
    const rows = await table.evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    expect(rows.map(([name, calls]) => [name, Number(calls?.replaceAll(",", ""))])).toEqual(
      json.rows.map(({ name, calls }) => [name, calls]),
    );
    const faults = page.getByRole("region", { name: /^(Table of|The other) faults$/ });
    expect(await faults.first().locator("tbody tr").count()).toBe(20);
    await page
      .getByText(/^\d+ more$/)
      .first()
      .click();
    expect(await faults.nth(1).locator("tbody tr").first().isVisible()).toBe(true);
    await page.close();
  }, 60_000);

  test.each([360, 390, 520, 1280])(
    "fits eight digits into a card, %i pixels wide",
    async (width) => {
      const count: LogLine = {
        ...{ v: 1, kind: "count", t: "2026-11-10T10:00:00.000Z", tool: "click" },
        ...{ seam: "tool", n: 17_382_849 },
      };
      const { file } = await writeLog(`large-${width}`, [count]);
      const { page } = await openPage(browser, file, { width });
      await page.screenshot({ path: join(OUTPUT, `large-${width}.png`) });
      const figure = page.locator(".figures dd").first();
      const [lines, over] = await figure.evaluate((one) => {
        const range = one.ownerDocument.createRange();
        range.selectNode(one.firstChild as never);
        return [range.getClientRects().length, one.scrollWidth - one.clientWidth];
      });
      expect({ lines, over }).toEqual({ lines: 1, over: 0 });
      await page.close();
    },
    60_000,
  );

  test("is complete on paper", async () => {
    const { page } = await openPage(browser, pages.planted, { scheme: "dark" });
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
    await page.close();
  }, 60_000);
});
