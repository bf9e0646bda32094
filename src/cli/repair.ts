import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { escapeUnshown } from "../evidence/print-name.ts";
import { repairToolInput } from "../repair/pipeline.ts";
import type { JsonValue, Repair } from "../repair/types.ts";
import type { Command } from "./commands.ts";
import { readSchemaFile } from "./files.ts";

/** `toolmend repair`: repairs the standard input by a JSON Schema. Exit code 2: rejected. */
export const repair: Command<"repair"> = async (given, terminal) => {
  const { level, undeclared: undeclaredKeys, name = "tool", explain, json } = given;
  const { project, openInput, out, err } = terminal;
  const schema = readSchemaFile(resolve(project, given.schema));
  const raw = (await text(openInput())).replace(/\r?\n$/, "");
  const options = { level, undeclaredKeys, explain };
  const result = await repairToolInput(raw, { name, schema }, options);
  if (json) out(JSON.stringify(result, null, 2));
  else if (explain) {
    for (const { step, says } of result.steps ?? []) {
      out(`${step.padEnd(8)}  ${escapeUnshown(says)}`);
    }
  } else if (result.ok) {
    for (const one of result.repairs) err(showRepair(one));
    for (const path of result.undeclared) err(`undeclared, and left: ${escapeUnshown(path)}`);
    out(JSON.stringify(result.toolInput, null, 2));
  } else err(result.error.message);
  return result.ok ? 0 : 2;
};

function showRepair({ level, fixer, path, before, after }: Repair): string {
  const show = (value: JsonValue | undefined) => JSON.stringify(value) ?? "nothing";
  const place = path === "" ? "the whole input" : escapeUnshown(path);
  return `${level} ${escapeUnshown(fixer)} at ${place}: ${show(before)} → ${show(after)}`;
}
