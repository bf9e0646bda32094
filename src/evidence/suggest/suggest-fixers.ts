import { createFixerRegistry } from "../../repair/fixers/registry.ts";
import { getAt, jsonEquals } from "../../repair/json.ts";
import type { Fixers } from "../../repair/policy.ts";
import { repairToolInput } from "../../repair/repair-tool-input.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue, RepairLevel } from "../../repair/types.ts";
import {
  asValue,
  type LoggedInput,
  type LoggedInputs,
  type LoggedTool,
  labelOf,
  latestTools,
} from "../logged-inputs.ts";
import { replayInputs } from "../replay-inputs.ts";
import { createExplainer } from "./explain-pair.ts";
import {
  codeOf,
  type FixerCall,
  fixerOf,
  namesKeysOnly,
  roleOf,
  runFixerCall,
} from "./fixer-call.ts";
import {
  isSearched,
  lowerBoundOf,
  runsOf,
  type Step,
  type Suggestion,
  type SuggestResult,
  toSuggestion,
} from "./suggestion.ts";

/** Of one tool: the most refused calls that are searched, accepted ones that are guarded, and what is listed. */
const MOST = { refused: 20_000, accepted: 20_000, listed: 20 };

/** The least share of conversations that must agree, as far as 95 % can tell: 36 of 40, 12 of 12. */
const LEAST_SHARE = 0.75;

/**
 * Searches a log for fixers, by example. The steps from a refused input to its correction are read
 * off each pair, and counted over all conversations. That corrections agree does not make them right:
 * a suggestion is written only where structure proves it, which is what toolmend itself asks for at
 * the level `eager`. All others are listed, for a person to decide. Each was seen in at least `minRuns`
 * conversations of the half of the log that is searched.
 */
export async function suggestFixers(
  logged: LoggedInputs,
  minRuns: number = 3,
): Promise<SuggestResult> {
  const refused = logged.inputs.filter(({ toolInput }) => toolInput === undefined);
  const tools = latestTools(logged);
  const suggestions: Suggestion[] = [];
  const inputsOf = new Map([...tools.keys()].map((name): [string, LoggedInput[]] => [name, []]));
  for (const input of logged.inputs) inputsOf.get(input.tool)?.push(input);
  for (const tool of tools.values()) {
    const inputs = inputsOf.get(tool.name) ?? [];
    suggestions.push(...(await searchTool(tool, { ...logged, inputs }, minRuns)));
  }
  const minedRuns = runsOf(refused.filter(isSearched)).size;
  const { agree, contradict, unlabelled, changed } = await replayWritten(logged, suggestions);
  return {
    suggestions,
    holdOut: { minedRuns, heldOutRuns: runsOf(refused).size - minedRuns },
    minRuns,
    refused: refused.length,
    written: {
      agree: agree.length,
      contradict: contradict.length,
      unlabelled: unlabelled.length,
      changed,
    },
    notes: notesOf(logged, refused),
  };
}

async function searchTool(
  tool: LoggedTool,
  logged: LoggedInputs,
  minRuns: number,
): Promise<readonly Suggestion[]> {
  const { inputs } = logged;
  const trial = createTrial(tool);
  const refused = await refusedCalls(tool, inputs, trial);
  const steps = gatherSteps(refused, minRuns).filter(
    ({ call, agree, contradict }) =>
      roleOf(call) !== "links" && runsOf(agree).size >= runsOf(contradict).size,
  );
  const found: Suggestion[] = [];
  // Steps that come first in a correction are registered first.
  steps.sort((a, b) => a.order - b.order || compare(codeOf(a.call), codeOf(b.call)));
  for (const step of steps) {
    if (runsOf(step.agree.filter(isSearched)).size < minRuns) continue;
    const others = steps.filter((one) => one !== step).map((one) => one.call);
    const why = await objectionTo(step, { tool, others, inputs, trial });
    found.push(toSuggestion(tool.name, step, why));
  }
  const written = await withoutContradicted(found, {
    ...logged,
    inputs: refused.map(({ input }) => input),
  });
  const listed = written.filter(({ verdict }) => verdict === "listed");
  listed.sort((one, other) => other.runs - one.runs || compare(one.code, other.code));
  return [...written.filter(({ verdict }) => verdict === "write"), ...listed.slice(0, MOST.listed)];
}

/**
 * Lists what makes calls that differ from their corrections: a correction may change more than any
 * fixer does. A call may need several fixers, so each is judged beside all others, the worst first.
 */
async function withoutContradicted(
  suggestions: readonly Suggestion[],
  refused: LoggedInputs,
): Promise<readonly Suggestion[]> {
  let worst: Suggestion | undefined;
  let least = LEAST_SHARE;
  let why = "";
  for (const one of suggestions.filter(isWritten)) {
    const { agree, contradict } = await replayWritten(refused, suggestions, one);
    const bound = lowerBoundOf({ agree, contradict });
    if (bound >= least) continue;
    [worst, least] = [one, bound];
    const [agreeing, contradicting] = [runsOf(agree).size, runsOf(contradict).size];
    why = `too few whole calls agree: ${agreeing} conversations do, ${contradicting} contradict`;
  }
  if (worst === undefined) return suggestions;
  const listed = { ...worst, verdict: "listed" as const, why };
  const others = suggestions.map((one) => (one === worst ? listed : one));
  return withoutContradicted(others, refused);
}

