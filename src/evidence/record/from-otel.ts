import { isJsonObject } from "../../repair/json/json-value.ts";
import type { ToolLike } from "../../repair/types.ts";
import {
  asFields,
  asItems,
  firstText,
  type LooseFields,
  type ReadExport,
  type RecordedCall,
} from "./read-export.ts";
import { readOfferedTools, toOfferedTool } from "./read-offered-tools.ts";
import { readOutputCalls } from "./read-output-calls.ts";

/**
 * Reads the calls in OTLP's JSON, as a collector's file exporter writes it, `{ "resourceSpans": … }`
 * or `{ "resourceLogs": … }`; in what Tempo returns, `{ "batches": … }`; and in spans as Phoenix
 * exports them. Known are the attributes of OpenTelemetry's GenAI conventions, of OpenInference, of
 * OpenLLMetry and of the AI SDK.
 */
export const fromOtel: ReadExport = (entry) => {
  const { trace, context, ...own } = asFields(entry);
  if (context !== undefined) return spanCalls(phoenixSpan(own, asFields(context)));
  const { resourceSpans, batches, resourceLogs } = { ...own, ...asFields(trace) };
  return [resourceSpans, batches, resourceLogs].flatMap(asItems).flatMap((resource) => {
    const { scopeSpans, instrumentationLibrarySpans, scopeLogs } = asFields(resource);
    return asItems(scopeSpans ?? instrumentationLibrarySpans ?? scopeLogs).flatMap((scope) => {
      const { spans, logRecords } = asFields(scope);
      const found = [
        ...asItems(spans).map((one) => toSpan(asFields(one))),
        ...asItems(logRecords).map((one) => logSpan(asFields(one))),
      ];
      return found.flatMap(spanCalls);
    });
  });
};

/** What is read of a span, its attributes by their flat names. */
function toSpan(span: LooseFields) {
  return {
    attributes: readAttributes(span.attributes),
    events: asItems(span.events).map((one) => readAttributes(asFields(one).attributes)),
    trace: span.traceId,
    time: Number(span.endTimeUnixNano ?? span.startTimeUnixNano) / 1e6,
  };
}

type Span = ReturnType<typeof toSpan>;

/** A log record is an event of the GenAI conventions: its body holds what its attributes do not. */
function logSpan({ body, timeUnixNano, observedTimeUnixNano, ...record }: LooseFields): Span {
  const content = asFields(readAnyValue(body));
  const choice = asItems(content.tool_calls).length > 0 ? { message: content } : content;
  const events = choice.message === undefined ? [] : [{ "gen_ai.choice": choice }];
  const endTimeUnixNano = Number(timeUnixNano ?? 0) || observedTimeUnixNano;
  return { ...toSpan({ ...record, endTimeUnixNano }), events };
}

/** Phoenix has attributes as an object, nested or flat, and times as text. */
function phoenixSpan(span: LooseFields, { trace_id: trace }: LooseFields): Span {
  const attributes: Record<string, unknown> = {};
  const flatten = (value: unknown, name: string): void => {
    if (value === null || typeof value !== "object") attributes[name] = value;
    else for (const [key, one] of Object.entries(value)) flatten(one, `${name}.${key}`);
  };
  for (const [key, value] of Object.entries(asFields(span.attributes))) flatten(value, key);
  return {
    attributes,
    events: [],
    trace,
    time: Date.parse(String(span.end_time ?? span.start_time)),
  };
}

function spanCalls({ attributes, events, trace, time }: Span): readonly RecordedCall[] {
  const origin = {
    model: firstText(...allOf(attributes, NAMES.model)),
    provider: firstText(...allOf(attributes, NAMES.provider)),
    run: firstText(trace),
    thread: firstText(...allOf(attributes, NAMES.thread)),
    time: Math.floor(time),
  };
  if (!Number.isFinite(time)) return [];
  const isTool = NAMES.isTool.some(([name, value]) => attributes[name] === value);
  const name = firstText(...allOf(attributes, NAMES.tool));
  const args = allOf(attributes, NAMES.args).find((one) => one !== undefined && one !== null);
  if (isTool && name !== undefined && args !== undefined) {
    const id = firstText(attributes["gen_ai.tool.call.id"]);
    return [{ ...origin, name, args, id, tools: [], truncated: false, isRun: true }];
  }
  const all = [attributes, ...events];
  const tools = all.map((one) => readFirst(TOOLS, one)).find((list) => list.length > 0) ?? [];
  const outputs = all.flatMap((one) => readFirst(OUTPUTS, one));
  const calls = outputs.flatMap(readOutputCalls);
  return calls.map((call) => ({ ...origin, ...call, tools, isRun: false }));
}

/** The first that finds something: two conventions in one span say the same. */
function readFirst<Item>(reads: Reads<Item>, attributes: LooseFields): readonly Item[] {
  for (const read of reads) {
    const found = read(attributes);
    if (found.length > 0) return found;
  }
  return [];
}

