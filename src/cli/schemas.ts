import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compileSchema } from "../repair/schema/compile-schema.ts";
import type { ToolLike } from "../repair/types.ts";
import { readCommandLine, text } from "./arguments.ts";
import { importModule } from "./files.ts";
import type { Terminal } from "./terminal.ts";

/** A tool's name that is a file's name everywhere, too. */
const NAME = /^[\w-][\w.-]{0,100}$/;

/** `toolmend schemas`: writes the JSON Schemas of the tools that a module exports, for `replay --schemas`. */
export async function schemas(args: readonly string[], terminal: Terminal): Promise<number> {
  const usage = "Name one module and a folder: toolmend schemas MODULE --out DIR";
  const { names, out } = readCommandLine(args, { out: text }, usage);
  const [file = "", ...others] = names;
  if (others.length > 0 || out === undefined) throw new TypeError(usage);
  const tools = findTools(await importModule(resolve(terminal.project, file), "The module"));
  if (tools.length === 0) {
    throw new TypeError(`${file} exports no tools: a tool, an array or an object of tools.`);
  }
  const folder = resolve(terminal.project, out);
  mkdirSync(folder, { recursive: true });
  for (const { name, schema } of tools) {
    if (!NAME.test(name)) throw new TypeError(`The name of the tool "${name}" is no file name.`);
    const { jsonSchema } = compileSchema(schema);
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(jsonSchema, null, 2)}\n`);
  }
  terminal.out(`${out}: ${tools.map(({ name }) => `${name}.json`).join(", ")}`);
  return 0;
}

/** The tools among what a module exports, each once, by name. */
function findTools(exported: object): readonly ToolLike[] {
  const found = new Map<string, ToolLike>();
  const add = (value: unknown, depth: number): void => {
    if (value === null || typeof value !== "object") return;
    const { name, schema } = value as Partial<ToolLike>;
    if (typeof name === "string" && schema !== undefined) found.set(name, value as ToolLike);
    else if (depth > 0) for (const one of Object.values(value)) add(one, depth - 1);
  };
  add({ ...exported }, 3);
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
