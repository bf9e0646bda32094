import { lazy } from "./drive.ts";
import {
  getAt,
  isJsonObject,
  parseExactly,
  parsePointer,
  showValue,
  toPointer,
  whyNotJson,
} from "./json.ts";
import { ToolInputParsingException } from "./langchain.ts";
import { isUnknownTool, listIssues, modelMessageOf } from "./model-message.ts";
import { declaredNames } from "./schema/part.ts";
import { isDigits } from "./text.ts";
import {
  type AgentAction,
  type InputIssue,
  ISSUE,
  type JsonSchema,
  type JsonValue,
  type ReachedLimit,
  type RefusalReason,
  type ToolCall,
} from "./types.ts";

/**
 * The name of the errors that name a failed fixer; their message is safe to
 * show.
 */
export const FIXER_ERROR = "FixerError";

const BRAND = Symbol.for("toolmend.ToolInputError");

/** The most levels of an input that an error carries. */
const MAX_DEPTH = 500;

/**
 * The fields of a new `ToolInputError`; `reason` is derived from the issues by
 * default.
 */
export type ToolInputErrorFields = Pick<
  ToolInputError,
  "toolName" | "causingData" | "issues"
> & {
  readonly [Name in Exclude<Field, "name" | "message">]?:
    | ToolInputError[Name]
    | undefined;
} & {
  /**
   * The issues with what was probably meant, made when they are first read.
   * Default: `issues`.
   */
  readonly hinted?: (() => readonly InputIssue[]) | undefined;
};

type Field = Exclude<
  keyof ToolInputError,
  "stack" | "output" | "toJSON" | "toModelMessage"
>;

/**
 * A tool input that could not be repaired. Extends LangChain's
 * `ToolInputParsingException`, so that its handlers also handle this error.
 *
 * Its `message` goes into logs and traces, and holds nothing that the model
 * wrote; `issues`, `causingData` and `toModelMessage()` do.
 */
export class ToolInputError extends ToolInputParsingException {
  override readonly name: string = "ToolInputError";
  declare readonly toolName: string;
  /** What the model wrote: text or JSON. */
  declare readonly causingData: JsonValue | string;
  declare readonly issues: readonly InputIssue[];
  /**
   * The agent's action. That of a tool call has its arguments as `toolInput`,
   * and an empty `log`.
   */
  declare readonly action?: AgentAction;
  declare readonly toolCall?: ToolCall;
  /** The underlying error: what a fixer or a schema threw. */
  declare readonly cause?: unknown;
  /** Why the input was rejected. */
  declare readonly reason: RefusalReason;
  /**
   * If it is ambiguous: some possible meanings, as JSON, each cut to 200
   * characters.
   */
  declare readonly candidates?: readonly string[];
  /** The limit that was reached. */
  declare readonly limit?: ReachedLimit;
  /**
   * The tool's schema as JSON Schema, if known; `message` names only its keys.
   * Not enumerable.
   */
  declare readonly jsonSchema?: JsonSchema;

  constructor(fields: ToolInputErrorFields) {
    super(toMessage(fields), JSON.stringify(fields.causingData));
    const { jsonSchema, hinted, ...shown } = fields;
    const {
      issues,
      reason = reasonOf(issues),
      action = actionOf(fields),
    } = shown;
    for (const [name, value] of Object.entries({ ...shown, reason, action })) {
      if (value !== undefined) Object.assign(this, { [name]: value });
    }
    Object.defineProperties(this, {
      [BRAND]: { value: true },
      jsonSchema: { value: jsonSchema },
    });
    if (hinted) Object.defineProperty(this, "issues", { get: lazy(hinted) });
  }

  /**
   * `instanceof` works across copies of toolmend, too; subclasses keep its
   * usual meaning.
   */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this
    if (this !== ToolInputError) return super[Symbol.hasInstance](error);
    return error instanceof Error && BRAND in error;
  }

  /**
   * The error as a few lines that a model can act on: the field, what was
   * expected, what it gave and what it probably meant; for text that is not
   * JSON, what is wrong, where, and what to do. No stack, and no values except
   * the wrong ones, cut to length.
   *
   * @returns At most 1,200 characters; 600 for one fault.
   */
  toModelMessage(): string {
    return modelMessageOf(this);
  }

  /** The error as plain data, without its stack and its cause. */
  toJSON(): Omit<ToolInputErrorFields, "cause" | "jsonSchema" | "hinted"> &
    Pick<Error, "name" | "message"> {
    const { cause: _, output: __, ...shown } = this;
    return { ...shown, message: this.message };
  }
}

