import {
  type AlignResult,
  alignToolInput,
  NOT_ALIGNED,
  type NotAligned,
} from "#src/repair/align/align-tool-input.ts";
import type { BareText } from "#src/repair/align/types.ts";
import { drive } from "#src/repair/drive.ts";
import { Budget, DEFAULT_LIMITS, OverLimit } from "#src/repair/limits.ts";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import type { JsonValue, ReachedLimit, RepairLimits } from "#src/repair/types.ts";

export interface RunOptions {
  readonly level?: "safe" | "eager";
  readonly objectAsText?: boolean | readonly string[];
  readonly toolName?: string;
  readonly description?: string;
  /** Where a bare text comes from. Default: from an agent that writes inputs as text. */
  readonly bareText?: BareText;
  readonly limits?: Partial<RepairLimits>;
}

/** Why an edit was not made at a place. */
type Objection = readonly [edit: string, path: string, reason: string];

/** The result, the objections, and the steps that it took. */
type Outcome = (
  | AlignResult
  | (Omit<NotAligned, "reason"> & { reason: "limit"; limit: ReachedLimit })
) & {
  readonly objections: readonly Objection[];
  readonly steps: number;
};

/** Runs only the schema-driven repair, as the pipeline does. */
export async function run(
  schema: unknown,
  value: JsonValue,
  options: RunOptions = {},
): Promise<Outcome> {
  const compiled = compileSchema(schema);
  const validation = await compiled.validate(value);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const budget = new Budget(limits);
  const objections: Objection[] = [];
  try {
    const found = await drive(
      alignToolInput({
        value,
        issues: validation.ok ? [] : validation.issues,
        schema: compiled,
        toolName: options.toolName ?? "click",
        toolDescription: options.description,
        level: options.level ?? "safe",
        edits: {},
        limits,
        budget,
        spellings: () => new Map(),
        objectAsText: options.objectAsText ?? false,
        bareText: options.bareText ?? "text",
        onObjection: (...objection) => objections.push(objection),
        undeclared: { allow: new Set(), drops: true },
      }),
    );
    return { ...found, objections, steps: budget.steps };
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    const { steps } = budget;
    return { ...NOT_ALIGNED, reason: "limit", limit: error.limit, objections, steps };
  }
}

/** The repaired value; `"refused"` if it is rejected. */
export async function outcome(
  schema: unknown,
  value: JsonValue,
  options: RunOptions = {},
): Promise<JsonValue> {
  const result = await run(schema, value, options);
  return result.ok ? result.value : "refused";
}

/** An object schema whose properties are required, unless their name ends in `?`. */
export function object(fields: { readonly [name: string]: unknown }, closed = false): JsonValue {
  const names = Object.keys(fields);
  return {
    type: "object",
    properties: Object.fromEntries(
      names.map((name) => [name.replace("?", ""), fields[name] as JsonValue]),
    ),
    required: names.filter((name) => !name.endsWith("?")),
    ...(closed ? { additionalProperties: false } : {}),
  };
}

export const text = { type: "string" };
export const integer = { type: "integer" };
export const number = { type: "number" };
export const boolean = { type: "boolean" };
export function listOf(items: unknown): JsonValue {
  return { type: "array", items: items as JsonValue };
}
