import { type $ZodStandardSchema, toJSONSchema } from "zod/v4/core";
import { lazy } from "../drive.ts";
import { wrongUse } from "../errors.ts";
import { getAt, toPointer } from "../json/json-pointer.ts";
import { isJsonObject, jsonEquals, showValue } from "../json/json-value.ts";
import { toJsonSchema } from "../langchain.ts";
import { DEFAULT_LIMITS, OverLimit } from "../limits.ts";
import type { InputIssue, JsonObject, JsonSchema, JsonValue } from "../types.ts";
import { ISSUE, type ReachedLimit } from "../types.ts";
import { ANY_VALUE, describeSchema, NOT_A_FIELD, partAt, showReceived } from "./describe.ts";
import { copySchema, orElse } from "./keywords.ts";
import { branchesOf, namedTypesOf, readSchema } from "./part.ts";
import { findIssues, STEPS_PER_KEY } from "./validate.ts";

/** A schema of any kind, ready for use: the only view of it outside this folder. */
export interface CompiledSchema {
  /** The schema as JSON Schema, for a tool's input (before defaults and transforms). It never changes. */
  readonly jsonSchema: JsonSchema;
  /** Whether the schema is unchanged since it was compiled: the keywords of an object are mutable. */
  readonly isCurrent: () => boolean;
  /** Whether the whole input may be a plain string, so that text must not be parsed. */
  readonly takesString: boolean;
  /** Whether the type of the whole input is unknown: then only the schema itself can decide. */
  readonly isOpen: boolean;
  /** Asks the schema itself, refinements and transforms included. Asynchronous only if they are. */
  readonly validate: (value: unknown, maxSteps?: number) => Validation | Promise<Validation>;
}

/** A schema's verdict on a value. */
export type Validation =
  | { readonly ok: true; readonly parsed: unknown }
  | {
      readonly ok: false;
      readonly issues: readonly InputIssue[];
      readonly cause?: unknown;
      readonly limit?: ReachedLimit;
    };

/** A Standard Schema (https://standardschema.dev): zod from 3.24 on, valibot, arktype and others. */
interface StandardSchema {
  readonly "~standard": Pick<$ZodStandardSchema<unknown>, "validate">;
}

type StandardResult = Awaited<ReturnType<StandardSchema["~standard"]["validate"]>>;

/** An issue; zod's have more fields than the message and path of the standard. */
type StandardIssue = NonNullable<StandardResult["issues"]>[number] & {
  readonly code?: string;
  readonly keys?: readonly string[];
};

const compiled = new WeakMap<object, CompiledSchema>();

/** Compiles a tool's schema, once per schema object, and again after its keywords change. */
export function compileSchema(schema: unknown): CompiledSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) {
    throw wrongUse(
      `A tool's schema must be ${KINDS}, not ${schema === null ? "null" : typeof schema}.`,
    );
  }
  const known = compiled.get(schema);
  if (known?.isCurrent()) return known;
  const fresh = compileByKind(schema);
  compiled.set(schema, fresh);
  return fresh;
}

const KINDS = "a zod schema (3.25 or 4), a Standard Schema or a JSON Schema";

function compileByKind(schema: object): CompiledSchema {
  if (isStringToolSchema(schema)) return STRING_TOOL;
  if ("~standard" in schema) return fromStandardSchema(schema as StandardSchema);
  const values: readonly unknown[] = Object.values(schema);
  const isSchemaObject = (value: unknown) =>
    value !== null && typeof value === "object" && ("~standard" in value || "_def" in value);
  if (values.some(isSchemaObject)) {
    throw wrongUse(
      "A tool's schema must be one schema; this one is an object of schemas. Write z.object({ … }) around it.",
    );
  }
  // Keywords are data: an object with functions is a validator of an unknown kind.
  const isData = !values.some((value) => typeof value === "function");
  if (isJsonObject(schema) && isData) return fromJsonSchema(schema);
  throw wrongUse(`A tool's schema must be ${KINDS}; this one is an object of another kind.`);
}

/** Copies the schema: LangChain reads it at each call, so after a change a new copy is made. */
function fromJsonSchema(given: JsonObject): CompiledSchema {
  let schema: JsonObject;
  try {
    schema = copySchema(given);
  } catch (error) {
    // A getter that throws, for example.
    return withView(true, { isCurrent: () => true, validate: () => refusedBy(error) });
  }
  return withView(schema, {
    isCurrent: () => orElse(() => jsonEquals(schema, given), false),
    validate(value, maxSteps) {
      if (value === undefined) return { ok: false, issues: [MISSING_INPUT] };
      try {
        const issues = findIssues(readSchema(schema), value, maxSteps);
        return issues.length === 0 ? { ok: true, parsed: value } : { ok: false, issues };
      } catch (error) {
        return refusedBy(error);
      }
    },
  });
}

/**
 * Compiles a zod 3, zod 4 or other Standard Schema. All of them validate through `~standard`, which
 * for zod is synchronous unless the schema is not.
 */
