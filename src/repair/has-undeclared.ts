import { DEFAULT_LIMITS } from "./limits.ts";
import type { RepairSuccess } from "./repair-result.ts";
import type { CompiledSchema } from "./schema/compiled-schema.ts";
import { findUndeclared } from "./schema/find-undeclared.ts";

/** An input that the schema accepts, however it came to be. */
export type Accepted = Omit<RepairSuccess, "undeclared">;

/** Whether a schema does not declare some key of an input that it accepts. */
export function hasUndeclared(
  { toolInput, parsed }: Pick<Accepted, "toolInput" | "parsed">,
  { jsonSchema }: CompiledSchema,
): boolean {
  const asked = { parsed, allow: NONE, maxDepth: DEFAULT_LIMITS.maxDepth };
  return findUndeclared(toolInput, jsonSchema, asked).length > 0;
}

const NONE: ReadonlySet<string> = new Set();
