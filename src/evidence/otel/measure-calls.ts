import { type Histogram, type MeterProvider, metrics, ValueType } from "@opentelemetry/api";
import { bareFixer } from "../../repair/events/bare-fixer.ts";
import type { CallEvent } from "../../repair/events/input-event.ts";
import { countSeries } from "./count-series.ts";
import { ATTRIBUTES, METRICS } from "./names.ts";
import { offeredName, toolAttributes } from "./tool-attributes.ts";

/** The bounds of the buckets, in seconds: repairs take from some ten microseconds to seconds. */
const BOUNDARIES = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 1, 10];

/**
 * Creates what measures calls. Instruments are made when the first call comes, and anew where another
 * provider has been set since: those that are made before it is set export nothing.
 */
export function measureCalls(): (event: CallEvent) => void {
  const calls = countSeries();
  const repairs = countSeries();
  const issues = countSeries();
  let provider: MeterProvider | undefined;
  let duration: Histogram | undefined;

  function instrument(): void {
    const current = metrics.getMeterProvider();
    if (current === provider) return;
    provider = current;
    const meter = current.getMeter("toolmend");
    const counter = (name: string, unit: string, description: string) =>
      meter.createObservableCounter(name, { unit, description, valueType: ValueType.INT });
    counter(METRICS.calls, "{call}", "Tool calls, by what became of their input.").addCallback(
      calls.observe,
    );
    counter(METRICS.repairs, "{repair}", "Changes to the inputs of tool calls.").addCallback(
      repairs.observe,
    );
    counter(METRICS.issues, "{issue}", "What schemas had against the inputs.").addCallback(
      issues.observe,
    );
    duration = meter.createHistogram(METRICS.duration, {
      unit: "s",
      description: "How long the repair of an input took that was not right as it was.",
      advice: { explicitBucketBoundaries: BOUNDARIES },
    });
  }

  return (event) => {
    instrument();
    const { outcome, microseconds, model, provider: from } = event;
    const name = offeredName(event);
    calls.add(`${name}\n${outcome}\n${model}\n${from}`, () => ({
      ...toolAttributes(event),
      [ATTRIBUTES.outcome]: outcome,
    }));
    const tool = { [ATTRIBUTES.tool]: name };
    for (const repair of event.repairs) {
      const { level } = repair;
      const fixer = bareFixer(repair.fixer);
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
    duration?.record(microseconds / 1_000_000, { ...tool, [ATTRIBUTES.outcome]: outcome });
  };
}
