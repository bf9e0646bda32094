import type { TypedAgentStep } from "toolmend";
import type { WebTools } from "./web-tools.ts";

/**
 * Returns the selectors that were clicked. The types follow from `action.tool`, as langchainjs
 * issue #2710 asked for: no cast, and `action.toolInput.selektor` does not compile.
 */
export function clickedSelectors(steps: readonly TypedAgentStep<WebTools>[]): string[] {
  const selectors: string[] = [];
  for (const { action } of steps) {
    if (action.tool === "click" && action.valid) {
      selectors.push(action.toolInput.selector);
      // @ts-expect-error: the input of click has no such key
      action.toolInput.selektor;
    }
  }
  return selectors;
}