export function copyError(
  error: ToolInputError,
  changes: Partial<ToolInputErrorFields>,
): ToolInputError {
  const { name: _, output: __, ...fields } = error;
  return new ToolInputError({
    ...fields,
    jsonSchema: error.jsonSchema,
    ...changes,
  });
}

/**
 * The action of a model's tool call: only agents that read text make one of
 * their own.
 */
function actionOf({
  toolCall,
  causingData,
}: ToolInputErrorFields): AgentAction | undefined {
  if (toolCall === undefined) return undefined;
  const isInput = typeof causingData === "string" || isJsonObject(causingData);
  return {
    tool: toolCall.name,
    toolInput: isInput ? causingData : toolCall.args,
    log: "",
  };
}

/**
 * What the model wrote as an error carries it: what is no JSON, or too deep, as
 * text.
 */
export function toCausingData(raw: unknown): JsonValue | string {
  if (raw === undefined) return "";
  return whyNotJson(raw, MAX_DEPTH) === undefined
    ? (raw as JsonValue)
    : showValue(raw, 2_000);
}

/** The codes of toolmend's own issues: each is a reason, too. */
const OWN_CODES: ReadonlySet<string> = new Set(Object.values(ISSUE));

/**
 * Returns the reason that issues amount to: the last one more specific than
 * `invalid`.
 */
function reasonOf(issues: readonly InputIssue[]): RefusalReason {
  const specific = issues.findLast(({ code }) => OWN_CODES.has(code));
  return (specific?.code as RefusalReason | undefined) ?? "invalid";
}

/** The exceptions that LangChain recognizes with `instanceof`. */
export type ExceptionName =
  | "ToolInputParsingException"
  | "OutputParserException";

/**
 * Marks: a brand of the source patches, LangChain 1's code, or how a message
 * begins beside `output`.
 */
type Likeness = Readonly<{ brand: symbol; message?: string; code?: string }>;

/** How their classes in every copy of LangChain are recognized. */
export const EXCEPTIONS: Readonly<Record<ExceptionName, Likeness>> = {
  ToolInputParsingException: {
    brand: Symbol.for("langchain.error.tool-input-parsing"),
    message: "Received tool input did not match expected schema",
  },
  OutputParserException: {
    brand: Symbol.for("langchain.error.output-parser"),
    code: "OUTPUT_PARSING_FAILURE",
  },
};

/**
 * Recognizes an exception by its marks: an app may hold several copies
 * (langchainjs issue #6374).
 */
export function isLike(value: unknown, name: ExceptionName): value is Error {
  if (value === null || typeof value !== "object") return false;
  const { brand, message, code } = EXCEPTIONS[name];
  const error = value as Readonly<Record<PropertyKey, unknown>>;
  if (error[brand] === true) return true;
  if (code !== undefined && error.lc_error_code === code) return true;
  if (typeof error.message !== "string") return false;
  const isTheirs = message !== undefined && Object.hasOwn(error, "output");
  if (isTheirs && error.message.startsWith(message)) return true;
  return inheritsFrom(name, error);
}

/** Whether a class of that name is among those of an object. */
function inheritsFrom(name: string, object: object): boolean {
  let prototype = Object.getPrototypeOf(object);
  while (prototype) {
    if (prototype.constructor?.name === name) return true;
    prototype = Object.getPrototypeOf(prototype);
  }
  return false;
}

/**
 * Checks the error itself, not what it wraps: a tool that ran may have called
 * another.
 */
export function isInputError(
  error: unknown,
): error is ToolInputParsingException {
  return (
    error instanceof ToolInputParsingException ||
    (error instanceof Error && isLike(error, "ToolInputParsingException"))
  );
}

/**
 * Recognizes a rejected tool input across CJS and ESM builds and duplicate
 * copies of `@langchain/core`, where `instanceof` fails (langchainjs issue
 * #6374). An error that wraps one, as LangChain's `MiddlewareError` does,
 * counts too.
 *
 * Afterwards you can read `toolName`, `causingData`, `action`, `issues` and
 * `reason`: an error that wraps a `ToolInputError` gets its fields as
 * non-enumerable properties. LangChain's own exception gets what it knows: the
 * causing data, its message as the only issue, and `""` as `toolName`.
 *
 * @param error Anything.
 * @example
 * ```ts
 * const repairing = wrapTool(click);
 * const error = await repairing.invoke({ x: 1 } as never).catch((thrown: unknown) => thrown);
 * if (isToolInputParsingException(error)) console.log(error.toolName, error.reason); // click invalid
 * ```
 */
