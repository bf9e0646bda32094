// The rows of the gauge, by author: rows/AUTHOR/{tools,plain,attacks}.jsonl. README.md describes the fields.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../../src/repair/types.ts";

export interface GaugeTool {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

interface Row {
  readonly id: string;
  readonly class: string;
  readonly tool: GaugeTool;
  /** A provider's tool call, or the text that a text agent wrote after "Action Input:". */
  readonly agent: "native" | "text";
  readonly raw: unknown;
}

/** An input that nearly every careful engineer would want repaired to `want`. */
export interface PlainRow extends Row {
  /** The level that should repair it; those above do as well. */
  readonly level: "safe" | "eager";
  readonly want: unknown;
}

/** An input that a model might write, and where a careful colleague would ask back. */
export interface AttackRow extends Row {
  /** The values that are acceptable if the input is accepted; often none. */
  readonly allow: readonly unknown[];
  readonly why: string;
}

export interface GaugeRows {
  readonly plain: readonly PlainRow[];
  readonly attacks: readonly AttackRow[];
}

/** The class of inputs that the schema accepts, and that must stay unchanged. */
export const VALID_CLASS = "valid_untouched";

/**
 * Reads the rows of every author.
 *
 * @param folder The folder `rows`.
 */
export function readRows(folder: string): GaugeRows {
  const authors = readdirSync(folder).sort();
  const parts = authors.map((author) => readAuthor(join(folder, author)));
  return {
    plain: parts.flatMap(({ plain }) => plain),
    attacks: parts.flatMap(({ attacks }) => attacks),
  };
}

function readAuthor(folder: string): GaugeRows {
  const tools = new Map<string, GaugeTool>();
  for (const tool of readLines<GaugeTool>(join(folder, "tools.jsonl"))) tools.set(tool.name, tool);

  const readSide = <SomeRow extends Row>(file: string): readonly SomeRow[] =>
    readLines<SomeRow & { tool: string }>(join(folder, file)).map((row) => {
      const tool = tools.get(row.tool);
      if (tool === undefined) throw new Error(`${row.id}: ${folder} has no tool "${row.tool}".`);
      return { ...row, tool };
    });
  return {
    plain: readSide<PlainRow>("plain.jsonl"),
    attacks: readSide<AttackRow>("attacks.jsonl"),
  };
}

function readLines<Line>(file: string): readonly Line[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}
