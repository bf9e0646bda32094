import type { AIMessage, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { notify } from "../../repair/notify.ts";
import type { ResolveOptions } from "../../repair/resolve-tool-input.ts";
import { addUsage } from "../correct/add-usage.ts";
import type { AttemptEvent } from "../correct/attempt-event.ts";
import { type CorrectionTurn, type Decision, openLedger } from "../correct/correction-ledger.ts";
import { correctionMessages } from "../correct/correction-messages.ts";
import { toolChoiceFor } from "../correct/force-tool-call.ts";
import { readSelfCorrect } from "../correct/options.ts";
import { askModel } from "./ask-model.ts";
import { replaceRefused } from "./replace-refused.ts";
import { type RefusedCall, type ResolvedCall, resolveCalls } from "./resolve-calls.ts";
import { toMessages } from "./to-messages.ts";
import type { ToolCallingModel, ToolChainSpec } from "./tool-chain-types.ts";

/** What is counted over all models of one run. */
export interface Progress {
  attempt: number;
  totalUsage: UsageMetadata | undefined;
}

/**
 * Asks one model, repairs its calls, and lets it correct those that were refused, as far as the
 * chain allows it. No tool is run.
 *
 * @param model The model.
 * @param input What a chat model takes.
 * @param spec The chain.
 * @param progress What was counted so far; it is counted on.
 * @param config The config, with the callbacks of the chain.
 * @returns The calls in order, refused ones among them where nothing helped.
 */
export async function settleCalls(
  model: ToolCallingModel,
  input: unknown,
  spec: ToolChainSpec,
  progress: Progress,
  config: RunnableConfig,
): Promise<readonly ResolvedCall[]> {
  const policy = readSelfCorrect(spec.selfCorrect);
  const turn = openLedger(policy).beginTurn();
  let history: BaseMessage[] | undefined;
  let before: readonly ResolvedCall[] | undefined;
  let remedy: AttemptEvent["remedy"] = progress.attempt === 0 ? "first" : "fallback";
  let toolChoice: string | undefined;
  for (;;) {
    progress.attempt += 1;
    const runName = `${remedy}:${progress.attempt}`;
    const question = { model, input: history ?? input, toolChoice, runName };
    const message = await askModel(question, spec, config);
    const made = await resolveCalls(message, spec.tools, resolving(spec, config), history ?? []);
    const calls = before === undefined ? made : replaceRefused(before, made);
    const errors = errorsOf(calls);
    const decision = decide(turn, errors, before, made);
    tell(spec, progress, { remedy, message, errors, decision });
    if (!decision.ask) return calls;
    const asked = history ?? toMessages(input) ?? [];
    history = [...asked, ...correctionMessages(message, made, policy.prompt(errors))];
    before = calls;
    remedy = "self-correction";
    toolChoice = policy.forceToolCall ? toolChoiceFor(errors) : undefined;
  }
}

/** The errors of the calls that were refused. */
export function errorsOf(calls: readonly ResolvedCall[]): readonly ToolInputError[] {
  return calls
    .filter((call): call is RefusedCall => call.kind === "refused")
    .map(({ error }) => error);
}

function resolving(spec: ToolChainSpec, { signal }: RunnableConfig): ResolveOptions {
  const { fixers, level, objectAsText, limits, onRepair, onUnfixable } = spec;
  const given = { fixers, level, objectAsText, limits, onRepair, onUnfixable, signal };
  const isGiven = ([, value]: [string, unknown]) => value !== undefined;
  return Object.fromEntries(Object.entries(given).filter(isGiven));
}

function decide(
  turn: CorrectionTurn,
  errors: readonly ToolInputError[],
  before: readonly ResolvedCall[] | undefined,
  made: readonly ResolvedCall[],
): Decision | { readonly ask: false; readonly stopped?: undefined } {
  if (errors.length === 0) return { ask: false };
  if (before !== undefined && made.length === 0) return { ask: false, stopped: "no-call" };
  return turn.decide(errors, errorsOf(made));
}

function tell(
  spec: ToolChainSpec,
  progress: Progress,
  what: {
    readonly remedy: AttemptEvent["remedy"];
    readonly message: AIMessage;
    readonly errors: readonly ToolInputError[];
    readonly decision: ReturnType<typeof decide>;
  },
): void {
  const { remedy, message, errors, decision } = what;
  const { usage_metadata: usage } = message;
  progress.totalUsage = addUsage(progress.totalUsage, usage);
  const { attempt, totalUsage } = progress;
  const event: AttemptEvent = {
    attempt,
    remedy,
    ok: errors.length === 0,
    errors,
    message,
    ...(!decision.ask && decision.stopped && { stopped: decision.stopped }),
    ...(usage && { usage }),
    ...(totalUsage && { totalUsage }),
  };
  notify(spec.onAttempt, event);
  notify(spec.selfCorrect?.onAttempt, event);
}
