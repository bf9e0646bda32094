import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TextFormatName } from "#src/repair/text-calls/format-names.ts";
import type { JsonObject } from "#src/repair/types.ts";

/** A text in the shape of one in an engine's test of its parser; tools and values are our own. */
export interface EngineOutput {
  readonly engine: string;
  /** The engine's test. */
  readonly file: string;
  readonly format: TextFormatName;
  readonly text: string;
  /** The calls; empty if the text has none. */
  readonly calls: readonly { readonly name: string; readonly args: JsonObject }[];
  /** Why it is not a call here, if the engine reads one. */
  readonly refused?: string;
}

const text = (more: object = {}) => ({ type: "string", ...more });
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The tools that the texts call. */
export const tools = Object.entries({
  book_table: object(
    {
      place: text(),
      guests: { type: "integer" },
      outdoor: { type: "boolean" },
      note: text(),
    },
    ["place", "guests"],
  ),
  find_trains: object(
    {
      from: text(),
      to: text(),
      first_class: { type: "boolean" },
      days: { type: "array", items: { type: "integer" } },
    },
    ["from", "to"],
  ),
  write_file: object({ path: text(), content: text() }, ["path", "content"]),
  run: object({ command: text() }, ["command"]),
  refresh: object({}),
  set_options: object({
    options: { type: "object", additionalProperties: true },
    labels: { type: "array", items: text() },
    ratio: { type: "number" },
  }),
  "files.read": object({ path: text() }, ["path"]),
  "web-search": object({ query: text() }, ["query"]),
  查车次: object({ 城市: text() }, ["城市"]),
}).map(([name, schema]) => ({ name, description: "", schema }));

/** Reads texts that public threads quote: thread-outputs.txt, whose `file` is the thread or the test. */
export function readThreadOutputs(): readonly EngineOutput[] {
  return readOutputs("thread-outputs.txt");
}

export function readEngineOutputs(): readonly EngineOutput[] {
  return readOutputs("engine-outputs.txt");
}

/**
 * Reads a file of texts. A line `@ engine | test | format` applies to all texts below it. A text
 * ends with its calls, a line `=> name {…}` each, or with `=> none`, and the reason if the engine
 * reads a call.
 */
function readOutputs(name: string): readonly EngineOutput[] {
  const lines = readFileSync(join(__dirname, name), "utf8").trimEnd().split("\n");
  const outputs: EngineOutput[] = [];
  let [engine = "", file = "", format = ""] = [] as string[];
  let written: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("@ ")) {
      [engine = "", file = "", format = ""] = line.slice(2).split(" | ");
      continue;
    }
    const [, name = "", rest = ""] = /^=> (\S+) ?(.*)$/.exec(line) ?? [];
    if (name === "") {
      written.push(line);
      continue;
    }
    if (written.length > 0) {
      const source = { engine, file, format: format as TextFormatName };
      outputs.push({ ...source, text: written.join("\n"), calls: [] });
      written = [];
    }
    const last = outputs.pop();
    if (last === undefined) throw new Error(`${name}:${index + 1} has no text`);
    if (name === "none") outputs.push(rest === "" ? last : { ...last, refused: rest.slice(2) });
    else outputs.push({ ...last, calls: [...last.calls, { name, args: JSON.parse(rest) }] });
  }
  return outputs;
}
