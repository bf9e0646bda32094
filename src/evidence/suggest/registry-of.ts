import { createFixerRegistry, type FixerRegistry } from "../../repair/fixers/registry.ts";
import { fixerOf } from "./fixer-call.ts";
import type { SuggestResult } from "./suggestion.ts";

/**
 * Creates the registry that is written for suggestions: of each tool those that are to be written, in
 * their order.
 */
export function registryOf({
  suggestions,
  toolNames,
  edits,
}: Pick<SuggestResult, "suggestions" | "toolNames" | "edits">): FixerRegistry {
  const allowed = edits.filter(({ verdict }) => verdict === "write").map(({ edit }) => edit);
  const registry = createFixerRegistry(undefined, {
    edits: Object.fromEntries(allowed.map((edit) => [edit, true])),
  });
  for (const { tool, verdict, fixers } of suggestions) {
    if (verdict === "write") registry.register(tool, ...fixers.map(fixerOf));
  }
  for (const { from, to, verdict } of toolNames) {
    if (verdict === "write") registry.renameTool(from, to);
  }
  return registry;
}
