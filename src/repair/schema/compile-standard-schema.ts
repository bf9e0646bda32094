import { toJSONSchema } from "zod/v4/core";
import { getAt, toPointer } from "../json/json-pointer.ts";
import { toJsonSchema } from "../langchain.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { allowsString, saysNothing } from "./compile-json-schema.ts";
import { type CompiledSchema, refusedByThrow, type Validation } from "./compiled-schema.ts";
import { ANY_VALUE, describeSchema } from "./describe-schema.ts";
import { schemaAt } from "./schema-at.ts";
import { NOT_A_FIELD, showReceived } from "./show-received.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.ts";

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
    isCurrent: () => true,
    takesString: allowsString(jsonSchema),
    isOpen: saysNothing(jsonSchema),
    validate(value) {
      try {
        const result = validate(value);
        return result instanceof Promise
          ? result.then((settled) => toValidation(settled, value, jsonSchema), refusedByThrow)
          : toValidation(result, value, jsonSchema);
      } catch (error) {
        return refusedByThrow(error);
      }
    },
  };
}

function toValidation(result: StandardResult, value: unknown, view: JsonSchema): Validation {
  if (result.issues === undefined) return { ok: true, parsed: result.value };
  return { ok: false, issues: result.issues.flatMap((issue) => toInputIssues(issue, value, view)) };
}

function toInputIssues(issue: StandardIssue, root: unknown, view: JsonSchema): InputIssue[] {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const code = issue.code ?? "invalid";
  const at = (path: string) => showReceived(getAt(root as JsonValue, path));
  if (code === "unrecognized_keys" && issue.keys !== undefined) {
    const paths = issue.keys.map((key) => toPointer([...keys, key]));
    return paths.map((path) => ({ path, message: NOT_A_FIELD, code, received: at(path) }));
  }
  const path = toPointer(keys);
  const wanted = NAMES_EXPECTED.has(code) ? schemaAt(view, keys.map(String)) : undefined;
  const expected = wanted === undefined ? undefined : describeSchema(wanted);
  const named = expected === undefined || expected === ANY_VALUE ? {} : { expected };
  return [{ path, message: issue.message, code, ...named, received: at(path) }];
}

/** zod's codes for a value of the wrong type or out of a fixed choice, those of zod 3 included. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set([
  "invalid_type",
  "invalid_value",
  "invalid_union",
  "invalid_enum_value",
  "invalid_literal",
  "invalid_union_discriminator",
]);

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
