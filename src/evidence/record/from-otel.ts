import type { ToolLike } from "../../repair/types.ts";
import {
  asFields,
  asItems,
  firstText,
  type LooseFields,
  plainFields,
  type ReadExport,
  type RecordedCall,
  toRecordedCalls,
} from "./read-export.ts";
import { readOfferedTools, readOutputCalls, toOfferedTool } from "./read-output.ts";

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
  const resources = [resourceSpans, batches, resourceLogs].flatMap(asItems).map(asFields);
  const scopes = resources.flatMap(({ scopeSpans, instrumentationLibrarySpans, scopeLogs }) =>
    asItems(scopeSpans ?? instrumentationLibrarySpans ?? scopeLogs).map(asFields),
  );
  return scopes.flatMap(({ spans, logRecords }) =>
    [
      ...asItems(spans).map((one) => toSpan(asFields(one))),
      ...asItems(logRecords).map((one) => logSpan(asFields(one))),
    ].flatMap(spanCalls),
  );
};

type Span = ReturnType<typeof toSpan>;

/** What is read of a span: attributes by the parts of their names, and the time in milliseconds since 1970. */
function toSpan(span: LooseFields) {
  return {
    attributes: nest(readAttributes(span.attributes)),
    events: asItems(span.events).map((one) => nest(readAttributes(asFields(one).attributes))),
    trace: span.traceId,
    time: Number(span.endTimeUnixNano ?? span.startTimeUnixNano) / 1e6,
  };
}

/** A log record is an event of the GenAI conventions: its body holds what its attributes do not. */
function logSpan({ body, timeUnixNano, observedTimeUnixNano, ...record }: LooseFields): Span {
  const content = asFields(readAnyValue(body));
  const choice = asItems(content.tool_calls).length > 0 ? { message: content } : content;
  const events = choice.message === undefined ? [] : [{ gen_ai: { choice } }];
  const endTimeUnixNano = Number(timeUnixNano ?? 0) || observedTimeUnixNano;
  return { ...toSpan({ ...record, endTimeUnixNano }), events };
}

/** Phoenix has attributes as an object, nested or flat, and times as text. */
function phoenixSpan(span: LooseFields, { trace_id: trace }: LooseFields): Span {
  const time = Date.parse(String(span.end_time ?? span.start_time));
  return { attributes: nest(asFields(span.attributes)), events: [], trace, time };
}

function spanCalls({ attributes, events, trace, time }: Span): readonly RecordedCall[] {
  const named = (names: readonly string[]) => names.map((name) => valueAt(attributes, name));
  const isTool = IS_TOOL.some(([name, value]) => valueAt(attributes, name) === value);
  const name = firstText(...named(NAMES.tool));
  const args = named(NAMES.args).find((one) => one !== undefined && one !== null);
  const all = [attributes, ...events];
  return toRecordedCalls({
    origin: {
      model: firstText(...named(NAMES.model)),
      provider: firstText(...named(NAMES.provider)),
      run: firstText(trace),
      thread: firstText(...named(NAMES.thread)),
      time: Math.floor(time),
    },
    ran:
      isTool && name !== undefined && args !== undefined
        ? { name, args, id: firstText(valueAt(attributes, "gen_ai.tool.call.id")) }
        : undefined,
    written: all.flatMap((one) => readFirst(OUTPUTS, one)).flatMap(readOutputCalls),
    offered: all.map((one) => readFirst(TOOLS, one)),
  });
}

/** The attributes that say one thing: the first that is there counts. */
const NAMES = {
  model: ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name", "ai.model.id"],
  provider: [
    ...["gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system"],
    "ai.model.provider",
  ],
  thread: ["gen_ai.conversation.id", "session.id", "traceloop.association.properties.thread_id"],
  tool: ["gen_ai.tool.name", "tool.name", "traceloop.entity.name"],
  args: ["gen_ai.tool.call.arguments", "input.value", "traceloop.entity.input"],
} as const;

/** What the span of a tool says. */
const IS_TOOL = [
  ["gen_ai.operation.name", "execute_tool"],
  ["openinference.span.kind", "TOOL"],
  ["traceloop.span.kind", "tool"],
] as const;

/** Reads what one convention has at a name. */
type Reads<Item> = readonly (readonly [name: string, read: (value: unknown) => readonly Item[]])[];

/** What a model put out, as messages: by OpenTelemetry, OpenInference, OpenLLMetry, the AI SDK, an event. */
const OUTPUTS: Reads<unknown> = [
  ["gen_ai.output.messages", asItems],
  ["llm.output_messages", asItems],
  ["gen_ai.completion", asItems],
  ["ai.response.toolCalls", (calls) => [{ tool_calls: asItems(calls).map(asFields) }]],
  ["gen_ai.choice", (choice) => [choice]],
  ["message", (message) => [message]],
];

/** The tools that it was offered. */
const TOOLS: Reads<ToolLike> = [
  ["gen_ai.tool.definitions", readOfferedTools],
  [
    "llm.tools",
    (list) =>
      asItems(list).flatMap((one) => {
        const { json_schema, name } = asFields(asFields(one).tool);
        const definition = asFields(json_schema);
        const whole = toOfferedTool(definition);
        // Some providers' definitions are the schema alone.
        return whole.length > 0 ? whole : toOfferedTool({ schema: definition }, firstText(name));
      }),
  ],
  ["llm.request.functions", readOfferedTools],
  ["ai.prompt.tools", readOfferedTools],
  ["llm.invocation_parameters", (parameters) => readOfferedTools(asFields(parameters).tools)],
];

/** The first that finds something: two conventions in one span say the same. */
function readFirst<Item>(reads: Reads<Item>, attributes: LooseFields): readonly Item[] {
  for (const [name, read] of reads) {
    const value = valueAt(attributes, name);
    const found = value === undefined ? [] : read(value);
    if (found.length > 0) return found;
  }
  return [];
}

function readAttributes(list: unknown): LooseFields {
  const entries = asItems(list).map(asFields);
  return Object.fromEntries(entries.map(({ key, value }) => [String(key), readAnyValue(value)]));
}

/** OTLP's AnyValue. */
function readAnyValue(value: unknown): unknown {
  const { arrayValue, kvlistValue, intValue, ...scalar } = asFields(value);
  if (arrayValue !== undefined) return asItems(asFields(arrayValue).values).map(readAnyValue);
  if (kvlistValue !== undefined) return readAttributes(asFields(kvlistValue).values);
  if (intValue !== undefined) return Number(intValue);
  return scalar.stringValue ?? scalar.boolValue ?? scalar.doubleValue;
}

type Flat = readonly [path: readonly string[], value: unknown];

/** Puts attributes below the parts of their names: `a.0.b` and `a.1.b` are two items of a list. */
function nest(attributes: LooseFields): LooseFields {
  const flat = Object.entries(attributes).map(([name, one]): Flat => [name.split("."), one]);
  return plainFields(toNested(flat));
}

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
  return [...parts.keys()].every((key) => /^\d+$/.test(key)) ? Object.values(nested) : nested;
}

function valueAt(attributes: LooseFields, name: string): unknown {
  return name.split(".").reduce<unknown>((at, key) => plainFields(at)[key], attributes);
}
