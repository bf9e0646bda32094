import { UNKNOWN_TOOL } from "../../repair/events/redact.ts";
import { createFixerRegistry } from "../../repair/fixers/registry.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue } from "../../repair/types.ts";
import { replayInputs } from "../replay/replay-inputs.ts";
import { explainPair, holdsAll, takeWay, type Way } from "./explain-pair.ts";
import { type FixerCall, fixerOf, roleOf, runFixerCall } from "./fixer-call.ts";
import {
  asValue,
  type LoggedInput,
  type LoggedInputs,
  type LoggedTool,
  labelOf,
  latestTools,
} from "./logged-inputs.ts";
import { createTrial, objectionTo, type Trial } from "./objections.ts";
import {
  isSearched,
  type RefusedCase,
  runOf,
  runsOf,
  type Step,
  type Suggestion,
  type SuggestResult,
  toSuggestion,
} from "./suggestion.ts";

/** How a log is searched for fixers. */
export interface SuggestOptions {
  /** In how many distinct conversations of the searched half something must be seen. Default: 3. */
  readonly minRuns?: number | undefined;
}

/** The most distinct refused inputs of one tool that are searched. */
const MAX_REFUSED = 5_000;

/** The most ways of one tool that are tried on its other inputs. */
const MAX_WAYS = 200;

/** The most suggestions of one tool that are listed. */
const MAX_LISTED = 20;

/**
 * Searches a log for fixers, by example. The steps from a refused input to its correction are read
 * off each pair, and counted over all conversations. That corrections agree does not make them right:
 * a suggestion is written only where structure proves it, which is what toolmend itself asks for at
 * the level `eager`. All others are listed, for a person to decide.
 */
export async function suggestFixers(
  logged: LoggedInputs,
  { minRuns = 3 }: SuggestOptions = {},
): Promise<SuggestResult> {
  const refused = logged.inputs.filter(({ toolInput }) => toolInput === undefined);
  const tools = latestTools(logged);
  const suggestions: Suggestion[] = [];
  const byTool = new Map([...tools.keys()].map((name): [string, LoggedInput[]] => [name, []]));
  for (const input of logged.inputs) byTool.get(input.tool)?.push(input);
  for (const tool of tools.values()) {
    suggestions.push(...(await searchTool(tool, byTool.get(tool.name) ?? [], minRuns)));
  }
  suggestions.push(...findToolNames(refused, tools, minRuns));
  const runs = (half: boolean) =>
    new Set(refused.filter((input) => isSearched(input) === half).map(runOf)).size;
  return {
    suggestions,
    holdOut: { minedRuns: runs(true), heldOutRuns: runs(false) },
    minRuns,
    refused: refused.length,
    written: await countWritten(logged, suggestions),
    notes: notesOf(logged, refused),
  };
}

async function searchTool(
  tool: LoggedTool,
  inputs: readonly LoggedInput[],
  minRuns: number,
): Promise<readonly Suggestion[]> {
  const trial = createTrial(tool);
  const steps = gatherSteps(await refusedCases(trial, inputs), minRuns).filter(
    ({ call, said }) =>
      roleOf(call) !== "links" && runsOf(said.agree).size >= runsOf(said.contradict).size,
  );
  const found: (Suggestion & { readonly order: number })[] = [];
  for (const step of steps) {
    if (runsOf(step.said.agree.filter(isSearched)).size < minRuns) continue;
    const others = steps.filter((one) => one !== step);
    const why = await objectionTo(step, { others, inputs, trial });
    const { call, said, order } = step;
    found.push({ ...toSuggestion({ tool: tool.name, schema: tool.hash, call, why }, said), order });
  }
  // Steps that come first in a correction are registered first.
  const written = found.filter(({ verdict }) => verdict === "write");
  written.sort((one, other) => one.order - other.order || (one.code < other.code ? -1 : 1));
  const listed = found.filter(({ verdict }) => verdict !== "write");
  listed.sort((one, other) => other.runs - one.runs || (one.code < other.code ? -1 : 1));
  return [...written, ...listed.slice(0, MAX_LISTED)].map(({ order: _, ...one }) => one);
}

/** The distinct inputs that are refused without any fixer, with what replaced them. */
async function refusedCases(
  { tool, repair }: Trial,
  inputs: readonly LoggedInput[],
): Promise<readonly RefusedCase[]> {
  const schema = compileSchema(tool.schema);
  const cases = new Map<string, RefusedCase>();
  for (const input of inputs) {
    const { raw, level } = input;
    if (input.toolInput !== undefined) continue;
    const key = JSON.stringify([level, raw]);
    let known = cases.get(key);
    if (known === undefined) {
      if (cases.size >= MAX_REFUSED) continue;
      known = { value: asValue(raw), calls: [] };
      cases.set(key, known);
      // What is repaired without any fixer needs none.
      if ((await repair(raw, level)) !== undefined) known.value = undefined;
    }
    // What a model did with another tool instead says nothing of this input.
    const isCorrected = input.correction?.tool === tool.name;
    const label = isCorrected ? await labelOf(input, schema) : undefined;
    known.calls.push({ input, label, ways: [] });
  }
  return [...cases.values()].filter(({ value }) => value !== undefined);
}

