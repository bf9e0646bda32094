import { resolve } from "node:path";
import type { RepairLevel, ToolLike, UndeclaredKeys } from "../repair/types.ts";
import { UNDECLARED_POLICIES } from "../repair/usage.ts";
import { parseFlags } from "./parse-flags.ts";
import { readSchemaFile } from "./read-schema-file.ts";
import type { Terminal } from "./terminal.ts";
import { toLevel } from "./to-level.ts";

/** What `repair` and `explain` are asked. */
interface RepairQuestion {
  readonly raw: string;
  readonly tool: ToolLike;
  readonly options: { readonly level: RepairLevel; readonly undeclaredKeys: UndeclaredKeys };
  readonly json: boolean;
}

/**
 * Reads the flags of `repair` and `explain`, the schema's file and the input.
 *
 * @param args The arguments.
 * @param terminal What the command may use of the world.
 * @throws TypeError when a flag is wrong, or the schema cannot be read or is not a JSON Schema.
 */
export async function readRepairQuestion(
  args: readonly string[],
  terminal: Terminal,
): Promise<RepairQuestion> {
  const { values } = parseFlags({
    args: [...args],
    options: {
      schema: { type: "string" },
      level: { type: "string", default: "safe" },
      undeclared: { type: "string", default: "repair" },
      name: { type: "string", default: "tool" },
      json: { type: "boolean", default: false },
    },
  });
  const { schema: file, level, undeclared, name, json } = values;
  if (file === undefined) throw new TypeError("--schema is missing: the file of the JSON Schema.");
  const upTo = toLevel(level);
  const policy = UNDECLARED_POLICIES.find((one) => one === undeclared);
  if (policy === undefined) {
    const known = UNDECLARED_POLICIES.join(", ");
    throw new TypeError(`--undeclared must be one of ${known}, not "${undeclared}".`);
  }
  const schema = readSchemaFile(resolve(terminal.project, file));
  const raw = (await terminal.readInput()).replace(/\r?\n$/, "");
  const options = { level: upTo, undeclaredKeys: policy };
  return { raw, tool: { name, schema }, options, json };
}
