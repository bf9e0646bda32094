import type { Correction, RefusedInput } from "../../repair/events/report.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import { openRefusals } from "./open-refusals.ts";
import type { TurnCall } from "./read-turn.ts";

/** A model's calls, and those that it made before. */
export interface LaterCalls {
  /** The calls of each turn since somebody spoke. */
  readonly turns: readonly (readonly TurnCall[])[];
  /** Those of this turn, as they are run. */
  readonly made: readonly TurnCall[];
  readonly tools: readonly ToolLike[];
}

/**
 * Finds which of a model's calls stand for calls that were refused in an earlier turn.
 *
 * @param calls The calls.
 */
export async function findLaterCalls({
  turns,
  made,
  tools,
}: LaterCalls): Promise<readonly Correction[]> {
  const open = openRefusals();
  for (const turn of turns) open.add(turn);
  const found = open.add(made).map(async ({ refused, by }): Promise<readonly Correction[]> => {
    const tool = tools.find(({ name }) => name === refused.name);
    if (tool === undefined) return [];
    const error = await refusedInput(refused, tool);
    return [{ error, source: "later-call", by: by.id, toolInput: by.input }];
  });
  return (await Promise.all(found)).flat();
}

/**
 * Returns what a tool has against an input that was refused in another turn, or process.
 *
 * @param call The call.
 * @param tool Its tool.
 */
export async function refusedInput(
  { id, raw }: Pick<TurnCall, "id" | "raw">,
  tool: ToolLike,
): Promise<RefusedInput> {
  const { validate, jsonSchema } = compileSchema(tool.schema);
  const checked = await validate(raw as JsonValue);
  const issues = checked.ok ? [] : checked.issues;
  const causingData = raw as JsonValue;
  return { toolName: tool.name, issues, causingData, jsonSchema, toolCall: { id } };
}
