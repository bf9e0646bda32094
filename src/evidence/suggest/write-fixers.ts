import { toSource } from "./fixer-call.ts";
import type { FixerSuggestion, SuggestResult } from "./suggestion.ts";

/** How the file begins, by which it is known as toolmend's own. */
export const FIRST_LINE = "// Written by `toolmend suggest`. Read it before you use it.";

/**
 * Writes suggestions as a file of TypeScript, which is JavaScript as well: a registry that can be
 * given to every wrapper.
 *
 * @param result What was found in a log.
 * @returns The text of the file.
 */
export function writeFixers({
  suggestions,
  toolNames,
  edits,
  holdOut,
  minRuns,
}: SuggestResult): string {
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const names = toolNames.filter(({ verdict }) => verdict === "write");
  const fixers = new Set(written.flatMap((one) => one.fixers.map(({ fixer }) => fixer)));
  const allowed = edits.filter(({ verdict }) => verdict === "write");
  const imported = ["createFixerRegistry", ...[...fixers].sort()];
  const lines = [
    FIRST_LINE,
    "// Each line agrees with what took the place of refused calls in a log: with the model's own corrections, mostly.",
    `// Found in at least ${minRuns} runs of one half of the log (by ${holdOut.by}), and counted on the other.`,
    `import { ${imported.join(", ")} } from "toolmend";`,
    "",
    ...(allowed.length === 0
      ? ["export const fixers = createFixerRegistry();"]
      : [
          "export const fixers = createFixerRegistry(undefined, {",
          "  edits: {",
          ...allowed.flatMap((one) => [`    // ${evidenceOf(one)}`, `    "${one.edit}": true,`]),
          "  },",
          "});",
        ]),
    ...[...byTool(written)].flatMap(([tool, ofTool]) => [
      "",
      "fixers.register(",
      `  ${toSource(tool)},`,
      ...ofTool.flatMap((one) => [
        `  // ${evidenceOf(one)}`,
        ...one.code.map((call) => `  ${call},`),
      ]),
      ");",
    ]),
    ...(names.length === 0 ? [] : [""]),
    ...names.flatMap((one) => [`// ${evidenceOf(one)}`, `fixers.${one.code};`]),
    "",
  ];
  return lines.join("\n");
}

function byTool(
  suggestions: readonly FixerSuggestion[],
): ReadonlyMap<string, readonly FixerSuggestion[]> {
  const tools = new Map<string, FixerSuggestion[]>();
  for (const one of suggestions) tools.set(one.tool, [...(tools.get(one.tool) ?? []), one]);
  return tools;
}

function evidenceOf({
  heldOut,
  heldOutRuns,
  lowerBound,
}: Pick<FixerSuggestion, "heldOut" | "heldOutRuns" | "lowerBound">): string {
  const bound = Math.floor(lowerBound * 100);
  return `held out: agrees with ${heldOut.agree} of ${heldOut.agree + heldOut.contradict} corrections in ${heldOutRuns.agree} runs (≥ ${bound} %), ${heldOut.unlabelled} more without one`;
}
