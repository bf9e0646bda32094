import type { JsonValue, Repair } from "./types.ts";

/** How a text was cut off. */
export type Truncation =
  /** Inside a string, number or word, or where a value must follow. Never completed. */
  | "inside-value"
  /** After a complete value: only closing brackets are missing. */
  | "closing-brackets";

/** What a text turned out to be. */
export type ParsedToolInput =
  /** A value. Text that is no JSON at all is a string value, so that a fixer can take it. */
  | { readonly kind: "value"; readonly value: JsonValue; readonly repairs: readonly Repair[] }
  /** Text that ends too early. `completed` is the value with the closing brackets put in. */
  | { readonly kind: "truncated"; readonly where: Truncation; readonly completed?: JsonValue }
  /** Several values one after another: which one was meant is not known. */
  | { readonly kind: "several" };
