import type { CallLine, CorrectionLine, LogLine } from "#src/evidence/log-line.ts";
import { LogEvidence, type LoggedInputs } from "#src/evidence/logged-inputs.ts";
import type { JsonSchema, JsonValue } from "#src/repair/types.ts";

/** A call of a log as a test writes it. */
export interface ToldCall {
  readonly raw: JsonValue;
  /** Its correction. */
  readonly meant?: JsonValue;
  readonly source?: CorrectionLine["source"];
  readonly run?: string;
  readonly model?: string;
  readonly outcome?: CallLine["outcome"];
  /** Minutes since the log began. Default: the next minute. */
  readonly minute?: number;
}

/** The lines of a log with these calls of one tool, each in its own run by default. */
export function linesOf(schema: JsonSchema, calls: readonly ToldCall[], tool = "click"): LogLine[] {
  const base = { v: 1 as const, tool, schema: "00000001" };
  const t = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString();
  const head: LogLine = { ...base, kind: "schema", t: t(0), jsonSchema: schema };
  return [
    head,
    ...calls.flatMap((entry, index): LogLine[] => {
      const { raw, meant, outcome = "refused", model = "m", source = "later-call" } = entry;
      const { run = `run-${index}`, minute = index } = entry;
      const ids = { run, call: `call-${index}` };
      const about = { ...base, t: t(minute), model, run, level: "safe" as const, issues: [] };
      const isAccepted = outcome !== "refused" && outcome !== "corrected";
      const call: CallLine = {
        ...about,
        ...ids,
        kind: "call",
        seam: "middleware",
        outcome,
        repairs: [],
        raw,
        ...(isAccepted && { toolInput: meant ?? raw }),
      };
      if (isAccepted || meant === undefined) return [call];
      const pair = { of: ids.call, by: `${ids.call}-again`, source, raw, toolInput: meant };
      return [call, { ...about, ...pair, kind: "correction" }];
    }),
  ];
}

/** The same, collected. */
export function logOf(schema: JsonSchema, calls: readonly ToldCall[]): LoggedInputs {
  return gather(linesOf(schema, calls));
}

/** Collects lines that a test writes itself. */
export function gather(lines: readonly LogLine[]): LoggedInputs {
  const evidence = new LogEvidence();
  for (const line of lines) evidence.add(line);
  return evidence.read();
}

/** A closed object schema. */
export function closed(properties: object, required: readonly string[] = Object.keys(properties)) {
  return { type: "object", properties, required, additionalProperties: false };
}

/** Many similar calls. */
export function repeat(count: number, make: (index: number) => ToldCall): ToldCall[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
