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
 *
 * @param entry What a line holds.
 */
export const fromOtel: ReadExport = (entry) => {
  const { trace, context, ...own } = asFields(entry);
  if (context !== undefined) return phoenixSpan(own, asFields(context));
  const { resourceSpans, batches, resourceLogs } = { ...own, ...asFields(trace) };
  return [resourceSpans, batches, resourceLogs].flatMap(asItems).flatMap((resource) => {
    const { scopeSpans, instrumentationLibrarySpans, scopeLogs } = asFields(resource);
    return asItems(scopeSpans ?? instrumentationLibrarySpans ?? scopeLogs).flatMap((scope) => {
      const { spans, logRecords } = asFields(scope);
      return [
        ...asItems(spans).flatMap((span) => spanCalls(asFields(span))),
        ...asItems(logRecords).flatMap((one) => spanCalls(asSpan(asFields(one)))),
      ];
    });
  });
};

/** A log record is an event of the GenAI conventions: its body holds what its attributes do not. */
function asSpan({ body, attributes, traceId, timeUnixNano, ...record }: LooseFields): LooseFields {
  const content = asFields(readAnyValue(body));
  const bare = asItems(content.tool_calls).length > 0 ? { message: content } : content;
  const events = [{ attributes: [{ key: "gen_ai.choice", value: undefined, plain: bare }] }];
  const hasCalls = bare.message !== undefined;
  const endTimeUnixNano = Number(timeUnixNano ?? 0) || record.observedTimeUnixNano;
  return { attributes, traceId, endTimeUnixNano, events: hasCalls ? events : [] };
}

/** Phoenix has attributes as an object, nested or flat, and times as text. */
function phoenixSpan(span: LooseFields, { trace_id }: LooseFields): readonly RecordedCall[] {
  const flat: Record<string, unknown> = {};
  const flatten = (value: unknown, name: string): void => {
    if (value === null || typeof value !== "object") flat[name] = value;
    else for (const [key, one] of Object.entries(value)) flatten(one, `${name}.${key}`);
  };
  for (const [key, value] of Object.entries(asFields(span.attributes))) flatten(value, key);
  const attributes = Object.entries(flat).map(([key, plain]) => ({ key, plain }));
  const time = Date.parse(String(span.end_time ?? span.start_time));
  return spanCalls({ attributes, traceId: trace_id, endTimeUnixNano: time * 1e6 });
}

function spanCalls(span: LooseFields): readonly RecordedCall[] {
  const attributes = readAttributes(span.attributes);
  const all = [
    attributes,
    ...asItems(span.events).map((one) => readAttributes(asFields(one).attributes)),
  ];
  const origin = {
    model: firstText(
      attributes["gen_ai.request.model"],
      attributes["gen_ai.response.model"],
      attributes["llm.model_name"],
      attributes["ai.model.id"],
    ),
    provider: firstText(
      attributes["gen_ai.provider.name"],
      attributes["gen_ai.system"],
      attributes["llm.provider"],
      attributes["llm.system"],
      attributes["ai.model.provider"],
    ),
    run: firstText(span.traceId),
    thread: firstText(
      attributes["gen_ai.conversation.id"],
      attributes["session.id"],
      attributes["traceloop.association.properties.thread_id"],
    ),
    time: Math.floor(Number(span.endTimeUnixNano ?? span.startTimeUnixNano) / 1e6),
  };
  if (!Number.isFinite(origin.time)) return [];
  const ran = toolSpan(attributes);
  if (ran !== undefined) return [{ ...origin, ...ran, tools: [], truncated: false, isRun: true }];
  const tools = all.map(offeredIn).find((list) => list.length > 0) ?? [];
  const outputs = all.flatMap(outputsIn);
  const calls = outputs.flatMap(readOutputCalls);
  return calls.map((call) => ({ ...origin, ...call, tools, isRun: false }));
}

