import { createHash } from "node:crypto";
import type { CorrectionSource } from "../../repair/events/event.ts";
import type { JsonValue } from "../../repair/types.ts";
import type { LoggedInput } from "../logged-inputs.ts";
import { wilsonInterval } from "../wilson-interval.ts";
import { codeOf, type FixerCall, toSource } from "./fixer-call.ts";

/** How many refused calls a suggestion changes, by what is known of them. */
export interface Counts {
  /** Into the call that replaced it: the model's own correction, a handler's or a person's. */
  readonly agree: number;
  /** Into something other than the call that replaced it. */
  readonly contradict: number;
  /** No correction is known. */
  readonly unlabelled: number;
}

/** What was found in a log about one mistake, and what follows from it. */
export interface Suggestion {
  readonly tool: string;
  /** The call with values of the log: a function, as JSON leaves it out. */
  readonly call: () => FixerCall;
  /** As TypeScript, without values of the log: `renameKey("element", "selector")`. */
  readonly code: string;
  /**
   * - `write`: structure proves it, and corrections agree. It is written to the file of fixers.
   * - `listed`: corrections agree, or mostly, but only a person can say whether it is right.
   */
  readonly verdict: "write" | "listed";
  /** Why it is not written. */
  readonly why?: string;
  /** Distinct conversations of the searched half where it agrees. */
  readonly runs: number;
  /** Refused calls of the half of the log that was searched. */
  readonly mined: Counts;
  /** Refused calls of the other half. */
  readonly heldOut: Counts;
  /** Wilson's lower bound, 95 %, of the share of conversations with a known correction that agree. */
  readonly lowerBound: number;
  /** Who made the corrections that agree, in calls. */
  readonly sources: Readonly<Partial<Record<CorrectionSource, number>>>;
}

/** What was found in a log. */
export interface SuggestResult {
  readonly suggestions: readonly Suggestion[];
  /** Distinct conversations with refused calls in each half. */
  readonly holdOut: { readonly minedRuns: number; readonly heldOutRuns: number };
  readonly minRuns: number;
  /** Refused calls in the log. */
  readonly refused: number;
  /** What all that is written does to the whole log, each call by its own schema, as `replay` counts it. */
  readonly written: Counts & { readonly changed: number };
  /** What the log lacks for more, and what was ignored. */
  readonly notes: readonly string[];
}

/** A step that corrections show, and the calls that it changes: every way of a correction takes it, or none. */
export interface Step extends Readonly<Record<keyof Counts, LoggedInput[]>> {
  readonly call: FixerCall;
  /** Where it stands in a way, at the earliest. */
  order: number;
  /** The inputs that it changes, by their JSON. */
  readonly touched: Map<string, JsonValue>;
}

export function toSuggestion(
  tool: string,
  { call, agree, contradict, unlabelled }: Step,
  why: string | undefined,
): Suggestion {
  const countIn = (half: boolean): Counts => {
    const count = (inputs: readonly LoggedInput[]) =>
      inputs.filter((one) => isSearched(one) === half).length;
    return { agree: count(agree), contradict: count(contradict), unlabelled: count(unlabelled) };
  };
  const sources: Partial<Record<CorrectionSource, number>> = {};
  for (const { correction: { source = "later-call" } = {} } of agree) {
    sources[source] = (sources[source] ?? 0) + 1;
  }
  return {
    tool,
    call: () => call,
    code: codeOf(call),
    verdict: why === undefined ? "write" : "listed",
    ...(why !== undefined && { why }),
    runs: runsOf(agree.filter(isSearched)).size,
    mined: countIn(true),
    heldOut: countIn(false),
    lowerBound: lowerBoundOf({ agree, contradict }),
    sources,
  };
}

/** A call as the conversation that it belongs to. */
type InRun = Pick<LoggedInput, "run">;

/** A conversation that says both counts against the step. */
export function lowerBoundOf({
  agree,
  contradict,
}: Record<"agree" | "contradict", readonly InRun[]>): number {
  const against = runsOf(contradict);
  const hits = [...runsOf(agree)].filter((run) => !against.has(run)).length;
  return hits === 0 ? 0 : wilsonInterval(hits, hits + against.size).lower;
}

/** The conversations of inputs. Calls without a known one count as one together. */
export function runsOf(inputs: readonly InRun[]): ReadonlySet<string> {
  return new Set(inputs.map(({ run = "" }) => run));
}

/** Whether an input is of the half that is searched: by the first bit of its conversation's SHA-256. */
export function isSearched({ run = "" }: LoggedInput): boolean {
  return (createHash("sha256").update(run).digest()[0] ?? 0) < 128;
}

/** The first line of the file, which marks it as written by toolmend. */
export const FIRST_LINE = "// Written by `toolmend suggest`. Read it before you use it.";

/** Writes a module that exports a registry. What is not proven is commented out; no value of the log is in it. */
export function writeFixers({ suggestions, minRuns }: SuggestResult): string {
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const names = [...new Set(written.map(({ call }) => call().fixer))].sort().join(", ");
  const tools = [...new Set(suggestions.map(({ tool }) => tool))];
  return [
    FIRST_LINE,
    "// Structure proves what is registered, and corrections agree with it. What is commented out is",
    `// for you to decide. Seen in at least ${minRuns} conversations of one half of the log, counted in both.`,
    'import { createFixerRegistry } from "toolmend";',
    ...(names === "" ? [] : [`import { ${names} } from "toolmend/fixers";`]),
    "",
    "export const fixers = createFixerRegistry();",
    ...tools.flatMap((tool) => writeTool(suggestions.filter((one) => one.tool === tool))),
    "",
  ].join("\n");
}

function writeTool(suggestions: readonly Suggestion[]): readonly string[] {
  const written = suggestions.filter(({ verdict }) => verdict === "write");
  const listed = suggestions.filter(({ verdict }) => verdict === "listed");
  const tool = toSource(suggestions[0]?.tool ?? "");
  const fixers = written.flatMap((one) => [`  // ${evidenceOf(one)}`, `  ${one.code},`]);
  // Two mappings of one place look alike without their values.
  const isFirst = ({ code }: Suggestion, index: number) =>
    listed.findIndex((one) => one.code === code) === index;
  return [
    "",
    ...(written.length === 0 ? [] : ["fixers.register(", `  ${tool},`, ...fixers, ");"]),
    ...listed
      .filter(isFirst)
      .flatMap((one) => [`// ${tool}: ${one.why}; ${evidenceOf(one)}`, `// ${one.code}`]),
  ];
}

/** Who agrees how often. */
export function evidenceOf(suggestion: Suggestion): string {
  const { mined, heldOut, sources, lowerBound } = suggestion;
  const agree = mined.agree + heldOut.agree;
  const labelled = agree + mined.contradict + heldOut.contradict;
  const unlabelled = mined.unlabelled + heldOut.unlabelled;
  if (labelled === 0) return `${unlabelled} calls without a correction`;
  const by = Object.entries(sources).map(([source, count]) => `${source} ${count}`);
  const held = `held out ${heldOut.agree} of ${heldOut.agree + heldOut.contradict}`;
  const known = `${by.join(", ")}; ${held}; ≥ ${Math.floor(lowerBound * 100)} %`;
  return `agrees with ${agree} of ${labelled} corrections (${known}), ${unlabelled} more without one`;
}
