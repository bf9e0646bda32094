import { halveInputs, runOf } from "./halve-inputs.ts";
import type { LoggedInputs } from "./log-evidence.ts";
import { mineTool } from "./mine-tool.ts";
import type { FixerSuggestion, HoldOut, SuggestResult } from "./suggestion.ts";
import { latestTools, sortCases } from "./tool-cases.ts";

/** How a log is searched for fixers. */
export interface SuggestOptions {
  /** By what the log is halved. Default: `"run"`. */
  readonly holdOut?: HoldOut | undefined;
  /**
   * In how many distinct runs of the half that is searched a fixer must agree with what took the
   * place of the refused input; one with a constant in half as many again. Default: 3.
   */
  readonly minRuns?: number | undefined;
  /** Told how many tools are done. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Searches a log for fixers, by example: reads them off refused inputs and what took their place,
 * runs them in the pipeline that they are for, and counts what they do on calls that were not
 * searched. A fixer that is suggested agrees with the model's own corrections; whether these were
 * right, nobody has said.
 *
 * @param logged The calls of a log whose inputs were written down.
 * @param options How the log is halved, and how much evidence is wanted.
 * @returns The suggestions, the same for the same log.
 */
export async function suggestFixers(
  logged: LoggedInputs,
  { holdOut = "run", minRuns = 3, onProgress }: SuggestOptions = {},
): Promise<SuggestResult> {
  const { inputs } = logged;
  const refused = inputs.filter(({ toolInput }) => toolInput === undefined);
  const isMined = halveInputs(refused, holdOut);
  const tools = latestTools(logged);
  const suggestions: FixerSuggestion[] = [];
  let done = 0;
  for (const [name, tool] of tools) {
    const { cases, trial } = await sortCases(
      tool,
      inputs.filter((input) => input.tool === name),
      isMined,
    );
    const mined = await mineTool(cases, trial, minRuns);
    suggestions.push(...mined.suggestions);
    done += 1;
    onProgress?.({ done, total: tools.size });
  }
  const runs = (half: boolean) =>
    new Set(refused.filter((input) => isMined(input) === half).map(runOf)).size;
  return {
    suggestions,
    toolNames: [],
    schemaProposals: [],
    holdOut: { by: holdOut, minedRuns: runs(true), heldOutRuns: runs(false) },
    minRuns,
    written: { agree: 0, contradict: 0, unlabelled: 0, refused: refused.length, changed: 0 },
    notes: [],
  };
}
