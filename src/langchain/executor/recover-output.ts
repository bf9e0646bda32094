import { answerParsingError } from "./answer-parsing-error.ts";
import type { CapturedGeneration } from "./capture-generation.ts";
import { exceptionAction } from "./exception-action.ts";
import type { OutputParserFields } from "./is-output-parser-exception.ts";
import type { Plan } from "./plan.ts";
import { planDroppedCalls } from "./plan-calls.ts";
import { rawCallsOf } from "./raw-calls.ts";
import type { Run } from "./run.ts";
import { toObservation } from "./to-observation.ts";

/** What LangChain answers to an unreadable output where `handleParsingErrors` is `true`. */
const INVALID_RESPONSE = "Invalid or incomplete response";

/** An output that the agent's parser refused. */
interface RefusedOutput {
  /** LangChain's `OutputParserException`. */
  readonly error: Error & OutputParserFields;
  /** The model's output; `undefined` where the agent's model tells nobody of it. */
  readonly generation: CapturedGeneration | undefined;
}

/**
 * Recovers an output that the agent's parser refused: by its calls, where the model made any, else
 * by its text, else as LangChain's own option `handleParsingErrors` says.
 *
 * @param refused The output.
 * @param readOrAsk Reads the text, or asks `onUnfixable` about it.
 * @param run The run.
 * @throws The error, where nothing else is left.
 */
export async function recoverOutput(
  { error, generation }: RefusedOutput,
  readOrAsk: (error: Error, text: string) => Promise<Plan | undefined>,
  run: Run,
): Promise<Plan> {
  const planned = planDroppedCalls(rawCallsOf(generation?.message), generation?.message);
  if (planned.length > 0) return { kind: "actions", planned, isList: true, refusal: error };
  const text = error.llmOutput ?? generatedText(generation) ?? error.message;
  const plan = await readOrAsk(error, text);
  if (plan !== undefined) return plan;
  const isForModel = error.sendToLLM === true && run.executor.handleParsingErrors === true;
  const observation = isForModel
    ? (error.observation ?? INVALID_RESPONSE)
    : await answerParsingError(error, INVALID_RESPONSE, run);
  const log = isForModel ? (error.llmOutput ?? "") : error.message;
  return { kind: "output", output: exceptionAction(observation, log, text) };
}

function generatedText(generation: CapturedGeneration | undefined): string | undefined {
  if (generation === undefined) return undefined;
  return generation.text || toObservation(generation.message?.content);
}
