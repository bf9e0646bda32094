import { hasUndeclared } from "./has-undeclared.ts";
import type { CompiledSchema, Validation } from "./schema/compiled-schema.ts";
import type { JsonValue } from "./types.ts";

/** What is known of an input as it is. */
export interface CheckedAsIs {
  readonly accepted: boolean;
  /** What the schema says of it, where it was asked. */
  readonly checked?: Validation;
}

/**
 * Asks whether an input is right as it is: its schema accepts it, and declares all its keys.
 *
 * @param raw What the model wrote. Text that is to be parsed first is not right as it is.
 * @param schema The tool's schema.
 * @returns A promise only where the schema gives one.
 */
export function checkAsIs(
  raw: unknown,
  schema: CompiledSchema,
): CheckedAsIs | Promise<CheckedAsIs> {
  if (typeof raw === "string" && !schema.takesString && !schema.isOpen) return { accepted: false };
  const judge = (checked: Validation): CheckedAsIs => ({
    checked,
    accepted:
      checked.ok && !hasUndeclared({ toolInput: raw as JsonValue, parsed: checked.parsed }, schema),
  });
  const checked = schema.validate(raw);
  return checked instanceof Promise ? checked.then(judge) : judge(checked);
}
