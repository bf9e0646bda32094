import type { Page } from "playwright-core";
import type { WebPage } from "../demo/web-page.ts";

/** The timeout for an element, in milliseconds. */
const TIMEOUT = 2_000;

/**
 * Wraps a browser tab as the page of a web agent. A page has one mouse and one keyboard, so
 * parallel LangChain calls run one after another.
 *
 * @param tab The tab.
 * @param baseUrl The base of relative addresses.
 */
export function createBrowserPage(tab: Page, baseUrl: string): WebPage {
  let current = tab;
  let last: Promise<unknown> = Promise.resolve();
  function inTurn(act: () => Promise<void>): Promise<void> {
    const turn = last.then(act);
    last = turn.catch(() => {});
    return turn;
  }
  return {
    click(selector) {
      return inTurn(() => current.locator(selector).click({ timeout: TIMEOUT }));
    },
    type(selector, text, delay) {
      return inTurn(async () => {
        const field = current.locator(selector);
        await field.pressSequentially(text, { timeout: TIMEOUT, delay });
        await field.blur();
      });
    },
    open(url, newTab = false) {
      return inTurn(async () => {
        if (newTab) current = await current.context().newPage();
        await current.goto(new URL(url, baseUrl).href);
      });
    },
    async selectorAt(x, y) {
      const id = await current.evaluate<string | undefined>(
        `document.elementFromPoint(${x}, ${y})?.id`,
      );
      return id ? `#${id}` : undefined;
    },
  };
}
