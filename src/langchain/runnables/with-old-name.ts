/**
 * Keeps the name that a field had before: it can be read, but is neither printed, copied nor compared.
 *
 * @param record The record.
 * @param old The name that the field had.
 * @param name The name that it has.
 * @returns The record itself.
 */
export function withOldName<Fields extends object, Name extends keyof Fields, Old extends string>(
  record: Fields,
  old: Old,
  name: Name,
): Fields & { readonly [Key in Old]: Fields[Name] } {
  Object.defineProperty(record, old, { get: () => record[name], configurable: true });
  return record as Fields & { readonly [Key in Old]: Fields[Name] };
}
