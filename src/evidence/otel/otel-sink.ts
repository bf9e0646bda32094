import type { Attributes, Histogram, ObservableResult } from "@opentelemetry/api";
import { lazy } from "../../repair/drive.ts";
import type { CallEvent, EvidenceSink, InputEvent } from "../../repair/events/event.ts";
import { bareFixer, changesOf } from "../../repair/events/event.ts";
import { offeredName, type Redact, redactCallId, redactValue } from "../../repair/events/redact.ts";
import {
  aBoolean,
  aFunction,
  type Checks,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../../repair/usage.ts";

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
 * toolInputMiddleware({ onToolCall: [otelSink()] });
 * ```
 */
export function otelSink(options: OtelSinkOptions = {}): EvidenceSink {
  checkOptions(options, OTEL_USAGE);
  const { spans = true, content, redact } = options;
  const hasArguments = (content ?? contentOfEnvironment()) === "full";
  const report = (event: CallEvent, otel: OpenTelemetry) => {
    measureCall(event, otel);
    if (spans) traceCall(event, { hasArguments, redact }, otel);
  };
  const loading = loadOpenTelemetry();
  return (event) => {
    if (event.kind !== "call") return undefined;
    if (loaded !== undefined) return report(event, loaded);
    return loading.then((otel) => otel && report(event, otel));
  };
}

type OpenTelemetry = typeof import("@opentelemetry/api");

let loaded: OpenTelemetry | undefined;

/** Loaded with the first sink: whoever only writes logs need not have it. */
const loadOpenTelemetry = lazy(async () => {
  // In a `try`, so that bundlers take the package for optional.
  try {
    loaded = await import("@opentelemetry/api");
  } catch {
    console.warn(
      "otelSink() reports nothing: @opentelemetry/api is not installed. Run npm install @opentelemetry/api.",
    );
  }
  return loaded;
});

/** As OpenTelemetry's instrumentations of models are told. */
function contentOfEnvironment(): "none" | "full" {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const said = process?.env?.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? "";
  return ["SPAN_ONLY", "SPAN_AND_EVENT"].includes(said.toUpperCase()) ? "full" : "none";
}

/**
 * Counts a call, what was changed of it and what was wrong with it, and measures how long its repair took.
 */
function measureCall(event: CallEvent, otel: OpenTelemetry): void {
  const { calls, repairs, issues, duration } = callInstruments(otel);
  const { outcome, microseconds, model, provider } = event;
  const name = offeredName(event);
  calls.add(`${name}\n${outcome}\n${model}\n${provider}`, () => ({
    ...toolAttributes(event),
    [ATTRIBUTES.outcome]: outcome,
  }));
  if (outcome === "valid") return;
  const tool = { [ATTRIBUTES.tool]: name };
  for (const change of changesOf(event)) {
    const { level } = change;
    const fixer = bareFixer(change.fixer);
    repairs.add(`${name}\n${fixer}\n${level}`, () => ({
      ...tool,
      [ATTRIBUTES.fixer]: fixer,
      [ATTRIBUTES.level]: level,
    }));
  }
  for (const { code } of event.issues) {
    issues.add(`${name}\n${code}`, () => ({ ...tool, [ATTRIBUTES.issueCode]: code }));
  }
  if (microseconds === undefined) return;
  duration.record(microseconds / 1_000_000, { ...tool, [ATTRIBUTES.outcome]: outcome });
}

/** What all sinks of a process share: two that observed one counter would overwrite each other's counts. */
interface Shared {
  /** The provider that the instruments are of. */
  provider?: unknown;
  /** Whether that exports nothing: what is counted then is the next one's. */
  isNoop?: boolean;
  instruments?: Readonly<Record<"calls" | "repairs" | "issues", CountedSeries>> & {
    readonly duration: Histogram;
  };
}

/** On globalThis, as a process may have the ESM and the CommonJS build. */
const KEY = Symbol.for("toolmend.otel.1");

/** The bounds of the buckets, in seconds: repairs take from some ten microseconds to seconds. */
const BOUNDARIES = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1, 10];

/**
 * Returns the instruments of the provider that is set now. They are made when the first call comes, and
 * anew where another provider has been set since: those that are made before it is set export nothing.
 * Counts that were made before any was set are told to the first.
 */
function callInstruments({
  createNoopMeter,
  metrics,
  ValueType,
}: OpenTelemetry): Required<Shared>["instruments"] {
  const holder = globalThis as { [KEY]?: Shared };
  holder[KEY] ??= {};
  const shared = holder[KEY];
  const provider = metrics.getMeterProvider();
  if (shared.instruments !== undefined && shared.provider === provider) return shared.instruments;
  const meter = provider.getMeter("toolmend");
  const kept = shared.isNoop ? shared.instruments : undefined;
  const series = (name: string, unit: string, description: string) => {
    const options = { unit, description, valueType: ValueType.INT };
    const counter = meter.createObservableCounter(name, options);
    return (counted: CountedSeries = countSeries()) => {
      counter.addCallback(counted.observe);
      return counted;
    };
  };
  const calls = series(METRICS.calls, "{call}", "Tool calls, by what became of their input.");
  const repairs = series(METRICS.repairs, "{repair}", "Changes to tool calls.");
  const issues = series(METRICS.issues, "{issue}", "What schemas had against the inputs.");
  const instruments = {
    calls: calls(kept?.calls),
    repairs: repairs(kept?.repairs),
    issues: issues(kept?.issues),
    duration: meter.createHistogram(METRICS.duration, {
      unit: "s",
      description: "How long the repair of an input took that was not right as it was.",
      advice: { explicitBucketBoundaries: BOUNDARIES },
    }),
  };
  Object.assign(shared, { provider, isNoop: meter === createNoopMeter(), instruments });
  return instruments;
}

type CountedSeries = ReturnType<typeof countSeries>;

/** The most series of one counter: what is more is counted together. */
const MAX_SERIES = 2_000;

/**
 * Creates a count by attributes, which costs a look into a map where a counter of OpenTelemetry's
 * would cost microseconds.
 */
function countSeries() {
  const counted = new Map<string, { readonly attributes: Attributes; n: number }>();
  const overflow = { attributes: { [ATTRIBUTES.overflow]: true }, n: 0 };
  return {
    /** Counts one more of a key, whose attributes are made with the first. */
    add(key: string, toAttributes: () => Attributes): void {
      const known = counted.get(key);
      if (known !== undefined) known.n += 1;
      else if (counted.size < MAX_SERIES) counted.set(key, { attributes: toAttributes(), n: 1 });
      else overflow.n += 1;
    },
    observe(result: ObservableResult): void {
      for (const { attributes, n } of counted.values()) result.observe(n, attributes);
      if (overflow.n > 0) result.observe(overflow.n, overflow.attributes);
    },
  };
}

/** What spans hold of what a model wrote. */
interface SpanContent {
  readonly hasArguments: boolean;
  readonly redact: Redact | undefined;
}

/**
 * Shows a call in traces: one that was not run as a span that failed, one that was repaired as an event
 * on the span under way, where there is one.
 */
function traceCall(
  event: CallEvent,
  content: SpanContent,
  { SpanKind, SpanStatusCode, trace }: OpenTelemetry,
): void {
  if (event.outcome === "valid") return;
  if (event.error === undefined) {
    const active = trace.getActiveSpan();
    if (active?.isRecording()) active.addEvent(REPAIRED_EVENT, callAttributes(event, content));
    return;
  }
  const { time, microseconds = 0, error } = event;
  const span = trace.getTracer("toolmend").startSpan(`execute_tool ${offeredName(event)}`, {
    kind: SpanKind.INTERNAL,
    startTime: time - microseconds / 1000,
    attributes: {
      ...callAttributes(event, content),
      [ATTRIBUTES.operation]: "execute_tool",
      [ATTRIBUTES.errorType]: "tool_input_invalid",
      [ATTRIBUTES.reason]: error.reason,
    },
  });
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
  span.end(time);
}

function callAttributes(event: CallEvent, { hasArguments, redact }: SpanContent): Attributes {
  const { outcome, seam, level, issues, rawToolInput } = event;
  const callId = hasArguments ? event.callId : redactCallId(event.callId, event);
  const fixers = [...new Set(changesOf(event).map(({ fixer }) => bareFixer(fixer)))];
  const codes = [...new Set(issues.map(({ code }) => code))];
  return {
    ...toolAttributes(event),
    ...(callId !== undefined && { [ATTRIBUTES.callId]: callId }),
    [ATTRIBUTES.outcome]: outcome,
    [ATTRIBUTES.seam]: seam,
    [ATTRIBUTES.level]: level,
    ...(fixers.length > 0 && { [ATTRIBUTES.fixer]: fixers }),
    ...(codes.length > 0 && { [ATTRIBUTES.issueCode]: codes }),
    ...(hasArguments && {
      [ATTRIBUTES.arguments]: argumentsAs(rawToolInput, redact),
    }),
  };
}

/** What is no JSON after all, of a redaction say, costs the arguments, and not the span. */
function argumentsAs(rawToolInput: unknown, redact: Redact | undefined): string {
  try {
    return JSON.stringify(redactValue(rawToolInput, redact)) ?? "";
  } catch {
    return "";
  }
}

/** Returns what an event says of its tool and its model. */
function toolAttributes(event: InputEvent): Attributes {
  const { model, provider } = event;
  return {
    [ATTRIBUTES.tool]: offeredName(event),
    ...(model !== undefined && { [ATTRIBUTES.model]: model }),
    ...(provider !== undefined && { [ATTRIBUTES.provider]: provider }),
  };
}

/** The names of what toolmend measures. Those that begin with `gen_ai` are OpenTelemetry's own. */
export const METRICS = {
  calls: "toolmend.tool_calls",
  repairs: "toolmend.repairs",
  issues: "toolmend.issues",
  duration: "toolmend.repair.duration",
} as const;

/** The names of attributes. */
export const ATTRIBUTES = {
  operation: "gen_ai.operation.name",
  tool: "gen_ai.tool.name",
  callId: "gen_ai.tool.call.id",
  arguments: "gen_ai.tool.call.arguments",
  model: "gen_ai.request.model",
  provider: "gen_ai.provider.name",
  errorType: "error.type",
  outcome: "toolmend.outcome",
  seam: "toolmend.seam",
  level: "toolmend.level",
  fixer: "toolmend.fixer",
  issueCode: "toolmend.issue.code",
  reason: "toolmend.refusal.reason",
  overflow: "otel.metric.overflow",
} as const;

/** The event on the span under way where an input was repaired. */
export const REPAIRED_EVENT = "toolmend.tool_input.repaired";
