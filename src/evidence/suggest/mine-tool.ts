import { findCandidates } from "./find-candidates.ts";
import type { FixerCall } from "./fixer-call.ts";
import { mergeMappings } from "./merge-mappings.ts";
import type { FixerSuggestion } from "./suggestion.ts";
import type { ToolCases } from "./tool-cases.ts";
import type { Case, Trial } from "./trial.ts";
import { type SoFar, tryCandidate } from "./try-candidate.ts";

/** What was found for one tool. */
export interface MinedTool {
  readonly suggestions: readonly FixerSuggestion[];
  /** All fixers that are to be written, in their order. */
  readonly calls: readonly FixerCall[];
  /** The inputs of either half that these leave refused. */
  readonly open: { readonly mined: readonly Case[]; readonly heldOut: readonly Case[] };
}

/** The most suggestions of one tool that are not written, but listed. */
const MAX_LISTED = 10;

/**
 * Searches the one half of a tool's refused inputs for fixers, and counts on the other what they do.
 * Greedily: the fixers that repair most come first, and the next are counted on what these leave.
 *
 * @param cases The tool's inputs.
 * @param trial The tool.
 * @param minRuns In how many distinct runs fixers must agree with what took the place of the input.
 */
export async function mineTool(
  cases: ToolCases,
  trial: Trial,
  minRuns: number,
): Promise<MinedTool> {
  const candidates = mergeMappings(await findCandidates(cases.mined, trial, minRuns));
  let state: SoFar = { calls: [], mined: cases.mined, heldOut: cases.heldOut, covered: [] };
  const suggestions: FixerSuggestion[] = [];
  const waiting = [...candidates];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const tried = await tryCandidate(next, { cases, state, trial, minRuns });
    if (tried === undefined) continue;
    if (tried.suggestion.verdict === "write") state = tried.state;
    else if (next.parts !== undefined) {
      waiting.unshift(...next.parts.map((calls) => ({ calls })));
      continue;
    }
    suggestions.push(tried.suggestion);
  }
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const listed = suggestions.filter(({ verdict }) => verdict !== "write").slice(0, MAX_LISTED);
  return { suggestions: [...written, ...listed], calls: state.calls, open: state };
}
