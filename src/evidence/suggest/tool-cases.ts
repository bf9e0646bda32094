import type { JsonSchema } from "../../repair/types.ts";
import type { LoggedInputs } from "./log-evidence.ts";
import type { LoggedInput } from "./logged-input.ts";
import { type Case, createTrial, type Trial } from "./trial.ts";

/** The inputs of one tool. */
export interface ToolCases {
  readonly tool: string;
  /** The hash of its schema. */
  readonly schema: string;
  /** Refused inputs of the half that is searched. */
  readonly mined: readonly Case[];
  /** Refused inputs of the other half. */
  readonly heldOut: readonly Case[];
  /** Inputs that are accepted as they are. */
  readonly valid: readonly Case[];
  /** Inputs that are repaired without any fixer. */
  readonly repaired: readonly Case[];
}

/** The most inputs of one tool that are right, or are repaired anyway, and that fixers are tried on. */
const MAX_ACCEPTED = 20_000;

/** The most refused inputs of one half and tool that are searched. */
const MAX_MINED = 5_000;

/** A tool as the log knows it last. */
export interface LoggedTool {
  readonly tool: string;
  /** The hash of its latest schema. */
  readonly schema: string;
  readonly jsonSchema: JsonSchema;
}

/**
 * Lists the tools of a log with the schema that each had last.
 *
 * @returns The tools by name, and how many calls had another schema than the last.
 */
export function latestTools({ inputs, schemaOf }: LoggedInputs): ReadonlyMap<string, LoggedTool> {
  const latest = new Map<string, { readonly time: number; readonly tool: LoggedTool }>();
  for (const { tool, schema, time } of inputs) {
    const known = latest.get(tool);
    if (schema === undefined || (known !== undefined && known.time > time)) continue;
    const jsonSchema = schemaOf(tool, schema);
    if (jsonSchema !== undefined) latest.set(tool, { time, tool: { tool, schema, jsonSchema } });
  }
  const names = [...latest.keys()].sort();
  return new Map(names.map((name) => [name, latest.get(name)?.tool as LoggedTool]));
}

/**
 * Sorts a tool's inputs by what its latest schema makes of them, whatever they were checked by when
 * they were logged.
 *
 * @param tool The tool.
 * @param inputs Its inputs.
 * @param isMined Whether an input is of the half that is searched.
 */
export async function sortCases(
  { tool, schema, jsonSchema }: LoggedTool,
  inputs: readonly LoggedInput[],
  isMined: (input: LoggedInput) => boolean,
): Promise<{ readonly cases: ToolCases; readonly trial: Trial }> {
  const trial = createTrial({ name: tool, schema: jsonSchema });
  const mined: Case[] = [];
  const heldOut: Case[] = [];
  const valid: Case[] = [];
  const repaired: Case[] = [];
  for (const input of inputs) {
    const wasAccepted = input.toolInput !== undefined;
    if (wasAccepted && valid.length + repaired.length >= MAX_ACCEPTED) continue;
    const one = await trial.prepare(input);
    if (one.without !== undefined) (one.isValid ? valid : repaired).push(one);
    // What was accepted once, and is no longer, says nothing of what a model should have written.
    else if (wasAccepted) continue;
    else if (!isMined(input)) heldOut.push(one);
    else if (mined.length < MAX_MINED) mined.push(one);
  }
  return { cases: { tool, schema, mined, heldOut, valid, repaired }, trial };
}
