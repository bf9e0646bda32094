import type { Page } from "playwright-core";
import { wrapAgentExecutor } from "toolmend";
import { createScriptedModel } from "../demo/scripted-model.ts";
import { createWebAgent } from "../demo/web-agent.ts";
import { createUnfixableHandler, createWebFixers } from "../demo/web-fixers.ts";
import { createWebTools } from "../demo/web-tools.ts";
import { createBrowserPage } from "./browser-page.ts";
import { outputs } from "./outputs.ts";

/**
 * Lets the agent order two teapots.
 *
 * @param tab A tab of a browser, 800 × 480.
 * @param baseUrl The folder of `shop.html`.
 * @returns The result of the run; its steps are typed by the tools.
 */
export function runClickAgent(tab: Page, baseUrl: string) {
  const page = createBrowserPage(tab, baseUrl);
  const tools = createWebTools(page);
  const { model } = createScriptedModel(outputs);
  const executor = wrapAgentExecutor(createWebAgent(model, tools), {
    fixers: createWebFixers(tools),
    onUnfixable: createUnfixableHandler(page),
  });
  return executor.invoke({ input: "Order two teapots as a gift, receipt to ann@example.org." });
}
