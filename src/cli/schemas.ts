import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { escapeUnshown } from "../evidence/print-name.ts";
import { repairToolInput } from "../repair/repair-tool-input.ts";
import { compileSchema } from "../repair/schema/compile-schema.ts";
import type { JsonValue, Repair, ToolLike } from "../repair/types.ts";
import type { Command } from "./commands.ts";
import { importModule, readSchemaFile, writeOut } from "./files.ts";

/** `toolmend repair`: repairs the standard input by a JSON Schema. Exit code 2: rejected. */
export const repair: Command<"repair"> = async (given, { folder, stdin, out, err }) => {
  const { level, undeclared: undeclaredKeys, name = "tool", explain, json } = given;
  const schema = await readSchemaFile(resolve(folder, given.schema));
  const raw = (await text(stdin)).replace(/\r?\n$/, "");
  const result = await repairToolInput(raw, { name, schema }, { level, undeclaredKeys, explain });
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

/** `toolmend schemas`: writes the JSON Schemas of the tools that a module exports. */
export const schemas: Command<"schemas"> = async ({ names, out }, terminal) => {
  const [file = "", ...others] = names;
  if (others.length > 0) throw new TypeError(`Name one module: ${names.join(", ")} are several.`);
  const tools = findTools({ ...(await importModule("The module", file, terminal)) }, 3);
  if (tools.length === 0) {
    throw new TypeError(`${file} exports no tools: a tool, an array or an object of tools.`);
  }
  for (const { name, schema } of tools) {
    // A name that is a file's name on every system.
    if (!/^[\w-][\w.-]{0,100}$/.test(name)) {
      throw new TypeError(`The name of the tool "${name}" is no file name.`);
    }
    const { jsonSchema } = compileSchema(schema);
    writeOut(`${out}/${name}.json`, `${JSON.stringify(jsonSchema, null, 2)}\n`, terminal);
  }
  const written = new Set(tools.map(({ name }) => `${name}.json`));
  terminal.out(`${out}: ${[...written].sort().join(", ")}`);
  return 0;
};

function findTools(value: unknown, depth: number): readonly ToolLike[] {
  if (value === null || typeof value !== "object") return [];
  const { name, schema } = value as Partial<ToolLike>;
  if (typeof name === "string" && schema !== undefined) return [value as ToolLike];
  return depth === 0 ? [] : Object.values(value).flatMap((one) => findTools(one, depth - 1));
}
