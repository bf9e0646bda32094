import { resolve } from "node:path";
import { escapeUnshown } from "../evidence/print-name.ts";
import { explainRepair } from "../repair/explain.ts";
import { repairToolInput } from "../repair/pipeline.ts";
import type { JsonValue, Repair } from "../repair/types.ts";
import { UNDECLARED_POLICIES } from "../repair/usage.ts";
import { parseFlags, toLevel } from "./arguments.ts";
import { readSchemaFile } from "./files.ts";
import type { Terminal } from "./terminal.ts";

/** `toolmend repair`: repairs what is on the input, by a JSON Schema. Exit code 2: refused. */
export async function repair(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parseFlags({
    args: [...args],
    options: {
      schema: { type: "string" },
      level: { type: "string", default: "safe" },
      undeclared: { type: "string", default: "repair" },
      name: { type: "string", default: "tool" },
      explain: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const { schema: file, undeclared, name, json } = values;
  if (file === undefined) throw new TypeError("--schema is missing: the file of the JSON Schema.");
  const level = toLevel(values.level);
  const undeclaredKeys = UNDECLARED_POLICIES.find((one) => one === undeclared);
  if (undeclaredKeys === undefined) {
    const known = UNDECLARED_POLICIES.join(", ");
    throw new TypeError(`--undeclared must be one of ${known}, not "${undeclared}".`);
  }
  const tool = { name, schema: readSchemaFile(resolve(terminal.project, file)) };
  const raw = (await terminal.readInput()).replace(/\r?\n$/, "");
  const options = { level, undeclaredKeys };
  if (values.explain) {
    const explained = await explainRepair(raw, tool, options);
    if (json) terminal.out(JSON.stringify(explained, null, 2));
    for (const { step, says } of json ? [] : explained.steps) {
      terminal.out(`${step.padEnd(8)}  ${escapeUnshown(says)}`);
    }
    return explained.result.ok ? 0 : 2;
  }
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
