import { showValue, whyNotJson } from "../json/json-value.ts";
import { ToolInputParsingException } from "../langchain.ts";
import { parseExactly } from "../read/parse-exactly.ts";
import type { AgentAction, InputIssue, JsonSchema, JsonValue, ToolCall } from "../types.ts";
import { EXCEPTIONS, findCause, isLike } from "./likeness.ts";
import { isUnknownTool, listFaults, listIssues, showDetails } from "./messages.ts";
import { type ReachedLimit, type RefusalReason, reasonOf } from "./refusal-reason.ts";

/** The beginning of LangChain's own message, for code that looks for it. */
const LANGCHAIN_MESSAGE = EXCEPTIONS.ToolInputParsingException.message ?? "";

/** The name of the errors that name a failed fixer; their message is safe to show. */
export const FIXER_ERROR = "FixerError";

const BRAND = Symbol.for("toolmend.ToolInputError");

/** The most characters of a message for a model. */
const MODEL_MESSAGE_LENGTH = 1_200;

/** The fields of a new `ToolInputError`. */
export interface ToolInputErrorFields {
  readonly toolName: string;
  readonly causingData: JsonValue | string;
  readonly issues: readonly InputIssue[];
  readonly action?: AgentAction | undefined;
  readonly toolCall?: ToolCall | undefined;
  /** The underlying error: what a fixer or a schema threw. */
  readonly cause?: unknown;
  /** Why it is refused. Default: derived from the issues. */
  readonly reason?: RefusalReason | undefined;
  /** If it is ambiguous: some possible meanings, as JSON, each cut to 200 characters. */
  readonly candidates?: readonly string[] | undefined;
  /** The limit that was reached. */
  readonly limit?: ReachedLimit | undefined;
  /** The tool's schema as JSON Schema; `message` names only keys that it declares. Default: none. */
  readonly jsonSchema?: JsonSchema | undefined;
  /** Whether `message` also quotes the validator, which may quote the input. Default: `false`. */
  readonly verbose?: boolean | undefined;
}

/**
 * A tool input that could not be repaired. Extends LangChain's `ToolInputParsingException`, so that
 * its handlers also handle this error.
 *
 * Its `message` goes into logs and traces, and holds nothing that the model wrote; `issues`,
 * `causingData` and `toModelMessage()` do. For a tool with LangChain's `verboseParsingErrors`, the
 * message ends in `Details:`, with the validator's words for the first 20 issues, as JSON.
 */
export class ToolInputError extends ToolInputParsingException {
  override readonly name: string = "ToolInputError";
  declare readonly toolName: string;
  /** What the model wrote: text or JSON. */
  declare readonly causingData: JsonValue | string;
  declare readonly issues: readonly InputIssue[];
  declare readonly action?: AgentAction;
  declare readonly toolCall?: ToolCall;
  declare readonly cause?: unknown;
  /** Why the input was refused. */
  declare readonly reason: RefusalReason;
  /** If it is ambiguous: some possible meanings, as JSON, each cut to 200 characters. */
  declare readonly candidates?: readonly string[];
  /** The limit that was reached. */
  declare readonly limit?: ReachedLimit;
  /** The tool's schema as JSON Schema, if known. Not enumerable. */
  declare readonly jsonSchema?: JsonSchema;
  /** Whether the tool has LangChain's `verboseParsingErrors`. Not enumerable. */
  declare readonly verbose?: boolean;

  constructor(fields: ToolInputErrorFields) {
    super(toMessage(fields), JSON.stringify(fields.causingData));
    const { jsonSchema, verbose, ...shown } = fields;
    Object.defineProperty(this, BRAND, { value: true });
    Object.assign(this, given({ ...shown, reason: fields.reason ?? reasonOf(fields.issues) }));
    Object.defineProperty(this, "jsonSchema", { value: jsonSchema });
    Object.defineProperty(this, "verbose", { value: verbose });
  }

  /**
   * Recognizes a `ToolInputError` of any copy of toolmend (ESM, CJS, duplicates).
   *
   * @param error Anything.
   */
  static isInstance(error: unknown): error is ToolInputError {
    return error instanceof Error && BRAND in error;
  }

