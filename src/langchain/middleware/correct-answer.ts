import type { AIMessage, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { notify } from "../../repair/notify.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import type { RepairMessageOptions } from "../calls/repair-ai-message.ts";
import { addUsage } from "../correct/add-usage.ts";
import type { AttemptEvent } from "../correct/attempt-event.ts";
import { type CorrectionTurn, type Decision, openLedger } from "../correct/correction-ledger.ts";
import { refusesToolChoice, toolChoiceFor } from "../correct/force-tool-call.ts";
import { type AgentSelfCorrectOptions, readSelfCorrect } from "../correct/options.ts";
import { correctedMessage, pastMistakes } from "./corrected-message.ts";
import { askToCorrect, mergeAnswers, repairAnswer } from "./repair-answer.ts";

/** What a model is asked, and how to ask it again. */
export interface ModelQuestion {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly unknown[];
  /** Whether the model can be made to call a tool. */
  readonly canBeForced: boolean;
  /** Asks again. What is answered may be a state update of LangChain's own. */
  ask(messages: readonly BaseMessage[], toolChoice: string | undefined): Promise<unknown>;
}

/**
 * Repairs a model's message, and lets the model correct the calls that were refused. What it is told
 * for that does not become part of the history.
 *
 * @param response The model's message.
 * @param question What it was asked.
 * @param repairing How to repair, and the handlers.
 * @param options How often the model is asked.
 * @returns The message that stands for all attempts, with refused calls in it where nothing helped;
 * or what else LangChain made of the model's answer.
 * @throws The `ToolInputError`, where nothing helped and `giveUp` is `"throw"`.
 */
export async function correctAnswer(
  response: AIMessage,
  question: ModelQuestion,
  repairing: RepairMessageOptions,
  options: AgentSelfCorrectOptions,
): Promise<unknown> {
  const policy = readSelfCorrect(options);
  const { messages, tools } = question;
  const turn = openLedger(policy, pastMistakes(messages)).beginTurn();
  const told: ToolInputError[] = [];
  let asked = messages;
  let latest = response;
  let fresh = await repairAnswer(latest, tools, repairing);
  let whole = fresh;
  let totalUsage: UsageMetadata | undefined;
  for (let attempt = 1; ; attempt++) {
    const errors = [...whole.errors.values()];
    const made = [...fresh.errors.values()];
    const decision = decide(turn, errors, made, attempt === 1 || hasCalls(fresh.message));
    totalUsage = addUsage(totalUsage, latest.usage_metadata);
    tell(options, { attempt, errors, decision, message: latest, totalUsage });
    if (!decision.ask) {
      if (errors.length > 0 && options.giveUp === "throw") throw errors[0];
      return told.length === 0 ? whole.message : correctedMessage(whole.message, totalUsage, told);
    }
    told.push(...made);
    asked = [...asked, ...askToCorrect(fresh, policy.prompt(errors))];
    const next = await askForced(question, asked, policy.forceToolCall ? errors : []);
    if (!isAIMessage(next)) return next;
    latest = next;
    fresh = await repairAnswer(latest, tools, repairing);
    whole = mergeAnswers(whole, fresh);
  }
}

type Verdict = Decision | { readonly ask: false; readonly stopped?: undefined };

function decide(
  turn: CorrectionTurn,
  errors: readonly ToolInputError[],
  made: readonly ToolInputError[],
  hasCalls: boolean,
): Verdict {
  if (errors.length === 0) return { ask: false };
  return hasCalls ? turn.decide(errors, made) : { ask: false, stopped: "no-call" };
}

function hasCalls({ tool_calls = [], invalid_tool_calls = [] }: AIMessage): boolean {
  return tool_calls.length + invalid_tool_calls.length > 0;
}

async function askForced(
  { ask, canBeForced }: ModelQuestion,
  messages: readonly BaseMessage[],
  errors: readonly ToolInputError[],
): Promise<unknown> {
  if (!canBeForced || errors.length === 0) return ask(messages, undefined);
  try {
    return await ask(messages, toolChoiceFor(errors));
  } catch (error) {
    if (!refusesToolChoice(error)) throw error;
    return ask(messages, undefined);
  }
}

function tell(
  { onAttempt }: AgentSelfCorrectOptions,
  what: Pick<AttemptEvent, "attempt" | "errors"> & {
    readonly decision: Verdict;
    readonly message: AIMessage;
    readonly totalUsage: UsageMetadata | undefined;
  },
): void {
  const { attempt, errors, decision, message, totalUsage } = what;
  const { usage_metadata: usage } = message;
  notify(onAttempt, {
    attempt,
    remedy: attempt === 1 ? "first" : "self-correction",
    ok: errors.length === 0,
    errors,
    ...(!decision.ask && decision.stopped && { stopped: decision.stopped }),
    message,
    ...(usage && { usage }),
    ...(totalUsage && { totalUsage }),
  });
}
