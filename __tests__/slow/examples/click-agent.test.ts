import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { findChromium, launchChromium } from "../../../examples/click-agent/browser.ts";
import { runClickAgent } from "../../../examples/click-agent/run-click-agent.ts";

const EXAMPLE = `${pathToFileURL(join(__dirname, "..", "..", "..", "examples", "click-agent")).href}/`;

const chromium = findChromium();

if (chromium === undefined && !process.env.CI) {
  console.warn(
    "SKIPPED: __tests__/slow/examples/click-agent.test.ts, because there is no Chromium on this machine " +
      "(apt-get install chromium, or set CHROMIUM_PATH). With CI set, it fails instead.",
  );
  test.skip("the click agent needs Chromium", () => {});
} else {
  describe("the click agent, in Chromium", () => {
    let browser: Browser;
    let tab: Page;
    let result: Awaited<ReturnType<typeof runClickAgent>>;

    beforeAll(async () => {
      if (chromium === undefined)
        throw new Error("CI must have Chromium: apt-get install chromium");
      browser = await launchChromium(chromium);
      tab = await browser.newPage({ viewport: { width: 800, height: 480 } });
      result = await runClickAgent(tab, EXAMPLE);
    }, 60_000);
    afterAll(() => browser?.close());

    test("the page received what the model meant, and nothing else", async () => {
      const log = await tab.locator("#log li").allInnerTexts();
      // Two parallel calls may arrive in any order.
      expect([...log.slice(0, 2), ...log.slice(2, 4).sort(), ...log.slice(4)]).toEqual([
        "typed “2” into #qty",
        "typed “ann@example.org” into #email",
        "clicked #gift",
        "clicked #terms",
        "clicked #buy",
      ]);
      expect(await tab.locator("#receipt").innerText()).toBe(
        "Ordered: 2 × teapot, as a gift. Receipt to ann@example.org.",
      );
    });

    test("the steps hold the inputs that ran", () => {
      expect(
        result.intermediateSteps.map(({ action }) => [action.tool, action.toolInput, action.valid]),
      ).toEqual([
        ["open", { url: "shop.html" }, true],
        ["type", { selector: "#qty", text: "2", delay: 10 }, true],
        ["type", expect.anything(), false],
        ["type", { selector: "#email", text: "ann@example.org" }, true],
        ["click", { selector: "#gift" }, true],
        ["click", { selector: "#terms" }, true],
        ["click", { selector: "#buy" }, true],
      ]);
      expect(result.output).toBe("Done.");
    });

    test("the model gets the reason that the cut-off call was not run", () => {
      expect(result.intermediateSteps[2]?.observation).toMatch(/"type".*cut off/s);
    });
  });
}
