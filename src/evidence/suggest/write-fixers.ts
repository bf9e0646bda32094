import { toSource } from "./fixer-call.ts";
import type { ShownSuggestions, Suggestion, SuggestResult } from "./suggestion.ts";

/** How the file begins, by which it is known as toolmend's own. */
export const FIRST_LINE = "// Written by `toolmend suggest`. Read it before you use it.";

/** Writes a module that exports a registry. What is not proven is commented out; no value of the log is in it. */
export function writeFixers({ suggestions, minRuns }: SuggestResult): string {
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const names = [...new Set(written.map(({ call }) => call.fixer))].sort().join(", ");
  const tools = [...new Set(suggestions.map(({ tool }) => tool))];
  return [
    FIRST_LINE,
    "// Structure proves what is registered, and corrections agree with it. What is commented out is",
    `// for you to decide. Seen in at least ${minRuns} conversations of one half of the log, counted in both.`,
    'import { createFixerRegistry } from "toolmend";',
    ...(names === "" ? [] : [`import { ${names} } from "toolmend/fixers";`]),
    "",
    "export const fixers = createFixerRegistry();",
    ...tools.flatMap((tool) => writeTool(suggestions.filter((one) => one.tool === tool))),
    "",
  ].join("\n");
}

function writeTool(suggestions: readonly Suggestion[]): readonly string[] {
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const listed = suggestions.filter(({ verdict }) => verdict === "listed");
  const tool = toSource(suggestions[0]?.tool ?? "");
  const fixers = written.flatMap((one) => [`  // ${evidenceOf(one)}`, `  ${one.code},`]);
  // Two mappings of one place look alike without their values.
  const isFirst = ({ code }: Suggestion, index: number) =>
    listed.findIndex((one) => one.code === code) === index;
  return [
    "",
    ...(written.length === 0 ? [] : ["fixers.register(", `  ${tool},`, ...fixers, ");"]),
    ...listed
      .filter(isFirst)
      .flatMap((one) => [`// ${tool}: ${one.why}; ${evidenceOf(one)}`, `// ${one.code}`]),
  ];
}

/** Leaves the values of the log out, for what is written to a file. */
export function withoutValues({ suggestions, ...rest }: SuggestResult): ShownSuggestions {
  return { suggestions: suggestions.map(({ call: _, ...one }) => one), ...rest };
}

/** Who agrees how often. */
export function evidenceOf(suggestion: Omit<Suggestion, "call">): string {
  const { mined, heldOut, sources, lowerBound } = suggestion;
  const agree = mined.agree + heldOut.agree;
  const labelled = agree + mined.contradict + heldOut.contradict;
  const unlabelled = mined.unlabelled + heldOut.unlabelled;
  if (labelled === 0) return `${unlabelled} calls without a correction`;
  const known = [
    Object.entries(sources)
      .map(([source, count]) => `${source} ${count}`)
      .join(", "),
    `held out ${heldOut.agree} of ${heldOut.agree + heldOut.contradict}`,
    `≥ ${Math.floor(lowerBound * 100)} %`,
  ].join("; ");
  return `agrees with ${agree} of ${labelled} corrections (${known}), ${unlabelled} more without one`;
}