  /** `instanceof` works across copies of toolmend, too; subclasses keep its usual meaning. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this
    return isInstanceOf(this, error);
  }

  /**
   * The error as a few lines that a model can act on: the field, what was expected, what it gave
   * and what it probably meant. No stack, and no values except the wrong ones, cut to length.
   *
   * @returns At most 1,200 characters.
   */
  toModelMessage(): string {
    const isUnknown = isUnknownTool(this.issues);
    const isNamed = this.toolName !== "";
    const text = [
      isUnknown
        ? "The tool call was not accepted, and no tool was run:"
        : `The input of ${isNamed ? `tool "${this.toolName}"` : "the tool"} was not accepted, and the tool was not run:`,
      ...listIssues(this.issues, this.causingData),
      isUnknown
        ? "Call one of the tools that there are."
        : `Call ${isNamed ? `"${this.toolName}"` : "it"} again with corrected arguments.`,
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
    const { cause: _, jsonSchema: __, verbose: ___, ...fields } = fieldsOf(this);
    return { name: this.name, message: this.message, ...(given(fields) as typeof fields) };
  }
}

function fieldsOf(error: ToolInputError): ToolInputErrorFields & { reason: RefusalReason } {
  const { toolName, causingData, issues, reason, candidates, limit, action, toolCall } = error;
  const { cause, jsonSchema, verbose } = error;
  const shown = { toolName, causingData, issues, reason, candidates, limit, action, toolCall };
  return { ...shown, cause, jsonSchema, verbose };
}

function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * Recognizes a rejected tool input across CJS and ESM builds and duplicate copies of
 * `@langchain/core`, where `instanceof` fails (langchainjs issue #6374). An error that wraps one,
 * as LangChain's `MiddlewareError` does, counts too.
 *
 * Afterwards you can read `toolName`, `causingData`, `action`, `issues` and `reason`: an error that
 * wraps a `ToolInputError` gets its fields as non-enumerable properties. LangChain's own exception
 * gets what it knows: the causing data, its message as the only issue, and `""` as `toolName`.
 *
 * @param error Anything.
 * @example
 * ```ts
 * const repairing = wrapTool(click);
 * const error = await repairing.invoke({ x: 1 } as never).catch((thrown: unknown) => thrown);
 * if (isToolInputParsingException(error)) console.log(error.toolName, error.reason); // click invalid
 * ```
 */
export function isToolInputParsingException(error: unknown): error is ToolInputError {
  const found = findCause(error, isInputError);
  if (found === undefined || ToolInputError.isInstance(error)) return found !== undefined;
  const known = ToolInputError.isInstance(found) ? found : fromLangChain(found);
  const fields = { ...known, toModelMessage: () => known.toModelMessage() };
  return Object.entries(fields).every(([name, value]) => {
    if (name === "name" || name === "cause") return true;
    const lent = { value, configurable: true, writable: true };
    return Reflect.defineProperty(error as object, name, lent);
  });
}

/** Describes LangChain's own exception. */
function fromLangChain({ output, message }: ToolInputParsingException): ToolInputError {
  const causingData = output === undefined ? "" : (parseExactly(output) ?? output);
  const issues = [{ path: "", code: "custom", message }];
  return new ToolInputError({ toolName: "", causingData, issues });
}

/** Checks the error itself, not what it wraps: a tool that ran may have called another. */
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

/** Copies an error with some fields changed. */
export function copyError(
  error: ToolInputError,
  changes: Partial<ToolInputErrorFields>,
): ToolInputError {
  return new ToolInputError({ ...fieldsOf(error), ...changes });
}

/** Deeper values enter an error as text, cut to length. */
const MAX_DEPTH = 500;

/** The form of what the model wrote that an error carries. */
export function toCausingData(raw: unknown): JsonValue | string {
  if (raw === undefined) return "";
  return whyNotJson(raw, MAX_DEPTH) === undefined ? (raw as JsonValue) : showValue(raw, 2_000);
}