function isWritten({ verdict }: Suggestion): boolean {
  return verdict === "write";
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** A call that the tool's latest schema rejects, even after toolmend's repairs without a fixer. */
interface RefusedCall {
  readonly input: LoggedInput;
  /** Parsed where it is JSON. */
  readonly value: JsonValue;
  /** What the tool would have received of its correction, where one is known. */
  readonly label: JsonValue | undefined;
}

async function refusedCalls(
  tool: LoggedTool,
  inputs: readonly LoggedInput[],
  trial: Trial,
): Promise<readonly RefusedCall[]> {
  const schema = compileSchema(tool.schema);
  const found: RefusedCall[] = [];
  for (const input of inputs) {
    const { raw, level, toolInput, correction } = input;
    if (toolInput !== undefined || found.length >= MOST.refused) continue;
    if ((await trial(raw, level)) !== undefined) continue;
    // What a model did with another tool instead says nothing of this input.
    const label = correction?.tool === tool.name ? await labelOf(input, schema) : undefined;
    found.push({ input, value: asValue(raw), label });
  }
  return found;
}

/** Reads the steps off all corrections, and asks of each step what the other calls say of it. */
function gatherSteps(refused: readonly RefusedCall[], minRuns: number): Step[] {
  const steps = new Map<string, Step & { readonly runs: Set<string> }>();
  const explain = createExplainer();
  const stepOf = (call: FixerCall, order: number, input: LoggedInput) => {
    const key = JSON.stringify(call);
    const said = { agree: [], contradict: [], unlabelled: [] };
    const step = steps.get(key) ?? { call, order, ...said, touched: new Map(), runs: new Set() };
    step.order = Math.min(step.order, order);
    if (isSearched(input)) step.runs.add(input.run ?? "");
    steps.set(key, step);
    return step;
  };
  const explained = refused.map(({ input, value, label }) => {
    const ways = label === undefined ? [] : explain(value, label);
    const taken = ways.map((way) => way.map((call, order) => stepOf(call, order, input)));
    return { input, value, label, ways: taken };
  });
  // Most values that a step could fill in were seen once: they need not be tried on every input.
  const common = [...steps.values()].filter(({ runs }) => runs.size >= minRuns);
  for (const step of common) {
    for (const { input, value, label, ways } of explained) {
      const isTouched = runFixerCall(step.call, value) !== undefined;
      if (isTouched) step.touched.set(JSON.stringify(value), value);
      const taking = ways.filter((way) => way.includes(step)).length;
      if (taking > 0 && taking === ways.length) step.agree.push(input);
      // Where one way takes it, and another does not, they say nothing.
      else if (isTouched && taking === 0) {
        step[label === undefined ? "unlabelled" : "contradict"].push(input);
      }
    }
  }
  return common;
}

/** Repairs an input of one tool; `undefined` where it is refused. */
type Trial = (raw: JsonValue, level: RepairLevel) => Promise<JsonValue | undefined>;

/** Creates a trial of a tool, which runs each input through the pipeline once. Default: without any fixer. */
function createTrial(tool: LoggedTool, fixers?: Fixers): Trial {
  const known = new Map<string, Promise<JsonValue | undefined>>();
  const repair: Trial = async (raw, level) => {
    const result = await repairToolInput(raw, tool, { level, fixers });
    return result.ok ? result.toolInput : undefined;
  };
  return (raw, level) => {
    const key = JSON.stringify([level, raw]);
    const repairing = known.get(key) ?? repair(raw, level);
    known.set(key, repairing);
    return repairing;
  };
}

/** What a step is judged by: the other steps and all calls of its tool. */
interface Judged {
  readonly tool: LoggedTool;
  readonly others: readonly FixerCall[];
  readonly inputs: readonly LoggedInput[];
  readonly trial: Trial;
}

/** Says why a step is left for a person to decide; nothing where structure proves it and nothing speaks against it. */
async function objectionTo(step: Step, judged: Judged): Promise<string | undefined> {
  const { call, agree, contradict } = step;
  if (roleOf(call) !== "moves") return "says a value: only a person knows whether it is right";
  if (!namesKeysOnly(call)) return "its key may be a value that a model wrote";
  if (new Set(agree.map(({ raw }) => JSON.stringify(raw))).size < 2) {
    return "always the same input: perhaps always the same question";
  }
  if (lowerBoundOf(step) < LEAST_SHARE) {
    const [agreeing, contradicting] = [runsOf(agree).size, runsOf(contradict).size];
    return `too little to tell: ${agreeing} conversations agree, ${contradicting} contradict`;
  }
  return (await proofObjection(step, judged)) ?? (await sideEffect(call, judged));
}

/**
 * Asks whether structure proves a step, on each input that it changes: whether the repair at `eager`,
 * which needs positive evidence from the schema, the names and the value, comes to the same without
 * it. Where the input is refused with the step, too, something else is wrong with it.
 */
async function proofObjection(
  { call, touched }: Step,
  { others, trial }: Judged,
): Promise<string | undefined> {
  if (call.fixer === "renameKey" && dropsWord(call)) {
    return "the new name lacks a word of the old one";
  }
  let proven = 0;
  for (const value of touched.values()) {
    // Two keys may each be proven, and only once the other is right.
    const beside = others.reduce((all, one) => runFixerCall(one, all) ?? all, value);
    const after = runFixerCall(call, beside);
    const result = after === undefined ? undefined : await trial(after, "eager");
    if (after === undefined || result === undefined) continue;
    const without = await trial(beside, "eager");
    const isSame = without !== undefined && jsonEquals(result, without);
    const isProven = isSame && !(call.fixer === "splitList" && partsWords(after, call.at));
    if (!isProven) return `${ONLY_CORRECTIONS}${proven === 0 ? "" : " in some of its inputs"}`;
    proven += 1;
  }
  return proven === 0 ? ONLY_CORRECTIONS : undefined;
}

const ONLY_CORRECTIONS = "nothing but the corrections speaks for it";

/** Whether nothing but a word was taken off: `contraindicated_drug` is not `drug`. */
function dropsWord({ args: [from, to] }: FixerCall): boolean {
  const words = (name: JsonValue | undefined) =>
    String(name)
      .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u);
  const [old, left] = [words(from), new Set(words(to))];
  return left.size < old.length && [...left].every((word) => old.includes(word));
}