/** Every way in which a model's output stands in attributes, as messages. */
function outputsIn(attributes: LooseFields): readonly unknown[] {
  const messages = attributes["gen_ai.output.messages"];
  const choices = attributes["gen_ai.choice"] ?? attributes.message;
  const tree = toTree(attributes);
  const ai = attributes["ai.response.toolCalls"];
  const ways = [
    asItems(messages),
    numberedItems(placeAt(tree, "llm", "output_messages")).map((one) => {
      const { tool_calls, ...message } = asFields(asFields(one).message);
      return {
        ...message,
        tool_calls: numberedItems(tool_calls).map((call) => asFields(call).tool_call),
      };
    }),
    numberedItems(placeAt(tree, "gen_ai", "completion")).map((one) => {
      const { tool_calls, ...message } = asFields(one);
      return { ...message, content: undefined, tool_calls: numberedItems(tool_calls) };
    }),
    ai === undefined
      ? []
      : [{ tool_calls: asItems(ai).map((call) => ({ ...asFields(call), type: undefined })) }],
    choices === undefined ? [] : [{ message: asFields(choices) }],
  ];
  // Two conventions in one span say the same.
  return ways.find((way) => way.length > 0) ?? [];
}

function offeredIn(attributes: LooseFields): readonly ToolLike[] {
  const tree = toTree(attributes);
  const ways = [
    () => readOfferedTools(attributes["gen_ai.tool.definitions"]),
    () =>
      numberedItems(placeAt(tree, "llm", "tools")).flatMap((one) => {
        const { json_schema, name } = asFields(asFields(one).tool);
        const definition = asFields(json_schema);
        const whole = toOfferedTool(definition);
        // Some providers' definitions are the schema alone.
        return whole.length > 0 ? whole : toOfferedTool({ schema: definition }, firstText(name));
      }),
    () =>
      numberedItems(placeAt(tree, "llm", "request", "functions")).flatMap((one) =>
        toOfferedTool(asFields(one)),
      ),
    () => readOfferedTools(asItems(attributes["ai.prompt.tools"]).map(asFields)),
    () => readOfferedTools(asFields(attributes["llm.invocation_parameters"]).tools),
  ];
  for (const read of ways) {
    const tools = read();
    if (tools.length > 0) return tools;
  }
  return [];
}

function toolSpan(attributes: LooseFields): Pick<RecordedCall, "name" | "args" | "id"> | undefined {
  const isTool =
    attributes["gen_ai.operation.name"] === "execute_tool" ||
    attributes["openinference.span.kind"] === "TOOL" ||
    attributes["traceloop.span.kind"] === "tool";
  if (!isTool) return undefined;
  const name = firstText(
    attributes["gen_ai.tool.name"],
    attributes["tool.name"],
    attributes["traceloop.entity.name"],
  );
  const args =
    attributes["gen_ai.tool.call.arguments"] ??
    attributes["input.value"] ??
    attributes["traceloop.entity.input"];
  if (name === undefined || args === undefined) return undefined;
  return { name, args, id: firstText(attributes["gen_ai.tool.call.id"]) };
}

function readAttributes(list: unknown): LooseFields {
  const entries = asItems(list).map((one) => {
    const { key, value, plain } = asFields(one);
    return [String(key), plain ?? readAnyValue(value)] as const;
  });
  return Object.fromEntries(entries);
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

type Tree = Map<string, Tree | unknown>;

/** `a.0.b` and `a.1.b` as nested maps: the conventions write lists of objects as flat names. */
function toTree(attributes: LooseFields): Tree {
  const tree: Tree = new Map();
  for (const [key, value] of Object.entries(attributes)) {
    const parts = key.split(".");
    const last = parts.pop() ?? "";
    let place = tree;
    for (const part of parts) {
      const next = place.get(part);
      const below: Tree = next instanceof Map ? next : new Map();
      if (below !== next) place.set(part, below);
      place = below;
    }
    if (!(place.get(last) instanceof Map)) place.set(last, value);
  }
  return tree;
}

function placeAt(tree: Tree, ...path: readonly string[]): unknown {
  let place: unknown = tree;
  for (const part of path) place = place instanceof Map ? place.get(part) : undefined;
  return place;
}

/** The items of a list that is written as numbered names, as objects. */
function numberedItems(place: unknown): readonly unknown[] {
  if (!(place instanceof Map)) return asItems(place);
  return [...place]
    .filter(([key]) => /^\d+$/.test(key))
    .sort(([one], [other]) => Number(one) - Number(other))
    .map(([, value]) => asPlain(value));
}

function asPlain(value: unknown): unknown {
  if (!(value instanceof Map)) return value;
  const keys = [...value.keys()];
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) return numberedItems(value);
  return Object.fromEntries([...value].map(([key, below]) => [key, asPlain(below)]));
}
