import { createFixerRegistry, type FixerRegistry, type JsonValue, ToolInputError } from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import type { WebPage } from "./web-page.ts";
import type { WebTools } from "./web-tools.ts";

/**
 * Registers this model's known mistakes: it writes `element` for `selector`, or the bare selector.
 * toolmend repairs the rest (broken JSON, numbers in quotes, null for absent, …) by the schema.
 */
export function createWebFixers(tools: WebTools): FixerRegistry<WebTools> {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));
  return fixers;
}

/**
 * Makes the handler of inputs that could not be repaired, as langchainjs issue #2711 asked for:
 * JSON that it returns is run, text is the answer to the model.
 *
 * @param page The page, which resolves the position that a model gives instead of a selector.
 */
export function createUnfixableHandler(page: WebPage) {
  return async function onUnfixable(
    error: Error,
    causingData: JsonValue,
  ): Promise<{ selector: string } | string> {
    const { x, y } = Object(causingData) as { x?: unknown; y?: unknown };
    const selector =
      typeof x === "number" && typeof y === "number" ? await page.selectorAt(x, y) : undefined;
    if (selector !== undefined) return { selector };
    return error instanceof ToolInputError ? error.toModelMessage() : error.message;
  };
}
