import { createFixerRegistry } from "../../repair/fixers/registry.ts";
import { asValue, getAt, jsonEquals } from "../../repair/json.ts";
import type { Fixers } from "../../repair/policy.ts";
import { repairToolInput } from "../../repair/repair-tool-input.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue, RepairLevel } from "../../repair/types.ts";
import { compareTexts } from "../grouping.ts";
import {
  type LoggedInput,
  type LoggedInputs,
  type LoggedTool,
  labelOf,
  latestTools,
} from "../logged-inputs.ts";
import { replayInputs } from "../replay-inputs.ts";
import {
  codeOf,
  type FixerCall,
  fixerOf,
  namesKeysOnly,
  roleOf,
  runFixerCall,
} from "./fixer-call.ts";
import {
  type FixerStep,
  gatherSteps,
  isSearched,
  lowerBoundOf,
  type RejectedCall,
  runsOf,
  type Votes,
} from "./steps.ts";
import {
  countCalls,
  type Suggestion,
  type SuggestResult,
  toSuggestion,
  withVerdict,
} from "./suggestion.ts";

/**
 * Of one tool: the most rejected calls that are searched, accepted ones that
 * are guarded, and what is listed.
 */
const MOST = { refused: 20_000, accepted: 20_000, listed: 20 };

/**
 * The least share of conversations that must agree, as far as 95 % can tell: 36
 * of 40, 12 of 12.
 */
const LEAST_SHARE = 0.75;

/**
 * Searches a log for fixers, by example. The steps from a rejected input to its
 * correction are read off each pair, and counted over all conversations. That
 * corrections agree does not make them right: a suggestion is written only
 * where structure proves it, which is what toolmend itself asks for at the
 * level `eager`. All others are listed, for a person to decide. Each was seen
 * in at least `minRuns` conversations of the half of the log that is searched.
 */
export async function suggestFixers(
  logged: LoggedInputs,
  minRuns: number = 3,
): Promise<SuggestResult> {
  const suggestions: Suggestion[] = [];
  for (const tool of latestTools(logged).values()) {
    const inputs = logged.inputs.filter((input) => input.tool === tool.name);
    const search = new ToolSearch(tool, { ...logged, inputs });
    suggestions.push(...(await search.suggestions(minRuns)));
  }
  const refused = logged.inputs.filter(
    ({ toolInput }) => toolInput === undefined,
  );
  const minedRuns = runsOf(refused.filter(isSearched)).size;
  const { changed, ...gained } = await replayWritten(logged, suggestions);
  return {
    suggestions,
    holdOut: { minedRuns, heldOutRuns: runsOf(refused).size - minedRuns },
    minRuns,
    refused: refused.length,
    written: { ...countCalls(gained, () => true), changed },
    notes: notesOf(logged, refused),
  };
}

/** The search for the fixers of one tool, in its calls. */
class ToolSearch {
  readonly #tool: LoggedTool;
  readonly #logged: LoggedInputs;
  readonly #trial: Trial;

  constructor(tool: LoggedTool, logged: LoggedInputs) {
    this.#tool = tool;
    this.#logged = logged;
    this.#trial = createTrial(tool);
  }

