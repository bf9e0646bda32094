import { isJsonObject } from "../../repair/json/json-value.ts";
import { findSchemaFault } from "../../repair/schema/keywords.ts";
import type { ToolLike } from "../../repair/types.ts";
import { asFields, asItems, firstText, isTooDeep, type LooseFields } from "./read-export.ts";

/** Tools of the same JSON are one object, so that a schema is compiled once. */
const known = new Map<string, ToolLike>();

/** How many are remembered. */
const MOST = 2_000;

/** Reads the tools that a model was offered, in the form of whichever provider. */
export function readOfferedTools(offered: unknown): readonly ToolLike[] {
  return asItems(offered).flatMap((one) => {
    const fields = asFields(one);
    const declared = fields.functionDeclarations ?? fields.function_declarations;
    return declared === undefined
      ? toOfferedTool(fields)
      : asItems(declared).flatMap((inner) => toOfferedTool(asFields(inner)));
  });
}

/** Takes a definition as a tool. */
export function toOfferedTool(fields: LooseFields, named?: string): readonly ToolLike[] {
  const inner = [fields.function, fields.toolSpec].find(isJsonObject);
  const { name, description, ...rest } = asFields(inner ?? fields);
  const bedrock = asFields(rest.inputSchema).json;
  const schema = [
    rest.parameters,
    rest.parametersJsonSchema,
    rest.input_schema,
    bedrock,
    rest.inputSchema,
    rest.schema,
  ]
    .map(asFields)
    .find((one) => Object.keys(one).length > 0);
  const tool = named ?? firstText(name);
  if (tool === undefined || schema === undefined || isTooDeep(schema)) return [];
  const key = JSON.stringify([tool, description, schema]);
  const found = known.get(key);
  if (found !== undefined) return [found];
  if (known.size >= MOST) known.clear();
  const plain = withSmallTypes(schema);
  if (findSchemaFault(plain) !== undefined) return [];
  const made = {
    name: tool,
    ...(typeof description === "string" ? { description } : {}),
    schema: plain,
  };
  known.set(key, made);
  return [made];
}

/** Google's SDKs write types in capitals. */
function withSmallTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSmallTypes);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) =>
    key === "type" && typeof value === "string" && /^[A-Z]+$/.test(value)
      ? [key, value.toLowerCase()]
      : [key, withSmallTypes(value)],
  );
  return Object.fromEntries(entries);
}
