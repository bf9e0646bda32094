import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import type { MessageIntegrationOptions } from "../calls/repair-message-options.ts";
import { askForced } from "../correct/ask-forced.ts";
import { openLedger } from "../correct/correction-ledger.ts";
import { boundMistake } from "../correct/input-key.ts";
import type { KeptCorrection } from "../correct/kept-corrections.ts";
import { type AgentSelfCorrectOptions, readSelfCorrect } from "../correct/options.ts";
import { type Progress, runCorrections } from "../correct/run-corrections.ts";
import { correctedMessage, pastMistakes } from "./corrected-message.ts";
import { askToCorrect, hasCalls, mergeAnswers, repairAnswer } from "./repair-answer.ts";

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
  repairing: MessageIntegrationOptions,
  options: AgentSelfCorrectOptions,
): Promise<unknown> {
  const policy = readSelfCorrect(options);
  const { tools, canBeForced } = question;
  const progress: Progress = { attempt: 0, totalUsage: undefined };
  let { messages } = question;
  let other: unknown;
  const standing = new Map<unknown, string>();
  const corrected = await runCorrections(await repairAnswer(response, tools, repairing), {
    policy,
    turn: openLedger(policy, pastMistakes(messages)).beginTurn(),
    progress,
    watchers: [options.onAttempt],
    errorsOf: ({ errors }) => [...errors.values()],
    hasCalls,
    messageOf: (answer) => answer.response,
    ask: async (last, request, toolChoice) => {
      messages = [...messages, ...askToCorrect(last, request)];
      const next = await askForced(canBeForced ? toolChoice : undefined, (choice) =>
        question.ask(messages, choice),
      );
      if (isAIMessage(next)) return repairAnswer(next, tools, { ...repairing, history: messages });
      other = next;
      return undefined;
    },
    merge: (before, next) => {
      const merged = mergeAnswers(before, next);
      for (const { error, id } of merged.corrected) if (id) standing.set(error, id);
      return merged;
    },
    telling: repairing,
  });
  if (corrected === undefined) return other;
  const { answer, errors, told } = corrected;
  if (errors.length > 0 && options.giveUp === "throw") throw errors[0];
  const { message } = answer;
  if (told.length === 0) return message;
  return correctedMessage(message, progress.totalUsage, told.map(toKept(standing, repairing)));
}

function toKept(
  standing: ReadonlyMap<unknown, string>,
  { record }: MessageIntegrationOptions,
): (error: ToolInputError) => KeptCorrection {
  return (error) => {
    const [of, by] = [error.toolCall?.id, standing.get(error)];
    return { ...boundMistake(error, record), ...(of && { of }), ...(by && { by }) };
  };
}
