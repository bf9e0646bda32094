import { showValue, whyNotJson } from "../json/json-value.ts";
import { ToolInputParsingException } from "../langchain.ts";
import type { AgentAction, InputIssue, JsonSchema, JsonValue, ToolCall } from "../types.ts";
import { EXCEPTIONS, findCause, isLike } from "./likeness.ts";
import { isUnknownTool, listFaults, listIssues, showDetails } from "./messages.ts";
import { type ReachedLimit, type RefusalReason, reasonOf } from "./refusal-reason.ts";

/** How LangChain's own message begins; kept, so that code that looks for it goes on working. */
const LANGCHAIN_MESSAGE = EXCEPTIONS.ToolInputParsingException.message ?? "";

/** The name of the errors that name a fixer which failed; their message is fit for anyone. */
export const FIXER_ERROR = "FixerError";

const BRAND = Symbol.for("toolmend.ToolInputError");

/** The most characters of a message for a model. */
const MODEL_MESSAGE_LENGTH = 1_200;

/** What a `ToolInputError` is made from. */
export interface ToolInputErrorFields {
  readonly toolName: string;
  readonly causingData: JsonValue | string;
  readonly issues: readonly InputIssue[];
  readonly action?: AgentAction | undefined;
  readonly toolCall?: ToolCall | undefined;
  /** What went wrong underneath: a fixer's throw, a schema's. */
  readonly cause?: unknown;
  /** Why it is refused. Default: what the issues come to. */
  readonly reason?: RefusalReason | undefined;
  /** Where it is ambiguous: some of what could be meant, as JSON, each cut to 200 characters. */
  readonly candidates?: readonly string[] | undefined;
  /** Where a limit was reached: which. */
  readonly limit?: ReachedLimit | undefined;
  /** The tool's schema as JSON Schema: tells which keys may be named in `message`. Default: none is. */
  readonly jsonSchema?: JsonSchema | undefined;
  /** Whether `message` has the validator's own words too, which may quote the input. Default: `false`. */
  readonly verbose?: boolean | undefined;
}

/**
 * A tool input that could not be made right. Extends LangChain's `ToolInputParsingException`, so
 * that every handler for that one handles it.
 *
 * Its `message` goes into logs and traces, and holds nothing that the model wrote; that is in `issues`,
 * `causingData` and `toModelMessage()`. A tool with LangChain's `verboseParsingErrors` asks for more: then
 * the message ends in `Details:`, with what the validator said of the first 20 issues, as JSON.
 */
export class ToolInputError extends ToolInputParsingException {
  override readonly name: string = "ToolInputError";
  readonly toolName: string;
  /** What the model wrote: text or JSON. */
  readonly causingData: JsonValue | string;
  readonly issues: readonly InputIssue[];
  readonly action?: AgentAction;
  readonly toolCall?: ToolCall;
  override readonly cause?: unknown;
  /** Why the input was refused. */
  readonly reason: RefusalReason;
  /** Where it is ambiguous: some of what could be meant, as JSON, each cut to 200 characters. */
  readonly candidates?: readonly string[];
  /** Where a limit was reached: which. */
  readonly limit?: ReachedLimit;
  /** The tool's schema as JSON Schema, where it is known. Not enumerable. */
  declare readonly jsonSchema?: JsonSchema;
  /** Whether the tool has LangChain's `verboseParsingErrors`. Not enumerable. */
  declare readonly verbose?: boolean;

  constructor(fields: ToolInputErrorFields) {
    super(toMessage(fields), JSON.stringify(fields.causingData));
    Object.defineProperty(this, BRAND, { value: true });
    this.toolName = fields.toolName;
    this.causingData = fields.causingData;
    this.issues = fields.issues;
    if (fields.action !== undefined) this.action = fields.action;
    if (fields.toolCall !== undefined) this.toolCall = fields.toolCall;
    if (fields.cause !== undefined) this.cause = fields.cause;
    this.reason = fields.reason ?? reasonOf(fields.issues);
    if (fields.candidates !== undefined) this.candidates = fields.candidates;
    if (fields.limit !== undefined) this.limit = fields.limit;
    Object.defineProperty(this, "jsonSchema", { value: fields.jsonSchema });
    Object.defineProperty(this, "verbose", { value: fields.verbose });
  }

  /**
   * Tells a `ToolInputError` of any copy of toolmend (ESM, CJS, duplicates) from other errors.
   *
   * @param error Anything.
   */
  static isInstance(error: unknown): error is ToolInputError {
    return error instanceof Error && BRAND in error;
  }

