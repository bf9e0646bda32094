import type { RunnableConfig } from "@langchain/core/runnables";
import type { MarkRun } from "../../repair/events/event.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import type { Resolution } from "../../repair/result.ts";
import type { AgentAction, JsonValue, NameRepair, Repair } from "../../repair/types.ts";
import type { CorrectionLedger } from "../correct/correction-ledger.ts";
import type { SelfCorrectPolicy } from "../correct/options.ts";
import type { CapturedGeneration } from "./capture-generation.ts";
import type { ExecutorInternals, ExecutorTool } from "./executor-like.ts";
import type { ExecutorIntegrationOptions, KeepLangChain } from "./options.ts";

/** An action as the wrapper hands it to LangChain and as it is recorded. */
export interface PreparedAction extends Omit<AgentAction, "toolInput"> {
  toolInput: JsonValue;
  readonly rawToolInput: JsonValue | undefined;
  readonly repairs: readonly Repair[];
  readonly undeclared: readonly string[];
  readonly nameRepair?: NameRepair;
  /** Turned to `false` when the tool itself refuses the input after all. */
  valid: boolean;
  readonly toolCallId?: string;
  messageLog?: unknown[];
}

/** What is to become of an action when LangChain runs its tool. */
export interface Outcome {
  readonly action: PreparedAction;
  /** The tool; none when no tool has the name. */
  readonly tool: ExecutorTool | undefined;
  readonly resolution: Resolution | { readonly kind: "unknown"; readonly text: string };
  /** Marks the run of the tool. */
  readonly markRun?: MarkRun | undefined;
}

/** One run of an executor, or one step of a stream: whatever its parts must know of each other. */
export interface Run {
  readonly executor: ExecutorInternals;
  readonly options: ExecutorIntegrationOptions;
  readonly resolving: ResolveOptions;
  readonly tools: readonly ExecutorTool[];
  /** Whether `tools` are looked up by their exact name, as LangChain does in a stream. */
  readonly exactNames: boolean;
  readonly signal: AbortSignal | undefined;
  /** Tool name in lower case → input → outcomes in the order in which they were planned. */
  readonly outcomes: Map<string, Map<unknown, Outcome[]>>;
  /** The steps so far: LangChain's own array, which grows. */
  steps: readonly unknown[];
  /** What the agent plans with besides. */
  inputs: unknown;
  /** The config that the agent plans with, and so the callbacks of the executor's run. */
  planning: RunnableConfig | undefined;
  /** What the model wrote last. */
  generation: CapturedGeneration | undefined;
  /** How the model is asked to correct itself, and what was asked so far. Default: it is not. */
  readonly correcting: Correcting | undefined;
  /** What ended the run, kept in case LangChain's loop swallows it. */
  fatal: { readonly error: unknown } | undefined;
}

/** The self-correction of one run, of however many steps. */
export interface Correcting {
  readonly policy: SelfCorrectPolicy;
  readonly ledger: CorrectionLedger;
}

/**
 * Begins a run.
 *
 * @param executor The executor, as it is now.
 * @param options The wrapper's options.
 * @param about What this run is of, and its signal.
 */
export function beginRun(
  executor: ExecutorInternals,
  options: ExecutorIntegrationOptions,
  about: Pick<Run, "tools" | "signal" | "exactNames" | "correcting">,
): Run {
  // The model is told after self-correction: that is the default, whatever is given.
  const onUnfixable = typeof options.onUnfixable === "function" ? options.onUnfixable : undefined;
  // All of them, as they were given: an option that is new reaches each repair without a word here.
  const resolving: ResolveOptions = { ...options, signal: about.signal, onUnfixable };
  return {
    executor,
    options,
    resolving,
    ...about,
    outcomes: new Map(),
    steps: [],
    inputs: undefined,
    planning: undefined,
    generation: undefined,
    fatal: undefined,
  };
}

/** Whether one of LangChain's own ways is kept. */
export function keeps(run: Run, what: KeepLangChain): boolean {
  return run.options.keepLangChain?.includes(what) ?? false;
}

/** Ends a run: the error is thrown here, and again where LangChain's loop swallowed it. */
export function failRun(run: Run, error: unknown): never {
  run.fatal ??= { error };
  throw error;
}

/** Throws what has ended the run, if anything has. */
export function throwIfFailed(run: Run): void {
  if (run.fatal !== undefined) throw run.fatal.error;
}

/** Keeps an outcome until LangChain runs the action's tool, and returns it. */
export function keepOutcome(run: Run, outcome: Outcome): Outcome {
  const name = keyOf(outcome.action.tool);
  const byInput = run.outcomes.get(name) ?? new Map<unknown, Outcome[]>();
  run.outcomes.set(name, byInput);
  const { toolInput } = outcome.action;
  byInput.set(toolInput, [...(byInput.get(toolInput) ?? []), outcome]);
  return outcome;
}

/** Takes the outcome for what LangChain hands a tool: objects by identity, other inputs by value. */
export function takeOutcome(run: Run, toolName: string, input: unknown): Outcome | undefined {
  return run.outcomes.get(keyOf(toolName))?.get(input)?.shift();
}

function keyOf(name: unknown): string {
  return String(name).toLowerCase();
}
