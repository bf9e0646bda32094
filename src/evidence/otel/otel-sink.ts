import type { EvidenceSink } from "../../repair/events/event.ts";
import {
  aBoolean,
  aFunction,
  type Checks,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../../repair/usage.ts";
import type { Redact } from "../redact.ts";
import { measureCall } from "./measure-call.ts";
import { traceCall } from "./trace-call.ts";

/** What OpenTelemetry is told. */
export interface OtelSinkOptions {
  /**
   * Whether a call that was not run is a span, and a repair an event on the span under way. With
   * LangChain's callbacks traced by another instrumentation, a refusal is a span already (see `trace`
   * of the wrappers). Default: `true`.
   */
  readonly spans?: boolean | undefined;
  /**
   * Whether spans hold what the model wrote as arguments. Default: `"full"` where
   * `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `SPAN_ONLY` or `SPAN_AND_EVENT`, else `"none"`.
   */
  readonly content?: "none" | "full" | undefined;
  /** Changes values before spans hold them. Default: they are held as they are. */
  readonly redact?: Redact | undefined;
}

/** How `otelSink` is called. */
const OTEL_USAGE: OptionsUsage = {
  of: "otelSink",
  example: "otelSink({ spans: false })",
  checks: {
    spans: aBoolean,
    content: oneOf("none", "full"),
    redact: aFunction,
  } satisfies Checks<OtelSinkOptions>,
};

/**
 * Creates a sink that tells OpenTelemetry of tool calls, by the providers that the application sets up,
 * before or after: counters of calls, repairs and issues, how long repairs took, and spans of calls that
 * were not run.
 *
 * @param options What is told.
 * @returns The sink.
 * @throws TypeError for a wrong use: an unknown option, a value that an option cannot have.
 * @example
 * ```ts
 * toolInputMiddleware({ evidence: [otelSink()] });
 * ```
 */
export function otelSink(options: OtelSinkOptions = {}): EvidenceSink {
  checkOptions(options, OTEL_USAGE);
  const { spans = true, content, redact } = options;
  const hasArguments = (content ?? contentOfEnvironment()) === "full";
  return (event) => {
    if (event.kind !== "call") return;
    measureCall(event);
    if (spans) traceCall(event, { hasArguments, redact });
  };
}

/** As OpenTelemetry's instrumentations of models are told. */
function contentOfEnvironment(): "none" | "full" {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const said = process?.env?.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? "";
  return ["SPAN_ONLY", "SPAN_AND_EVENT"].includes(said.toUpperCase()) ? "full" : "none";
}
