import type { CallEvent } from "../repair/events/event.ts";
import type { LineOptions } from "./line-options.ts";
import type { CountLine } from "./log-line.ts";
import { lineBase } from "./to-log-line.ts";

/** Counts valid calls. */
export interface CallCounter {
  add(event: CallEvent): void;
  /** Hands on what was counted so far. */
  flush(): void;
}

const MINUTE = 60_000;

/**
 * Creates a counter of valid calls: one line for each minute, tool, schema, model and seam. When a
 * minute is over, its lines are handed on with the next call or flush.
 *
 * @param append Takes the lines.
 * @param options How much of what models write is told.
 */
export function countValidCalls(
  append: (line: CountLine) => void,
  options: LineOptions,
): CallCounter {
  let minute = Number.NaN;
  /** By the name of the tool: of its schemas, models and seams there are few. */
  const counted = new Map<string, Count[]>();

  function flush(): void {
    for (const { event, n } of [...counted.values()].flat()) {
      const { seam } = event;
      const t = new Date(minute).toISOString();
      append({ kind: "count", ...lineBase(event, options), t, seam, n });
    }
    counted.clear();
  }

  return {
    flush,
    add(event) {
      const begun = event.time - (event.time % MINUTE);
      if (begun !== minute) flush();
      minute = begun;
      const counts = counted.get(event.toolName);
      const known = counts?.find((count) => isSameKind(count.event, event));
      if (known !== undefined) known.n += 1;
      else counted.set(event.toolName, [...(counts ?? []), { event, n: 1 }]);
    },
  };
}

/** Calls that are counted together. */
interface Count {
  readonly event: CallEvent;
  n: number;
}

function isSameKind(one: CallEvent, other: CallEvent): boolean {
  return (
    one.model === other.model &&
    one.seam === other.seam &&
    one.provider === other.provider &&
    (one.jsonSchema === other.jsonSchema || one.schemaHash === other.schemaHash)
  );
}
