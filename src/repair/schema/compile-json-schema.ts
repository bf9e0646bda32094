import type { SchemaDraft } from "@cfworker/json-schema";
import { lazy, notLoaded } from "../drive.ts";
import { isJsonObject } from "../json/json-value.ts";
import { OverLimit, overLimit } from "../limits.ts";
import type { JsonObject, JsonSchema } from "../types.ts";
import { type Checks, compileChecks } from "./compile-checks.ts";
import { type CompiledSchema, refusedByThrow, type Validation } from "./compiled-schema.ts";
import { dereference, schemaAt } from "./schema-at.ts";
import { copySchema, isStillCopy } from "./schema-copy.ts";
import { knownValidator, loadValidator } from "./validator.ts";

/**
 * Compiles a JSON Schema with the validator that LangChain uses for JSON Schema tools.
 *
 * @param given The JSON Schema. It is copied: LangChain minds what it says at each call, and so a copy that
 * says something else is made anew.
 */
export function compileJsonSchema(given: JsonObject): CompiledSchema {
  const schema = snapshotOf(given);
  const checks = lazy(() => checksOf(schema));

  /** `undefined` where the validator must be loaded first. */
  function judge(value: unknown): Validation | undefined {
    try {
      const { accepts, faults, needsValidator } = checks();
      const parts = knownValidator();
      if (needsValidator && parts === undefined) return undefined;
      if (accepts(value)) return { ok: true, parsed: value };
      return parts && { ok: false, issues: parts.toIssues(faults(value)) };
    } catch (error) {
      return refusedBy(error);
    }
  }

  return {
    jsonSchema: schema,
    isCurrent: () => isSaidStill(schema, given),
    takesString: allowsString(schema),
    isOpen: saysNothing(schema),
    validate(value) {
      if (value === undefined) return { ok: false, issues: [missingInput(schema)] };
      const again = () => judge(value) ?? refusedByThrow(undefined);
      return judge(value) ?? loadValidator().then(again, refusedUnloaded);
    },
  };
}

/** The schema itself where it cannot be copied, because a getter throws, say: then it is no schema, either. */
function snapshotOf(given: JsonObject): JsonObject {
  try {
    return copySchema(given);
  } catch {
    return given;
  }
}

function isSaidStill(copy: JsonObject, given: JsonObject): boolean {
  try {
    return isStillCopy(copy, given);
  } catch {
    // It is inside itself: no validator can follow it.
    return true;
  }
}

function refusedBy(error: unknown): Validation {
  if (error instanceof OverLimit) return { ok: false, issues: [overLimit(error.limit)] };
  return refusedByThrow(error);
}

function refusedUnloaded(cause: unknown): Validation {
  return { ok: false, issues: [notLoaded()], cause };
}

function missingInput(schema: JsonObject) {
  const expected = typeof schema.type === "string" ? schema.type : "object";
  const message = `must be of type ${expected}`;
  return { path: "", message, code: "type", expected, received: "nothing" };
}

const compiled = new WeakMap<object, Checks>();

/** The checks of a JSON Schema, compiled once for all views of it. */
export function checksOf(schema: JsonObject): Checks {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const checks = compileChecks(schema, draftOf(schema));
  compiled.set(schema, checks);
  return checks;
}

/** LangChain validates every schema as 2019-09, whatever it says it is; we mind what it says. */
function draftOf({ $schema }: JsonObject): SchemaDraft {
  const uri = typeof $schema === "string" ? $schema : "";
  if (uri.includes("2020-12")) return "2020-12";
  if (uri.includes("draft-07") || uri.includes("draft-06")) return "7";
  return uri.includes("draft-04") ? "4" : "2019-09";
}

/** Whether a JSON Schema says outright that the whole value may be a string. */
export function allowsString(schema: JsonSchema): boolean {
  return asksForString(schemaAt(schema, []), schema, new Set());
}

function asksForString(schema: unknown, root: JsonSchema, seen: Set<unknown>): boolean {
  if (!isJsonObject(schema) || seen.has(schema)) return false;
  // What leads back to itself adds nothing.
  seen.add(schema);
  const { type, anyOf, oneOf, allOf, enum: values, const: only } = schema;
  if (type !== undefined) {
    return type === "string" || (Array.isArray(type) && type.includes("string"));
  }
  if (typeof only === "string") return true;
  if (Array.isArray(values)) return values.some((value) => typeof value === "string");
  return [anyOf, oneOf, allOf].some(
    (branches) =>
      Array.isArray(branches) &&
      branches.some((branch) => asksForString(dereference(root, branch), root, seen)),
  );
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$schema",
  "$id",
  "$defs",
  "$comment",
  "definitions",
  "title",
  "description",
  "default",
  "examples",
]);

/** Whether a JSON Schema says nothing of what the whole value is. */
export function saysNothing(schema: JsonSchema): boolean {
  if (typeof schema === "boolean") return schema;
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}
