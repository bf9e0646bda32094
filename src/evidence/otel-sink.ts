import type {
  Attributes,
  Histogram,
  ObservableResult,
} from "@opentelemetry/api";
import { lazy } from "../repair/drive.ts";
import {
  bareFixer,
  type CallEvent,
  changesOf,
  type EvidenceSink,
} from "../repair/events/event.ts";
import {
  offeredName,
  type Redact,
  readEnvironment,
  redactCallId,
  redactValue,
} from "../repair/events/plain-event.ts";
import {
  aBoolean,
  aFunction,
  type Checks,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../repair/usage.ts";

/** What toolmend reports to OpenTelemetry. */
export interface OtelSinkOptions {
  /**
   * Whether a call that was not run is a span, and a repair an event on the
   * span under way. With LangChain's callbacks traced by another
   * instrumentation, a rejection is a span already (see `trace` of the
   * wrappers). Default: `true`.
   */
  readonly spans?: boolean | undefined;
  /**
   * Whether spans hold what the model wrote as arguments. Default: `"full"`
   * where `OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT` is `SPAN_ONLY`
   * or `SPAN_AND_EVENT`, else `"none"`.
   */
  readonly content?: "none" | "full" | undefined;
  /** Changes values before spans hold them. Default: none. */
  readonly redact?: Redact | undefined;
}

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
 * Creates a sink that tells OpenTelemetry of tool calls, by the providers that
 * the application sets up, before or after: counters of calls, repairs and
 * issues, how long repairs took, and spans of calls that were not run.
 *
 * @param options What the sink reports.
 * @returns The sink.
 * @throws TypeError for a wrong use: an unknown option, a value that an option
 *   cannot have.
 * @example
 * ```ts
 * toolInputMiddleware({ onToolCall: [otelSink()] });
 * ```
 */
export function otelSink(options: OtelSinkOptions = {}): EvidenceSink {
  checkOptions(options, OTEL_USAGE);
  const { spans = true, content = contentOfEnvironment(), redact } = options;
  const report = (event: CallEvent, otel: OpenTelemetry) => {
    measureCall(event, instrumentsOf(otel));
    if (spans && event.outcome !== "valid")
      traceCall(event, { content, redact }, otel);
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

/** Loaded with the first sink: the package is optional. */
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

/** What OpenTelemetry's own instrumentations of models go by. */
function contentOfEnvironment(): "none" | "full" {
  const captured =
    readEnvironment("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT") ?? "";
  return ["SPAN_ONLY", "SPAN_AND_EVENT"].includes(captured.toUpperCase())
    ? "full"
    : "none";
}

/**
 * The names of what toolmend measures. Those that begin with `gen_ai` are
 * OpenTelemetry's own.
 */
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

/** Values by the short names of their attributes. */
type Named = Partial<Record<keyof typeof ATTRIBUTES, Attributes[string]>>;

/** Leaves out what is absent, and empty lists. */
function toAttributes(named: Named): Attributes {
  const entries = Object.entries(named) as [
    keyof typeof ATTRIBUTES,
    Attributes[string],
  ][];
  const present = entries.filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined,
  );
  return Object.fromEntries(
    present.map(([name, value]) => [ATTRIBUTES[name], value]),
  );
}

/**
 * Counts a call, what was changed of it and what was wrong with it, and how
 * long its repair took.
 */
function measureCall(
  event: CallEvent,
  { calls, repairs, issues, duration }: Instruments,
): void {
  const { outcome, microseconds, model, provider } = event;
  const tool = offeredName(event);
  calls.add({ tool, model, provider, outcome });
  if (outcome === "valid") return;
  for (const { fixer, level } of changesOf(event)) {
    repairs.add({ tool, fixer: bareFixer(fixer), level });
  }
  for (const { code } of event.issues) issues.add({ tool, issueCode: code });
  if (microseconds === undefined) return;
  duration.record(microseconds / 1_000_000, toAttributes({ tool, outcome }));
}

/** The counters, and what they count. */
const COUNTERS = {
  calls: {
    unit: "{call}",
    description: "Tool calls, by what became of their input.",
  },
  repairs: { unit: "{repair}", description: "Changes to tool calls." },
  issues: {
    unit: "{issue}",
    description: "What schemas had against the inputs.",
  },
} as const;

/**
 * The bounds of the buckets, in seconds: repairs take from some ten
 * microseconds to seconds.
 */
const BOUNDARIES = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1, 10,
];

type Instruments = Readonly<Record<keyof typeof COUNTERS, CountedSeries>> & {
  readonly duration: Histogram;
};

/**
 * What all sinks of a process share: two that observed one counter would
 * overwrite each other's counts.
 */
interface Shared {
  /** The provider that the instruments are of. */
  readonly provider: unknown;
  /** Whether it exports nothing: its counts are then the next provider's. */
  readonly isNoop: boolean;
  readonly instruments: Instruments;
}

/** On globalThis, as a process may have the ESM and the CommonJS build. */
const KEY = Symbol.for("toolmend.otel.1");

/**
 * The instruments of the provider that is set now: those made before it was set
 * export nothing.
 */
function instrumentsOf({
  createNoopMeter,
  metrics,
  ValueType,
}: OpenTelemetry): Instruments {
  const holder = globalThis as { [KEY]?: Shared };
  const shared = holder[KEY];
  const provider = metrics.getMeterProvider();
  if (shared?.provider === provider) return shared.instruments;
  const meter = provider.getMeter("toolmend");
  const observe = (name: keyof typeof COUNTERS) => {
    const options = { ...COUNTERS[name], valueType: ValueType.INT };
    const series = shared?.isNoop ? shared.instruments[name] : countSeries();
    meter
      .createObservableCounter(METRICS[name], options)
      .addCallback(series.observe);
    return series;
  };
  const instruments = {
    calls: observe("calls"),
    repairs: observe("repairs"),
    issues: observe("issues"),
    duration: meter.createHistogram(METRICS.duration, {
      unit: "s",
      description:
        "How long the repair of an input took that was not right as it was.",
      advice: { explicitBucketBoundaries: BOUNDARIES },
    }),
  };
  holder[KEY] = { provider, isNoop: meter === createNoopMeter(), instruments };
  return instruments;
}

type CountedSeries = ReturnType<typeof countSeries>;

/** The most series of one counter: what is more is counted together. */
const MAX_SERIES = 2_000;

/**
 * Creates a count by attributes: a look into a map, where OpenTelemetry's
 * counters take microseconds.
 */
function countSeries() {
  const counted = new Map<
    string,
    { readonly attributes: Attributes; n: number }
  >();
  const overflow = { attributes: toAttributes({ overflow: true }), n: 0 };
  return {
    add(named: Named): void {
      const key = Object.values(named).join("\n");
      const known = counted.get(key);
      if (known !== undefined) known.n += 1;
      else if (counted.size < MAX_SERIES)
        counted.set(key, { attributes: toAttributes(named), n: 1 });
      else overflow.n += 1;
    },
    observe(result: ObservableResult): void {
      for (const { attributes, n } of counted.values())
        result.observe(n, attributes);
      if (overflow.n > 0) result.observe(overflow.n, overflow.attributes);
    },
  };
}

/**
 * A call that did not run is a failed span; a repaired one is an event on the
 * active span.
 */
function traceCall(
  event: CallEvent,
  { content, redact }: Pick<OtelSinkOptions, "content" | "redact">,
  { SpanKind, SpanStatusCode, trace }: OpenTelemetry,
): void {
  const {
    time,
    microseconds = 0,
    error,
    outcome,
    seam,
    level,
    model,
    provider,
    callId,
  } = event;
  const tool = offeredName(event);
  const isFull = content === "full";
  const attributes: Named = {
    ...{ tool, model, provider, outcome, seam, level },
    callId: isFull ? callId : redactCallId(callId, event),
    fixer: [...new Set(changesOf(event).map(({ fixer }) => bareFixer(fixer)))],
    issueCode: [...new Set(event.issues.map(({ code }) => code))],
    arguments: isFull ? argumentsAs(event.rawToolInput, redact) : undefined,
  };
  if (error === undefined) {
    const active = trace.getActiveSpan();
    if (active?.isRecording())
      active.addEvent(REPAIRED_EVENT, toAttributes(attributes));
    return;
  }
  const { reason, message } = error;
  const failed = {
    operation: "execute_tool",
    errorType: "tool_input_invalid",
    reason,
  };
  const span = trace.getTracer("toolmend").startSpan(`execute_tool ${tool}`, {
    kind: SpanKind.INTERNAL,
    startTime: time - microseconds / 1000,
    attributes: toAttributes({ ...attributes, ...failed }),
  });
  span.setStatus({ code: SpanStatusCode.ERROR, message });
  span.end(time);
}

/** What is no JSON costs the arguments, and not the span. */
function argumentsAs(
  rawToolInput: unknown,
  redact: Redact | undefined,
): string {
  try {
    return JSON.stringify(redactValue(rawToolInput, redact)) ?? "";
  } catch {
    return "";
  }
}
