import type { JsonObject, JsonValue, ToolLike } from "./types.ts";

/** Whether a type is `any`. */
type IsAny<Type> = 0 extends 1 & Type ? true : false;

/** What a schema takes: zod 4, zod 3, Standard Schema; of a JSON Schema no type is known. */
export type SchemaInput<Schema> = Schema extends { _zod: { input: infer Input } }
  ? Input
  : Schema extends { _input: infer Input }
    ? Input
    : Schema extends { "~standard": { types?: { input: infer Input } | undefined } }
      ? Input
      : JsonValue;

/** What a schema makes of it. */
export type SchemaOutput<Schema> = Schema extends { _zod: { output: infer Output } }
  ? Output
  : Schema extends { _output: infer Output }
    ? Output
    : Schema extends { "~standard": { types?: { output: infer Output } | undefined } }
      ? Output
      : unknown;

/** Whether a schema is that of LangChain's string tools, which unwrap an optional `input`. */
type IsStringTool<Schema> = Schema extends { _output: infer Output; _input: infer Input }
  ? [Output] extends [string | undefined]
    ? undefined extends Output
      ? IsAny<Input> extends true
        ? true
        : { input?: string | undefined } extends Input
          ? true
          : false
      : false
    : false
  : false;

/** The input that a tool is run with and that is recorded: JSON that its schema takes. */
export type ToolInput<Tool extends ToolLike> =
  IsAny<Tool["schema"]> extends true
    ? JsonValue
    : IsStringTool<Tool["schema"]> extends true
      ? string | { input: string }
      : IsAny<SchemaInput<Tool["schema"]>> extends true
        ? JsonObject
        : SchemaInput<Tool["schema"]>;

/** What a tool's schema makes of its input, with defaults, coercions and transforms. */
export type ToolOutput<Tool extends ToolLike> = SchemaOutput<Tool["schema"]>;

declare enum ToolNames {
  Other = "\0other",
}

/**
 * The name of a tool that the types do not know: one that was not offered, or one whose name is no
 * literal type. An opaque string (a branded one would be kept by `action.tool === "click"`).
 */
export type OtherToolName = ToolNames.Other;
