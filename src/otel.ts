/**
 * What became of tool inputs, told to OpenTelemetry. Needs the package @opentelemetry/api.
 *
 * @module toolmend/otel
 */

export { type OtelSinkOptions, otelSink } from "./evidence/otel/otel-sink.ts";
export type { Redact } from "./evidence/redact.ts";
