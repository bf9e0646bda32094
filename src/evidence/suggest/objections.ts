import { getAt } from "../../repair/json/json-pointer.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { repairInput } from "../../repair/pipeline.ts";
import type { Fixers } from "../../repair/policy.ts";
import type { JsonValue, RepairLevel } from "../../repair/types.ts";
import { type FixerCall, fixerOf, namesKeysOnly, roleOf, runFixerCall } from "./fixer-call.ts";
import { asValue, type LoggedInput, type LoggedTool } from "./logged-inputs.ts";
import { lowerBoundOf, runsOf, type Step } from "./suggestion.ts";

/** The least share of conversations that must agree, as far as 95 % can tell: 36 of 40, 12 of 12. */
const LEAST_SHARE = 0.75;

/** The most accepted inputs of one tool that are guarded. */
const MAX_ACCEPTED = 20_000;

/** Repairs an input of one tool; `undefined` where it is refused. */
export type Trial = (raw: JsonValue, level: RepairLevel) => Promise<JsonValue | undefined>;

/** Creates a trial of a tool, which runs each input through the pipeline once. Default: without any fixer. */
export function createTrial(tool: LoggedTool, fixers?: Fixers): Trial {
  const known = new Map<string, Promise<JsonValue | undefined>>();
  const repair: Trial = async (raw, level) => {
    const result = await repairInput(raw, tool, { level, fixers });
    return result.ok ? result.toolInput : undefined;
  };
  return (raw, level) => {
    const key = JSON.stringify([level, raw]);
    const repairing = known.get(key) ?? repair(raw, level);
    known.set(key, repairing);
    return repairing;
  };
}

/** What a step is judged by. */
interface Judged {
  readonly tool: LoggedTool;
  /** The other steps of the tool. */
  readonly others: readonly FixerCall[];
  /** All calls of the tool. */
  readonly inputs: readonly LoggedInput[];
  readonly trial: Trial;
}

/** Says why a step is left for a person to decide; nothing where structure proves it and nothing speaks against it. */
export async function objectionTo(step: Step, judged: Judged): Promise<string | undefined> {
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
  for (const value of touched) {
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

/** Looks for an accepted call that a fixer would change. What is valid as it stands, no fixer sees. */
async function sideEffect(
  call: FixerCall,
  { tool, inputs, trial }: Judged,
): Promise<string | undefined> {
  const trialWith = createTrial(tool, { [tool.name]: [fixerOf(call)] });
  const accepted = inputs.filter(
    ({ raw, toolInput }) =>
      toolInput !== undefined && runFixerCall(call, asValue(raw)) !== undefined,
  );
  for (const { raw, level } of accepted.slice(0, MAX_ACCEPTED)) {
    const before = await trial(raw, level);
    if (before !== undefined && !jsonEquals(await trialWith(raw, level), before)) {
      return "would change calls that are accepted without it";
    }
  }
  return undefined;
}
