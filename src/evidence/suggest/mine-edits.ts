import type { SwitchableEdit } from "../../repair/edit-switches.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import type { FixerCall } from "./fixer-call.ts";
import { judge } from "./judge.ts";
import type { MinedTool } from "./mine-tool.ts";
import type { EditSuggestion } from "./suggestion.ts";
import { runsOf, type Tally } from "./tally.ts";
import type { ToolCases } from "./tool-cases.ts";
import type { Case, Trial } from "./trial.ts";

/** One tool, with what was found for it. */
export interface SearchedTool {
  readonly cases: ToolCases;
  readonly trial: Trial;
  readonly mined: MinedTool;
}

/** The most calls of one tool that are right, or are repaired anyway, and that an edit is tried on. */
const MAX_ACCEPTED = 2_000;

/** A refused input that one eager edit would repair, with what is needed to try it. */
interface Found {
  readonly one: Case;
  readonly input: Case["input"];
  readonly calls: readonly FixerCall[];
  readonly trial: Trial;
}

/**
 * Finds single edits of the level `eager` that could be allowed for all tools: what the fixers leave
 * refused is tried at that level, and what takes one such edit alone is counted by edit, over all tools.
 *
 * @param tools The tools.
 * @param minRuns In how many distinct runs an edit must agree with what took the place of the input.
 */
export async function mineEdits(
  tools: readonly SearchedTool[],
  minRuns: number,
): Promise<readonly EditSuggestion[]> {
  const halves = { mined: await byEdit(tools, "mined"), heldOut: await byEdit(tools, "heldOut") };
  const suggestions: EditSuggestion[] = [];
  for (const [edit, found] of [...halves.mined].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const mined = await tallyEdit(found, edit);
    if (runsOf(mined.agree) < minRuns) continue;
    const heldOut = await tallyEdit(halves.heldOut.get(edit) ?? [], edit);
    const changed = await countTouched(tools, edit);
    const sideEffect = () =>
      changed > 0 ? `would change ${changed} calls that are accepted without it` : undefined;
    suggestions.push({
      edit,
      tools: new Set([...mined.agree, ...heldOut.agree].map(({ input }) => input.tool)).size,
      code: `edits: { "${edit}": true }`,
      ...judge(mined, heldOut, sideEffect),
    });
  }
  return suggestions;
}

/** What the fixers of a half leave, by the one eager edit that it takes. */
async function byEdit(
  tools: readonly SearchedTool[],
  half: "mined" | "heldOut",
): Promise<ReadonlyMap<SwitchableEdit, readonly Found[]>> {
  const found = new Map<SwitchableEdit, Found[]>();
  for (const { trial, mined } of tools) {
    const { calls, open } = mined;
    for (const one of open[half]) {
      const [edit, ...others] = await trial.eagerEdits(one, calls);
      if (edit === undefined || others.length > 0) continue;
      const same = found.get(edit) ?? [];
      same.push({ one, input: one.input, calls, trial });
      found.set(edit, same);
    }
  }
  return found;
}

async function tallyEdit(found: readonly Found[], edit: SwitchableEdit): Promise<Tally<Found>> {
  const kinds = { agree: [] as Found[], contradict: [] as Found[], unlabelled: [] as Found[] };
  const open: Found[] = [];
  for (const each of found) {
    const { one, calls, trial } = each;
    const result = await trial.run(one, calls, { [edit]: true });
    if (result === undefined) open.push(each);
    else if (one.label === undefined) kinds.unlabelled.push(each);
    else kinds[(await trial.agrees(result, one.label)) ? "agree" : "contradict"].push(each);
  }
  return { ...kinds, open };
}

/** Calls that are accepted, and from which something else would come. */
async function countTouched(tools: readonly SearchedTool[], edit: SwitchableEdit): Promise<number> {
  let changed = 0;
  for (const { cases, trial, mined } of tools) {
    // What is valid, and heard whole, is never touched.
    const stray = cases.valid.filter(({ hasUndeclared }) => hasUndeclared).slice(0, MAX_ACCEPTED);
    for (const one of [...stray, ...cases.repaired.slice(0, MAX_ACCEPTED)]) {
      const result = await trial.run(one, mined.calls, { [edit]: true });
      if (!jsonEquals(result, one.without as JsonValue)) changed += 1;
    }
  }
  return changed;
}
