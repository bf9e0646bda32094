import { tool } from "@langchain/core/tools";
import { z } from "zod";
import type { WebPage } from "./web-page.ts";

/** Ordinary tools of a web agent: nothing here refers to toolmend. */
export type WebTools = ReturnType<typeof createWebTools>;

/**
 * Makes the tools of a web agent: `click`, `type` and `open`.
 *
 * @param page The page that they act on.
 */
export function createWebTools(page: WebPage) {
  const click = tool(
    async ({ selector }) => {
      await page.click(selector);
      return `Clicked ${selector}`;
    },
    {
      name: "click",
      description: "Left click on an element of the page",
      schema: z.object({ selector: z.string().describe("The query selector of the element") }),
    },
  );
  const type = tool(
    async ({ selector, text, delay }) => {
      await page.type(selector, text, delay);
      return `Typed ${JSON.stringify(text)} into ${selector}`;
    },
    {
      name: "type",
      description: "Type text into an input of the page",
      schema: z.object({
        selector: z.string().describe("The query selector of the input"),
        text: z.string().describe("The text to type"),
        delay: z.number().optional().describe("Milliseconds between two keys"),
      }),
    },
  );
  const open = tool(
    async ({ url, newTab }) => {
      await page.open(url, newTab);
      return `Opened ${url}`;
    },
    {
      name: "open",
      description: "Open an address",
      schema: z.object({
        url: z.string().describe("The address"),
        newTab: z.boolean().optional().describe("Whether to open it in a new tab"),
      }),
    },
  );
  return [click, type, open] as const;
}
