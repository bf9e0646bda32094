import { asFields, firstText, type LooseFields, plainFields, plainItems } from "./read-export.ts";

/** A call as a message has it. */
export interface WrittenCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string | undefined;
  readonly truncated: boolean;
}

/** What a provider says where the output reached its limit. */
const CUT_OFF: ReadonlySet<unknown> = new Set([
  "length",
  "max_tokens",
  "MAX_TOKENS",
  "max_output_tokens",
]);

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
    ...plainItems(message.generations).flatMap((one) => (Array.isArray(one) ? one : [one])),
    ...plainItems(message.output),
  ];
  const truncated = endsEarly(message);
  const nested = inner.flatMap((one) => {
    const fields = plainFields(one);
    const calls = readOutputCalls(plainFields(fields.message ?? fields));
    return endsEarly(fields) ? calls.map((call) => ({ ...call, truncated: true })) : calls;
  });
  const own = ownCalls(message).map((call) => ({ ...call, truncated }));
  return [...own, ...nested];
}

/** LangChain serializes a message as a constructor with its arguments, or as its type with its data. */
function unwrapMessage(message: LooseFields): LooseFields {
  if (message.lc !== undefined) {
    const kind = plainItems(message.id).at(-1);
    const isModels = typeof kind === "string" && kind.startsWith("AIMessage");
    return isModels ? plainFields(message.kwargs) : { role: "other" };
  }
  return message.data !== undefined && typeof message.type === "string"
    ? { ...plainFields(message.data), type: message.type }
    : message;
}

/** Whether somebody else than the model wrote it: a history lies beside the answer. */
function isOfOthers({ role, type }: LooseFields): boolean {
  const others = ["user", "human", "system", "developer", "tool", "function", "other"];
  return (
    others.includes(String(role ?? "")) ||
    (role === undefined && others.includes(String(type ?? "")))
  );
}

function endsEarly(fields: LooseFields): boolean {
  const places = [
    fields,
    plainFields(fields.response_metadata),
    plainFields(fields.generationInfo),
    plainFields(fields.generation_info),
    plainFields(fields.incomplete_details),
  ];
  return places.some(({ finish_reason, stop_reason, finishReason, reason }) =>
    [finish_reason, stop_reason, finishReason, reason].some((one) => CUT_OFF.has(one)),
  );
}

type BareCall = Omit<WrittenCall, "truncated">;

/** What is written as text comes first: it is what the model wrote, digits and all. */
function ownCalls(message: LooseFields): readonly BareCall[] {
  const parsed = [
    ...plainItems(message.tool_calls),
    ...plainItems(message.invalid_tool_calls),
  ].flatMap(callIn);
  const blocks = [...plainItems(message.content), ...plainItems(message.parts)].flatMap(callIn);
  const texts = plainItems(plainFields(message.additional_kwargs).tool_calls).flatMap(callIn);
  const itself = message.type === "function_call" ? callIn(message) : [];
  const [calls = []] = [parsed, blocks, texts].filter((one) => one.length > 0);
  const written = calls.map(
    (call) => texts.find(({ id }) => id !== undefined && id === call.id) ?? call,
  );
  return [...written, ...itself];
}

function callIn(value: unknown): readonly BareCall[] {
  const fields = plainFields(value);
  const { type } = fields;
  if (type !== undefined && !CALL_TYPES.has(type)) return [];
  const inner = plainFields(
    fields.function ?? fields.functionCall ?? fields.toolUse ?? fields.tool_call ?? fields,
  );
  const name = firstText(inner.name, inner.toolName);
  if (name === undefined) return [];
  const args = [inner.arguments, inner.args, inner.input].find((one) => one !== undefined);
  const id = firstText(fields.id, fields.call_id, fields.toolCallId, inner.id, inner.toolUseId);
  // An item of OpenAI's responses has an id of its own, and one of the call.
  return [{ name, args, id: type === "function_call" ? firstText(fields.call_id, id) : id }];
}

const CALL_TYPES: ReadonlySet<unknown> = new Set([
  "function",
  "function_call",
  "tool_call",
  "tool-call",
  "tool_use",
  "invalid_tool_call",
]);
