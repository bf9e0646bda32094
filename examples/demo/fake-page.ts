import type { ToolRun } from "./scenarios.ts";
import type { WebPage } from "./web-page.ts";

/** A page without a browser. */
export interface FakePage extends WebPage {
  /** The actions on the page, in order. */
  readonly runs: readonly ToolRun[];
}

const ELEMENTS: readonly string[] = ["#qty", "#email", "#buy"];

/**
 * Makes a page that has `#qty`, `#email` and, at 412, 96, `#buy`, and records the actions on it.
 */
export function createFakePage(): FakePage {
  const runs: ToolRun[] = [];
  function note(tool: string, input: Record<string, unknown>): void {
    const given = Object.entries(input).filter(([, value]) => value !== undefined);
    runs.push({ tool, input: Object.fromEntries(given) });
  }
  function mustExist(selector: string): void {
    if (!ELEMENTS.includes(selector)) throw new Error(`The page has no element "${selector}".`);
  }
  return {
    runs,
    async click(selector) {
      note("click", { selector });
      mustExist(selector);
    },
    async type(selector, text, delay) {
      note("type", { selector, text, delay });
      mustExist(selector);
    },
    async open(url, newTab) {
      note("open", { url, newTab });
    },
    async selectorAt(x, y) {
      return x === 412 && y === 96 ? "#buy" : undefined;
    },
  };
}