export function isToolInputParsingException(
  error: unknown,
): error is ToolInputError {
  if (error instanceof Error && "toModelMessage" in error) return true;
  const passed = new Set<unknown>();
  let cause = error;
  while (!isInputError(cause) && !passed.has(cause) && passed.size < 1_000) {
    passed.add(cause);
    cause = Object(cause).cause;
  }
  if (!isInputError(cause)) return false;
  const { message, output = "" } = cause;
  const issues = [{ path: "", code: "custom", message }];
  const known =
    cause instanceof ToolInputError
      ? cause
      : new ToolInputError({
          toolName: "",
          causingData: parseExactly(output) ?? output,
          issues,
        });
  const { name: _, cause: __, ...fields } = known;
  const lent = { ...fields, toModelMessage: () => known.toModelMessage() };
  return Object.entries(lent).every(([name, value]) =>
    Reflect.defineProperty(error as object, name, {
      value,
      configurable: true,
      writable: true,
    }),
  );
}

/**
 * LangChain's message, and the faults without the validator's words, which may
 * quote the input.
 */
function toMessage({
  toolName,
  issues,
  cause,
  jsonSchema,
}: ToolInputErrorFields): string {
  const head = EXCEPTIONS.ToolInputParsingException.message;
  return [
    isUnknownTool(issues) ? `${head}:` : `${head} of tool "${toolName}":`,
    ...listIssues(issues, (issue) => faultLine(issue, jsonSchema)),
    ...(cause instanceof Error && cause.name === FIXER_ERROR
      ? [`Also: ${cause.message}.`]
      : []),
  ].join("\n");
}

function faultLine(issue: InputIssue, schema: JsonSchema | undefined): string {
  const { path, code, message, expected, received, line, column } = issue;
  const place = declaredPath(path, schema, "(undeclared key)") || "the input";
  if (line !== undefined)
    return `- ${place}: ${message} See line ${line}, column ${column}.`;
  const isQuoting = code === ISSUE.ambiguous || code === ISSUE.badCorrection;
  if (OWN_CODES.has(code))
    return `- ${place}: ${isQuoting ? message.split(":")[0] : message}`;
  const wanted = expected === undefined ? "" : `, expected ${expected}`;
  const got =
    received === undefined ? "" : `, received ${receivedType(received)}`;
  return `- ${place}: ${code}${wanted}${got}`;
}

/**
 * Returns a place in words of the schema alone: a key that it does not declare
 * comes from a model.
 */
export function declaredPath(
  path: string,
  schema?: JsonSchema,
  undeclared = "+1 key",
): string {
  if (path !== "" && !path.startsWith("/")) return `/${undeclared}`;
  const names = declaredNames(schema ?? true);
  // An index of a list; a longer number may be a key with a meaning.
  const isIndex = (key: string) => key.length <= 3 && isDigits(key);
  const isSaid = (key: string) => names.has(key) || isIndex(key);
  return toPointer(
    parsePointer(path).map((key) => (isSaid(key) ? key : undeclared)),
  );
}

/** Returns the type that an issue received, without the value. */
export function receivedType(received: string): string {
  switch (received) {
    case "nothing":
    case "null":
    case "object":
    case "array":
      return received;
    case "true":
    case "false":
      return "boolean";
  }
  if (received.startsWith('"')) return "string";
  if (/^-?\d/.test(received)) return "number";
  return "something";
}

/**
 * Adds what was probably meant to issues; for a missing field, the key that
 * holds its value.
 */
export function withHints(
  issues: readonly InputIssue[],
  value: JsonValue,
  hints: ReadonlyMap<string, string>,
): readonly InputIssue[] {
  return issues.map((issue) => {
    const hint = hints.get(issue.path);
    const isMissing = issue.received === "nothing";
    const didYouMean =
      isMissing && hint !== undefined ? keyHint(issue.path, hint, value) : hint;
    return didYouMean === undefined ? issue : { ...issue, didYouMean };
  });
}

function keyHint(
  path: string,
  hint: string,
  value: JsonValue,
): string | undefined {
  const parent = path.slice(0, path.lastIndexOf("/"));
  const holder = getAt(value, parent);
  if (path === "") return undefined;
  if (!isJsonObject(holder)) return undefined;
  const keys = Object.keys(holder).filter(
    (key) => showValue(holder[key]) === hint,
  );
  if (keys.length !== 1) return undefined;
  const [wanted = ""] = parsePointer(path.slice(parent.length));
  return `"${wanted}" where you wrote ${showValue(keys[0])}`;
}
