import { compileSchema } from "../repair/schema/compile-schema.ts";
import type { ToolLike } from "../repair/types.ts";
import type { Command } from "./commands.ts";
import { importModule, writeOut } from "./files.ts";

/** `toolmend schemas`: writes the JSON Schemas of the tools that a module exports. */
export const schemas: Command<"schemas"> = async ({ names, out }, terminal) => {
  const [file = "", ...others] = names;
  if (others.length > 0) throw new TypeError(`Name one module: ${names.join(", ")} are several.`);
  const tools = new Map<string, ToolLike>();
  const add = (value: unknown, depth: number): void => {
    if (value === null || typeof value !== "object") return;
    const { name, schema } = value as Partial<ToolLike>;
    if (typeof name === "string" && schema !== undefined) tools.set(name, value as ToolLike);
    else if (depth > 0) for (const one of Object.values(value)) add(one, depth - 1);
  };
  add({ ...(await importModule(file, "The module", terminal)) }, 3);
  if (tools.size === 0) {
    throw new TypeError(`${file} exports no tools: a tool, an array or an object of tools.`);
  }
  for (const [name, { schema }] of tools) {
    if (!FILE_NAME.test(name))
      throw new TypeError(`The name of the tool "${name}" is no file name.`);
    const { jsonSchema } = compileSchema(schema);
    writeOut(`${out}/${name}.json`, `${JSON.stringify(jsonSchema, null, 2)}\n`, terminal);
  }
  terminal.out(
    `${out}: ${[...tools.keys()]
      .sort()
      .map((name) => `${name}.json`)
      .join(", ")}`,
  );
  return 0;
};

/** A tool's name that is a file's name on every system. */
const FILE_NAME = /^[\w-][\w.-]{0,100}$/;
