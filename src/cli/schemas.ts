import { compileSchema } from "../repair/schema/compile-schema.ts";
import type { ToolLike } from "../repair/types.ts";
import type { Command } from "./commands.ts";
import { importModule, writeOut } from "./files.ts";

/** `toolmend schemas`: writes the JSON Schemas of the tools that a module exports. */
export const schemas: Command<"schemas"> = async ({ names, out }, terminal) => {
  const [file = "", ...others] = names;
  if (others.length > 0) throw new TypeError(`Name one module: ${names.join(", ")} are several.`);
  const tools = findTools({ ...(await importModule(file, "The module", terminal)) }, 3);
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
