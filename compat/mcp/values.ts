// Valid values for a JSON Schema, as a model would fill in a tool's fields.

/** What of JSON Schema the tools of the servers use. */
export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly format?: string;
  readonly minimum?: number;
}

/** What is written: the required fields, those and null for every other that rejects it, or all. */
export type Fields = "required" | "required and null" | "all";

/** An input for a tool, with the fields of its nested objects. With all fields, or the required ones, it is valid. */
export function inputFor(schema: FieldSchema, fields: Fields): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const required = schema.required ?? [];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (fields === "all" || required.includes(name)) input[name] = valueFor(field, fields);
    else if (fields === "required and null" && !acceptsNull(field)) input[name] = null;
  }
  return input;
}

function acceptsNull({ type, anyOf, oneOf }: FieldSchema): boolean {
  const branches = anyOf ?? oneOf;
  if (branches !== undefined) return branches.some(acceptsNull);
  return type === undefined || type === "null" || type.includes("null");
}

/** A value of a field: its lists have one element at least. */
function valueFor(schema: FieldSchema, fields: Fields): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const branch = (schema.anyOf ?? schema.oneOf)?.[0];
  if (branch !== undefined) return valueFor(branch, fields);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.[0];
  switch (type) {
    case "object":
      return inputFor(schema, fields);
    case "array":
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () =>
        valueFor(schema.items ?? {}, fields),
      );
    case "integer":
      return Math.max(schema.minimum ?? 0, 3);
    case "number":
      return Math.max(schema.minimum ?? 0, 2.5);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return schema.format === "uri" ? "https://example.com/a" : "main";
  }
}
