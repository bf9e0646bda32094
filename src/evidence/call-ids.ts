import type { CallLine } from "./log-line.ts";

/**
 * Names a call by its run and, as a person may answer in a later run, by its thread. Some models count
 * their calls from 1: where two have one name, nothing is known of them by it.
 *
 * @param line The line that tells of the call: its own, or that of its correction.
 * @param call The call's id.
 * @returns The names, the one that tells most apart first.
 */
export function callIds(
  { run, thread }: Pick<CallLine, "run" | "thread">,
  call: string,
): readonly string[] {
  // With its length before it, no run and id give the name of others.
  const ids: string[] = [];
  if (run) ids.push(`run ${run.length} ${run} ${call}`);
  if (thread) ids.push(`thread ${thread.length} ${thread} ${call}`);
  return ids.length === 0 ? [`call ${call}`] : ids;
}
