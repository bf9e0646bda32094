import type { Attributes, ObservableResult } from "@opentelemetry/api";
import { ATTRIBUTES } from "./names.ts";

/** Counts by attributes. */
export interface CountedSeries {
  /** Counts one more of a key, whose attributes are made with the first. */
  add(key: string, toAttributes: () => Attributes): void;
  observe(result: ObservableResult): void;
}

/** The most series of one counter: what is more is counted together. */
const MAX_SERIES = 2_000;

/**
 * Creates a count by attributes, which costs a look into a map where a counter of OpenTelemetry's
 * would cost microseconds.
 */
export function countSeries(): CountedSeries {
  const counted = new Map<string, { readonly attributes: Attributes; n: number }>();
  const overflow = { attributes: { [ATTRIBUTES.overflow]: true }, n: 0 };
  return {
    add(key, toAttributes) {
      const known = counted.get(key);
      if (known !== undefined) known.n += 1;
      else if (counted.size < MAX_SERIES) counted.set(key, { attributes: toAttributes(), n: 1 });
      else overflow.n += 1;
    },
    observe(result) {
      for (const { attributes, n } of counted.values()) result.observe(n, attributes);
      if (overflow.n > 0) result.observe(overflow.n, overflow.attributes);
    },
  };
}
