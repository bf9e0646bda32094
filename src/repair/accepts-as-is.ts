import { hasUndeclared } from "./has-undeclared.ts";
import type { CompiledSchema } from "./schema/compile-schema.ts";
import type { Validation } from "./schema/validation.ts";
import type { JsonValue } from "./types.ts";

/**
 * Asks whether an input is right as it is: its schema accepts it, and declares all its keys.
 *
 * @param raw What the model wrote. Text that is to be parsed first is not right as it is.
 * @param schema The tool's schema.
 * @returns A promise only where the schema gives one.
 */
export function acceptsAsIs(raw: unknown, schema: CompiledSchema): boolean | Promise<boolean> {
  if (typeof raw === "string" && !schema.takesString && !schema.isOpen) return false;
  const isRight = (validation: Validation) =>
    validation.ok &&
    !hasUndeclared({ toolInput: raw as JsonValue, parsed: validation.parsed }, schema);
  const validation = schema.validate(raw);
  return validation instanceof Promise ? validation.then(isRight) : isRight(validation);
}
