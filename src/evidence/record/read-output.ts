import { isJsonObject } from "../../repair/json.ts";
import { findSchemaFault } from "../../repair/schema/part.ts";
import type { ToolLike } from "../../repair/types.ts";
import { isTooDeep } from "../read-log.ts";
import {
  asFields,
  asRows,
  firstText,
  type LooseFields,
  type OutputCall,
  plainFields,
  plainItems,
} from "./read-export.ts";

/** What a provider says where the output reached its limit. */
const CUT_OFF: readonly unknown[] = ["length", "max_tokens", "MAX_TOKENS"];

/**
 * Reads the calls that a model's output makes: LangChain's messages, serialized
 * or not, OpenAI's completions, Anthropic's messages, and OpenTelemetry's. Text
 * within it is text, also where it is the JSON of a call.
 */
export function readOutputCalls(output: unknown): readonly OutputCall[] {
  const message = unwrapMessage(asFields(output));
  if (isOfOthers(message)) return [];
  const truncated = endsEarly(message);
  const calls = callsOf(message).map((call) => ({ ...call, truncated }));
  const parts = [message.messages, message.choices, message.generations]
    .flatMap(plainItems)
    .flat();
  if (message.message !== undefined) parts.unshift(message);
  for (const part of parts) calls.push(...callsInPart(plainFields(part)));
  return calls;
}

/** A part may hold its message, and say beside it why the output ended. */
function callsInPart(part: LooseFields): readonly OutputCall[] {
  const calls = readOutputCalls(plainFields(part.message ?? part));
  return endsEarly(part)
    ? calls.map((call) => ({ ...call, truncated: true }))
    : calls;
}

/**
 * LangChain serializes a message as a constructor with its arguments, or as its
 * type with its data.
 */
function unwrapMessage(message: LooseFields): LooseFields {
  const { lc, id, kwargs, data, type } = message;
  if (lc !== undefined) {
    const constructorName = String(plainItems(id).at(-1));
    return constructorName.startsWith("AIMessage")
      ? plainFields(kwargs)
      : { role: "other" };
  }
  if (data === undefined || typeof type !== "string") return message;
  return { ...plainFields(data), type };
}

const OTHERS = [
  "user",
  "human",
  "system",
  "developer",
  "tool",
  "function",
  "other",
];

/**
 * Whether a message is not the model's: an output may hold the history as well
 * as the answer.
 */
function isOfOthers({ role, type }: LooseFields): boolean {
  return OTHERS.includes(String(role ?? type));
}

function endsEarly(fields: LooseFields): boolean {
  const places = [fields.response_metadata, fields.generationInfo].map(
    plainFields,
  );
  const reasons = [fields, ...places].flatMap((place) => [
    place.finish_reason,
    place.stop_reason,
    place.finishReason,
  ]);
  return reasons.some((reason) => CUT_OFF.includes(reason));
}

type BareCall = Omit<OutputCall, "truncated">;

/**
 * Reads the calls of one message; where their text was kept, as text: it is
 * what the model wrote, digits and all.
 */
function callsOf(message: LooseFields): readonly BareCall[] {
  const texts = readCalls(plainFields(message.additional_kwargs).tool_calls);
  const calls = readCalls(message.tool_calls, message.invalid_tool_calls);
  if (calls.length > 0)
    return calls.map(
      (call) => texts.find((text) => isSameId(text, call)) ?? call,
    );
  const inContent = readCalls(message.content, message.parts);
  return inContent.length > 0 ? inContent : texts;
}

function isSameId(text: BareCall, call: BareCall): boolean {
  return text.id !== undefined && text.id === call.id;
}

function readCalls(...lists: readonly unknown[]): readonly BareCall[] {
  return lists
    .flatMap(plainItems)
    .flatMap((item) => readCall(plainFields(item)));
}

const CALL_TYPES: readonly unknown[] = [
  undefined,
  "function",
  "tool_call",
  "tool_use",
  "invalid_tool_call",
];

/** Reads an item as a call; none, where it is something else. */
function readCall(item: LooseFields): readonly BareCall[] {
  if (!CALL_TYPES.includes(item.type)) return [];
  // OpenInference puts a whole call into an item.
  if (isJsonObject(item.tool_call))
    return readCall({ id: item.id, ...item.tool_call });
  const call = plainFields(
    item.function ?? item.functionCall ?? item.toolUse ?? item,
  );
  const name = firstText(call.name);
  if (name === undefined) return [];
  const args = [call.arguments, call.args, call.input].find(
    (value) => value !== undefined,
  );
  return [{ name, args, id: firstText(item.id, call.id, call.toolUseId) }];
}

/** Reads the tools that a model was offered, in any provider's form. */
export function readOfferedTools(offered: unknown): readonly ToolLike[] {
  return asRows(offered).flatMap((fields) => {
    const { functionDeclarations: declared } = fields;
    if (declared === undefined) return toOfferedTool(fields);
    return asRows(declared).flatMap((tool) => toOfferedTool(tool));
  });
}

/**
 * Takes a definition as a tool; one that is a schema alone is given its name.
 */
export function toOfferedTool(
  fields: LooseFields,
  nameBeside?: string,
): readonly ToolLike[] {
  const definition = asFields(
    [fields.function, fields.toolSpec].find(isJsonObject) ?? fields,
  );
  const schema = schemaIn(definition);
  const name = nameBeside ?? firstText(definition.name);
  if (name === undefined || schema === undefined || isTooDeep(schema))
    return [];
  const description = firstText(definition.description);
  return uniqueTool({
    name,
    ...(description !== undefined && { description }),
    schema,
  });
}

function schemaIn(definition: LooseFields): LooseFields | undefined {
  const {
    parameters,
    parametersJsonSchema,
    input_schema,
    inputSchema,
    schema,
  } = definition;
  const ofBedrock = asFields(inputSchema).json;
  const places = [
    parameters,
    parametersJsonSchema,
    input_schema,
    ofBedrock,
    inputSchema,
    schema,
  ];
  return places.map(asFields).find((fields) => Object.keys(fields).length > 0);
}

/** Tools of the same JSON are one object, so that a schema is compiled once. */
const knownTools = new Map<string, ToolLike>();

/** How many are remembered. */
const MOST = 2_000;

function uniqueTool(tool: ToolLike): readonly ToolLike[] {
  const key = JSON.stringify(tool);
  const known = knownTools.get(key);
  if (known !== undefined) return [known];
  const schema = withSmallTypes(tool.schema);
  if (findSchemaFault(schema) !== undefined) return [];
  const unique = { ...tool, schema };
  if (knownTools.size >= MOST) knownTools.clear();
  knownTools.set(key, unique);
  return [unique];
}

/** Google's SDKs write types in capitals. */
function withSmallTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSmallTypes);
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).map(([key, part]) => {
    const isType =
      key === "type" && typeof part === "string" && /^[A-Z]+$/.test(part);
    return [key, isType ? part.toLowerCase() : withSmallTypes(part)];
  });
  return Object.fromEntries(entries);
}
