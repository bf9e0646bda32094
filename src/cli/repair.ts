import { resolve } from "node:path";
import { escapeUnshown } from "../evidence/print-name.ts";
import { LEVELS } from "../repair/level-allows.ts";
import { repairToolInput } from "../repair/pipeline.ts";
import type { JsonValue, Repair } from "../repair/types.ts";
import { UNDECLARED_POLICIES } from "../repair/usage.ts";
import { flag, readCommandLine, text, wordOf } from "./arguments.ts";
import { readSchemaFile } from "./files.ts";
import type { Terminal } from "./terminal.ts";

/** `toolmend repair`: repairs what is on the input, by a JSON Schema. Exit code 2: refused. */
export async function repair(args: readonly string[], terminal: Terminal): Promise<number> {
  const { schema, level, undeclared, name, explain, json } = readCommandLine(args, {
    schema: text,
    level: wordOf(LEVELS, "safe"),
    undeclared: wordOf(UNDECLARED_POLICIES, "repair"),
    name: text,
    explain: flag,
    json: flag,
  });
  if (schema === undefined)
    throw new TypeError("--schema is missing: the file of the JSON Schema.");
  const tool = { name: name ?? "tool", schema: readSchemaFile(resolve(terminal.project, schema)) };
  const raw = (await terminal.readInput()).replace(/\r?\n$/, "");
  const options = { level, undeclaredKeys: undeclared, explain };
  const { steps = [], ...result } = await repairToolInput(raw, tool, options);
  const code = result.ok ? 0 : 2;
  if (json) {
    const { toolInput, repairs, undeclared: keys } = { ...(result.ok && result) };
    const shown = result.ok
      ? { ok: true, toolInput, repairs, undeclared: keys }
      : { ok: false, error: result.error };
    terminal.out(JSON.stringify(explain ? { steps, result } : shown, null, 2));
  } else if (explain) {
    for (const { step, says } of steps) terminal.out(`${step.padEnd(8)}  ${escapeUnshown(says)}`);
  } else if (!result.ok) terminal.err(result.error.message);
  else {
    for (const one of result.repairs) terminal.err(showRepair(one));
    for (const path of result.undeclared) {
      terminal.err(`undeclared at ${escapeUnshown(path)}: left as it is`);
    }
    terminal.out(JSON.stringify(result.toolInput, null, 2));
  }
  return code;
}

function showRepair({ level, fixer, path, before, after }: Repair): string {
  const show = (value: JsonValue | undefined) =>
    value === undefined ? "nothing" : JSON.stringify(value);
  const place = path === "" ? "the whole input" : escapeUnshown(path);
  return `${level} ${escapeUnshown(fixer)} at ${place}: ${show(before)} → ${show(after)}`;
}
