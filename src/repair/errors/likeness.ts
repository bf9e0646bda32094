/** The marks that distinguish the exceptions of every copy of LangChain from other errors. */
export interface Likeness {
  /** The brand that the source patches set. */
  readonly brand: symbol;
  readonly className: string;
  /** Properties that every version of LangChain sets on each. */
  readonly fields: readonly string[];
  /** The beginning of its message, if always the same. */
  readonly message?: string;
  /** LangChain 1's code for it. */
  readonly code?: string;
}

/** The exceptions that LangChain recognizes with `instanceof`, by name. */
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

/** How many causes are searched for a wrapped error. */
const MAX_CAUSES = 8;

/**
 * Recognizes an exception by its marks: `instanceof` knows only those of its own copy, and an app
 * may hold several (langchainjs issue #6374).
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

/** Makes the error for wrong use of toolmend. It is for the programmer, never for a model. */
export function wrongUse(message: string): TypeError {
  return new TypeError(message);
}
