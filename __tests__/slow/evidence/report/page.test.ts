import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import type { CallLine, LogLine } from "#src/evidence/log-line.ts";
import { findChromium, launchChromium } from "../../../../examples/click-agent/browser.ts";
import { plantedLog } from "../../../../scripts/planted-log/planted-log.ts";
import { runCli } from "../../../support/cli/run-cli.ts";
import { openPage, violationsOf } from "../../../support/open-page.ts";

/** Screenshots are left here, to be looked at. */
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
  suggestions: { suggestions: { code: string }[] };
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
  const lines = await plantedLog({ runs: 400 });
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
  test("keeps within the screen, has no violation of accessibility, asks for nothing", async () => {
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
  test("is one file that names no other, with a policy that allows nothing", () => {
    const text = readFileSync(pages.planted, "utf8");
    expect(text).toContain("default-src 'none'");
    expect(text).not.toMatch(/unsafe-inline|\ssrc=|@import|url\((?!#)|<link|<iframe/);
    // What models wrote may hold addresses; nothing else does.
    expect(text.replace(/<pre class="code">[\s\S]*?<\/pre>/g, "")).not.toMatch(/https?:/);
    expect(Buffer.byteLength(text)).toBeLessThan(300_000);
  });

  test("hostile names are text: no element, no attribute and no script is made of them", async () => {
    const { page, complaints } = await openPage(browser, pages.hostile);
    const found = await page.evaluate(`({
      scripts: document.scripts.length,
      foreign: document.querySelectorAll("img, iframe, object, a[href^=javascript]").length,
      handlers: [...document.querySelectorAll("*")].filter((one) =>
        one.getAttributeNames().some((attribute) => attribute.startsWith("on")),
      ).length,
    })`);
    const text = await page.locator("body").innerText();
    expect(found).toEqual({ scripts: 1, foreign: 0, handlers: 0 });
    expect(text).toContain("</script><img src=x onerror=alert(1)>");
    expect(text).toContain("\\u202eexe\\u200b\\u0000\\u001b[31m\\u000d\\u000a");
    expect(text).not.toMatch(/[\p{Cf}\ud800]/u);
    // Its own handlers work with such names, too.
    await page.getByLabel("Find", { exact: true }).fill("</script>");
    await page.getByRole("button", { name: "calls" }).click();
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test("its numbers are those of --json", async () => {
    const { page } = await openPage(browser, pages.planted);
    const figures = await page.locator(".figures dd").allInnerTexts();
    expect(Number(figures[0]?.split("\n")[0]?.replaceAll(",", ""))).toBe(json.total.calls);
    expect(Number(figures[3]?.split("\n")[0]?.replaceAll(",", ""))).toBe(json.total.refused);
    const table = page.getByRole("region", { name: "Tools", exact: true }).locator("tbody tr");
    const rows = await table.evaluateAll((all) =>
      all.map((row) =>
        [...row.children].map((cell) => cell.getAttribute("data-v") ?? cell.textContent),
      ),
    );
    expect(rows.map(([name, calls]) => ({ name, calls: Number(calls) }))).toEqual(
      json.rows.map(({ name, calls }) => ({ name, calls })),
    );
    const sum = rows.reduce((all, [, calls]) => all + Number(calls), 0);
    expect(sum).toBe(json.total.calls);
    await page.getByText("The numbers of the chart").click();
    const steps = await page
      .getByRole("region", { name: "Calls over time, as a table" })
      .locator("tbody tr td:nth-child(2)")
      .allInnerTexts();
    expect(steps.reduce((all, text) => all + Number(text.replaceAll(",", "")), 0)).toBe(
      json.total.calls,
    );
    await page.close();
  }, 60_000);

  test("every picture has a name, and a table or the numbers beside it", async () => {
    const { page } = await openPage(browser, pages.planted);
    const pictures = await page
      .locator("svg:not([aria-hidden])")
      .evaluateAll((all) =>
        all.map((one) => [
          one.getAttribute("role"),
          one.querySelector("title")?.textContent,
          one.closest("section")?.querySelector("table") !== null,
        ]),
      );
    expect(pictures.length).toBeGreaterThan(8);
    for (const [role, title, hasTable] of pictures) {
      expect([role, String(title).length > 10, hasTable]).toEqual(["img", true, true]);
    }
    await page.close();
  }, 60_000);

  test("is sorted by keyboard, and says how", async () => {
    const { page } = await openPage(browser, pages.planted);
    const region = page.getByRole("region", { name: "Tools", exact: true });
    const names = () =>
      region.locator("tbody th").evaluateAll((all) => all.map((one) => one.getAttribute("data-v")));
    const head = region.getByRole("columnheader", { name: "tool", exact: false }).first();
    await head.getByRole("button").focus();
    await page.keyboard.press("Enter");
    expect(await head.getAttribute("aria-sort")).toBe("ascending");
    expect(await names()).toEqual([...(await names())].sort());
    await page.keyboard.press("Space");
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    expect(await names()).toEqual([...(await names())].sort().reverse());
    await region.getByRole("button", { name: "calls", exact: true }).click();
    expect(await region.locator("th[aria-sort]").count()).toBe(1);
    const calls = await region
      .locator("tbody td:nth-child(2)")
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute("data-v"))));
    expect(calls).toEqual([...calls].sort((one, other) => other - one));
    await page.close();
  }, 60_000);

  test("finds rows by tool, model and fault in every table, and says how many", async () => {
    const { page } = await openPage(browser, pages.planted);
    await page.getByLabel("Find", { exact: true }).fill("weather enum");
    const shown = await page
      .locator("[data-find]:not([hidden])")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-find")));
    expect(shown.length).toBe(0);
    await page.getByLabel("Find", { exact: true }).fill("WEATHER required");
    const found = await page
      .locator("[data-find]:not([hidden])")
      .evaluateAll((all) => all.map((one) => one.getAttribute("data-find") ?? ""));
    expect(found.length).toBeGreaterThan(2);
    for (const text of found) expect(text).toMatch(/get_weather.*required/);
    expect(await page.locator(".find output").innerText()).toMatch(
      new RegExp(`^${found.length} of \\d+ rows$`),
    );
    await page.getByLabel("Find", { exact: true }).fill("");
    expect(await page.locator("[data-find][hidden]").count()).toBe(0);
    await page.close();
  }, 60_000);

  test("shows what is suggested, without values of the log", async () => {
    const { page, complaints } = await openPage(browser, pages.planted);
    const shown = await page.locator("[aria-labelledby=suggestions] pre").allTextContents();
    expect(shown.length).toBeGreaterThan(2);
    for (const { code } of json.suggestions.suggestions) expect(shown).toContain(code);
    expect(shown.join("\n")).not.toMatch(/euros|metric|192\.168/);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test("is all there without script, and on paper", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(pages.planted).href);
    expect(await page.locator("tbody tr:visible").count()).toBeGreaterThan(60);
    expect(await page.getByLabel("Find", { exact: true }).isVisible()).toBe(false);
    await context.close();
    const { page: printed } = await openPage(browser, pages.planted, { scheme: "dark" });
    await printed.emulateMedia({ media: "print" });
    expect(await printed.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
      "rgb(255, 255, 255)",
    );
    await printed.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await printed.locator("details:not([open])").count()).toBe(0);
    expect((await printed.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
    await printed.close();
  }, 60_000);
});