  async suggestions(minRuns: number): Promise<readonly Suggestion[]> {
    const refused = await this.#rejectedCalls();
    const steps = gatherSteps(refused, minRuns)
      .filter(isCandidate)
      .sort(byOrder);
    const suggestions: Suggestion[] = [];
    for (const step of steps) {
      if (runsOf(step.agree.filter(isSearched)).size < minRuns) continue;
      const otherSteps = steps.filter((candidate) => candidate !== step);
      const why = await this.#objectionTo(step, otherSteps);
      suggestions.push(toSuggestion(this.#tool.name, step, why));
    }
    const inputs = refused.map(({ input }) => input);
    const judged = await listContradicted(suggestions, {
      ...this.#logged,
      inputs,
    });
    const listed = withVerdict(judged, "listed").toSorted(byRuns);
    return [...withVerdict(judged, "write"), ...listed.slice(0, MOST.listed)];
  }

  async #rejectedCalls(): Promise<readonly RejectedCall[]> {
    const schema = compileSchema(this.#tool.schema);
    const refused: RejectedCall[] = [];
    for (const input of this.#logged.inputs) {
      const { raw, level, toolInput, correction } = input;
      if (refused.length >= MOST.refused) break;
      if (toolInput !== undefined) continue;
      const repaired = await this.#trial(raw, level);
      if (repaired !== undefined) continue;
      // What a model did with another tool instead says nothing of this input.
      const isSameTool = correction?.tool === this.#tool.name;
      const label = isSameTool ? await labelOf(input, schema) : undefined;
      refused.push({ input, value: asValue(raw), label });
    }
    return refused;
  }

  /**
   * Says why a step is left for a person to decide; nothing where structure
   * proves it and nothing speaks against it.
   */
  async #objectionTo(
    step: FixerStep,
    otherSteps: readonly FixerStep[],
  ): Promise<string | undefined> {
    const { call, agree } = step;
    if (roleOf(call) !== "moves")
      return "says a value: only a person knows whether it is right";
    if (!namesKeysOnly(call))
      return "its key may be a value that a model wrote";
    if (new Set(agree.map(({ raw }) => JSON.stringify(raw))).size < 2) {
      return "always the same input: perhaps always the same question";
    }
    if (lowerBoundOf(step) < LEAST_SHARE) {
      const { agreeing, contradicting } = countRuns(step);
      return `too little to tell: ${agreeing} conversations agree, ${contradicting} contradict`;
    }
    if (dropsWord(call)) return "the new name lacks a word of the old one";
    return (
      (await this.#proofObjection(step, otherSteps)) ??
      (await this.#sideEffect(call))
    );
  }

  /** Asks whether structure proves a step on each input that it changes. */
  async #proofObjection(
    { call, changed }: FixerStep,
    otherSteps: readonly FixerStep[],
  ): Promise<string | undefined> {
    let proven = 0;
    for (const value of changed.values()) {
      // Two keys may each be proven, and only once the other is right.
      const proof = await this.#proofOf(call, takeSteps(otherSteps, value));
      if (proof === "proven") proven += 1;
      if (proof !== "unproven") continue;
      return proven === 0
        ? ONLY_CORRECTIONS
        : `${ONLY_CORRECTIONS} in some of its inputs`;
    }
    return proven === 0 ? ONLY_CORRECTIONS : undefined;
  }

  /**
   * Asks whether the repair at `eager`, which needs positive evidence from the
   * schema, the names and the value, comes to the same without a step. Where
   * the input is rejected with the step, too, something else is wrong with it.
   */
  async #proofOf(
    call: FixerCall,
    value: JsonValue,
  ): Promise<"proven" | "unproven" | "refused"> {
    const changed = runFixerCall(call, value);
    if (changed === undefined) return "refused";
    const result = await this.#trial(changed, "eager");
    if (result === undefined) return "refused";
    if (call.fixer === "splitList" && partsWords(changed, call.at))
      return "unproven";
    const resultWithout = await this.#trial(value, "eager");
    const isSame =
      resultWithout !== undefined && jsonEquals(result, resultWithout);
    return isSame ? "proven" : "unproven";
  }

  /**
   * Looks for an accepted call that a fixer would change. Fixers never see
   * valid input.
   */
  async #sideEffect(call: FixerCall): Promise<string | undefined> {
    const trialWith = createTrial(this.#tool, {
      [this.#tool.name]: [fixerOf(call)],
    });
    const changed = this.#logged.inputs.filter(
      ({ raw, toolInput }) =>
        toolInput !== undefined &&
        runFixerCall(call, asValue(raw)) !== undefined,
    );
    for (const { raw, level } of changed.slice(0, MOST.accepted)) {
      const before = await this.#trial(raw, level);
      if (before === undefined) continue;
      const after = await trialWith(raw, level);
      if (!jsonEquals(after, before))
        return "would change calls that are accepted without it";
    }
    return undefined;
  }
}

const ONLY_CORRECTIONS = "only later corrections support it";

/**
 * Whether a step may be a suggestion: more conversations agree with it than
 * contradict it.
 */
function isCandidate({ call, agree, contradict }: FixerStep): boolean {
  return (
    roleOf(call) !== "links" && runsOf(agree).size >= runsOf(contradict).size
  );
}

/** Steps that come first in a correction are registered first. */
function byOrder(left: FixerStep, right: FixerStep): number {
  return (
    left.order - right.order ||
    compareTexts(codeOf(left.call), codeOf(right.call))
  );
}

/** What was seen in the most conversations is listed first. */
function byRuns(left: Suggestion, right: Suggestion): number {
  return right.runs - left.runs || compareTexts(left.code, right.code);
}

/** Takes the steps that change a value, one after the other. */
function takeSteps(steps: readonly FixerStep[], value: JsonValue): JsonValue {
  return steps.reduce(
    (result, { call }) => runFixerCall(call, result) ?? result,
    value,
  );
}

/** Repairs an input of one tool; `undefined` where it is rejected. */
type Trial = (
  raw: JsonValue,
  level: RepairLevel,
) => Promise<JsonValue | undefined>;

/**
 * Creates a trial of a tool, which runs each input through the pipeline once.
 * Default: without any fixer.
 */
function createTrial(tool: LoggedTool, fixers?: Fixers): Trial {
  const results = new Map<string, JsonValue | undefined>();
  return async (raw, level) => {
    const key = JSON.stringify([level, raw]);
    if (results.has(key)) return results.get(key);
    const result = await repairToolInput(raw, tool, { level, fixers });
    const toolInput = result.ok ? result.toolInput : undefined;
    results.set(key, toolInput);
    return toolInput;
  };
}

/**
 * Whether a step takes nothing but a word off a name: `contraindicated_drug` is
 * not `drug`.
 */
