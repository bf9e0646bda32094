import { createFixerRegistry, type FixerRegistry, type JsonValue, ToolInputError } from "toolmend";
import { renameKey } from "toolmend/fixers";
import type { WebPage } from "./web-page.ts";
import type { WebTools } from "./web-tools.ts";

/** This model's known mistake: it writes `element` for `selector`. */
const elementToSelector = renameKey("element", "selector");

/** The repairs that are this application's own code, by the names that toolmend records. */
export const OWN_CODE: ReadonlySet<string> = new Set([elementToSelector.name, "onUnfixable"]);

/**
 * Registers this model's known mistake. toolmend repairs the rest (broken JSON, numbers in quotes,
 * null for absent, …) by the schema.
 */
export function createWebFixers(tools: WebTools): FixerRegistry<WebTools> {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", elementToSelector);
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
