import { isDigits } from "../../repair/text.ts";
import type { ToolLike } from "../../repair/types.ts";
import { addTo } from "../grouping.ts";
import {
  asFields,
  asItems,
  asRows,
  firstText,
  type LooseFields,
  plainFields,
  type ReadExport,
  type RecordedCall,
  toRecordedCalls,
} from "./read-export.ts";
import {
  readOfferedTools,
  readOutputCalls,
  toOfferedTool,
} from "./read-output.ts";

/**
 * Reads the calls in OTLP's JSON, as a collector's file exporter writes it,
 * `{ "resourceSpans": … }`; in what Tempo returns, `{ "batches": … }`; and in
 * spans as Phoenix exports them. Known are the attributes of OpenTelemetry's
 * GenAI conventions, of OpenInference and of OpenLLMetry.
 */
export const fromOtel: ReadExport = (entry) => {
  const fields = asFields(entry);
  if (fields.context !== undefined) return spanCalls(phoenixSpan(fields));
  const { resourceSpans, batches } = { ...fields, ...asFields(fields.trace) };
  return [resourceSpans, batches]
    .flatMap(asRows)
    .flatMap(({ scopeSpans }) => asRows(scopeSpans))
    .flatMap(({ spans }) => asRows(spans))
    .flatMap((span) => spanCalls(otlpSpan(span)));
};

/**
 * What is read of a span: attributes by the parts of their names, and the time
 * in milliseconds since 1970.
 */
interface Span {
  readonly attributes: LooseFields;
  /** The attributes of its events. */
  readonly events: readonly LooseFields[];
  readonly trace: unknown;
  readonly time: number;
}

function otlpSpan(span: LooseFields): Span {
  const attributesOf = ({ attributes }: LooseFields) =>
    nest(readAttributes(attributes));
  return {
    attributes: attributesOf(span),
    events: asRows(span.events).map(attributesOf),
    trace: span.traceId,
    time: Number(span.endTimeUnixNano ?? span.startTimeUnixNano) / 1e6,
  };
}

/** Phoenix has attributes as an object, nested or flat, and times as text. */
function phoenixSpan(span: LooseFields): Span {
  return {
    attributes: nest(asFields(span.attributes)),
    events: [],
    trace: asFields(span.context).trace_id,
    time: Date.parse(String(span.end_time ?? span.start_time)),
  };
}

function spanCalls({
  attributes,
  events,
  trace,
  time,
}: Span): readonly RecordedCall[] {
  const textAt = (names: readonly string[]) =>
    firstText(...names.map((name) => valueAt(attributes, name)));
  const all = [attributes, ...events];
  return toRecordedCalls({
    origin: {
      model: textAt(NAMES.model),
      provider: textAt(NAMES.provider),
      run: firstText(trace),
      thread: textAt(NAMES.thread),
      time: Math.floor(time),
    },
    ran: callOfTool(attributes, textAt(NAMES.tool)),
    written: all
      .flatMap((fields) => readFirst(OUTPUTS, fields))
      .flatMap(readOutputCalls),
    offered: all.map((fields) => readFirst(TOOLS, fields)),
  });
}

/** Reads the call that a tool ran, if the span is a tool's. */
function callOfTool(attributes: LooseFields, name: string | undefined) {
  const isTool = IS_TOOL.some(
    ([key, value]) => valueAt(attributes, key) === value,
  );
  if (!isTool || name === undefined) return undefined;
  const values = NAMES.args.map((key) => valueAt(attributes, key));
  const args = values.find((value) => value !== undefined && value !== null);
  if (args === undefined) return undefined;
  return {
    name,
    args,
    id: firstText(valueAt(attributes, "gen_ai.tool.call.id")),
  };
}

/** The attributes that say one thing: the first that is there counts. */
const NAMES = {
  model: ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"],
  provider: [
    "gen_ai.provider.name",
    "gen_ai.system",
    "llm.provider",
    "llm.system",
  ],
  thread: [
    "gen_ai.conversation.id",
    "session.id",
    "traceloop.association.properties.thread_id",
  ],
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
type Reads<Item> = readonly (readonly [
  name: string,
  read: (value: unknown) => readonly Item[],
])[];

/**
 * What a model put out, as messages: by OpenTelemetry, OpenInference and
 * OpenLLMetry.
 */
const OUTPUTS: Reads<unknown> = [
  ["gen_ai.output.messages", asItems],
  ["llm.output_messages", asItems],
  ["gen_ai.completion", asItems],
];

/** The tools that it was offered. */
const TOOLS: Reads<ToolLike> = [
  ["gen_ai.tool.definitions", readOfferedTools],
  ["llm.tools", (list) => asRows(list).flatMap(toolOfOpenInference)],
  ["llm.request.functions", readOfferedTools],
  [
    "llm.invocation_parameters",
    (parameters) => readOfferedTools(asFields(parameters).tools),
  ],
];

/** Some providers' definitions are the schema alone. */
function toolOfOpenInference({ tool }: LooseFields): readonly ToolLike[] {
  const { json_schema, name } = asFields(tool);
  const definition = asFields(json_schema);
  const tools = toOfferedTool(definition);
  return tools.length > 0
    ? tools
    : toOfferedTool({ schema: definition }, firstText(name));
}

/** The first that finds something: two conventions in one span say the same. */
function readFirst<Item>(
  reads: Reads<Item>,
  attributes: LooseFields,
): readonly Item[] {
  for (const [name, read] of reads) {
    const value = valueAt(attributes, name);
    const items = value === undefined ? [] : read(value);
    if (items.length > 0) return items;
  }
  return [];
}

function readAttributes(list: unknown): LooseFields {
  const entries = asRows(list).map(({ key, value }) => [
    String(key),
    readAnyValue(value),
  ]);
  return Object.fromEntries(entries);
}

/** OTLP's AnyValue. */
function readAnyValue(value: unknown): unknown {
  const { arrayValue, kvlistValue, intValue, ...scalar } = asFields(value);
  if (arrayValue !== undefined)
    return asItems(asFields(arrayValue).values).map(readAnyValue);
  if (kvlistValue !== undefined)
    return readAttributes(asFields(kvlistValue).values);
  if (intValue !== undefined) return Number(intValue);
  return scalar.stringValue ?? scalar.boolValue ?? scalar.doubleValue;
}

type Flat = readonly [path: readonly string[], value: unknown];

/**
 * Puts attributes below the parts of their names: `a.0.b` and `a.1.b` are two
 * items of a list.
 */
function nest(attributes: LooseFields): LooseFields {
  const flat = Object.entries(attributes).map(
    ([name, value]): Flat => [name.split("."), value],
  );
  return plainFields(toNested(flat));
}

/** What is below a name counts before a value of its own. */
function toNested(flat: readonly Flat[]): unknown {
  const inner = flat.filter(([path]) => path.length > 0);
  if (inner.length === 0) return flat.at(-1)?.[1];
  const parts = new Map<string, Flat[]>();
  for (const [[key = "", ...path], value] of inner)
    addTo(parts, key, [path, value]);
  const nested = Object.fromEntries(
    [...parts].map(([key, part]) => [key, toNested(part)]),
  );
  return [...parts.keys()].every(isDigits) ? Object.values(nested) : nested;
}

function valueAt(attributes: LooseFields, name: string): unknown {
  return name
    .split(".")
    .reduce<unknown>((at, key) => plainFields(at)[key], attributes);
}
