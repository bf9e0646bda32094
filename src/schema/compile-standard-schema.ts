import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { toJSONSchema } from "zod/v4/core";
import { getAt, toPointer } from "../json-pointer.ts";
import { showValue, typeName } from "../json-value.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { allowsString } from "./compile-json-schema.ts";
import type { CompiledSchema } from "./compile-schema.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";
import { refusedByThrow, type Validation } from "./validation.ts";

/**
 * Compiles a zod 3, zod 4 or other Standard Schema. All of them validate through `~standard`
 * (https://standardschema.dev), which for zod is synchronous unless the schema is not.
 *
 * @param schema The schema.
 */
export function compileStandardSchema(schema: StandardSchema): CompiledSchema {
  const { validate } = schema["~standard"];
  const jsonSchema = viewAsJsonSchema(schema);
  return {
    jsonSchema,
    takesString: allowsString(jsonSchema),
    validate(value) {
      try {
        const result = validate(value);
        return result instanceof Promise
          ? result.then((settled) => toValidation(settled, value), refusedByThrow)
          : toValidation(result, value);
      } catch (error) {
        return refusedByThrow(error);
      }
    },
  };
}

function toValidation(result: StandardResult, value: unknown): Validation {
  if (result.issues === undefined) return { ok: true, parsed: result.value };
  return { ok: false, issues: result.issues.flatMap((issue) => toIssues(issue, value)) };
}

function toIssues(issue: StandardIssue, root: unknown): InputIssue[] {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const path = toPointer(keys);
  const value = getAt(root as JsonValue, path);
  const code = issue.code ?? "invalid";
  if (code === "unrecognized_keys" && issue.keys !== undefined) {
    return issue.keys.map((key) => ({
      path: toPointer([...keys, key]),
      message: "is not a field of this tool",
      code,
      received: showValue(getAt(value, toPointer([key]))),
    }));
  }
  const expected = expectedBy(issue);
  return [
    {
      path,
      message: issue.message,
      code,
      ...(expected === undefined ? {} : { expected }),
      received: value !== null && typeof value === "object" ? typeName(value) : showValue(value),
    },
  ];
}

function expectedBy({ expected, values, options }: StandardIssue): string | undefined {
  const choices = values ?? options;
  if (Array.isArray(choices) && choices.length > 0 && choices.every(isScalar)) {
    const texts = choices.map((choice) => showValue(choice));
    return texts.length === 1 ? texts[0] : `one of ${texts.slice(0, 12).join(", ")}`;
  }
  return typeof expected === "string" ? expected : undefined;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

/** `true` where the schema says nothing of its shape: then only the validator knows it. */
function viewAsJsonSchema(schema: StandardSchema): JsonSchema {
  try {
    if ("_zod" in schema) {
      return toJSONSchema(schema as never, { io: "input", unrepresentable: "any" }) as JsonSchema;
    }
    const view: unknown = toJsonSchema(schema as never);
    return view === schema ? true : (view as JsonSchema);
  } catch {
    return true;
  }
}
