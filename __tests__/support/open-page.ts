import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";

/**
 * A page in Chromium, and its console messages, errors and network requests: all empty for a sound
 * page.
 */
interface OpenedPage {
  readonly page: Page;
  readonly complaints: string[];
}

/** How a page is opened. */
interface OpenOptions {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  /** The part after `#` in its address. */
  readonly hash?: string;
}

/** Opens a file in Chromium, and records its errors and requests. */
export async function openPage(
  browser: Browser,
  file: string,
  { width = 1280, scheme = "light", hash = "" }: OpenOptions = {},
): Promise<OpenedPage> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  const complaints: string[] = [];
  const { href } = pathToFileURL(file);
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== href) complaints.push(`asks for ${request.url()}`);
  });
  await page.addInitScript(
    `document.addEventListener("securitypolicyviolation", (event) =>
      console.error("policy: " + event.violatedDirective))`,
  );
  await page.goto(href + hash);
  return { page, complaints };
}

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

/** The violations that axe-core finds in a page: the rule, and the first element. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(
    `axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes[0]?.html))`,
  );
}
