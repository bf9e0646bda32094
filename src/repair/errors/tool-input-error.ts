import { ToolInputParsingException } from "@langchain/core/tools";
import { isJsonObject, showValue } from "../json/json-value.ts";
import type { AgentAction, InputIssue, JsonValue, ToolCall } from "../types.ts";

/** How LangChain's own message begins; kept, so that code that looks for it goes on working. */
const LANGCHAIN_MESSAGE = "Received tool input did not match expected schema";

/** The name of the errors that name a fixer which failed; their message is fit for anyone. */
export const FIXER_ERROR = "FixerError";

/** The code of the issue that a call of a tool that does not exist has. */
export const UNKNOWN_TOOL = "unknown_tool";

const BRAND = Symbol.for("toolmend.ToolInputError");

/** The most characters of a message for a model. */
const MODEL_MESSAGE_LENGTH = 1_200;

/** The most issues that a message lists. */
const MAX_ISSUES_SHOWN = 8;

/** The most keys that a message lists. */
const MAX_KEYS_SHOWN = 12;

/** What a `ToolInputError` is made from. */
export interface ToolInputErrorFields {
  readonly toolName: string;
  readonly causingData: JsonValue | string;
  readonly issues: readonly InputIssue[];
  readonly action?: AgentAction | undefined;
  readonly toolCall?: ToolCall | undefined;
  /** What went wrong underneath: a fixer's throw, a schema's. */
  readonly cause?: unknown;
}

/**
 * A tool input that could not be made right. Extends LangChain's `ToolInputParsingException`, so
 * that every handler for that one handles it.
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

  constructor(fields: ToolInputErrorFields) {
    super(toMessage(fields), JSON.stringify(fields.causingData));
    Object.defineProperty(this, BRAND, { value: true });
    this.toolName = fields.toolName;
    this.causingData = fields.causingData;
    this.issues = fields.issues;
    if (fields.action !== undefined) this.action = fields.action;
    if (fields.toolCall !== undefined) this.toolCall = fields.toolCall;
    if (fields.cause !== undefined) this.cause = fields.cause;
  }

  /**
   * Tells a `ToolInputError` of any copy of toolmend (ESM, CJS, duplicates) from other errors.
   *
   * @param error Anything.
   */
  static isInstance(error: unknown): error is ToolInputError {
    return error instanceof Error && BRAND in error;
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
    const lines = this.issues.slice(0, MAX_ISSUES_SHOWN).map(toModelLine);
    const more = this.issues.length - lines.length;
    const isUnknown = this.issues.some(({ code }) => code === UNKNOWN_TOOL);
    const text = [
      isUnknown
        ? "The tool call was not accepted, and no tool was run:"
        : `The input of tool "${this.toolName}" was not accepted, and the tool was not run:`,
      ...lines,
      ...(more > 0 ? [`- and ${more} more`] : []),
      ...keysGiven(this.causingData, this.issues),
      isUnknown
        ? "Call one of the tools that there are."
        : `Call "${this.toolName}" again with corrected arguments.`,
    ].join("\n");
    return text.length <= MODEL_MESSAGE_LENGTH
      ? text
      : `${text.slice(0, MODEL_MESSAGE_LENGTH - 1)}…`;
  }

  /** The error as plain data, without its stack and its cause. */
  toJSON(): Omit<ToolInputErrorFields, "cause"> & { name: string; message: string } {
    const { name, message, toolName, causingData, issues, action, toolCall } = this;
    return {
      name,
      message,
      toolName,
      causingData,
      issues,
      ...(action === undefined ? {} : { action }),
      ...(toolCall === undefined ? {} : { toolCall }),
    };
  }
}

/**
 * Tells a `ToolInputParsingException` from other errors, across CJS and ESM builds and duplicate
 * copies of `@langchain/core`, where `instanceof` fails (langchainjs issue #6374). An error that was
 * caused by one counts too: LangChain's agents wrap what a middleware throws, and the exception is
 * its `cause` then.
 *
 * @param error Anything.
 */
export function isToolInputParsingException(error: unknown): error is ToolInputParsingException {
  if (isInputError(error)) return true;
  return (
    error instanceof Error && error.cause !== error && isToolInputParsingException(error.cause)
  );
}

/** As `isToolInputParsingException`, of the error itself: what it was caused by does not count. */
export function isInputError(error: unknown): error is ToolInputParsingException {
  if (error instanceof ToolInputParsingException || ToolInputError.isInstance(error)) return true;
  return (
    error instanceof Error &&
    Object.hasOwn(error, "output") &&
    (error.message.startsWith(LANGCHAIN_MESSAGE) ||
      hasClassNamed(error, "ToolInputParsingException"))
  );
}

function isInstanceOf(asked: unknown, error: unknown): boolean {
  return asked === ToolInputError
    ? ToolInputError.isInstance(error)
    : Function.prototype[Symbol.hasInstance].call(asked as () => void, error);
}

function hasClassNamed(error: Error, className: string): boolean {
  for (let proto = Object.getPrototypeOf(error); proto; proto = Object.getPrototypeOf(proto)) {
    if (proto.constructor?.name === className) return true;
  }
  return false;
}

function toMessage({ toolName, causingData, issues, cause }: ToolInputErrorFields): string {
  const shown = issues.slice(0, MAX_ISSUES_SHOWN).map(toLine);
  const more = issues.length - shown.length;
  const isUnknown = issues.some(({ code }) => code === UNKNOWN_TOOL);
  return [
    isUnknown ? `${LANGCHAIN_MESSAGE}:` : `${LANGCHAIN_MESSAGE} of tool "${toolName}":`,
    ...shown,
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...keysGiven(causingData, issues),
    ...(cause instanceof Error && cause.name === FIXER_ERROR ? [`Also: ${cause.message}.`] : []),
  ].join("\n");
}

/** Where a field is missing, the keys that are there tell most of what happened. */
function keysGiven(
  causingData: JsonValue | string,
  issues: readonly InputIssue[],
): readonly string[] {
  const isMissing = issues.some(({ path, received }) => received === "nothing" && path !== "");
  if (!isMissing || !isJsonObject(causingData)) return [];
  const keys = Object.keys(causingData).map((key) => showValue(key, 40));
  const shown = keys.slice(0, MAX_KEYS_SHOWN).join(", ");
  return [`- the input has: ${shown || "no keys"}${keys.length > MAX_KEYS_SHOWN ? ", …" : ""}`];
}

function toLine({ path, message, received, didYouMean }: InputIssue): string {
  const place = path === "" ? "the input" : path;
  const isTold = received === undefined || message.includes("received");
  const got = isTold ? "" : ` (received ${received})`;
  const hint = didYouMean === undefined ? "" : ` — did you mean ${didYouMean}?`;
  return `- ${place}: ${message}${got}${hint}`;
}

function toModelLine(issue: InputIssue): string {
  const { path, code, message, expected, received, didYouMean } = issue;
  const whole = code === UNKNOWN_TOOL ? "the tool's name" : "the arguments";
  const place = path === "" ? whole : path.slice(1).replaceAll("/", ".");
  const facts =
    expected === undefined ? message : `expected ${expected}, received ${received ?? "nothing"}`;
  const hint = didYouMean === undefined ? "" : ` — did you mean ${didYouMean}?`;
  return `- ${place}: ${facts}${hint}`;
}
