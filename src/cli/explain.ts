import { escapeUnshown } from "../evidence/escape-unshown.ts";
import { explainRepair } from "../repair/explain.ts";
import { readRepairQuestion } from "./repair-options.ts";
import type { Terminal } from "./terminal.ts";

/** `toolmend explain`: why what is on the input is repaired or refused. Exit code 2: refused. */
export async function explain(args: readonly string[], terminal: Terminal): Promise<number> {
  const { raw, tool, options, json } = await readRepairQuestion(args, terminal);
  const explained = await explainRepair(raw, tool, options);
  const { steps, result } = explained;
  if (json) terminal.out(JSON.stringify(explained, null, 2));
  else
    for (const { step, says } of steps) terminal.out(`${step.padEnd(8)}  ${escapeUnshown(says)}`);
  return result.ok ? 0 : 2;
}
