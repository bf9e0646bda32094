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
  const ids = [
    run && JSON.stringify(["run", run, call]),
    thread && JSON.stringify(["thread", thread, call]),
  ];
  const known = ids.filter((id) => id !== undefined && id !== "");
  return known.length === 0 ? [JSON.stringify(["", call])] : (known as string[]);
}