function gatherSteps(cases: readonly RefusedCase[], minRuns: number): readonly Step[] {
  const steps = new Map<string, Step>();
  const explain = createExplainer();
  for (const { value = null, calls } of cases) {
    for (const refused of calls) {
      const { input, label } = refused;
      const toStep = (call: FixerCall, order: number) => {
        const key = JSON.stringify(call);
        const said = { agree: [], contradict: [], unlabelled: [] };
        const step = steps.get(key) ?? { call, order, said, touched: [], runs: new Set() };
        step.order = Math.min(step.order, order);
        if (isSearched(input)) step.runs.add(runOf(input));
        steps.set(key, step);
        return step;
      };
      refused.ways = (label === undefined ? [] : explain(value, label)).map((way) =>
        way.map(toStep),
      );
    }
  }
  // Most values that a step could fill in were seen once: they need not be tried on every input.
  const common = [...steps.values()].filter(({ runs }) => runs.size >= minRuns);
  for (const step of common) {
    for (const one of cases) {
      const isTouched = runFixerCall(step.call, one.value ?? null) !== undefined;
      if (isTouched) step.touched.push(one);
      for (const { input, label, ways } of one.calls) {
        const taking = ways.filter((way) => way.includes(step)).length;
        if (taking > 0 && taking === ways.length) step.said.agree.push(input);
        // Where one way takes it, and another does not, they say nothing.
        else if (isTouched && taking === 0) {
          step.said[label === undefined ? "unlabelled" : "contradict"].push(input);
        }
      }
    }
  }
  return common;
}

/** Finds the fewest steps to a correction. Most inputs are explained by what explained others. */
function createExplainer(): (value: JsonValue, meant: JsonValue) => readonly Way[] {
  const known: Way[] = [];
  return (value, meant) => {
    const again = known.filter((way) => {
      const result = takeWay(way, value);
      return result !== undefined && holdsAll(result, meant);
    });
    const ways = again.length > 0 ? again : explainPair(value, meant);
    if (again.length === 0 && known.length < MAX_WAYS) known.push(...ways);
    const fewest = Math.min(...ways.map((way) => way.length));
    return ways.filter((way) => way.length === fewest);
  };
}

/** Finds the tools that models mean by names which no tool has: from the calls that replaced them. */
function findToolNames(
  refused: readonly LoggedInput[],
  tools: ReadonlyMap<string, LoggedTool>,
  minRuns: number,
): readonly Suggestion[] {
  const why = "a tool for another tool: only a person knows whether it does the same";
  const pairs = new Map<string, Suggestion>();
  const calls = refused.filter(
    ({ isUnknown, tool, correction }) =>
      isUnknown && tool !== UNKNOWN_TOOL && !tools.has(tool) && correction !== undefined,
  );
  for (const { tool: from, correction: { tool = "" } = {} } of calls) {
    const call: FixerCall = { fixer: "renameTool", args: [from, tool], at: "" };
    const key = JSON.stringify(call);
    if (pairs.has(key) || !tools.has(tool)) continue;
    const own = calls.filter((one) => one.tool === from);
    const agree = own.filter(({ correction }) => correction?.tool === tool);
    const contradict = own.filter(({ correction }) => correction?.tool !== tool);
    pairs.set(key, toSuggestion({ tool, call, why }, { agree, contradict, unlabelled: [] }));
  }
  const found = [...pairs].sort(([one], [other]) => (one < other ? -1 : 1));
  return found.map(([, one]) => one).filter(({ runs }) => runs >= minRuns);
}

/** What all that is written does to the whole log, as `replay` counts it. */
async function countWritten(
  logged: LoggedInputs,
  suggestions: readonly Suggestion[],
): Promise<SuggestResult["written"]> {
  const fixers = createFixerRegistry();
  const calls = new Map<string, FixerCall[]>();
  for (const { tool, verdict, call } of suggestions) {
    if (verdict !== "write") continue;
    fixers.register(tool, fixerOf(call));
    calls.set(tool, [...(calls.get(tool) ?? []), call]);
  }
  // Every other call comes out as it does without fixers.
  const inputs = logged.inputs.filter(({ tool, raw }) => {
    const value = asValue(raw);
    const mayChange = (call: FixerCall) =>
      typeof value === "string" || runFixerCall(call, value) !== undefined;
    return calls.get(tool)?.some(mayChange);
  });
  const { differing } = await replayInputs({ ...logged, inputs }, { fixers });
  const gained = differing.filter(({ kind }) => kind === "gained");
  const count = (wanted: boolean | undefined) =>
    gained.filter(({ agrees }) => agrees === wanted).length;
  return {
    agree: count(true),
    contradict: count(false),
    unlabelled: count(undefined),
    changed: differing.length - gained.length,
  };
}

function notesOf(
  { counts, inputs }: LoggedInputs,
  refused: readonly LoggedInput[],
): readonly string[] {
  const { lines, withoutInput, withoutRun, withoutSchema } = counts;
  const had = inputs.filter(({ hadFixer }) => hadFixer).length;
  const isUncorrected = refused.length > 0 && refused.every((one) => one.correction === undefined);
  return [
    withoutInput > 0 &&
      `${withoutInput} of ${lines} lines hold no input: suggestions need a log written with content "full".`,
    withoutRun > 0 &&
      `${withoutRun} calls have the id of neither a thread nor a run: together they count as one conversation.`,
    withoutSchema > 0 && `The schema of ${withoutSchema} calls is not in the log.`,
    had > 0 && `${had} calls were repaired by registered fixers: they are compared without these.`,
    isUncorrected && "No refused call has a known correction, so nothing is suggested.",
    isUncorrected && "toolmend replay LOG… --level eager shows what eager would repair.",
  ].filter((note) => note !== false);
}
