import { limitsOf, type RepairOptions } from "./options.ts";
import { isContainer, parseExactly } from "./read/parse-exactly.ts";
import type { CompiledSchema, Validation } from "./schema/compiled-schema.ts";

/** What was found of an input before anything is repaired. */
export interface AsGiven {
  /** The input; where `isParsed`, what `JSON.parse` makes of its text, `undefined` for no JSON. */
  readonly value: unknown;
  readonly isParsed: boolean;
  /** What the schema says of the value; `undefined` where it was not asked. */
  readonly validation?: Validation;
}

/**
 * Asks the schema about an input as it was given, and about the value of text that is plain JSON. This
 * is all that an input needs that is right as it stands.
 *
 * @param raw What the model wrote.
 * @param schema The tool's schema, compiled.
 * @param options The limits.
 * @returns A promise only where the schema gives one.
 */
export function validateAsGiven(
  raw: unknown,
  schema: CompiledSchema,
  options: RepairOptions,
): AsGiven | Promise<AsGiven> {
  const { truncated = false, parsed = false } = options;
  const isText = typeof raw === "string" && !schema.takesString;
  if (truncated || (isText && parsed && !schema.isOpen)) return { value: raw, isParsed: false };
  if (!isText || parsed) return withVerdict(raw, false, schema);
  options.signal?.throwIfAborted();
  if (raw.length > limitsOf(options).maxLength) return { value: raw, isParsed: false };
  const value = parseExactly(raw.trim());
  return isContainer(value) && !MAY_LOSE_DIGITS.test(raw)
    ? withVerdict(value, true, schema)
    : { value, isParsed: true };
}

/** Where a number may have more digits than a double holds. */
const MAY_LOSE_DIGITS = /\d[\d._]{15}|\d[eE]/;

function withVerdict(
  value: unknown,
  isParsed: boolean,
  { validate }: CompiledSchema,
): AsGiven | Promise<AsGiven> {
  const asked = validate(value);
  return asked instanceof Promise
    ? asked.then((validation) => ({ value, isParsed, validation }))
    : { value, isParsed, validation: asked };
}