function dropsWord({ fixer, args: [from, to] }: FixerCall): boolean {
  if (fixer !== "renameKey") return false;
  const oldWords = wordsOf(from);
  const newWords = new Set(wordsOf(to));
  return (
    newWords.size < oldWords.length &&
    [...newWords].every((word) => oldWords.includes(word))
  );
}

function wordsOf(name: JsonValue | undefined): readonly string[] {
  const spaced = String(name).replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return spaced.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}

/**
 * Whether what was split has spaces in its parts: `"Mill Lane 4, Hexham"` is
 * one address.
 */
function partsWords(value: JsonValue, at: string): boolean {
  const items = getAt(value, at);
  return !Array.isArray(items) || items.some((item) => /\s/.test(String(item)));
}

/**
 * Lists what makes calls that differ from their corrections: a correction may
 * change more than any fixer does. A call may need several fixers, so each is
 * judged beside all others, the worst first.
 */
async function listContradicted(
  suggestions: readonly Suggestion[],
  refused: LoggedInputs,
): Promise<readonly Suggestion[]> {
  let judged = suggestions;
  let worst = await findWorst(judged, refused);
  while (worst !== undefined) {
    const { agreeing, contradicting } = countRuns(worst.votes);
    const why = `too few whole calls agree: ${agreeing} conversations do, ${contradicting} contradict`;
    const index = judged.indexOf(worst.suggestion);
    judged = judged.with(index, {
      ...worst.suggestion,
      verdict: "listed",
      why,
    });
    worst = await findWorst(judged, refused);
  }
  return judged;
}

/** A suggestion, and what all that is written does to the calls it changes. */
interface JudgedSuggestion {
  readonly suggestion: Suggestion;
  readonly votes: Votes;
}

/** Finds the written suggestion that is least agreed with, if too few agree. */
async function findWorst(
  suggestions: readonly Suggestion[],
  refused: LoggedInputs,
): Promise<JudgedSuggestion | undefined> {
  const written = withVerdict(suggestions, "write");
  let worst: JudgedSuggestion | undefined;
  let least = LEAST_SHARE;
  for (const suggestion of written) {
    const inputs = refused.inputs.filter((input) =>
      changersOf(input, written).has(suggestion),
    );
    const votes = await replayWritten({ ...refused, inputs }, written);
    const bound = lowerBoundOf(votes);
    if (bound >= least) continue;
    worst = { suggestion, votes };
    least = bound;
  }
  return worst;
}

function countRuns({
  agree,
  contradict,
}: Votes): Readonly<Record<"agreeing" | "contradicting", number>> {
  return {
    agreeing: runsOf(agree).size,
    contradicting: runsOf(contradict).size,
  };
}

/** Counts what all written fixers do, as `replay` does. */
async function replayWritten(
  logged: LoggedInputs,
  suggestions: readonly Suggestion[],
) {
  const written = withVerdict(suggestions, "write");
  const fixers = createFixerRegistry();
  for (const { tool, call } of written) fixers.register(tool, fixerOf(call()));
  // Every other call comes out as it does without fixers.
  const inputs = logged.inputs.filter(
    (input) => changersOf(input, written).size > 0,
  );
  const { differing } = await replayInputs({ ...logged, inputs }, { fixers });
  const gained = differing.filter(({ kind }) => kind === "gained");
  return {
    agree: gained.filter(({ agrees }) => agrees === true),
    contradict: gained.filter(({ agrees }) => agrees === false),
    unlabelled: gained.filter(({ agrees }) => agrees === undefined),
    changed: differing.length - gained.length,
  };
}

/**
 * The suggestions that change an input, one after the other. Of a text that is
 * no JSON all may.
 */
function changersOf(
  input: LoggedInput,
  suggestions: readonly Suggestion[],
): ReadonlySet<Suggestion> {
  const changers = new Set<Suggestion>();
  let value = asValue(input.raw);
  for (const suggestion of suggestions) {
    if (suggestion.tool !== input.tool) continue;
    const changed = runFixerCall(suggestion.call(), value);
    value = changed ?? value;
    if (changed !== undefined || typeof value === "string")
      changers.add(suggestion);
  }
  return changers;
}

function notesOf(
  { counts }: LoggedInputs,
  refused: readonly LoggedInput[],
): readonly string[] {
  const { lines, withoutInput, withoutRun, withoutSchema } = counts;
  const notes: string[] = [];
  if (withoutInput > 0) {
    notes.push(
      `${withoutInput} of ${lines} lines hold no input: suggestions need a log written with content "full".`,
    );
  }
  if (withoutRun > 0) {
    notes.push(
      `${withoutRun} calls have the id of neither a thread nor a run: together they count as one conversation.`,
    );
  }
  if (withoutSchema > 0)
    notes.push(`The schema of ${withoutSchema} calls is not in the log.`);
  if (
    refused.length > 0 &&
    refused.every(({ correction }) => correction === undefined)
  ) {
    notes.push(
      "No rejected call has a known correction, so nothing is suggested.",
      "toolmend replay LOG… --level eager shows what eager would repair.",
    );
  }
  return notes;
}
