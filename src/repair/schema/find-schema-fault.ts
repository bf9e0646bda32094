import { NAMED_PARTS } from "./keywords.ts";

const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** Keywords whose value is a schema, or an array of schemas. */
const PLAIN = [
  "items",
  "additionalProperties",
  "prefixItems",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
];

/**
 * Finds what is plainly wrong with a JSON Schema, so that no input is blamed for it.
 *
 * @param schema The schema, or a part of one.
 * @param path Where the part stands, as a JSON Pointer. Default: the whole.
 * @returns What is wrong, and where; `undefined` for nothing.
 */
export function findSchemaFault(schema: unknown, path = ""): string | undefined {
  const at = path === "" ? "it" : path;
  if (typeof schema === "boolean" && path !== "") return undefined;
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) {
    return `${at} must be an object.`;
  }
  const keywords = schema as Record<string, unknown>;
  const types = [keywords.type ?? []].flat();
  const odd = types.find((type) => !TYPES.includes(type as string));
  if (odd !== undefined) {
    return `${path}/type is ${JSON.stringify(odd)}, which is none of ${TYPES.join(", ")}.`;
  }
  if (keywords.required !== undefined && !Array.isArray(keywords.required)) {
    return `${path}/required must be an array of names.`;
  }
  const parts = [
    ...NAMED_PARTS.flatMap((name) => partsOf(keywords[name], `${path}/${name}`)),
    ...PLAIN.flatMap((name) => {
      const value = keywords[name];
      if (value === undefined) return [];
      return Array.isArray(value)
        ? partsOf(value, `${path}/${name}`)
        : ([[`${path}/${name}`, value]] as const);
    }),
  ];
  for (const [place, part] of parts) {
    const fault = findSchemaFault(part, place);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function partsOf(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).map(([name, part]) => [`${path}/${name}`, part] as const);
}
