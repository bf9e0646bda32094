import type { Content, LogLine, Shape } from "../../src/evidence/log-line.ts";
import type { InputEvent } from "../../src/repair/events/input-event.ts";

const MINUTE = 60_000;

/** Writes events as the lines of a log. */
export function toLines(
  events: readonly InputEvent[],
  content: Content,
  valid: "count" | "each",
): readonly LogLine[] {
  const seen = new Set<string>();
  const counts = new Map<string, { n: number }>();
  return events.flatMap((event): LogLine[] => {
    const base = {
      v: 1 as const,
      t: new Date(event.time).toISOString(),
      tool: event.isOffered || content !== "none" ? event.toolName : "_unknown",
      ...(event.schemaHash === undefined ? {} : { schema: event.schemaHash }),
      ...(event.model === undefined ? {} : { model: event.model }),
      ...(event.provider === undefined ? {} : { provider: event.provider }),
    };
    const lines: LogLine[] = [];
    if (event.schemaHash !== undefined && !seen.has(event.schemaHash + event.toolName)) {
      seen.add(event.schemaHash + event.toolName);
      const { schemaHash: schema, jsonSchema } = event;
      lines.push({ ...base, kind: "schema", schema, jsonSchema });
    }
    const ids = { run: event.runId ?? "", thread: event.threadId ?? "" };
    const issues = event.issues.map(({ path, code, expected, received }) => ({
      path: content === "none" && code === "additionalProperties" ? parentOf(path) : path,
      code,
      ...(expected === undefined ? {} : { expected }),
      ...(received === undefined || content !== "full" ? {} : { received }),
    }));
    if (event.kind === "correction") {
      const { of, by, source, level, rawToolInput, toolInput } = event;
      lines.push({
        ...base,
        kind: "correction",
        ...ids,
        ...(of === undefined ? {} : { of }),
        ...(by === undefined ? {} : { by }),
        source,
        level,
        issues,
        ...(content === "full" ? { raw: rawToolInput, toolInput } : {}),
        ...(content === "keys"
          ? { shape: shapeOf(rawToolInput), correctedShape: shapeOf(toolInput) }
          : {}),
      });
      return lines;
    }
    if (event.outcome === "valid" && valid === "count") {
      const t = new Date(Math.floor(event.time / MINUTE) * MINUTE).toISOString();
      const key = JSON.stringify([t, base.tool, base.model, base.schema]);
      const known = counts.get(key);
      if (known !== undefined) {
        known.n += 1;
        return lines;
      }
      const line = { ...base, t, kind: "count" as const, seam: event.seam, n: 1 };
      counts.set(key, line);
      return [...lines, line];
    }
    lines.push({
      ...base,
      kind: "call",
      ...ids,
      ...(event.callId === undefined ? {} : { call: event.callId }),
      seam: event.seam,
      outcome: event.outcome,
      level: event.level,
      issues,
      repairs: event.repairs.map(({ fixer, path, level, before, after }) => ({
        fixer: content === "none" ? fixer.replace(/\(.*/, "") : fixer,
        path,
        level,
        ...(content === "full" ? { before, after } : {}),
      })),
      ...(event.microseconds === undefined ? {} : { us: event.microseconds }),
      ...(content === "keys" ? { shape: shapeOf(event.rawToolInput) } : {}),
      ...(content === "full" ? { raw: event.rawToolInput } : {}),
      ...(content === "full" && event.toolInput !== undefined
        ? { toolInput: event.toolInput }
        : {}),
    });
    return lines;
  });
}

function parentOf(path: string): string {
  return `${path.slice(0, path.lastIndexOf("/"))}/+1 key`;
}

function shapeOf(value: unknown): Shape {
  if (value === null || value === undefined) return { type: "null" };
  if (typeof value === "boolean") return { type: "boolean" };
  if (typeof value === "number") return { type: Number.isInteger(value) ? "integer" : "number" };
  if (typeof value === "string") {
    const classes = [0, 1, 9, 33, 129, 1025];
    return { type: "string", length: classes.findLast((least) => least <= value.length) ?? 0 };
  }
  if (Array.isArray(value)) {
    return {
      type: "array",
      length: value.length,
      ...(value.length === 0 ? {} : { items: shapeOf(value[0]) }),
    };
  }
  const entries = Object.entries(value as object).map(([key, one]) => [key, shapeOf(one)]);
  return { type: "object", keys: Object.fromEntries(entries) };
}
