import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { repairToolInput } from "toolmend/core";
import { findChromium, launchChromium } from "../../../examples/click-agent/browser.ts";
import { buildPlayground } from "../../../site/playground/build-playground.ts";
import { EXAMPLES } from "../../../site/playground/examples.ts";
import { fromLink, type Question, toLink } from "../../../site/playground/question.ts";
import { readFixers } from "../../../site/playground/read-fixers.ts";
import { toCode } from "../../../site/playground/to-code.ts";
import { openPage, violationsOf } from "../../support/open-page.ts";

const root = join(__dirname, "..", "..", "..");

/** Screenshots are saved here for inspection. */
const OUTPUT = join(root, "__tests__", "output", "playground");
const file = join(OUTPUT, "playground.html");

const HOSTILE = "</script><img src=x onerror=alert(1)>\u202egpj.exe\u200b";

const hostile: Question = {
  input: JSON.stringify({ [HOSTILE]: HOSTILE, element: HOSTILE }),
  schema: JSON.stringify({
    type: "object",
    properties: { [`${HOSTILE}2`]: { enum: [HOSTILE] }, selector: { type: "string" } },
    required: [`${HOSTILE}2`, "selector"],
  }),
  fixers: 'renameKey("element", "selector")',
  name: HOSTILE,
  level: "eager",
  undeclared: "refuse",
};

let browser: Browser;
beforeAll(async () => {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error("No Chromium: apt-get install chromium");
  mkdirSync(OUTPUT, { recursive: true });
  writeFileSync(file, await buildPlayground(root));
  browser = await launchChromium(chromium);
}, 120_000);
afterAll(() => browser?.close());

function open(question?: Question, options: Parameters<typeof openPage>[2] = {}) {
  const hash = question === undefined ? "" : `#${toLink(question)}`;
  return openPage(browser, file, { ...options, hash });
}

function word(page: Page): Promise<string> {
  return page.locator("#verdict .word").innerText();
}

async function steps(page: Page): Promise<readonly string[]> {
  const rows = await page.locator("#steps li").allInnerTexts();
  return rows.map((row) => row.replace(/\s+/g, " "));
}

