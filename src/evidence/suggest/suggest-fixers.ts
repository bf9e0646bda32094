import { createHash } from "node:crypto";
import type { CorrectionSource } from "../../repair/events/event.ts";
import { createFixerRegistry, type FixerRegistry } from "../../repair/fixers/registry.ts";
import { getAt } from "../../repair/json/json-pointer.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { repairInput } from "../../repair/pipeline.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue, RepairLevel } from "../../repair/types.ts";
import { UNKNOWN_TOOL } from "../redact.ts";
import { replayInputs } from "../replay/replay-inputs.ts";
import { wilsonInterval } from "../wilson-interval.ts";
import { explainPair, holdsAll, takeWay, type Way } from "./explain-pair.ts";
import { codeOf, type FixerCall, fixerOf, runFixerCall, toSource } from "./fixer-call.ts";
import {
  asValue,
  type LoggedInput,
  type LoggedInputs,
  type LoggedTool,
  labelOf,
  latestTools,
} from "./logged-inputs.ts";
import type { Counts, Suggestion, SuggestResult } from "./suggestion.ts";

/** How a log is searched for fixers. */
export interface SuggestOptions {
  /** In how many distinct conversations of the searched half something must be seen. Default: 3. */
  readonly minRuns?: number | undefined;
  /** Receives how many tools are done. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** The least share of conversations that must agree, as far as 95 % can tell: 36 of 40, 12 of 12. */
const LEAST_SHARE = 0.75;

/** The most distinct refused inputs of one tool that are searched, and accepted ones that are guarded. */
const MAX_REFUSED = 5_000;
const MAX_ACCEPTED = 20_000;

/** The most refused inputs of one tool without a correction that are tried at `eager`. */
const MAX_UNLABELLED = 500;

/** The most suggestions of one tool that are listed. */
const MAX_LISTED = 20;

/**
 * Searches a log for fixers, by example. The steps from a refused input to its correction are read
 * off each pair, and counted over all conversations. That corrections agree does not make them right:
 * a suggestion is written only where structure proves it, which is what toolmend itself asks for at
 * the level `eager`. All others are listed, for a person to decide.
 *
 * @param logged The calls of a log whose inputs were recorded.
 * @param options How much evidence is wanted.
 * @returns The suggestions, the same for the same log.
 */
export async function suggestFixers(
  logged: LoggedInputs,
  { minRuns = 3, onProgress }: SuggestOptions = {},
): Promise<SuggestResult> {
  const { inputs } = logged;
  const refused = inputs.filter(({ toolInput }) => toolInput === undefined);
  const tools = latestTools(logged);
  const byTool = new Map<string, LoggedInput[]>([...tools.keys()].map((name) => [name, []]));
  for (const input of inputs) byTool.get(input.tool)?.push(input);
  const found: Suggestion[] = [];
  for (const [name, tool] of tools) {
    found.push(...(await searchTool(tool, byTool.get(name) ?? [], minRuns)));
    onProgress?.({ done: new Set(found.map((one) => one.tool)).size, total: tools.size });
  }
  const suggestions = [...found, ...findToolNames(refused, tools, minRuns)];
  const runs = (half: boolean) =>
    new Set(refused.filter((input) => isSearched(input) === half).map(runOf)).size;
  return {
    suggestions,
    holdOut: { minedRuns: runs(true), heldOutRuns: runs(false) },
    minRuns,
    refused: refused.length,
    written: await countWritten(logged, suggestions),
    notes: notesOf(logged, refused.length),
  };
}

/** The registry that is written for suggestions: of each tool those that are proven, in their order. */
export function registryOf(suggestions: readonly Suggestion[]): FixerRegistry {
  const registry = createFixerRegistry();
  for (const { tool, verdict, call } of suggestions) {
    if (verdict === "write" && call.fixer !== "renameTool") registry.register(tool, fixerOf(call));
  }
  return registry;
}

/** A distinct input that a tool's latest schema rejects. */
interface Case {
  readonly raw: JsonValue;
  /** The same, parsed where it is JSON. */
  readonly value: JsonValue;
  readonly level: RepairLevel;
  /** The calls that had this input. */
  readonly calls: CaseCall[];
}

interface CaseCall {
  readonly input: LoggedInput;
  /** What the tool would have received of the correction. */
  readonly label: JsonValue | undefined;
}

/** Runs inputs of one tool through the pipeline, each once. */
interface Trial {
  readonly tool: LoggedTool;
  readonly repair: (raw: JsonValue, level: RepairLevel) => Promise<JsonValue | undefined>;
}

async function searchTool(
  tool: LoggedTool,
  inputs: readonly LoggedInput[],
  minRuns: number,
): Promise<readonly Suggestion[]> {
  const trial = createTrial(tool);
  const cases = await refusedCases(trial, inputs);
  const evidence = await gatherSteps(cases, trial);
  const found: (Suggestion & { readonly order: number })[] = [];
  const candidates = [...evidence.values()]
    .map((step) => ({ ...step, counts: countStep(step, cases) }))
    .filter(({ counts }) => counts.runs.allAgree.size >= counts.runs.contradict.size);
  for (const { call, order, counts, eagerRuns } of candidates) {
    const { agree } = counts.runs;
    const isReview = counts.runs.allAgree.size === 0;
    const seen = isReview ? eagerRuns : agree;
    if (seen.size < minRuns) continue;
    const others = candidates.flatMap((one) => (one.call === call ? [] : [one.call]));
    const why = isReview
      ? "no correction is known: toolmend would do the same at eager"
      : (constantObjection(call) ??
        shortage(counts) ??
        (await proofObjection(call, counts.touched, { trial, others })) ??
        (await sideEffect(call, inputs, trial)));
    found.push({
      tool: tool.name,
      schema: tool.hash,
      call,
      code: codeOf(call),
      verdict: why === undefined ? "write" : isReview ? "review" : "listed",
      ...(why === undefined ? {} : { why }),
      runs: seen.size,
      mined: counts.mined,
      heldOut: counts.heldOut,
      lowerBound: lowerBoundOf(counts),
      sources: counts.sources,
      order,
    });
  }
  // Steps that come first in a correction are registered first.
  const written = found.filter(({ verdict }) => verdict === "write");
  written.sort((one, other) => one.order - other.order || (one.code < other.code ? -1 : 1));
  const listed = found.filter(({ verdict }) => verdict !== "write");
  listed.sort((one, other) => other.runs - one.runs || (one.code < other.code ? -1 : 1));
  return [...written, ...listed.slice(0, MAX_LISTED)].map(({ order: _, ...one }) => one);
}

function createTrial(tool: LoggedTool): Trial {
  const known = new Map<string, Promise<JsonValue | undefined>>();
  return {
    tool,
    repair(raw, level) {
      const key = JSON.stringify([level, raw]);
      const repairing =
        known.get(key) ??
        repairInput(raw, tool, { level }).then((result) =>
          result.ok ? result.toolInput : undefined,
        );
      known.set(key, repairing);
      return repairing;
    },
  };
}

/** The distinct inputs that are refused without any fixer, with what replaced them. */
async function refusedCases(
  trial: Trial,
  inputs: readonly LoggedInput[],
): Promise<readonly Case[]> {
  const schema = compileSchema(trial.tool.schema);
  const cases = new Map<string, Case>();
  for (const input of inputs) {
    const { raw, level } = input;
    if (input.toolInput !== undefined) continue;
    const key = JSON.stringify([level, raw]);
    let known = cases.get(key);
    if (known === undefined) {
      if (cases.size >= MAX_REFUSED) continue;
      known = { raw, value: asValue(raw), level, calls: [] };
      cases.set(key, known);
    }
    // What a model did with another tool instead says nothing of this input.
    const isCorrected = input.correction?.tool === trial.tool.name;
    known.calls.push({ input, label: isCorrected ? await labelOf(input, schema) : undefined });
  }
  const open: Case[] = [];
  for (const one of cases.values()) {
    if ((await trial.repair(one.raw, one.level)) === undefined) open.push(one);
  }
  return open;
}

/** A step, and the calls whose correction it explains. */
interface StepEvidence {
  readonly call: FixerCall;
  /** Where it mostly stands in a way. */
  order: number;
  /** Calls of which every way takes it. */
  readonly agree: Set<CaseCall>;
  /** Calls of which some way takes it, and another does not: they say nothing. */
  readonly unclear: Set<CaseCall>;
  /** Conversations without a correction in which toolmend would do the same at `eager`. */
  readonly eagerRuns: Set<string>;
}

async function gatherSteps(
  cases: readonly Case[],
  trial: Trial,
): Promise<ReadonlyMap<string, StepEvidence>> {
  const steps = new Map<string, StepEvidence>();
  const known: Way[] = [];
  const stepOf = (call: FixerCall, order: number): StepEvidence => {
    const key = JSON.stringify(call);
    const step = steps.get(key) ?? {
      call,
      order,
      agree: new Set(),
      unclear: new Set(),
      eagerRuns: new Set(),
    };
    steps.set(key, step);
    step.order = Math.min(step.order, order);
    return step;
  };
  const explain = (value: JsonValue, meant: JsonValue): readonly Way[] => {
    // Most inputs are explained by what explained others.
    const again = known.filter((way) => {
      const result = takeWay(way, value);
      return result !== undefined && holdsAll(result, meant);
    });
    if (again.length > 0) return again;
    const ways = explainPair(value, meant);
    if (known.length < MAX_WAYS) known.push(...ways);
    return ways;
  };
  for (const { value, calls } of cases) {
    for (const one of calls) {
      const ways = one.label === undefined ? [] : explain(value, one.label);
      const fewest = Math.min(...ways.map((way) => way.length));
      const best = ways.filter((way) => way.length === fewest);
      for (const way of best) {
        for (const [order, call] of way.entries()) {
          const step = stepOf(call, order);
          const isInAll = best.every((other) => other.some((its) => jsonEquals(its, call)));
          (isInAll ? step.agree : step.unclear).add(one);
        }
      }
    }
  }
  const unlabelled = cases.filter(({ calls }) => calls.every(({ label }) => label === undefined));
  for (const { raw, value, calls } of unlabelled.slice(0, MAX_UNLABELLED)) {
    const eager = await trial.repair(raw, "eager");
    const [way, ...others] = eager === undefined ? [] : explain(value, eager);
    if (way === undefined || others.length > 0) continue;
    for (const [order, call] of way.entries()) {
      for (const { input } of calls) stepOf(call, order).eagerRuns.add(runOf(input));
    }
  }
  for (const [key, { call }] of steps) {
    if (call.fixer === "coerceTo" || call.fixer === "parseJson") steps.delete(key);
  }
  return steps;
}

/** The most ways of one tool that are tried on its other inputs. */
const MAX_WAYS = 200;

interface StepCounts {
  readonly mined: Counts;
  readonly heldOut: Counts;
  /** Distinct conversations: those that agree in the searched half, and all with a correction. */
  readonly runs: {
    readonly agree: ReadonlySet<string>;
    readonly allAgree: ReadonlySet<string>;
    readonly contradict: ReadonlySet<string>;
  };
  readonly sources: Readonly<Partial<Record<CorrectionSource, number>>>;
  /** The inputs that it changes. */
  readonly touched: readonly Case[];
  /** Distinct inputs on which it agrees. */
  readonly inputs: number;
}

function countStep({ call, agree, unclear }: StepEvidence, cases: readonly Case[]): StepCounts {
  const mined = { agree: 0, contradict: 0, unlabelled: 0 };
  const heldOut = { agree: 0, contradict: 0, unlabelled: 0 };
  const runs = {
    agree: new Set<string>(),
    allAgree: new Set<string>(),
    contradict: new Set<string>(),
  };
  const sources: Partial<Record<CorrectionSource, number>> = {};
  const touched: Case[] = [];
  let inputs = 0;
  for (const one of cases) {
    const isTouched = runFixerCall(call, one.value) !== undefined;
    if (isTouched) touched.push(one);
    if (one.calls.some((each) => agree.has(each))) inputs += 1;
    for (const each of one.calls) {
      const half = isSearched(each.input) ? mined : heldOut;
      const run = runOf(each.input);
      if (agree.has(each)) {
        half.agree += 1;
        runs.allAgree.add(run);
        if (half === mined) runs.agree.add(run);
        const { source = "later-call" } = each.input.correction ?? {};
        sources[source] = (sources[source] ?? 0) + 1;
      } else if (!isTouched || unclear.has(each)) continue;
      else if (each.label === undefined) half.unlabelled += 1;
      else {
        half.contradict += 1;
        runs.contradict.add(run);
      }
    }
  }
  return { mined, heldOut, runs, sources, touched, inputs };
}

function lowerBoundOf({ runs }: StepCounts): number {
  const agree = [...runs.allAgree].filter((run) => !runs.contradict.has(run)).length;
  return agree === 0 ? 0 : wilsonInterval(agree, agree + runs.contradict.size).lower;
}

/** Fixers that move what the model wrote, and say no value of their own. */
const STRUCTURAL: ReadonlySet<string> = new Set([
  "renameKey",
  "unwrapKey",
  "wrapValue",
  "splitList",
] satisfies FixerCall["fixer"][]);

function constantObjection({ fixer }: FixerCall): string | undefined {
  return STRUCTURAL.has(fixer)
    ? undefined
    : "says a value: only a person knows whether it is right";
}

/** Says why what too few conversations agree with is not written. */
function shortage(counts: StepCounts): string | undefined {
  if (counts.inputs < 2) return "always the same input: perhaps always the same question";
  if (lowerBoundOf(counts) >= LEAST_SHARE) return undefined;
  const { allAgree, contradict } = counts.runs;
  return `too little to tell: ${allAgree.size} conversations agree, ${contradict.size} contradict`;
}

/**
 * Asks whether structure proves a step, on each input that it changes: whether the repair at `eager`,
 * which needs positive evidence from the schema, the names and the value, comes to the same without
 * it. Where the input is refused with the step, too, something else is wrong with it.
 */
async function proofObjection(
  call: FixerCall,
  cases: readonly Case[],
  { trial, others }: { readonly trial: Trial; readonly others: readonly FixerCall[] },
): Promise<string | undefined> {
  if (call.fixer === "renameKey" && dropsWord(call))
    return "the new name lacks a word of the old one";
  let [proven, unproven] = [0, 0];
  for (const { value } of cases) {
    // Two keys may each be proven, and only once the other is right.
    const beside = others.reduce((all, one) => runFixerCall(one, all) ?? all, value);
    const after = runFixerCall(call, beside);
    const result = after === undefined ? undefined : await trial.repair(after, "eager");
    if (after === undefined || result === undefined) continue;
    const without = await trial.repair(beside, "eager");
    const isSame = without !== undefined && jsonEquals(result, without);
    if (isSame && !(call.fixer === "splitList" && partsWords(after, call.at))) proven += 1;
    else unproven += 1;
  }
  if (proven > 0 && unproven === 0) return undefined;
  const share = proven === 0 ? "" : ` in ${unproven} of ${proven + unproven} inputs`;
  return `nothing but the corrections speaks for it${share}`;
}

/** Whether nothing but a word was taken off: `contraindicated_drug` is not `drug`. */
function dropsWord({ from, to }: { readonly from: string; readonly to: string }): boolean {
  const words = (name: string) =>
    name
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

/** Looks for an accepted call that a fixer would change. What is valid as it stands, no fixer sees. */
async function sideEffect(
  call: FixerCall,
  inputs: readonly LoggedInput[],
  { tool, repair }: Trial,
): Promise<string | undefined> {
  const fixers = createFixerRegistry();
  fixers.register(tool.name, fixerOf(call));
  const seen = new Set<string>();
  for (const { raw, level, toolInput } of inputs) {
    if (toolInput === undefined || runFixerCall(call, asValue(raw)) === undefined) continue;
    const key = JSON.stringify([level, raw]);
    if (seen.has(key)) continue;
    if (seen.size >= MAX_ACCEPTED) break;
    seen.add(key);
    const before = await repair(raw, level);
    if (before === undefined) continue;
    const after = await repairInput(raw, tool, { level, fixers });
    if (!after.ok || !jsonEquals(after.toolInput, before)) {
      return "would change calls that are accepted without it";
    }
  }
  return undefined;
}

/** Finds the tools that models mean by names which no tool has: from the calls that replaced them. */
function findToolNames(
  refused: readonly LoggedInput[],
  tools: ReadonlyMap<string, LoggedTool>,
  minRuns: number,
): readonly Suggestion[] {
  const byName = new Map<string, LoggedInput[]>();
  for (const input of refused) {
    const { isUnknown, tool, correction } = input;
    if (!isUnknown || tool === UNKNOWN_TOOL || tools.has(tool) || correction === undefined)
      continue;
    byName.set(tool, [...(byName.get(tool) ?? []), input]);
  }
  const found: Suggestion[] = [];
  for (const [from, calls] of [...byName].sort(([one], [other]) => (one < other ? -1 : 1))) {
    for (const to of [...new Set(calls.map(({ correction }) => correction?.tool ?? ""))].sort()) {
      if (!tools.has(to)) continue;
      const agree = calls.filter(({ correction }) => correction?.tool === to);
      const runs = new Set(agree.filter(isSearched).map(runOf)).size;
      if (runs < minRuns) continue;
      const all = new Set(calls.map(runOf)).size;
      const half = (wanted: boolean): Counts => {
        const ofHalf = calls.filter((input) => isSearched(input) === wanted);
        const own = ofHalf.filter(({ correction }) => correction?.tool === to).length;
        return { agree: own, contradict: ofHalf.length - own, unlabelled: 0 };
      };
      const sources: Partial<Record<CorrectionSource, number>> = {};
      for (const { correction } of agree) {
        const { source = "later-call" } = correction ?? {};
        sources[source] = (sources[source] ?? 0) + 1;
      }
      found.push({
        tool: to,
        call: { fixer: "renameTool", from, to },
        code: `renameTool(${toSource(from)}, ${toSource(to)})`,
        verdict: "listed",
        why: "a tool for another tool: only a person knows whether it does the same",
        runs,
        mined: half(true),
        heldOut: half(false),
        lowerBound: wilsonInterval(new Set(agree.map(runOf)).size, all).lower,
        sources,
      });
    }
  }
  return found;
}

/** What all that is written does to the whole log, as `replay` counts it. */
async function countWritten(
  logged: LoggedInputs,
  suggestions: readonly Suggestion[],
): Promise<SuggestResult["written"]> {
  const calls = new Map<string, FixerCall[]>();
  for (const { tool, verdict, call } of suggestions) {
    if (verdict !== "write" || call.fixer === "renameTool") continue;
    calls.set(tool, [...(calls.get(tool) ?? []), call]);
  }
  // Every other call comes out as it does without fixers.
  const inputs = logged.inputs.filter(({ tool, raw }) => {
    const own = calls.get(tool);
    if (own === undefined) return false;
    const value = asValue(raw);
    return typeof value === "string" || own.some((call) => runFixerCall(call, value) !== undefined);
  });
  const { differing } = await replayInputs(
    { ...logged, inputs },
    { fixers: registryOf(suggestions) },
  );
  const gained = differing.filter(({ kind }) => kind === "gained");
  return {
    agree: gained.filter(({ agrees }) => agrees === true).length,
    contradict: gained.filter(({ agrees }) => agrees === false).length,
    unlabelled: gained.filter(({ agrees }) => agrees === undefined).length,
    changed: differing.length - gained.length,
  };
}

/** What counts as one conversation; calls of which none is known count as one together. */
function runOf({ run }: LoggedInput): string {
  return run ?? "";
}

const halves = new Map<string, boolean>();

/** Whether an input is of the half that is searched: by the first bit of its conversation's SHA-256. */
function isSearched(input: LoggedInput): boolean {
  const run = runOf(input);
  const known = halves.get(run);
  if (known !== undefined) return known;
  const isFirst = (createHash("sha256").update(run).digest()[0] ?? 0) < 128;
  if (halves.size > 100_000) halves.clear();
  halves.set(run, isFirst);
  return isFirst;
}

function notesOf({ counts, inputs }: LoggedInputs, refused: number): readonly string[] {
  const { lines, withoutInput, withoutRun, withoutSchema } = counts;
  const labelled = inputs.filter(({ correction }) => correction !== undefined).length;
  const had = inputs.filter(({ hadFixer }) => hadFixer).length;
  return [
    withoutInput > 0 &&
      `${withoutInput} of ${lines} lines hold no input: suggestions need a log written with content "full".`,
    withoutRun > 0 &&
      `${withoutRun} calls have the id of neither a thread nor a run: together they count as one conversation.`,
    withoutSchema > 0 && `The schema of ${withoutSchema} calls is not in the log.`,
    had > 0 && `${had} calls were repaired by registered fixers: they are compared without these.`,
    refused > 0 &&
      labelled === 0 &&
      "No refused call has a known correction: nothing can be written, only reviewed.",
  ].filter((note) => note !== false);
}
