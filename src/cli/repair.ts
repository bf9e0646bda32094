import { escapeUnshown } from "../evidence/escape-unshown.ts";
import { repairToolInput } from "../repair/pipeline.ts";
import type { JsonValue, Repair } from "../repair/types.ts";
import { readRepairQuestion } from "./repair-options.ts";
import type { Terminal } from "./terminal.ts";

/** `toolmend repair`: repairs what is on the input, by a JSON Schema. Exit code 2: refused. */
export async function repair(args: readonly string[], terminal: Terminal): Promise<number> {
  const { raw, tool, options, json } = await readRepairQuestion(args, terminal);
  const result = await repairToolInput(raw, tool, options);
  if (json) {
    const shown = result.ok
      ? {
          ok: true,
          toolInput: result.toolInput,
          repairs: result.repairs,
          undeclared: result.undeclared,
        }
      : { ok: false, error: result.error };
    terminal.out(JSON.stringify(shown, null, 2));
    return result.ok ? 0 : 2;
  }
  if (!result.ok) {
    terminal.err(result.error.message);
    return 2;
  }
  for (const one of result.repairs) terminal.err(showRepair(one));
  for (const path of result.undeclared)
    terminal.err(`undeclared at ${escapeUnshown(path)}: left as it is`);
  terminal.out(JSON.stringify(result.toolInput, null, 2));
  return 0;
}

function showRepair({ level, fixer, path, before, after }: Repair): string {
  const show = (value: JsonValue | undefined) =>
    value === undefined ? "nothing" : JSON.stringify(value);
  return `${level} ${escapeUnshown(fixer)} at ${path === "" ? "the whole input" : escapeUnshown(path)}: ${show(before)} → ${show(after)}`;
}