describe.each([
  ["repaired", 0, 1280, "light"],
  ["repaired", 0, 1280, "dark"],
  ["repaired", 0, 400, "light"],
  ["refused", 8, 1280, "light"],
  ["refused", 8, 400, "dark"],
] as const)("the playground, %s (example %i), %i pixels wide, %s", (name, index, width, scheme) => {
  test("stays within the screen, has no accessibility violation, requests nothing", async () => {
    const { page, complaints } = await open(EXAMPLES[index]?.question, { width, scheme });
    await page.locator("#verdict .word").waitFor();
    const picture = join(OUTPUT, `${name}-${width}-${scheme}.png`);
    await page.screenshot({ path: picture, fullPage: true });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});

describe("the playground", () => {
  test("is one file that loads no other, with a policy that allows nothing", () => {
    const text = readFileSync(file, "utf8");
    const [head = "", script = ""] = text.split("<script>");
    expect(head).toContain("default-src 'none'");
    expect(/unsafe|\ssrc=|@import|url\(|<link|<iframe|https?:/.exec(head)?.[0]).toBeUndefined();
    expect(/innerHTML|outerHTML|insertAdjacent|\beval\(/.exec(script)?.[0]).toBeUndefined();
    expect(Buffer.byteLength(text)).toBeLessThan(400_000);
  });

  test("answers every example as repairToolInput does, with its record", async () => {
    const { page, complaints } = await open();
    for (const [index, { question }] of EXAMPLES.entries()) {
      await page.getByLabel("Example").selectOption(String(index));
      const tool = { name: question.name, schema: JSON.parse(question.schema) };
      const fixers = readFixers(question.fixers, question.name);
      const options = { level: question.level, undeclaredKeys: question.undeclared, fixers };
      const result = await repairToolInput(question.input, tool, options);
      const answer = result.ok ? result.toolInput : result.error.toModelMessage();
      const shown = typeof answer === "string" ? answer : JSON.stringify(answer, null, 2);
      await page.getByText(shown, { exact: true }).first().waitFor();
      const expected = !result.ok ? "Rejected" : result.repairs.length > 0 ? "Repaired" : "Valid";
      expect(await word(page)).toContain(expected);
      const records = page.locator("#steps .edit");
      expect(await records.count()).toBe(result.repairs.length);
      for (const [at, { fixer, level }] of result.repairs.entries()) {
        expect(await records.nth(at).innerText()).toContain(fixer);
        expect(await records.nth(at).locator(".tag").innerText()).toBe(level);
      }
      const { steps } = await repairToolInput(question.input, tool, { ...options, explain: true });
      expect(await page.locator("#steps li").count()).toBe(steps?.length);
    }
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test("answers typed input, by keyboard alone, and its link restores it", async () => {
    const { page, complaints } = await open(EXAMPLES[2]?.question);
    await page.locator(".word.refused").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // Skip to the result
    expect(await page.evaluate("document.activeElement.id")).toBe("result");
    await page.getByLabel("Fixers").focus();
    await page.keyboard.type('renameKey("element", "selector")');
    await page.locator(".word.repaired").waitFor();
    await page.getByLabel("safe").focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByText("strict: only").waitFor();
    await page.waitForURL(/level=strict/);
    const { page: second } = await openPage(browser, file, { hash: new URL(page.url()).hash });
    await second.locator(".word.repaired").waitFor();
    expect(await steps(second)).toEqual(await steps(page));
    expect(await second.getByLabel("strict").isChecked()).toBe(true);
    expect(complaints).toEqual([]);
    await Promise.all([page.close(), second.close()]);
  }, 60_000);

  test("copies its link", async () => {
    const { page } = await open(EXAMPLES[4]?.question);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Copied.").waitFor();
    const link = String(await page.evaluate("navigator.clipboard.readText()"));
    expect(fromLink(new URL(link).hash.slice(1))).toEqual(EXAMPLES[4]?.question);
    await page.close();
  }, 60_000);

  test("reports a mistake in the schema or a fixer at its field", async () => {
    const { page, complaints } = await open();
    await page.getByLabel("The tool's input").fill('{"type": "objekt"}');
    await page.getByText('This is not a JSON Schema: /type is "objekt"').waitFor();
    await page.getByLabel("The tool's input").fill("{");
    await page.getByText("This is not JSON").waitFor();
    await page.getByLabel("Fixers").fill("alert(1)");
    await page.getByText("alert(1) is not a call of a built-in fixer").waitFor();
    await page.getByLabel("Fixers").fill('renameKey("a")');
    await page.locator("#fixers-fault").getByText("renameKey(").waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);

  test("shows a hostile link as text: it becomes no element, no attribute and no script", async () => {
    const { page, complaints } = await open(hostile);
    await page.locator(".word.refused").waitFor();
    const found = await page.evaluate(`({
      scripts: document.scripts.length,
      foreign: document.querySelectorAll("img, svg, iframe, object, a[href^=javascript]").length,
      handlers: [...document.querySelectorAll("*")].filter((one) =>
        one.getAttributeNames().some((attribute) => attribute.startsWith("on")),
      ).length,
    })`);
    expect(found).toEqual({ scripts: 1, foreign: 0, handlers: 0 });
    const text = await page.locator("#result").innerText();
    expect(text).toContain("</script><img src=x onerror=alert(1)>");
    expect(text).not.toMatch(/\p{Cf}/u);
    await page.screenshot({ path: join(OUTPUT, "hostile.png"), fullPage: true });
    expect(complaints).toEqual([]);
    await page.close();
  }, 60_000);
});

describe("a link", () => {
  test.each(EXAMPLES.map(({ title, question }) => [title, question] as const))(
    "restores its question: %s",
    (_, question) => expect(fromLink(toLink(question))).toEqual(question),
  );

  test("uses defaults for unknown parts", () => {
    const odd = fromLink("input=1&schema={}&level=__proto__&undeclared=constructor&name=");
    expect(odd).toMatchObject({ level: "safe", undeclared: "repair", name: "tool", fixers: "" });
    expect(fromLink("")).toBeUndefined();
    expect(fromLink(`input=1&schema=${"x".repeat(300_000)}`)).toBeUndefined();
  });
});

test("a fixer is read, and never run as code", () => {
  expect(() => readFixers("constructor()", "a")).toThrow(/is not a call of a built-in fixer/);
  expect(() => readFixers('renameKey("a", process)', "a")).toThrow(/arguments that are not JSON/);
  const { fixers } = readFixers('renameKey("a", "b");\n\nsplitList("/b"),', "a").forTool("a");
  expect(fixers.map(({ name }) => name)).toEqual(["renameKey(a → b)", expect.any(String)]);
});

test("the code that the playground shows gives the same answer", async () => {
  const { question } = EXAMPLES[1] ?? {};
  if (question === undefined) throw new Error("There is no such example.");
  const code = toCode({ ...question, level: "eager", undeclared: "refuse" });
  const body = code.replace(/^import (.*) from ".*";$/gm, "const $1 = toolmend;");
  const printed: unknown[] = [];
  const run = new Function("toolmend", "console", `return (async () => { ${body} })()`);
  await run(
    { ...(await import("toolmend/core")), ...(await import("toolmend/fixers")) },
    { log: (value: unknown) => printed.push(value) },
  );
  expect(printed).toEqual([{ selector: "#buy" }]);
});
