import { cutText } from "../../repair/usage.ts";
import { toObservation } from "./to-observation.ts";

/** The most characters of an error that the model is told. */
export const MAX_OBSERVATION = 1_000;

/**
 * Says what a tool threw: the name of the error and the first line of its message, cut to length.
 *
 * @param error What was thrown.
 */
export function summarize(error: unknown): string {
  if (!(error instanceof Error)) return cutText(`Error: ${toObservation(error)}`, MAX_OBSERVATION);
  const [line = ""] = error.message.split("\n");
  return cutText(line === "" ? error.name : `${error.name}: ${line}`, MAX_OBSERVATION);
}
