import { context, metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";

/** Metrics of a provider set for the whole process. */
export interface StartedMetrics {
  /** The latest export, after all counts so far. */
  collect(): Promise<readonly MetricData[]>;
  stop(): Promise<void>;
}

/** Sets a meter provider for the process, which exports to memory. */
export function startMetrics(): StartedMetrics {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e9 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return {
    async collect() {
      await reader.forceFlush();
      const [resource] = exporter.getMetrics().slice(-1);
      return resource?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    },
    async stop() {
      await reader.shutdown();
      metrics.disable();
    },
  };
}

/** Spans of a provider set for the whole process. */
export interface StartedSpans {
  readonly spans: () => readonly ReadableSpan[];
  stop(): Promise<void>;
}

/** Sets a tracer provider for the process, which exports to memory. */
export function startSpans(): StartedSpans {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  return {
    spans: () => exporter.getFinishedSpans(),
    async stop() {
      await provider.shutdown();
      trace.disable();
      context.disable();
    },
  };
}
