import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { repairToolInput } from "../repair/repair-tool-input.ts";
import type { JsonValue, Repair, UndeclaredKeys } from "../repair/types.ts";
import type { Terminal } from "./terminal.ts";
import { toLevel } from "./to-level.ts";

const POLICIES: readonly string[] = ["repair", "refuse", "leave"] satisfies UndeclaredKeys[];

/** `toolmend repair`: repairs what is on the input, by a JSON Schema. Exit code 2: refused. */
export async function repair(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      schema: { type: "string" },
      level: { type: "string", default: "safe" },
      undeclared: { type: "string", default: "repair" },
      name: { type: "string", default: "tool" },
    },
  });
  const { schema: file, level, undeclared, name } = values;
  if (file === undefined) throw new TypeError("--schema is missing: the file of the JSON Schema.");
  const upTo = toLevel(level);
  if (!POLICIES.includes(undeclared)) {
    throw new TypeError(`--undeclared must be one of ${POLICIES.join(", ")}, not "${undeclared}".`);
  }
  const schema = readSchema(resolve(terminal.project, file));
  const raw = (await terminal.readInput()).replace(/\r?\n$/, "");
  const result = await repairToolInput(
    raw,
    { name, schema },
    {
      level: upTo,
      undeclaredKeys: undeclared as UndeclaredKeys,
    },
  );
  if (!result.ok) {
    terminal.err(result.error.message);
    return 2;
  }
  for (const one of result.repairs) terminal.err(show(one));
  for (const path of result.undeclared) terminal.err(`undeclared at ${path}: left as it is`);
  terminal.out(JSON.stringify(result.toolInput, null, 2));
  return 0;
}

function readSchema(file: string): object {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new TypeError(`--schema ${file} cannot be read: ${(error as Error).message}`);
  }
}

function show({ level, fixer, path, before, after }: Repair): string {
  const json = (value: JsonValue | undefined) =>
    value === undefined ? "nothing" : JSON.stringify(value);
  return `${level} ${fixer} at ${path === "" ? "the whole input" : path}: ${json(before)} → ${json(after)}`;
}
