import type { UsageMetadata } from "@langchain/core/messages";
import { notify } from "../../repair/notify.ts";
import { addUsage } from "../correct/add-usage.ts";
import type { AttemptEvent, OnAttempt } from "../correct/attempt-event.ts";
import type { HeardAnswer } from "./hear-answers.ts";

/** Tells of the attempts of one run. */
export interface AttemptWatcher {
  /** Adds what the models answered in this attempt, and what they used. */
  tell(
    event: Omit<AttemptEvent, "message" | "usage" | "totalUsage">,
    answers: readonly HeardAnswer[],
  ): void;
}

/**
 * Makes the watcher of one run.
 *
 * @param onAttempt Who is told.
 */
export function watchAttempts(onAttempt: OnAttempt | undefined): AttemptWatcher {
  let totalUsage: UsageMetadata | undefined;
  return {
    tell(event, answers) {
      const { message } = answers.at(-1) ?? {};
      const usage = answers
        .map((answer) => answer.message.usage_metadata)
        .reduce(addUsage, undefined);
      totalUsage = addUsage(totalUsage, usage);
      notify(onAttempt, {
        ...event,
        ...(message && { message }),
        ...(usage && { usage }),
        ...(totalUsage && { totalUsage }),
      });
    },
  };
}