/** Whether what was split has spaces in its parts: `"Mill Lane 4, Hexham"` is one address. */
function partsWords(value: JsonValue, at: string): boolean {
  const items = getAt(value, at);
  return !Array.isArray(items) || items.some((item) => /\s/.test(String(item)));
}

/** Looks for an accepted call that a fixer would change. Fixers never see valid input. */
async function sideEffect(
  call: FixerCall,
  { tool, inputs, trial }: Judged,
): Promise<string | undefined> {
  const trialWith = createTrial(tool, { [tool.name]: [fixerOf(call)] });
  const accepted = inputs.filter(
    ({ raw, toolInput }) =>
      toolInput !== undefined && runFixerCall(call, asValue(raw)) !== undefined,
  );
  for (const { raw, level } of accepted.slice(0, MOST.accepted)) {
    const before = await trial(raw, level);
    if (before !== undefined && !jsonEquals(await trialWith(raw, level), before)) {
      return "would change calls that are accepted without it";
    }
  }
  return undefined;
}

/** Counts what all written fixers do, as `replay` does; of calls that `only` changes, where it is given. */
async function replayWritten(
  logged: LoggedInputs,
  suggestions: readonly Suggestion[],
  only?: Suggestion,
) {
  const written = suggestions.filter(isWritten);
  const fixers = createFixerRegistry();
  for (const { tool, call } of written) fixers.register(tool, fixerOf(call()));
  // Every other call comes out as it does without fixers.
  const inputs = logged.inputs.filter((input) => {
    const changing = changersOf(input, written);
    return only === undefined ? changing.length > 0 : changing.includes(only);
  });
  const { differing } = await replayInputs({ ...logged, inputs }, { fixers });
  const gained = differing.filter(({ kind }) => kind === "gained");
  const gainedWhere = (said?: boolean) => gained.filter(({ agrees }) => agrees === said);
  const counts = {
    agree: gainedWhere(true),
    contradict: gainedWhere(false),
    unlabelled: gainedWhere(),
  };
  return { ...counts, changed: differing.length - gained.length };
}

/** The suggestions that change an input, one after the other. Of a text that is no JSON all may. */
function changersOf(input: LoggedInput, suggestions: readonly Suggestion[]): readonly Suggestion[] {
  let value = asValue(input.raw);
  return suggestions.filter(({ tool, call }) => {
    if (tool !== input.tool) return false;
    const changed = runFixerCall(call(), value);
    value = changed ?? value;
    return typeof value === "string" || changed !== undefined;
  });
}

function notesOf({ counts }: LoggedInputs, refused: readonly LoggedInput[]): readonly string[] {
  const { lines, withoutInput, withoutRun, withoutSchema } = counts;
  const isUncorrected = refused.length > 0 && refused.every((one) => one.correction === undefined);
  return [
    withoutInput > 0 &&
      `${withoutInput} of ${lines} lines hold no input: suggestions need a log written with content "full".`,
    withoutRun > 0 &&
      `${withoutRun} calls have the id of neither a thread nor a run: together they count as one conversation.`,
    withoutSchema > 0 && `The schema of ${withoutSchema} calls is not in the log.`,
    isUncorrected && "No refused call has a known correction, so nothing is suggested.",
    isUncorrected && "toolmend replay LOG… --level eager shows what eager would repair.",
  ].filter((note) => note !== false);
}
