import type { ZodType } from "zod";
import {
  type $ZodStandardSchema,
  type $ZodType,
  toJSONSchema,
} from "zod/v4/core";
import { isThenable, lazy, type Steps } from "../drive.ts";
import { orElse, soundCause } from "../foreign.ts";
import {
  getAt,
  isContainer,
  isJsonObject,
  jsonEquals,
  showValue,
  toPointer,
} from "../json.ts";
import { toJsonSchema } from "../langchain.ts";
import { DEFAULT_LIMITS, OverLimit } from "../limits.ts";
import type {
  InputIssue,
  JsonObject,
  JsonSchema,
  JsonValue,
} from "../types.ts";
import { ISSUE, type ReachedLimit } from "../types.ts";
import { branchesOf } from "./branches.ts";
import { ANY_VALUE, describeSchema, showReceived } from "./in-words.ts";
import {
  copySchema,
  hasOnly,
  isKeyword,
  partAt,
  readSchema,
  typeOf,
} from "./part.ts";
import {
  findIssues,
  NAMES_EXPECTED,
  NOT_A_FIELD,
  STEPS_PER_KEY,
} from "./validate.ts";

/**
 * A schema of any kind, ready for use: the only view of it outside this folder.
 */
export interface CompiledSchema {
  /**
   * The schema as JSON Schema, for a tool's input (before defaults and
   * transforms). It never changes.
   */
  readonly jsonSchema: JsonSchema;
  /**
   * Whether the schema is unchanged since it was compiled: the keywords of an
   * object are mutable.
   */
  readonly isCurrent: () => boolean;
  /**
   * Whether the whole input may be a plain string, so that text must not be
   * parsed.
   */
  readonly takesString: boolean;
  /**
   * Whether the type of the whole input is unknown: then only the schema itself
   * can decide.
   */
  readonly isOpen: boolean;
  /**
   * Asks the schema itself, refinements and transforms included. Asynchronous
   * only if they are.
   */
  readonly validate: (
    value: unknown,
    maxSteps?: number,
  ) => Validation | Promise<Validation>;
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

/**
 * A Standard Schema (https://standardschema.dev): zod from 3.24 on, valibot,
 * arktype and others.
 */
interface StandardSchema {
  readonly "~standard": Pick<$ZodStandardSchema<unknown>, "validate">;
}

type StandardResult = Awaited<
  ReturnType<StandardSchema["~standard"]["validate"]>
>;

/**
 * An issue; zod's have more fields than the message and path of the standard.
 */
type StandardIssue = NonNullable<StandardResult["issues"]>[number] & {
  readonly code?: string;
  readonly keys?: readonly string[];
};

const compiled = new WeakMap<object, CompiledSchema>();

/**
 * Compiles a tool's schema, once per schema object, and again after its
 * keywords change.
 */
export function compileSchema(schema: unknown): CompiledSchema {
  if (!isContainer(schema) && typeof schema !== "function") {
    throw new TypeError(
      `A tool's schema must be ${KINDS}, not ${typeOf(schema)}.`,
    );
  }
  const known = compiled.get(schema);
  if (known?.isCurrent()) return known;
  const fresh = compileByKind(schema);
  compiled.set(schema, fresh);
  return fresh;
}

/**
 * Compiles a schema that may have to be waited for: the AI SDK holds some JSON
 * Schemas as promises.
 */
export function* awaitSchema(schema: unknown): Steps<CompiledSchema> {
  if (!compiled.has(Object(schema))) yield* awaitKeywords(schema);
  return compileSchema(schema);
}

function* awaitKeywords(schema: unknown): Steps<void> {
  const aiSchema = readAiSchema(schema);
  if (aiSchema === undefined) return;
  const keywords = jsonSchemaOf(aiSchema);
  if (isThenable(keywords)) awaited.set(aiSchema, yield keywords);
}

const KINDS = "a zod schema (3.25 or 4), a Standard Schema or a JSON Schema";

function compileByKind(schema: object): CompiledSchema {
  if (isStringToolSchema(schema)) return STRING_TOOL;
  if ("~standard" in schema)
    return fromStandardSchema(schema as StandardSchema);
  const aiSchema = readAiSchema(schema);
  if (aiSchema !== undefined) return fromAiSchema(aiSchema);
  const values: readonly unknown[] = Object.values(schema);
  const isSchemaObject = (value: unknown) =>
    isContainer(value) && ("~standard" in value || "_def" in value);
  if (values.some(isSchemaObject)) {
    throw new TypeError(
      "A tool's schema must be one schema; this one is an object of schemas. Write z.object({ … }) around it.",
    );
  }
  // Keywords are data: an object with functions is a validator of an unknown
  // kind.
  const isData = !values.some((value) => typeof value === "function");
  if (isJsonObject(schema) && isData) {
    checkKeywords(schema);
    return fromJsonSchema(schema);
  }
  throw new TypeError(
    `A tool's schema must be ${KINDS}; this one is an object of another kind.`,
  );
}

/**
 * An empty schema accepts everything; with other keys alone, it is something
 * else.
 */
function checkKeywords(schema: object): void {
  const keys = Object.keys(schema);
  if (keys.length === 0 || keys.some(isKeyword)) return;
  throw new TypeError(
    `A tool's schema must be ${KINDS}; this one has no keyword of JSON Schema, but ${showValue(keys, 80)}. ` +
      'Properties stand in { type: "object", properties: { … } }.',
  );
}

/**
 * Completes a compiled schema by what its JSON Schema says of the whole input.
 */
function compile(
  jsonSchema: JsonSchema,
  validate: CompiledSchema["validate"],
  isCurrent: () => boolean = () => true,
): CompiledSchema {
  const branches = () => branchesOf(readSchema(jsonSchema));
  const isText = () =>
    branches().some(({ types }) => types?.includes("string"));
  const takesString = lazy(() => orElse(isText, false));
  return {
    jsonSchema,
    validate: (value, maxSteps) => {
      try {
        const result = validate(value, maxSteps);
        if (result instanceof Promise) return result.catch(rejectedBy);
        return result;
      } catch (error) {
        return rejectedBy(error);
      }
    },
    isCurrent,
    isOpen: typeof jsonSchema === "boolean" || hasOnly(jsonSchema),
    get takesString() {
      return takesString();
    },
  };
}

/**
 * The verdict if the schema itself threw: the value is rejected, and the error
 * is kept.
 */
function rejectedBy(thrown: unknown): Validation {
  const error = soundCause(thrown);
  if (error instanceof OverLimit)
    return { ok: false, issues: [error.issue], limit: error.limit };
  const message = "could not be checked: the tool's schema threw";
  return {
    ok: false,
    issues: [{ path: "", message, code: ISSUE.schemaThrew }],
    cause: error,
  };
}

/**
 * Copies the schema: LangChain reads it at each call, so after a change a new
 * copy is made.
 */
function fromJsonSchema(schema: JsonObject): CompiledSchema {
  // It throws if a getter does, for example, or if the schema is inside itself.
  const copy = lazy(() => copySchema(schema));
  const validate = (value: unknown, maxSteps?: number): Validation => {
    const part = readSchema(copy());
    if (value === undefined) return { ok: false, issues: [MISSING_INPUT] };
    const issues = findIssues(part, value, maxSteps);
    if (issues.length > 0) return { ok: false, issues };
    return { ok: true, parsed: value };
  };
  const isCurrent = () => orElse(() => jsonEquals(copy(), schema), false);
  return compile(orElse<JsonSchema>(copy, true), validate, isCurrent);
}

/**
 * What `jsonSchema()` of the AI SDK returns, as its MCP tools have it.
 * `zodSchema()` has a validator, too.
 */
interface AiSchema {
  /** The JSON Schema, a promise of it, or a function that returns either. */
  readonly jsonSchema: unknown;
  readonly validate?:
    | ((value: unknown) => AiVerdict | PromiseLike<AiVerdict>)
    | undefined;
}

type AiVerdict =
  | { readonly success: true; readonly value: unknown }
  | {
      readonly success: false;
      readonly error: Error & Pick<StandardResult, "issues">;
    };

const AI_SCHEMA = Symbol.for("vercel.ai.schema");

/** The JSON Schemas that were waited for. */
const awaited = new WeakMap<AiSchema, unknown>();

/**
 * Recognizes a schema of the AI SDK, and a function that returns one, as its
 * `lazySchema()` does.
 */
function readAiSchema(schema: unknown): AiSchema | undefined {
  const isLazy =
    typeof schema === "function" &&
    schema.length === 0 &&
    !("~standard" in schema);
  if (isLazy) return asAiSchema(orElse(() => schema(), undefined));
  return asAiSchema(schema);
}

function asAiSchema(schema: unknown): AiSchema | undefined {
  if (Object(schema)[AI_SCHEMA] === true) return schema as AiSchema;
  return undefined;
}

function jsonSchemaOf(schema: AiSchema): unknown {
  const { jsonSchema } = schema;
  return (
    awaited.get(schema) ??
    (typeof jsonSchema === "function" ? jsonSchema() : jsonSchema)
  );
}

function fromAiSchema(schema: AiSchema): CompiledSchema {
  const keywords = jsonSchemaOf(schema);
  if (isThenable(keywords)) {
    throw new TypeError(
      "This JSON Schema is a promise: repairToolInput waits for it.",
    );
  }
  const byKeywords = compileSchema(keywords);
  const { validate } = schema;
  if (validate === undefined) return byKeywords;
  const validateByBoth: CompiledSchema["validate"] = (value, maxSteps) => {
    const decide = (verdict: AiVerdict) =>
      toValidation(verdict, value, byKeywords, maxSteps);
    const verdict = validate(value);
    if (!isThenable(verdict)) return decide(verdict);
    return Promise.resolve(verdict).then(decide);
  };
  return compile(byKeywords.jsonSchema, validateByBoth, byKeywords.isCurrent);
}

/**
 * The keywords tell the places of faults; a validator of the AI SDK may have no
 * more than a message.
 */
function toValidation(
  verdict: AiVerdict,
  value: unknown,
  { validate, jsonSchema }: CompiledSchema,
  maxSteps: number | undefined,
): ReturnType<CompiledSchema["validate"]> {
  if (verdict.success) return { ok: true, parsed: verdict.value };
  const checked = validate(value, maxSteps);
  if (checked instanceof Promise) return checked;
  if (!checked.ok) return checked;
  const { issues = [verdict.error] } = verdict.error;
  const inputIssues = issues.flatMap((issue) =>
    toInputIssues(issue, value, jsonSchema),
  );
  return { ok: false, issues: inputIssues };
}

const MISSING_INPUT: InputIssue = {
  path: "",
  message: "must be of type object",
  code: "type",
  expected: "object",
  received: "nothing",
};

/** Compiles a zod 3, zod 4 or other Standard Schema. */
function fromStandardSchema(schema: StandardSchema): CompiledSchema {
  let mayWait = false;
  const onPart = (part: $ZodType) => {
    mayWait ||= mayBeAsync(part);
  };
  // `true` if the schema does not reveal its shape: then only the validator
  // knows it.
  const view = orElse(() => toView(schema, onPart), true);
  const isZod = "_zod" in schema && "safeParseAsync" in schema;
  const mustAskZod = isZod && (mayWait || view === true);
  const ask = (value: unknown) => {
    if (mustAskZod) return askZod(schema as ZodType, value);
    return schema["~standard"].validate(value);
  };
  return compile(view, (value, maxSteps = DEFAULT_LIMITS.maxSteps) => {
    const result = ask(value);
    if (!(result instanceof Promise))
      return judge(result, value, view, maxSteps);
    return result.then((settled) => judge(settled, value, view, maxSteps));
  });
}

function judge(
  result: StandardResult,
  value: unknown,
  view: JsonSchema,
  maxSteps: number,
): Validation {
  if (result.issues === undefined) return { ok: true, parsed: result.value };
  const issues: InputIssue[] = [];
  let steps = 0;
  for (const issue of result.issues as readonly StandardIssue[]) {
    const { keys, path = [] } = issue;
    steps += STEPS_PER_KEY * (keys?.length ?? 1) * (1 + path.length);
    if (steps > maxSteps) throw new OverLimit("maxSteps", maxSteps);
    issues.push(...toInputIssues(issue, value, view));
  }
  return { ok: false, issues };
}

/** The types and checks of zod 4 that may be asynchronous. */
const MAY_WAIT = "custom property pipe transform promise".split(" ");

function mayBeAsync({ _zod: { def } }: $ZodType): boolean {
  const checks = def.checks?.map(({ _zod }) => _zod.def.check) ?? [];
  return [def.type, ...checks].some((kind) => MAY_WAIT.includes(kind));
}

/**
 * Asks zod 4 once: its `~standard` tries first without waiting, which runs an
 * asynchronous refinement twice, and leaves what the first run rejects with
 * unhandled. zod itself words the issues.
 */
function askZod(
  schema: ZodType,
  value: unknown,
): StandardResult | Promise<StandardResult> {
  const parseAsync = () =>
    schema
      .safeParseAsync(value)
      .then(({ data, error }) => error ?? { value: data });
  // Neither `async` nor not: then only what is asynchronous makes a promise.
  const run = () => schema._zod.run({ value, issues: [] }, {});
  const payload = orElse<ReturnType<typeof run> | undefined>(run, undefined);
  if (payload === undefined) return parseAsync();
  if (payload instanceof Promise) {
    return payload.then(({ issues, value }) =>
      issues.length > 0 ? parseAsync() : { value },
    );
  }
  if (payload.issues.length > 0) return schema["~standard"].validate(value);
  return { value: payload.value };
}

function toView(
  schema: StandardSchema,
  onPart: (part: $ZodType) => void,
): JsonSchema {
  if ("_zod" in schema) {
    const how = { io: "input", unrepresentable: "any" } as const;
    const override = ({ zodSchema }: { readonly zodSchema: $ZodType }) =>
      onPart(zodSchema);
    return toJSONSchema(schema as never, { ...how, override }) as JsonSchema;
  }
  const view: unknown = toJsonSchema(schema as never);
  if (view === schema) return true;
  return view as JsonSchema;
}

const OTHER_CODES = (
  "invalid invalid_format invalid_string invalid_date invalid_key " +
  "invalid_element too_small too_big not_finite not_multiple_of " +
  "invalid_intersection_types unrecognized_keys"
).split(" ");

/**
 * Zod's codes. A refinement may give any, one made of what the model wrote,
 * too: it is `custom`.
 */
const CODES: ReadonlySet<string> = new Set([...NAMES_EXPECTED, ...OTHER_CODES]);

function codeOf({ code = "invalid" }: StandardIssue): string {
  return CODES.has(code) ? code : "custom";
}

function toInputIssues(
  issue: StandardIssue,
  root: unknown,
  view: JsonSchema,
): InputIssue[] {
  const { path, message, keys: unknownKeys } = issue;
  // A validator of the AI SDK may give `null`.
  const keys = (path ?? []).map((step) =>
    typeof step === "object" ? step.key : step,
  );
  const code = codeOf(issue);
  const issueAt = (
    keys: readonly PropertyKey[],
    message: string,
  ): InputIssue => {
    const path = toPointer(keys);
    const received = showReceived(getAt(root as JsonValue, path));
    return { path, message, code, received };
  };
  if (code === "unrecognized_keys" && unknownKeys !== undefined) {
    return unknownKeys.map((key) => issueAt([...keys, key], NOT_A_FIELD));
  }
  const inputIssue = issueAt(keys, message);
  if (!NAMES_EXPECTED.has(code)) return [inputIssue];
  const describe = () =>
    describeSchema(partAt(readSchema(view), keys.map(String))?.schema);
  const expected = orElse(describe, ANY_VALUE);
  if (expected === ANY_VALUE) return [inputIssue];
  return [{ ...inputIssue, expected }];
}

/**
 * Recognizes the schema of LangChain's string tools, in any copy of zod: a
 * transform unwraps `input`.
 */
export function isStringToolSchema(schema: object): boolean {
  if (!("~standard" in schema)) return false;
  if (!("_def" in schema)) return false;
  const definition = schema._def as {
    effect?: { type?: unknown };
    schema?: { shape?: object };
  };
  if (definition.effect?.type !== "transform") return false;
  const { validate } = (schema as StandardSchema)["~standard"];
  const makes = (input: unknown, output: unknown) => {
    const result = validate(input);
    return "value" in result && result.value === output;
  };
  const fields = Object.keys(Object(definition.schema?.shape));
  if (fields.join() !== "input") return false;
  return makes({ input: "probe" }, "probe") && makes({}, undefined);
}

/**
 * The schema of a string tool. LangChain runs such a tool with `undefined` even
 * for a wrong key; this schema requires a string, plain or as `input`, or no
 * input at all.
 */
const STRING_TOOL = compile(
  {
    anyOf: [
      { type: "string" },
      {
        type: "object",
        properties: { input: { type: "string" } },
        required: ["input"],
      },
    ],
  },
  (value) => {
    // The model's view of the tool allows a call without arguments.
    if (value === undefined) return { ok: true, parsed: undefined };
    if (!isJsonObject(value)) return checkText(value, "");
    if (Object.keys(value).length === 0) return { ok: true, parsed: undefined };
    return checkText(value.input, "/input");
  },
);

/** Checks what a string tool would run with. */
function checkText(text: unknown, path: string): Validation {
  if (typeof text === "string") return { ok: true, parsed: text };
  const issue = {
    path,
    message: "must be a string",
    code: "invalid_type",
    expected: "string",
    received: showValue(text),
  };
  return { ok: false, issues: [issue] };
}
