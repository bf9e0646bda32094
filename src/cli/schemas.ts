import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { escapeUnshown } from "../evidence/print-name.ts";
import { repairToolInput } from "../repair/repair-tool-input.ts";
import type { RepairResult } from "../repair/result.ts";
import { compileSchema } from "../repair/schema/compile-schema.ts";
import type { JsonValue, Repair, ToolLike } from "../repair/types.ts";
import type { Command, Terminal } from "./commands.ts";
import { importModule, readSchemaFile, writeOut } from "./files.ts";

/**
 * `toolmend repair`: repairs the standard input by a JSON Schema. Exit code 2:
 * rejected.
 */
export const repair: Command<"repair"> = async (options, terminal) => {
  const {
    level,
    undeclared: undeclaredKeys,
    name = "tool",
    explain,
    json,
  } = options;
  const schema = await readSchemaFile(resolve(terminal.folder, options.schema));
  const raw = withoutLineBreak(await text(terminal.stdin));
  const result = await repairToolInput(
    raw,
    { name, schema },
    { level, undeclaredKeys, explain },
  );
  if (json) terminal.out(JSON.stringify(result, null, 2));
  else if (explain) showSteps(result, terminal);
  else showResult(result, terminal);
  return result.ok ? 0 : 2;
};

/** A text without the line break at its end. */
function withoutLineBreak(input: string): string {
  if (input.endsWith("\r\n")) return input.slice(0, -2);
  return input.endsWith("\n") ? input.slice(0, -1) : input;
}

function showSteps({ steps = [] }: RepairResult, { out }: Terminal): void {
  for (const { step, says } of steps)
    out(`${step.padEnd(8)}  ${escapeUnshown(says)}`);
}

function showResult(result: RepairResult, { out, err }: Terminal): void {
  if (!result.ok) {
    err(result.error.message);
    return;
  }
  for (const repaired of result.repairs) err(showRepair(repaired));
  for (const path of result.undeclared)
    err(`undeclared, and left: ${escapeUnshown(path)}`);
  out(JSON.stringify(result.toolInput, null, 2));
}

function showRepair({ level, fixer, path, before, after }: Repair): string {
  const show = (value: JsonValue | undefined) =>
    JSON.stringify(value) ?? "nothing";
  const place = path === "" ? "the whole input" : escapeUnshown(path);
  return `${level} ${escapeUnshown(fixer)} at ${place}: ${show(before)} → ${show(after)}`;
}

/**
 * `toolmend schemas`: writes the JSON Schemas of the tools that a module
 * exports.
 */
export const schemas: Command<"schemas"> = async ({ names, out }, terminal) => {
  const [file = ""] = names;
  if (names.length > 1)
    throw new TypeError(`Name one module: ${names.join(", ")} are several.`);
  const tools = findTools(
    { ...(await importModule("The module", file, terminal)) },
    3,
  );
  if (tools.length === 0) {
    throw new TypeError(
      `${file} exports no tools: a tool, an array or an object of tools.`,
    );
  }
  for (const { name, schema } of tools) {
    // A name that is a file's name on every system.
    if (!/^[\w-][\w.-]{0,100}$/.test(name)) {
      throw new TypeError(`The name of the tool "${name}" is no file name.`);
    }
    const { jsonSchema } = compileSchema(schema);
    if (jsonSchema === true && schema !== (true as unknown)) {
      throw new TypeError(
        `The schema of the tool "${name}" cannot be written as JSON Schema here. A log that jsonlSink writes holds it.`,
      );
    }
    writeOut(
      `${out}/${name}.json`,
      `${JSON.stringify(jsonSchema, null, 2)}\n`,
      terminal,
    );
  }
  const written = new Set(tools.map(({ name }) => `${name}.json`));
  terminal.out(`${out}: ${[...written].sort().join(", ")}`);
  return 0;
};

function findTools(value: unknown, depth: number): readonly ToolLike[] {
  if (value === null || typeof value !== "object") return [];
  const { name, schema } = value as Partial<ToolLike>;
  if (typeof name === "string" && schema !== undefined)
    return [value as ToolLike];
  return depth === 0
    ? []
    : Object.values(value).flatMap((field) => findTools(field, depth - 1));
}
