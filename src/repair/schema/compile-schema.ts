import { toJSONSchema } from "zod/v4/core";
import { lazy } from "../drive.ts";
import { wrongUse } from "../errors/likeness.ts";
import { ISSUE } from "../errors/refusal-reason.ts";
import { getAt, toPointer } from "../json/json-pointer.ts";
import { isJsonObject, showValue } from "../json/json-value.ts";
import { toJsonSchema } from "../langchain.ts";
import { OverLimit, overLimit } from "../limits.ts";
import type { InputIssue, JsonObject, JsonSchema, JsonValue } from "../types.ts";
import { ANY_VALUE, describeAt, NOT_A_FIELD, showReceived } from "./describe.ts";
import { readSchema } from "./part.ts";
import { copySchema, isStillCopy } from "./schema-copy.ts";
import { shapesOf, typeOf } from "./shapes.ts";
import { findIssues, type Step } from "./validate.ts";

/** A schema of any kind, ready for use: the one view that the rest of toolmend has of it. */
export interface CompiledSchema {
  /** The schema as JSON Schema, for what a tool takes (before defaults and transforms). Nobody else changes it. */
  readonly jsonSchema: JsonSchema;
  /** Whether the schema still says what was compiled: of keywords in an object, somebody may change one. */
  readonly isCurrent: () => boolean;
  /** Whether the whole input may be a plain string, so that text must not be parsed. */
  readonly takesString: boolean;
  /** Whether nothing is known of what the whole input is: then only the schema itself can tell. */
  readonly isOpen: boolean;
  /**
   * Asks the schema itself, refinements and transforms included. Asynchronous only if those are.
   *
   * @param step Charges for what a JSON Schema looks at. What it throws but for `OverLimit` is kept as the cause.
   */
  readonly validate: (value: unknown, step?: Step) => Validation | Promise<Validation>;
}

/** What a schema says of a value. */
export type Validation =
  | { readonly ok: true; readonly parsed: unknown }
  | { readonly ok: false; readonly issues: readonly InputIssue[]; readonly cause?: unknown };

/**
 * What toolmend uses of a Standard Schema (https://standardschema.dev, version 1): zod from 3.24
 * on, valibot, arktype and others have it.
 */
export interface StandardSchema {
  readonly "~standard": {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** An issue; zod's carry more than the message and path that the standard asks for. */
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
}

const compiled = new WeakMap<object, CompiledSchema>();

/**
 * Compiles a tool's schema, once per schema object, and anew where its keywords were changed since.
 *
 * @param schema A zod 3 or zod 4 schema, a Standard Schema, or a JSON Schema.
 * @returns The compiled schema.
 * @throws TypeError when the schema is of none of these kinds.
 */
export function compileSchema(schema: unknown): CompiledSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) {
    throw wrongUse(
      `A tool's schema must be a zod schema, a Standard Schema or a JSON Schema, not ${schema === null ? "null" : typeof schema}.`,
    );
  }
  const known = compiled.get(schema);
  if (known?.isCurrent()) return known;
  const fresh = compileByKind(schema);
  compiled.set(schema, fresh);
  return fresh;
}

function compileByKind(schema: object): CompiledSchema {
  if (isStringToolSchema(schema)) return STRING_TOOL;
  if (isStandardSchema(schema)) return fromStandardSchema(schema);
  if (Object.values(schema).some(isSchemaObject)) {
    throw wrongUse(
      "A tool's schema must be one schema; this one is an object of schemas. Write z.object({ … }) around it.",
    );
  }
  // Keywords are data: what has functions is a validator of a kind that is not known here.
  const isData = !Object.values(schema).some((value) => typeof value === "function");
  if (isJsonObject(schema) && isData) return fromJsonSchema(schema);
  throw wrongUse(
    "A tool's schema must be a zod schema (3.25 or 4), a Standard Schema or a JSON Schema; this one is an object of another kind.",
  );
}

/** A schema of zod or the like, among keywords that are data. */
function isSchemaObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && ("~standard" in value || "_def" in value);
}

function isStandardSchema(schema: object): schema is StandardSchema {
  return "~standard" in schema;
}

/** The schema is copied: LangChain minds what it says at each call, so a copy that says something else is made anew. */
function fromJsonSchema(given: JsonObject): CompiledSchema {
  const { schema, fault } = copyOf(given);
  return withView(schema, {
    isCurrent: () => fault !== undefined || isSaidStill(schema, given),
    validate(value, step) {
      if (fault !== undefined) return refusedBy(fault);
      if (value === undefined) return { ok: false, issues: [missingInput(schema)] };
      try {
        const issues = findIssues(readSchema(schema), value, step);
        return issues.length === 0 ? { ok: true, parsed: value } : { ok: false, issues };
      } catch (error) {
        return refusedBy(error);
      }
    },
  });
}

function isSaidStill(copy: JsonObject, given: JsonObject): boolean {
  try {
    return isStillCopy(copy, given);
  } catch {
    return false;
  }
}

/** What cannot be copied, because a getter throws, say, is no schema, either. */
function copyOf(schema: JsonObject): { schema: JsonObject; fault?: unknown } {
  try {
    return { schema: copySchema(schema) };
  } catch (fault) {
    return { schema, fault };
  }
}

function withView(
  jsonSchema: JsonSchema,
  own: Pick<CompiledSchema, "isCurrent" | "validate">,
): CompiledSchema {
  const takesString = lazy(() => allowsString(jsonSchema));
  return {
    ...own,
    jsonSchema,
    isOpen: saysNothing(jsonSchema),
    get takesString() {
      return takesString();
    },
  };
}

