import { toSource } from "./fixer-call.ts";
import type { ShownSuggestions, Suggestion, SuggestResult } from "./suggestion.ts";

/** How the file begins, by which it is known as toolmend's own. */
export const FIRST_LINE = "// Written by `toolmend suggest`. Read it before you use it.";

/**
 * Writes suggestions as a file of TypeScript, which is JavaScript as well: a registry for every
 * wrapper. What structure does not prove is commented out. No value of the log is in it.
 */
export function writeFixers({ suggestions, minRuns }: SuggestResult): string {
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const imported = new Set(written.map(({ call }) => call.fixer));
  const tools = new Map<string, Suggestion[]>();
  for (const one of suggestions) tools.set(one.tool, [...(tools.get(one.tool) ?? []), one]);
  return [
    FIRST_LINE,
    "// Structure proves what is registered, and corrections agree with it. What is commented out is",
    `// for you to decide. Seen in at least ${minRuns} conversations of one half of the log, counted in both.`,
    'import { createFixerRegistry } from "toolmend";',
    ...(imported.size === 0
      ? []
      : [`import { ${[...imported].sort().join(", ")} } from "toolmend/fixers";`]),
    "",
    "export const fixers = createFixerRegistry();",
    ...[...tools].flatMap(([tool, ofTool]) => {
      const own = ofTool.filter(({ verdict }) => verdict === "write");
      return [
        "",
        ...(own.length === 0
          ? []
          : [
              "fixers.register(",
              `  ${toSource(tool)},`,
              ...own.flatMap((one) => [`  // ${evidenceOf(one)}`, `  ${one.code},`]),
              ");",
            ]),
        ...withoutTwice(ofTool)
          .filter(({ verdict }) => verdict !== "write")
          .flatMap((one) => [
            `// ${toSource(tool)}: ${one.why}; ${evidenceOf(one)}`,
            `// ${one.code}`,
          ]),
      ];
    }),
    "",
  ].join("\n");
}

/** Two mappings of one place look alike without their values. */
function withoutTwice(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const byCode = new Map([...suggestions].reverse().map((one) => [one.code, one]));
  return suggestions.filter((one) => byCode.get(one.code) === one);
}

/** Leaves the values of the log out, for what is written to a file. */
export function withoutValues({ suggestions, ...rest }: SuggestResult): ShownSuggestions {
  return { suggestions: suggestions.map(({ call: _, ...one }) => one), ...rest };
}

/** Who agrees how often. */
export function evidenceOf({
  mined,
  heldOut,
  sources,
  lowerBound,
}: Omit<Suggestion, "call">): string {
  const agree = mined.agree + heldOut.agree;
  const labelled = agree + mined.contradict + heldOut.contradict;
  const unlabelled = mined.unlabelled + heldOut.unlabelled;
  if (labelled === 0) return `${unlabelled} calls without a correction`;
  const by = Object.entries(sources).map(([source, count]) => `${source} ${count}`);
  const known = [
    by.join(", "),
    `held out ${heldOut.agree} of ${heldOut.agree + heldOut.contradict}`,
    `≥ ${Math.floor(lowerBound * 100)} %`,
  ].join("; ");
  return `agrees with ${agree} of ${labelled} corrections (${known}), ${unlabelled} more without one`;
}
