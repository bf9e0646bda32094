import { jsonEquals } from "../../repair/json/json-value.ts";
import { repairToolInput } from "../../repair/pipeline.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import { UNKNOWN_TOOL } from "../offered-name.ts";
import { toSource } from "./fixer-call.ts";
import { judge } from "./judge.ts";
import { declaredInput, labelOf } from "./label-of.ts";
import type { LoggedInput } from "./logged-input.ts";
import type { ToolNameSuggestion } from "./suggestion.ts";
import { runsOf, type Tally } from "./tally.ts";
import type { LoggedTool } from "./tool-cases.ts";

/** The most calls of one name that are looked at. */
const MAX_CALLS = 5_000;

/**
 * Finds the tools that models mean by names which no tool has: by what they called next with the same
 * input, or by the call that took the place of the refused one.
 *
 * @param inputs The calls of a log.
 * @param tools The tools that the log knows.
 * @param search Which calls are searched, and in how many distinct runs a name must be met.
 */
export async function mineToolNames(
  inputs: readonly LoggedInput[],
  tools: ReadonlyMap<string, LoggedTool>,
  { isMined, minRuns }: { isMined: (input: LoggedInput) => boolean; minRuns: number },
): Promise<readonly ToolNameSuggestion[]> {
  const byName = new Map<string, LoggedInput[]>();
  for (const input of inputs) {
    if (!input.isUnknown || input.tool === UNKNOWN_TOOL || tools.has(input.tool)) continue;
    const same = byName.get(input.tool);
    if (same === undefined) byName.set(input.tool, [input]);
    else same.push(input);
  }
  const suggestions: ToolNameSuggestion[] = [];
  for (const [from, calls] of [...byName].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const targets = new Set(calls.flatMap(({ correction }) => correction?.tool ?? []));
    for (const to of [...targets].sort()) {
      const tool = tools.get(to);
      if (tool === undefined) continue;
      const some = calls.slice(0, MAX_CALLS);
      const mined = await tallyName(some.filter(isMined), tool);
      if (runsOf(mined.agree) < minRuns) continue;
      const heldOut = await tallyName(
        some.filter((input) => !isMined(input)),
        tool,
      );
      const code = `renameTool(${toSource(from)}, ${toSource(to)})`;
      suggestions.push({ from, to, code, ...judge(mined, heldOut) });
    }
  }
  return suggestions;
}

type NameTally = Tally<{ readonly input: LoggedInput }>;

async function tallyName(
  inputs: readonly LoggedInput[],
  { tool: name, jsonSchema }: LoggedTool,
): Promise<NameTally> {
  const schema = compileSchema(jsonSchema);
  const found = { agree: [], contradict: [], unlabelled: [], open: [] } as {
    [Kind in keyof NameTally]: { input: LoggedInput }[];
  };
  for (const input of inputs) {
    const label = await labelOf(input, schema);
    const meant = input.correction?.tool;
    const isOther = meant !== undefined && meant !== name && meant !== input.tool;
    const result = await repairToolInput(
      input.raw,
      { name, schema: jsonSchema },
      { level: input.level },
    );
    const heard = result.ok ? await declaredInput(result.toolInput, schema) : undefined;
    if (isOther) found.contradict.push({ input });
    else if (heard === undefined) found.open.push({ input });
    else if (label === undefined) found.unlabelled.push({ input });
    else if (jsonEquals(heard, label)) found.agree.push({ input });
    else found.contradict.push({ input });
  }
  return found;
}