/** The verdict where the schema itself threw: the value is refused, and the throw is kept. */
function refusedBy(error: unknown): Validation {
  if (error instanceof OverLimit) return { ok: false, issues: [overLimit(error.limit)] };
  const message = "could not be checked: the tool's schema threw";
  return { ok: false, issues: [{ path: "", message, code: ISSUE.schemaThrew }], cause: error };
}

function missingInput(schema: JsonObject): InputIssue {
  const expected = typeof schema.type === "string" ? schema.type : "object";
  const message = `must be of type ${expected}`;
  return { path: "", message, code: "type", expected, received: "nothing" };
}

/** Whether a JSON Schema says outright that the whole value may be a string. */
function allowsString(schema: JsonSchema): boolean {
  try {
    const shapes = shapesOf(readSchema(schema));
    return shapes.some(({ types, values }) => (types ?? values?.map(typeOf))?.includes("string"));
  } catch {
    return false;
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$schema $id $defs $comment definitions title description default examples".split(" "),
);

/** Whether a JSON Schema says nothing of what the whole value is. */
function saysNothing(schema: JsonSchema): boolean {
  if (typeof schema === "boolean") return schema;
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}

/**
 * Compiles a zod 3, zod 4 or other Standard Schema. All of them validate through `~standard`, which
 * for zod is synchronous unless the schema is not.
 */
function fromStandardSchema(schema: StandardSchema): CompiledSchema {
  const { validate } = schema["~standard"];
  const jsonSchema = toView(schema);
  const judge = (result: StandardResult, value: unknown): Validation => {
    if (result.issues === undefined) return { ok: true, parsed: result.value };
    const issues = result.issues.flatMap((issue) => toInputIssues(issue, value, jsonSchema));
    return { ok: false, issues };
  };
  return withView(jsonSchema, {
    isCurrent: () => true,
    validate(value) {
      try {
        const result = validate(value);
        return result instanceof Promise
          ? result.then((settled) => judge(settled, value), refusedBy)
          : judge(result, value);
      } catch (error) {
        return refusedBy(error);
      }
    },
  });
}

/** `true` where the schema says nothing of its shape: then only the validator knows it. */
function toView(schema: StandardSchema): JsonSchema {
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

/** zod's codes for a value of the wrong type or out of a fixed choice, those of zod 3 included. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  "invalid_type invalid_value invalid_union invalid_enum_value invalid_literal invalid_union_discriminator".split(
    " ",
  ),
);

function toInputIssues(issue: StandardIssue, root: unknown, view: JsonSchema): InputIssue[] {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  const code = issue.code ?? "invalid";
  const at = (path: string) => showReceived(getAt(root as JsonValue, path));
  if (code === "unrecognized_keys" && issue.keys !== undefined) {
    const paths = issue.keys.map((key) => toPointer([...keys, key]));
    return paths.map((path) => ({ path, message: NOT_A_FIELD, code, received: at(path) }));
  }
  const path = toPointer(keys);
  const expected = NAMES_EXPECTED.has(code) ? describeIn(view, keys.map(String)) : ANY_VALUE;
  const named = expected === ANY_VALUE ? {} : { expected };
  return [{ path, message: issue.message, code, ...named, received: at(path) }];
}

function describeIn(view: JsonSchema, keys: readonly string[]): string {
  try {
    return describeAt(readSchema(view), keys);
  } catch {
    return ANY_VALUE;
  }
}

/**
 * Tells the schema of LangChain's string tools (`Tool`, `DynamicTool`): an optional `input` that
 * is unwrapped by a transform. Recognised by what it does, so that it does not matter which copy
 * of `@langchain/core` or zod made it.
 *
 * @param schema A tool's schema.
 */
export function isStringToolSchema(schema: object): schema is StandardSchema {
  if (!("~standard" in schema) || !("_def" in schema)) return false;
  const definition = schema._def as { effect?: { type?: unknown }; schema?: { shape?: object } };
  if (definition.effect?.type !== "transform") return false;
  const keys = Object.keys(definition.schema?.shape ?? {});
  return keys.length === 1 && keys[0] === "input" && unwrapsInput(schema as StandardSchema);
}

function unwrapsInput(schema: StandardSchema): boolean {
  const { validate } = schema["~standard"];
  const probes: [unknown, unknown][] = [
    [{ input: "probe" }, "probe"],
    [{ input: "" }, ""],
    [{}, undefined],
  ];
  return probes.every(([input, output]) => {
    const result = validate(input);
    return "value" in result && result.value === output;
  });
}

/**
 * The schema of a string tool. LangChain runs such a tool with `undefined` when it is given a wrong
 * key, too; here a string must be there, plain or as `input`, or nothing at all.
 */
const STRING_TOOL: CompiledSchema = {
  jsonSchema: {
    anyOf: [
      { type: "string" },
      { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
    ],
  },
  isCurrent: () => true,
  takesString: true,
  isOpen: false,
  validate(value) {
    const isObject = isJsonObject(value);
    // What the model is offered allows it to call the tool with nothing.
    if (value === undefined || (isObject && Object.keys(value).length === 0)) {
      return { ok: true, parsed: undefined };
    }
    const input = isObject ? getAt(value as JsonValue, "/input") : value;
    if (typeof input === "string") return { ok: true, parsed: input };
    const about = { message: "must be a string", code: "invalid_type", expected: "string" };
    const path = isObject ? "/input" : "";
    return { ok: false, issues: [{ path, ...about, received: showValue(input) }] };
  },
};
