import { readLog } from "../evidence/read-log.ts";
import { createLogEvidence, type LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import { showProgress } from "./show-progress.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Reads the calls of logs whose inputs were written down.
 *
 * @param names The logs, as they are named on the command line.
 * @param terminal The terminal.
 * @throws TypeError when no log is named, or none of them holds an input.
 */
export async function readEvidence(
  names: readonly string[],
  terminal: Terminal,
): Promise<LoggedInputs> {
  if (names.length === 0) {
    throw new TypeError("No log is named: a file, a folder, a pattern or - is wanted.");
  }
  const evidence = createLogEvidence();
  const progress = showProgress(terminal, "reading");
  await readLog(names, evidence.add, {
    folder: terminal.project,
    stdin: terminal.openInput(),
    onProgress: progress.update,
  }).finally(progress.end);
  const logged = evidence.read();
  if (logged.inputs.length > 0) return logged;
  const { withoutInput } = logged.counts;
  throw new TypeError(
    withoutInput > 0
      ? `The log holds no inputs: ${withoutInput} calls were written with the content "none" or "keys". Write it with jsonlSink(file, { content: "full", redact }).`
      : "The log holds no calls.",
  );
}
