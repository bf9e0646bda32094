import { createNoopMeter, type Histogram, metrics, ValueType } from "@opentelemetry/api";
import { type CountedSeries, countSeries } from "./count-series.ts";
import { METRICS } from "./names.ts";

/** What calls are counted and measured by. */
export interface CallInstruments {
  readonly calls: CountedSeries;
  readonly repairs: CountedSeries;
  readonly issues: CountedSeries;
  readonly duration: Histogram;
}

/** What all sinks of a process share: two that observed one counter would overwrite each other's counts. */
interface Shared {
  /** The provider that the instruments are of. */
  provider?: unknown;
  /** Whether that exports nothing: what is counted then is the next one's. */
  isNoop?: boolean;
  instruments?: CallInstruments;
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
export function callInstruments(): CallInstruments {
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
  const instruments: CallInstruments = {
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
