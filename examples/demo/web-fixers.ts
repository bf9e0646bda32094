import {
  createFixerRegistry,
  type FixerRegistry,
  type JsonValue,
  renameKey,
  ToolInputError,
  wrapValue,
} from "toolmend";
import type { WebPage } from "./web-page.ts";
import type { WebTools } from "./web-tools.ts";

/**
 * Registers what is known of this model: it writes `element` for `selector`, or the bare selector.
 * The rest (broken JSON, numbers in quotes, null for nothing, …) toolmend repairs by the schema.
 */
export function createWebFixers(tools: WebTools): FixerRegistry<WebTools> {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));
  return fixers;
}

/**
 * Makes the handler of inputs that could not be repaired, as langchainjs issue #2711 asked for:
 * JSON that it returns is run, text is what the model is told.
 *
 * @param page The page, which is asked what was meant where a model points at a place.
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