function fromStandardSchema(schema: StandardSchema): CompiledSchema {
  const { validate } = schema["~standard"];
  // `true` if the schema does not reveal its shape: then only the validator knows it.
  const view = orElse(() => toView(schema), true);
  function judge(result: StandardResult, value: unknown, maxSteps: number): Validation {
    if (result.issues === undefined) return { ok: true, parsed: result.value };
    const issues: InputIssue[] = [];
    let steps = 0;
    for (const issue of result.issues as readonly StandardIssue[]) {
      const { keys, path = [] } = issue;
      steps += STEPS_PER_KEY * (keys ? keys.length * (2 + path.length) : 1 + path.length);
      if (steps > maxSteps) return refusedBy(new OverLimit("maxSteps", maxSteps));
      issues.push(...toInputIssues(issue, value, view));
    }
    return { ok: false, issues };
  }
  return withView(view, {
    isCurrent: () => true,
    validate(value, maxSteps = DEFAULT_LIMITS.maxSteps) {
      try {
        const result = validate(value);
        return result instanceof Promise
          ? result.then((settled) => judge(settled, value, maxSteps), refusedBy)
          : judge(result, value, maxSteps);
      } catch (error) {
        return refusedBy(error);
      }
    },
  });
}

function toView(schema: StandardSchema): JsonSchema {
  if ("_zod" in schema) {
    return toJSONSchema(schema as never, { io: "input", unrepresentable: "any" }) as JsonSchema;
  }
  const view: unknown = toJsonSchema(schema as never);
  return view === schema ? true : (view as JsonSchema);
}

const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$schema $id $defs $comment definitions title description default examples".split(" "),
);

function withView(
  jsonSchema: JsonSchema,
  own: Pick<CompiledSchema, "isCurrent" | "validate">,
): CompiledSchema {
  const namesString = () =>
    branchesOf(readSchema(jsonSchema)).some((branch) => namedTypesOf(branch)?.includes("string"));
  const takesString = lazy(() => orElse(namesString, false));
  return {
    ...own,
    jsonSchema,
    isOpen: jsonSchema === true || Object.keys(jsonSchema).every((word) => ANNOTATIONS.has(word)),
    get takesString() {
      return takesString();
    },
  };
}

/** The verdict if the schema itself threw: the value is rejected, and the error is kept. */
function refusedBy(error: unknown): Validation {
  if (error instanceof OverLimit) return { ok: false, issues: [error.issue], limit: error.limit };
  const message = "could not be checked: the tool's schema threw";
  return { ok: false, issues: [{ path: "", message, code: ISSUE.schemaThrew }], cause: error };
}

const MISSING_INPUT: InputIssue = {
  ...{ path: "", message: "must be of type object", code: "type" },
  ...{ expected: "object", received: "nothing" },
};

/** zod's codes for a value of the wrong type or out of a fixed choice, including those of zod 3. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  `invalid_type invalid_value invalid_union invalid_enum_value invalid_literal
  invalid_union_discriminator`.split(/\s+/),
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
  const wanted = () => describeSchema(partAt(readSchema(view), keys.map(String))?.schema);
  const expected = NAMES_EXPECTED.has(code) ? orElse(wanted, ANY_VALUE) : ANY_VALUE;
  const named = expected === ANY_VALUE ? {} : { expected };
  return [{ path, message: issue.message, code, ...named, received: at(path) }];
}

/**
 * Recognizes the schema of LangChain's string tools (`Tool`, `DynamicTool`) by its behaviour, in
 * any copy of `@langchain/core` or zod: an optional `input` that a transform unwraps.
 */
export function isStringToolSchema(schema: object): boolean {
  if (!("~standard" in schema) || !("_def" in schema)) return false;
  const definition = schema._def as { effect?: { type?: unknown }; schema?: { shape?: object } };
  if (definition.effect?.type !== "transform") return false;
  const { validate } = (schema as StandardSchema)["~standard"];
  const makes = (input: unknown, output: unknown) => {
    const result = validate(input);
    return "value" in result && result.value === output;
  };
  const isInput = Object.keys(definition.schema?.shape ?? {}).join() === "input";
  return isInput && makes({ input: "probe" }, "probe") && makes({}, undefined);
}

/**
 * The schema of a string tool. LangChain runs such a tool with `undefined` even for a wrong key;
 * this schema requires a string, plain or as `input`, or no input at all.
 */
const STRING_TOOL = withView(
  {
    anyOf: [
      { type: "string" },
      { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
    ],
  },
  { isCurrent: () => true, validate: validateText },
);

function validateText(value: unknown): Validation {
  const isObject = isJsonObject(value);
  const input = isObject ? value.input : value;
  // The model's view of the tool allows a call without arguments.
  const isEmpty = value === undefined || (isObject && Object.keys(value).length === 0);
  if (isEmpty || typeof input === "string") return { ok: true, parsed: input };
  const about = { message: "must be a string", code: "invalid_type", expected: "string" };
  const path = isObject ? "/input" : "";
  return { ok: false, issues: [{ path, ...about, received: showValue(input) }] };
}
