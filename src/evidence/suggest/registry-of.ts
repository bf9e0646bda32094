import { createFixerRegistry, type FixerRegistry } from "../../repair/fixers/fixer-registry.ts";
import { fixerOf } from "./fixer-call.ts";
import type { FixerSuggestion, ToolNameSuggestion } from "./suggestion.ts";

/**
 * Creates the registry that is written for suggestions: of each tool those that are to be written, in
 * their order.
 */
export function registryOf(
  suggestions: readonly Pick<FixerSuggestion, "tool" | "verdict" | "fixers">[],
  toolNames: readonly Pick<ToolNameSuggestion, "from" | "to" | "verdict">[],
): FixerRegistry {
  const registry = createFixerRegistry();
  for (const { tool, verdict, fixers } of suggestions) {
    if (verdict === "write") registry.register(tool, ...fixers.map(fixerOf));
  }
  for (const { from, to, verdict } of toolNames) {
    if (verdict === "write") registry.renameTool(from, to);
  }
  return registry;
}
