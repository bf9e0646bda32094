/**
 * Sinks for the outcomes of tool inputs: a log, and OpenTelemetry. Requires
 * neither LangChain nor OpenTelemetry.
 *
 * @module toolmend/evidence
 */

export { type JsonlSinkOptions, jsonlSink } from "./evidence/jsonl-sink.ts";
export type { LogLine } from "./evidence/log-line.ts";
export { type OtelSinkOptions, otelSink } from "./evidence/otel-sink.ts";
export type { EvidenceSink, InputEvent } from "./repair/events/event.ts";
