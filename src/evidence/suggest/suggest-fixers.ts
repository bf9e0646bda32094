import { UNKNOWN_TOOL } from "../../repair/events/redact.ts";
import { createFixerRegistry } from "../../repair/fixers/registry.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue } from "../../repair/types.ts";
import { replayInputs } from "../replay/replay-inputs.ts";
import { createExplainer } from "./explain-pair.ts";
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
  const inputsOf = new Map([...tools.keys()].map((name): [string, LoggedInput[]] => [name, []]));
  for (const input of logged.inputs) inputsOf.get(input.tool)?.push(input);
  for (const tool of tools.values()) {
    suggestions.push(...(await searchTool(tool, inputsOf.get(tool.name) ?? [], minRuns)));
  }
  suggestions.push(...findToolNames(refused, tools, minRuns));
  const minedRuns = runsOf(refused.filter(isSearched)).size;
  return {
    suggestions,
    holdOut: { minedRuns, heldOutRuns: runsOf(refused).size - minedRuns },
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
  const steps = gatherSteps(await refusedCases(tool, inputs, trial), minRuns).filter(
    ({ call, agree, contradict }) =>
      roleOf(call) !== "links" && runsOf(agree).size >= runsOf(contradict).size,
  );
  const found: { readonly one: Suggestion; readonly order: number }[] = [];
  for (const step of steps) {
    const { call, order } = step;
    if (runsOf(step.agree.filter(isSearched)).size < minRuns) continue;
    const others = steps.filter((one) => one !== step).map((one) => one.call);
    const why = await objectionTo(step, { tool, others, inputs, trial });
    found.push({
      one: toSuggestion({ tool: tool.name, schema: tool.hash, call, why }, step),
      order,
    });
  }
  // Steps that come first in a correction are registered first.
  const byCode = found.sort((left, right) => (left.one.code < right.one.code ? -1 : 1));
  const written = byCode.filter(({ one }) => one.verdict === "write");
  const listed = byCode.filter(({ one }) => one.verdict !== "write");
  return [
    ...written.sort((left, right) => left.order - right.order),
    ...listed.sort((left, right) => right.one.runs - left.one.runs).slice(0, MAX_LISTED),
  ].map(({ one }) => one);
}

/** A distinct input that a tool's latest schema rejects, with or without a known correction. */
interface RefusedCase {
  /** Parsed where it is JSON. */
  readonly value: JsonValue;
  /** The calls that had it, and what the tool would have received of their corrections. */
  readonly calls: { readonly input: LoggedInput; readonly label: JsonValue | undefined }[];
}

/** The inputs that are refused without any fixer, with what replaced them. */
async function refusedCases(
  tool: LoggedTool,
  inputs: readonly LoggedInput[],
  trial: Trial,
): Promise<readonly RefusedCase[]> {
  const schema = compileSchema(tool.schema);
  const cases = new Map<string, RefusedCase>();
  for (const input of inputs) {
    const { raw, level, toolInput, correction } = input;
    const key = JSON.stringify([level, raw]);
    const isNew = !cases.has(key);
    if (toolInput !== undefined || (isNew && cases.size >= MAX_REFUSED)) continue;
    // What is repaired without any fixer needs none.
    if ((await trial(raw, level)) !== undefined) continue;
    // What a model did with another tool instead says nothing of this input.
    const label = correction?.tool === tool.name ? await labelOf(input, schema) : undefined;
    if (isNew) cases.set(key, { value: asValue(raw), calls: [] });
    cases.get(key)?.calls.push({ input, label });
  }
  return [...cases.values()];
}

/** Reads the steps off all corrections, and asks of each step what the other calls say of it. */
function gatherSteps(cases: readonly RefusedCase[], minRuns: number): readonly Step[] {
  const steps = new Map<string, Step & { readonly runs: Set<string> }>();
  const explain = createExplainer();
  const stepOf = (call: FixerCall, order: number, input: LoggedInput) => {
    const key = JSON.stringify(call);
    const said = { agree: [], contradict: [], unlabelled: [] };
    const step = steps.get(key) ?? { call, order, ...said, touched: [], runs: new Set() };
    step.order = Math.min(step.order, order);
    if (isSearched(input)) step.runs.add(input.run ?? "");
    steps.set(key, step);
    return step;
  };
  const explained = cases.map(({ value, calls }) => ({
    value,
    calls: calls.map(({ input, label }) => {
      const ways = label === undefined ? [] : explain(value, label);
      const taken = ways.map((way) => way.map((call, order) => stepOf(call, order, input)));
      return { input, ways: taken, isLabelled: label !== undefined };
    }),
  }));
  // Most values that a step could fill in were seen once: they need not be tried on every input.
  const common = [...steps.values()].filter(({ runs }) => runs.size >= minRuns);
  for (const step of common) {
    for (const { value, calls } of explained) {
      const isTouched = runFixerCall(step.call, value) !== undefined;
      if (isTouched) step.touched.push(value);
      for (const { input, ways, isLabelled } of calls) {
        const taking = ways.filter((way) => way.includes(step)).length;
        if (taking > 0 && taking === ways.length) step.agree.push(input);
        // Where one way takes it, and another does not, they say nothing.
        else if (isTouched && taking === 0) {
          step[isLabelled ? "contradict" : "unlabelled"].push(input);
        }
      }
    }
  }
  return common;
}

/** Finds the tools that models mean by names which no tool has: from the calls that replaced them. */
function findToolNames(
  refused: readonly LoggedInput[],
  tools: ReadonlyMap<string, LoggedTool>,
  minRuns: number,
): readonly Suggestion[] {
  const why = "a tool for another tool: only a person knows whether it does the same";
  const calls = refused.filter(
    ({ isUnknown, tool, correction }) =>
      isUnknown && tool !== UNKNOWN_TOOL && !tools.has(tool) && correction !== undefined,
  );
  const pairs = new Map<string, Suggestion>();
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
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const fixers = createFixerRegistry();
  for (const { tool, call } of written) fixers.register(tool, fixerOf(call));
  // Every other call comes out as it does without fixers.
  const inputs = logged.inputs.filter(({ tool, raw }) => {
    const value = asValue(raw);
    const changes = (call: FixerCall) =>
      typeof value === "string" || runFixerCall(call, value) !== undefined;
    return written.some((one) => one.tool === tool && changes(one.call));
  });
  const { differing } = await replayInputs({ ...logged, inputs }, { fixers });
  const gained = differing.filter(({ kind }) => kind === "gained");
  const count = (agrees: boolean | undefined) =>
    gained.filter((one) => one.agrees === agrees).length;
  const changed = differing.length - gained.length;
  return { agree: count(true), contradict: count(false), unlabelled: count(undefined), changed };
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