  /**
   * Finds a `ToolInputError` where another error wraps it, as LangChain's `MiddlewareError` does.
   *
   * @param error Anything.
   * @returns The error itself or the first of its causes that is one; `undefined` where none is.
   * @example
   * ```ts
   * const refused = ToolInputError.findIn(error);
   * if (refused !== undefined) console.error(refused.toolName, refused.reason);
   * ```
   */
  static findIn(error: unknown): ToolInputError | undefined {
    return findCause(error, ToolInputError.isInstance);
  }

  /** `instanceof` holds across copies of toolmend too; for subclasses it means what it says. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this
    return isInstanceOf(this, error);
  }

  /**
   * The error as a few lines that a model can act on: the field, what was expected, what it gave
   * and what it probably meant. No stack, and no values but the offending ones, cut to length.
   *
   * @returns At most 1,200 characters.
   */
  toModelMessage(): string {
    const isUnknown = isUnknownTool(this.issues);
    const text = [
      isUnknown
        ? "The tool call was not accepted, and no tool was run:"
        : `The input of tool "${this.toolName}" was not accepted, and the tool was not run:`,
      ...listIssues(this.issues, this.causingData),
      isUnknown
        ? "Call one of the tools that there are."
        : `Call "${this.toolName}" again with corrected arguments.`,
    ].join("\n");
    return text.length <= MODEL_MESSAGE_LENGTH
      ? text
      : `${text.slice(0, MODEL_MESSAGE_LENGTH - 1)}…`;
  }

  /** The error as plain data, without its stack and its cause. */
  toJSON(): Omit<ToolInputErrorFields, "cause" | "jsonSchema" | "verbose"> & {
    name: string;
    message: string;
  } {
    const { name, message, toolName, causingData, issues, action, toolCall } = this;
    const { reason, candidates, limit } = this;
    return {
      name,
      message,
      toolName,
      causingData,
      issues,
      reason,
      ...(candidates === undefined ? {} : { candidates }),
      ...(limit === undefined ? {} : { limit }),
      ...(action === undefined ? {} : { action }),
      ...(toolCall === undefined ? {} : { toolCall }),
    };
  }
}

/**
 * Tells a `ToolInputParsingException` from other errors, across CJS and ESM builds and duplicate
 * copies of `@langchain/core`, where `instanceof` fails (langchainjs issue #6374). An error that
 * wraps one, as LangChain's `MiddlewareError` does, counts too: `ToolInputError.findIn` returns
 * the one inside.
 *
 * @param error Anything.
 * @example
 * ```ts
 * const mended = wrapTool(click);
 * const error = await mended.invoke({ x: 1 } as never).catch((thrown: unknown) => thrown);
 * console.log(isToolInputParsingException(error)); // true
 * ```
 */
export function isToolInputParsingException(error: unknown): error is ToolInputParsingException {
  return findCause(error, isInputError) !== undefined;
}

/** The same of the error itself, not of what it wraps: a tool that ran may have called another. */
export function isInputError(error: unknown): error is ToolInputParsingException {
  return (
    error instanceof ToolInputParsingException ||
    (error instanceof Error && isLike(error, EXCEPTIONS.ToolInputParsingException))
  );
}

function isInstanceOf(asked: unknown, error: unknown): boolean {
  return asked === ToolInputError
    ? ToolInputError.isInstance(error)
    : Function.prototype[Symbol.hasInstance].call(asked as () => void, error);
}

function toMessage(fields: ToolInputErrorFields): string {
  const { toolName, issues, cause, jsonSchema, verbose } = fields;
  const head = LANGCHAIN_MESSAGE;
  return [
    isUnknownTool(issues) ? `${head}:` : `${head} of tool "${toolName}":`,
    ...listFaults(issues, jsonSchema),
    ...(cause instanceof Error && cause.name === FIXER_ERROR ? [`Also: ${cause.message}.`] : []),
    ...(verbose ? [`Details: ${showDetails(issues)}`] : []),
  ].join("\n");
}

/** Creates an error that says the same as another, but for some fields. */
export function copyError(
  error: ToolInputError,
  changes: Partial<ToolInputErrorFields>,
): ToolInputError {
  const { toolName, causingData, issues, action, toolCall, cause } = error;
  const { reason, candidates, limit, jsonSchema, verbose } = error;
  const fields = { toolName, causingData, issues, action, toolCall, cause, jsonSchema, verbose };
  return new ToolInputError({ ...fields, reason, candidates, limit, ...changes });
}

/** Nesting down to which a value is taken into an error as it is. */
const MAX_DEPTH = 500;

/** What an error carries of what the model wrote. */
export function toCausingData(raw: unknown): JsonValue | string {
  if (raw === undefined) return "";
  return whyNotJson(raw, MAX_DEPTH) === undefined ? (raw as JsonValue) : showValue(raw, 2_000);
}
