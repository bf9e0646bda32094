/** What tells the exceptions of every copy from other errors. */
interface Likeness {
  /** The brand that the source patches put on it. */
  readonly brand: symbol;
  readonly className: string;
  /** Properties that LangChain sets on each. */
  readonly fields: readonly string[];
  readonly message?: string;
}

/** The exceptions that LangChain tells from others with `instanceof`, by name. */
export const EXCEPTIONS: Readonly<Record<string, Likeness>> = {
  ToolInputParsingException: {
    brand: Symbol.for("langchain.error.tool-input-parsing"),
    className: "ToolInputParsingException",
    fields: ["output"],
    message: "Received tool input did not match expected schema",
  },
  OutputParserException: {
    brand: Symbol.for("langchain.error.output-parser"),
    className: "OutputParserException",
    fields: ["llmOutput", "sendToLLM"],
  },
};

type HasInstance = (this: unknown, value: unknown) => boolean;

/**
 * Makes `Symbol.hasInstance` of an exception class, which takes the exceptions of every copy. A
 * subclass, which inherits it, still knows only its own.
 *
 * @param exception The class.
 * @param likeness What its exceptions are like.
 * @returns What makes it of the original.
 */
export function hookInstanceof(
  exception: unknown,
  likeness: Likeness,
): (original: HasInstance) => HasInstance {
  return (original) =>
    function hasInstance(value) {
      return original.call(this, value) || (this === exception && isLike(value, likeness));
    };
}

/** By what it is, not by `instanceof`, which comes here. */
function isLike(value: unknown, { brand, className, fields, message }: Likeness): boolean {
  if (value === null || typeof value !== "object") return false;
  const error = value as { readonly [key: PropertyKey]: unknown; readonly message?: unknown };
  if (error[brand] === true) return true;
  if (typeof error.message !== "string" || !fields.every((field) => Object.hasOwn(error, field))) {
    return false;
  }
  return (
    hasClassNamed(error, className) || (message !== undefined && error.message.startsWith(message))
  );
}

function hasClassNamed(error: object, className: string): boolean {
  for (let proto = Object.getPrototypeOf(error); proto; proto = Object.getPrototypeOf(proto)) {
    if (proto.constructor?.name === className) return true;
  }
  return false;
}