/** The attributes that say one thing, the first that is there. */
const NAMES = {
  model: ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "ai.model.id"],
  provider: [
    "gen_ai.provider.name",
    "gen_ai.system",
    "llm.provider",
    "llm.system",
    "ai.model.provider",
  ],
  thread: ["gen_ai.conversation.id", "session.id", "traceloop.association.properties.thread_id"],
  isTool: [
    ["gen_ai.operation.name", "execute_tool"],
    ["openinference.span.kind", "TOOL"],
    ["traceloop.span.kind", "tool"],
  ],
  tool: ["gen_ai.tool.name", "tool.name", "traceloop.entity.name"],
  args: ["gen_ai.tool.call.arguments", "input.value", "traceloop.entity.input"],
} as const;

function allOf(attributes: LooseFields, names: readonly string[]): readonly unknown[] {
  return names.map((name) => attributes[name]);
}

type Reads<Item> = readonly ((attributes: LooseFields) => readonly Item[])[];

/** What a model put out, as messages: by OpenTelemetry, OpenInference, OpenLLMetry, the AI SDK, an event. */
const OUTPUTS: Reads<unknown> = [
  (attributes) => asItems(attributes["gen_ai.output.messages"]),
  (attributes) =>
    itemsAt(attributes, "llm.output_messages").map((one) => {
      const { tool_calls, ...message } = asFields(asFields(one).message);
      const calls = numberedItems(tool_calls).map((call) => asFields(call).tool_call);
      return { ...message, tool_calls: calls };
    }),
  (attributes) =>
    itemsAt(attributes, "gen_ai.completion").map((one) => {
      const { tool_calls, ...message } = asFields(one);
      return { ...message, content: undefined, tool_calls: numberedItems(tool_calls) };
    }),
  ({ "ai.response.toolCalls": calls }) =>
    calls === undefined
      ? []
      : [{ tool_calls: asItems(calls).map((call) => ({ ...asFields(call), type: undefined })) }],
  ({ "gen_ai.choice": choice, message }) =>
    (choice ?? message) === undefined ? [] : [{ message: asFields(choice ?? message) }],
];

/** The tools that it was offered. */
const TOOLS: Reads<ToolLike> = [
  (attributes) => readOfferedTools(attributes["gen_ai.tool.definitions"]),
  (attributes) =>
    itemsAt(attributes, "llm.tools").flatMap((one) => {
      const { json_schema, name } = asFields(asFields(one).tool);
      const definition = asFields(json_schema);
      const whole = toOfferedTool(definition);
      // Some providers' definitions are the schema alone.
      return whole.length > 0 ? whole : toOfferedTool({ schema: definition }, firstText(name));
    }),
  (attributes) =>
    itemsAt(attributes, "llm.request.functions").flatMap((one) => toOfferedTool(asFields(one))),
  (attributes) => readOfferedTools(asItems(attributes["ai.prompt.tools"]).map(asFields)),
  (attributes) => readOfferedTools(asFields(attributes["llm.invocation_parameters"]).tools),
];

function readAttributes(list: unknown): LooseFields {
  const entries = asItems(list).map(asFields);
  return Object.fromEntries(entries.map(({ key, value }) => [String(key), readAnyValue(value)]));
}

/** OTLP's AnyValue. */
function readAnyValue(value: unknown): unknown {
  const fields = asFields(value);
  if (fields.arrayValue !== undefined)
    return asItems(asFields(fields.arrayValue).values).map(readAnyValue);
  if (fields.kvlistValue !== undefined) return readAttributes(asFields(fields.kvlistValue).values);
  if (fields.intValue !== undefined) return Number(fields.intValue);
  return fields.stringValue ?? fields.boolValue ?? fields.doubleValue;
}

/** The items of a list at a name, which the conventions write as flat names: `a.0.b` and `a.1.b`. */
function itemsAt(attributes: LooseFields, name: string): readonly unknown[] {
  const below = Object.entries(attributes)
    .filter(([key]) => key.startsWith(`${name}.`))
    .map(([key, value]): Flat => [key.slice(name.length + 1).split("."), value]);
  return numberedItems(below.length === 0 ? attributes[name] : toNested(below));
}

type Flat = readonly [path: readonly string[], value: unknown];

/** What is below a name counts before a value of its own. */
function toNested(flat: readonly Flat[]): unknown {
  const inner = flat.filter(([path]) => path.length > 0);
  if (inner.length === 0) return flat.at(-1)?.[1];
  const parts = new Map<string, Flat[]>();
  for (const [[key = "", ...path], value] of inner) {
    const part = parts.get(key) ?? [];
    part.push([path, value]);
    parts.set(key, part);
  }
  const nested = Object.fromEntries([...parts].map(([key, part]) => [key, toNested(part)]));
  return [...parts.keys()].every((key) => /^\d+$/.test(key)) ? numberedItems(nested) : nested;
}

/** The values of an object whose keys are numbers come in their order. */
function numberedItems(place: unknown): readonly unknown[] {
  if (!isJsonObject(place)) return asItems(place);
  const numbered = Object.entries(place).filter(([key]) => /^\d+$/.test(key));
  return numbered.map(([, value]) => value);
}
