import type { CorrectionSource } from "../../repair/events/event.ts";
import { printCount } from "../print-name.ts";
import { codeOf, type FixerCall, toSource } from "./fixer-call.ts";
import { type FixerStep, isSearched, lowerBoundOf, runsOf } from "./steps.ts";

/** How many rejected calls a suggestion changes, by what is known of them. */
export interface Counts {
  /**
   * Into the call that replaced it: the model's own correction, a handler's or
   * a person's.
   */
  readonly agree: number;
  /** Into something other than the call that replaced it. */
  readonly contradict: number;
  /** No correction is known. */
  readonly unlabelled: number;
}

/** What was found in a log about one mistake, and what follows from it. */
export interface Suggestion {
  readonly tool: string;
  /** The call with values of the log: a function, as JSON leaves it out. */
  readonly call: () => FixerCall;
  /**
   * As TypeScript, without values of the log:
   * `renameKey("element", "selector")`.
   */
  readonly code: string;
  /**
   * - `write`: structure proves it, and corrections agree. It is written to the
   *   file of fixers.
   * - `listed`: corrections agree, or mostly, but only a person can say whether
   *   it is right.
   */
  readonly verdict: "write" | "listed";
  /** Why it is not written. */
  readonly why?: string;
  /** Distinct conversations of the searched half where it agrees. */
  readonly runs: number;
  /** Rejected calls of the half of the log that was searched. */
  readonly mined: Counts;
  /** Rejected calls of the other half. */
  readonly heldOut: Counts;
  /**
   * Wilson's lower bound, 95 %, of the share of conversations with a known
   * correction that agree.
   */
  readonly lowerBound: number;
  /** Who made the corrections that agree, in calls. */
  readonly sources: Readonly<Partial<Record<CorrectionSource, number>>>;
}

/** What was found in a log. */
export interface SuggestResult {
  readonly suggestions: readonly Suggestion[];
  /** Distinct conversations with rejected calls in each half. */
  readonly holdOut: {
    readonly minedRuns: number;
    readonly heldOutRuns: number;
  };
  readonly minRuns: number;
  /** Rejected calls in the log. */
  readonly refused: number;
  /**
   * What all that is written does to the whole log, each call by its own
   * schema, as `replay` counts it.
   */
  readonly written: Counts & { readonly changed: number };
  /** What the log lacks for more, and what was ignored. */
  readonly notes: readonly string[];
}

export function toSuggestion(
  tool: string,
  step: FixerStep,
  why: string | undefined,
): Suggestion {
  const { call, agree } = step;
  const sources: Partial<Record<CorrectionSource, number>> = {};
  for (const { correction } of agree) {
    if (correction === undefined) continue;
    const { source } = correction;
    sources[source] = (sources[source] ?? 0) + 1;
  }
  return {
    tool,
    call: () => call,
    code: codeOf(call),
    verdict: why === undefined ? "write" : "listed",
    ...(why !== undefined && { why }),
    runs: runsOf(agree.filter(isSearched)).size,
    mined: countCalls(step, isSearched),
    heldOut: countCalls(step, (input) => !isSearched(input)),
    lowerBound: lowerBoundOf(step),
    sources,
  };
}

/** Counts calls that a change would repair. */
export function countCalls<Call>(
  {
    agree,
    contradict,
    unlabelled,
  }: Readonly<Record<keyof Counts, readonly Call[]>>,
  isCounted: (call: Call) => boolean,
): Counts {
  return {
    agree: agree.filter(isCounted).length,
    contradict: contradict.filter(isCounted).length,
    unlabelled: unlabelled.filter(isCounted).length,
  };
}

/** Selects the suggestions that are written, or those that are listed. */
export function withVerdict(
  suggestions: readonly Suggestion[],
  verdict: Suggestion["verdict"],
): readonly Suggestion[] {
  return suggestions.filter((suggestion) => suggestion.verdict === verdict);
}

/** The first line of the file, which marks it as written by toolmend. */
export const FIRST_LINE =
  "// Written by `toolmend suggest`. Read it before you use it.";

/**
 * Writes a module that exports a registry. What is not proven is commented out;
 * no value of the log is in it.
 */
export function writeFixers({ suggestions, minRuns }: SuggestResult): string {
  const fixers = suggestions.map(({ call }) => call().fixer);
  const names = [...new Set(fixers)].sort();
  const lines = [
    FIRST_LINE,
    "// Structure proves what is registered, and corrections agree with it. What is commented out is",
    "// for you to decide: take away the slashes, and write the values of your log for each ellipsis.",
    `// Seen in at least ${printCount(minRuns, "conversation")} of one half of the log, counted in both.`,
    'import { createFixerRegistry } from "toolmend";',
  ];
  if (names.length > 0)
    lines.push(`import { ${names.join(", ")} } from "toolmend/fixers";`);
  lines.push("", "export const fixers = createFixerRegistry();");
  for (const tool of new Set(
    suggestions.map((suggestion) => suggestion.tool),
  )) {
    const ofTool = suggestions.filter((suggestion) => suggestion.tool === tool);
    lines.push("", ...writeTool(toSource(tool), ofTool));
  }
  return [...lines, ""].join("\n");
}

function writeTool(
  tool: string,
  suggestions: readonly Suggestion[],
): readonly string[] {
  const lines: string[] = [];
  const written = withVerdict(suggestions, "write");
  for (const suggestion of written) {
    lines.push(`  // ${evidenceOf(suggestion)}`, `  ${suggestion.code},`);
  }
  if (written.length > 0) {
    lines.unshift("fixers.register(", `  ${tool},`);
    lines.push(");");
  }
  // Two mappings of one place look alike without their values: the first is
  // shown.
  const listed = new Set<string>();
  for (const suggestion of withVerdict(suggestions, "listed")) {
    const { code, why } = suggestion;
    if (listed.has(code)) continue;
    listed.add(code);
    lines.push(
      `// ${tool}: ${why}; ${evidenceOf(suggestion)}`,
      `// fixers.register(${tool}, ${code});`,
    );
  }
  return lines;
}

/** Who agrees how often. */
export function evidenceOf({
  mined,
  heldOut,
  sources,
  lowerBound,
}: Suggestion): string {
  const agree = mined.agree + heldOut.agree;
  const labelled = agree + mined.contradict + heldOut.contradict;
  const unlabelled = mined.unlabelled + heldOut.unlabelled;
  if (labelled === 0)
    return `${printCount(unlabelled, "call")} without a correction`;
  const bySource = Object.entries(sources).map(
    ([source, count]) => `${source} ${count}`,
  );
  const details = [
    bySource.join(", "),
    `held out ${heldOut.agree} of ${heldOut.agree + heldOut.contradict}`,
    `≥ ${Math.floor(lowerBound * 100)} %`,
  ];
  const corrections = printCount(labelled, "correction");
  return `agrees with ${agree} of ${corrections} (${details.join("; ")}), ${unlabelled} more without one`;
}
