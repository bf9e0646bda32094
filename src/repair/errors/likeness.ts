/** What tells the exceptions of every copy of LangChain from other errors. */
export interface Likeness {
  /** The brand that the source patches put on it. */
  readonly brand: symbol;
  readonly className: string;
  /** Properties that every version of LangChain sets on each. */
  readonly fields: readonly string[];
  /** How its message begins, where that is always the same. */
  readonly message?: string;
  /** What LangChain 1 names it by. */
  readonly code?: string;
}

/** The exceptions that LangChain tells from others with `instanceof`, by name. */
export const EXCEPTIONS: Readonly<
  Record<"ToolInputParsingException" | "OutputParserException", Likeness>
> = {
  ToolInputParsingException: {
    brand: Symbol.for("langchain.error.tool-input-parsing"),
    className: "ToolInputParsingException",
    fields: ["output"],
    message: "Received tool input did not match expected schema",
  },
  OutputParserException: {
    brand: Symbol.for("langchain.error.output-parser"),
    className: "OutputParserException",
    fields: [],
    code: "OUTPUT_PARSING_FAILURE",
  },
};

/** How many causes are looked through for the error that another one wraps. */
const MAX_CAUSES = 8;

/**
 * Tells an exception by what it is: `instanceof` knows only those of its own copy, and
 * langchainjs issue #6374 shows that there are several.
 */
export function isLike(value: unknown, likeness: Likeness): value is Error {
  if (value === null || typeof value !== "object") return false;
  const { brand, className, fields, message, code } = likeness;
  const error = value as { readonly [key: PropertyKey]: unknown; readonly message?: unknown };
  if (error[brand] === true) return true;
  if (code !== undefined && error.lc_error_code === code) return true;
  if (typeof error.message !== "string") return false;
  const hasFields = fields.every((field) => Object.hasOwn(error, field));
  const isNamed = hasClassNamed(error, className);
  return hasFields && (isNamed || (message !== undefined && error.message.startsWith(message)));
}

/** Finds an error in another or among its causes: a middleware or a runnable wraps what a tool threw. */
export function findCause<Found>(
  error: unknown,
  test: (error: unknown) => error is Found,
): Found | undefined {
  let cause = error;
  for (let step = 0; step < MAX_CAUSES && cause !== null && cause !== undefined; step++) {
    if (test(cause)) return cause;
    cause = typeof cause === "object" && "cause" in cause ? cause.cause : undefined;
  }
  return undefined;
}

function hasClassNamed(error: object, className: string): boolean {
  for (let proto = Object.getPrototypeOf(error); proto; proto = Object.getPrototypeOf(proto)) {
    if (proto.constructor?.name === className) return true;
  }
  return false;
}

const WRONG_USE = Symbol.for("toolmend.wrongUse");

/**
 * Makes the error for a wrong use of toolmend. It is the programmer's, and no answer for a model:
 * whoever makes text of errors lets it pass.
 */
export function wrongUse(message: string): TypeError {
  return Object.defineProperty(new TypeError(message), WRONG_USE, { value: true });
}

/** Tells an error that `wrongUse` made, of any copy of toolmend. */
export function isWrongUse(error: unknown): boolean {
  return typeof error === "object" && error !== null && WRONG_USE in error;
}
