import { isJsonObject } from "../../repair/json.ts";
import { findSchemaFault } from "../../repair/schema/part.ts";
import type { ToolLike } from "../../repair/types.ts";
import { isTooDeep } from "../read-log.ts";
import {
  asFields,
  asItems,
  firstText,
  type LooseFields,
  plainFields,
  plainItems,
  type RecordedCall,
} from "./read-export.ts";

/** A call as a message has it. */
type WrittenCall = Pick<RecordedCall, "name" | "args" | "id" | "truncated">;

/** What a provider says where the output reached its limit. */
const CUT_OFF: readonly unknown[] = ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens"];

/**
 * Reads the calls that a model's output makes: LangChain's messages, serialized or not, completions
 * and responses of OpenAI, Anthropic's messages, and OpenTelemetry's. Text within it is text, also
 * where it is the JSON of a call.
 */
export function readOutputCalls(output: unknown): readonly WrittenCall[] {
  const message = unwrapMessage(asFields(output));
  if (isOfOthers(message)) return [];
  const inner = [
    ...(message.message === undefined ? [] : [message]),
    ...plainItems(message.messages),
    ...plainItems(message.choices),
    ...plainItems(message.generations).flat(),
    ...plainItems(message.output),
  ];
  const truncated = endsEarly(message);
  const nested = inner.flatMap((one) => {
    const fields = plainFields(one);
    const calls = readOutputCalls(plainFields(fields.message ?? fields));
    return endsEarly(fields) ? calls.map((call) => ({ ...call, truncated: true })) : calls;
  });
  return [...ownCalls(message).map((call) => ({ ...call, truncated })), ...nested];
}

/** LangChain serializes a message as a constructor with its arguments, or as its type with its data. */
function unwrapMessage(message: LooseFields): LooseFields {
  if (message.lc !== undefined) {
    const isModels = String(plainItems(message.id).at(-1)).startsWith("AIMessage");
    return isModels ? plainFields(message.kwargs) : { role: "other" };
  }
  return message.data !== undefined && typeof message.type === "string"
    ? { ...plainFields(message.data), type: message.type }
    : message;
}

const OTHERS = ["user", "human", "system", "developer", "tool", "function", "other"];

/** Whether a message is not the model's: an output may hold the history as well as the answer. */
function isOfOthers({ role, type }: LooseFields): boolean {
  return OTHERS.includes(String(role ?? type ?? ""));
}

function endsEarly(fields: LooseFields): boolean {
  const { response_metadata, generationInfo, generation_info, incomplete_details } = fields;
  const places = [response_metadata, generationInfo, generation_info, incomplete_details];
  return [fields, ...places.map(plainFields)].some((place) =>
    [place.finish_reason, place.stop_reason, place.finishReason, place.reason].some((reason) =>
      CUT_OFF.includes(reason),
    ),
  );
}

type BareCall = Omit<WrittenCall, "truncated">;

/** What is written as text comes first: it is what the model wrote, digits and all. */
function ownCalls(message: LooseFields): readonly BareCall[] {
  const lists = [
    [message.tool_calls, message.invalid_tool_calls],
    [message.content, message.parts],
    [plainFields(message.additional_kwargs).tool_calls],
  ].map((places) => places.flatMap(plainItems).flatMap(callIn));
  const [, , texts = []] = lists;
  const calls = lists.find((list) => list.length > 0) ?? [];
  const written = calls.map(
    (call) => texts.find(({ id }) => id !== undefined && id === call.id) ?? call,
  );
  return [...written, ...(message.type === "function_call" ? callIn(message) : [])];
}

const CALL_TYPES: readonly unknown[] = [
  ...[undefined, "function", "function_call", "tool_call", "tool-call", "tool_use"],
  "invalid_tool_call",
];

function callIn(value: unknown): readonly BareCall[] {
  const fields = plainFields(value);
  const { type, function: named, functionCall, toolUse, tool_call } = fields;
  if (!CALL_TYPES.includes(type)) return [];
  // OpenInference puts a whole call into an item.
  if (isJsonObject(tool_call)) return callIn({ id: fields.id, ...tool_call });
  const inner = plainFields(named ?? functionCall ?? toolUse ?? fields);
  const name = firstText(inner.name, inner.toolName);
  if (name === undefined) return [];
  const args = [inner.arguments, inner.args, inner.input].find((one) => one !== undefined);
  const id = firstText(fields.id, fields.call_id, fields.toolCallId, inner.id, inner.toolUseId);
  // An item of OpenAI's responses has an id of its own, and one of the call.
  return [{ name, args, id: type === "function_call" ? firstText(fields.call_id, id) : id }];
}

/** Tools of the same JSON are one object, so that a schema is compiled once. */
const known = new Map<string, ToolLike>();

/** How many are remembered. */
const MOST = 2_000;

/** Reads the tools that a model was offered, in any provider's form. */
export function readOfferedTools(offered: unknown): readonly ToolLike[] {
  return asItems(offered).flatMap((one) => {
    const fields = asFields(one);
    const declared = fields.functionDeclarations ?? fields.function_declarations;
    const tools = declared === undefined ? [fields] : asItems(declared).map(asFields);
    return tools.flatMap((tool) => toOfferedTool(tool));
  });
}

/** Takes a definition as a tool; one that is a schema alone is given its name. */
export function toOfferedTool(fields: LooseFields, named?: string): readonly ToolLike[] {
  const definition = asFields([fields.function, fields.toolSpec].find(isJsonObject) ?? fields);
  const { description, parameters, parametersJsonSchema, input_schema, inputSchema } = definition;
  const bedrock = asFields(inputSchema).json;
  const schemas = [parameters, parametersJsonSchema, input_schema, bedrock, inputSchema];
  const schema = [...schemas, definition.schema]
    .map(asFields)
    .find((one) => Object.keys(one).length > 0);
  const name = named ?? firstText(definition.name);
  if (name === undefined || schema === undefined || isTooDeep(schema)) return [];
  const key = JSON.stringify([name, description, schema]);
  const found = known.get(key);
  if (found !== undefined) return [found];
  const plain = withSmallTypes(schema) as LooseFields;
  if (findSchemaFault(plain) !== undefined) return [];
  const tool = { name, ...(typeof description === "string" && { description }), schema: plain };
  if (known.size >= MOST) known.clear();
  known.set(key, tool);
  return [tool];
}

/** Google's SDKs write types in capitals. */
function withSmallTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSmallTypes);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, value]) => {
    const isType = key === "type" && typeof value === "string" && /^[A-Z]+$/.test(value);
    return [key, isType ? value.toLowerCase() : withSmallTypes(value)];
  });
  return Object.fromEntries(entries);
}
