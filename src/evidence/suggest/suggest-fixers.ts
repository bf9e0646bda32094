import type { FixerRegistry } from "../../repair/fixers/registry.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { replayInputs } from "../replay/replay-inputs.ts";
import { halveInputs, runOf } from "./halve-inputs.ts";
import type { LoggedInputs } from "./log-evidence.ts";
import type { LoggedInput } from "./logged-input.ts";
import { mineEdits, type SearchedTool } from "./mine-edits.ts";
import { mineTool } from "./mine-tool.ts";
import { mineToolNames } from "./mine-tool-names.ts";
import { proposeSchemaChanges } from "./propose-schema-changes.ts";
import { registryOf } from "./registry-of.ts";
import { reviewUnlabelled } from "./review-unlabelled.ts";
import type { FixerSuggestion, HoldOut, SchemaProposal, SuggestResult } from "./suggestion.ts";
import { latestTools, sortCases, type ToolCases } from "./tool-cases.ts";

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
  const toolNames = await mineToolNames(inputs, tools, { isMined, minRuns });
  const suggestions: FixerSuggestion[] = [];
  const schemaProposals: SchemaProposal[] = [];
  const searched: SearchedTool[] = [];
  const byTool = new Map<string, LoggedInput[]>([...tools.keys()].map((name) => [name, []]));
  for (const input of inputs) byTool.get(input.tool)?.push(input);
  const known: Known = { accepted: new Set(), refused: new Set() };
  let done = 0;
  for (const [name, tool] of tools) {
    const { cases, trial } = await sortCases(tool, byTool.get(name) ?? [], isMined);
    const mined = await mineTool(cases, trial, minRuns);
    const ofTool = { ...mined, minRuns };
    searched.push({ cases, trial, mined });
    rememberCases(cases, known);
    suggestions.push(...mined.suggestions);
    suggestions.push(...(await reviewUnlabelled(cases, trial, ofTool)));
    schemaProposals.push(...(await proposeSchemaChanges(cases, trial, ofTool)));
    done += 1;
    onProgress?.({ done, total: tools.size });
  }
  const found = { suggestions, toolNames, edits: await mineEdits(searched, minRuns) };
  const runs = (half: boolean) =>
    new Set(refused.filter((input) => isMined(input) === half).map(runOf)).size;
  return {
    ...found,
    schemaProposals,
    holdOut: { by: holdOut, minedRuns: runs(true), heldOutRuns: runs(false) },
    minRuns,
    written: await countWritten(logged, registryOf(found), known),
    notes: notesOf(logged, refused.length),
  };
}

/** What is known of inputs before fixers are tried on the whole log. */
interface Known {
  /** Accepted as the log says, and by no fixer changed. */
  readonly accepted: Set<LoggedInput>;
  /** Refused without fixers. */
  readonly refused: Set<LoggedInput>;
}

/** Of inputs that were logged with the schema that the tool had last. */
function rememberCases(
  { schema, mined, heldOut, valid }: ToolCases,
  { accepted, refused }: Known,
): void {
  for (const { input } of [...mined, ...heldOut]) if (input.schema === schema) refused.add(input);
  for (const { input, without, hasUndeclared } of valid) {
    // No fixer is asked about an input that the schema accepts and hears whole.
    const isSame = input.schema === schema && jsonEquals(without, input.toolInput);
    if (isSame && !hasUndeclared) accepted.add(input);
  }
}

/** What all that is written does to the whole log, as `replay` counts it. */
async function countWritten(
  logged: LoggedInputs,
  fixers: FixerRegistry,
  known: Known,
): Promise<SuggestResult["written"]> {
  const { calls, acceptedBefore, differing } = await replayInputs(logged, {
    fixers,
    known: known.accepted,
  });
  const gained = differing.filter(({ kind }) => kind === "gained");
  const inputs = gained
    .map(({ index }) => logged.inputs[index] as LoggedInput)
    .filter((input) => !known.refused.has(input));
  const without = await replayInputs({ ...logged, inputs }, {});
  return {
    withoutFixers: without.acceptedNow,
    refused: calls - acceptedBefore,
    agree: gained.filter(({ agrees }) => agrees === true).length,
    contradict: gained.filter(({ agrees }) => agrees === false).length,
    unlabelled: gained.filter(({ agrees }) => agrees === undefined).length,
    changed: differing.length - gained.length,
  };
}

function notesOf({ counts, inputs }: LoggedInputs, refused: number): readonly string[] {
  const { lines, withoutInput, withoutRun, withoutSchema } = counts;
  const labelled = inputs.filter(({ correction }) => correction !== undefined).length;
  const had = inputs.filter(({ hadFixer }) => hadFixer).length;
  return [
    withoutInput > 0 &&
      `${withoutInput} of ${lines} lines hold no input: suggestions need a log written with content "full".`,
    withoutRun > 0 &&
      `${withoutRun} calls have the id of neither a run nor a thread: together they count as one run.`,
    withoutSchema > 0 && `The schema of ${withoutSchema} calls is not in the log.`,
    had > 0 &&
      `${had} calls were repaired by registered fixers: they are counted as changed, unless the file has these, too.`,
    refused > 0 &&
      labelled === 0 &&
      "Of no refused call is it known what took its place: nothing can be written, only reviewed.",
  ].filter((note) => note !== false);
}
