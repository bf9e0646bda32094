import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { StopReason } from "./attempt-event.ts";
import { inputKey, type KeptMistake } from "./input-key.ts";
import type { SelfCorrectPolicy } from "./options.ts";

/** What is decided about asking a model again. */
export type Decision =
  | { readonly ask: true }
  | { readonly ask: false; readonly stopped: StopReason };

/** One answer of a model that is being corrected. */
export interface CorrectionTurn {
  /**
   * Decides whether the model is asked again, and counts it if so.
   *
   * @param errors What is wrong.
   * @param fresh Those of them that the model made just now, where it did not answer to all.
   * Default: all.
   */
  decide(errors: readonly ToolInputError[], fresh?: readonly ToolInputError[]): Decision;
}

/** Keeps count of the corrections of one run, and of the mistakes that were made in it. */
export interface CorrectionLedger {
  /** Begins with a new answer of the model: its attempts are counted from one. */
  beginTurn(): CorrectionTurn;
}

/**
 * Opens the ledger of one run of a chain or an agent: a budget for each tool and one in all, and the
 * storm breaker, which stops when the model makes a mistake again that it was told of.
 *
 * @param policy The limits.
 * @param past The mistakes that were corrected in this run before. Default: none.
 */
export function openLedger(
  policy: SelfCorrectPolicy,
  past: readonly KeptMistake[] = [],
): CorrectionLedger {
  const perTool = new Map<string, number>();
  const seen = new Set<string>(past.map(inputKey));
  let total = past.length;
  for (const { toolName } of past) perTool.set(toolName, (perTool.get(toolName) ?? 0) + 1);

  function stopReason(errors: readonly ToolInputError[], attempts: number): StopReason | undefined {
    if (attempts >= policy.maxAttempts) return "attempts";
    if (total >= policy.maxCorrections) return "budget";
    const isSpent = ({ toolName }: ToolInputError) =>
      (perTool.get(toolName) ?? 0) >= policy.maxCorrectionsPerTool;
    return errors.some(isSpent) ? "tool-budget" : undefined;
  }

  return {
    beginTurn() {
      let attempts = 0;
      return {
        decide(errors, fresh = errors) {
          attempts += 1;
          const isRepeated = fresh.some((error) => seen.has(inputKey(error)));
          for (const error of fresh) seen.add(inputKey(error));
          const stopped = isRepeated ? "repeated" : stopReason(errors, attempts);
          if (stopped !== undefined) return { ask: false, stopped };
          total += 1;
          for (const name of new Set(errors.map(({ toolName }) => toolName))) {
            perTool.set(name, (perTool.get(name) ?? 0) + 1);
          }
          return { ask: true };
        },
      };
    },
  };
}
