import fc from "fast-check";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairResult } from "#src/repair/result.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { type Level, levels } from "./check.ts";
import { TOOL_NAME } from "./hazard.ts";
import type { Spec } from "./schemas.ts";

export const level: fc.Arbitrary<Level> = fc.constantFrom(...levels);

/** The same inputs in every run. */
export const seed = { seed: 20_261_121 };

/** Repairs an input for a schema, as JSON Schema. */
export function repairFor(raw: JsonValue, { json }: Spec, at: Level): Promise<RepairResult> {
  const tool = { name: TOOL_NAME, schema: json };
  return repairToolInput(raw, tool, { level: at }) as Promise<RepairResult>;
}
