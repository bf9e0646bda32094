import type { CallLine } from "#src/evidence/log-line.ts";
import type { LogRead } from "#src/evidence/read-log.ts";

/** The state of a reader, for tests that pass lines themselves. */
export const READ: LogRead = { files: 1, lines: 0, torn: 0, foreign: 0 };

/** The line of a rejected call. */
export function callLine(more: Partial<CallLine> = {}): CallLine {
  return {
    v: 1,
    kind: "call",
    t: "2026-11-03T10:20:30.400Z",
    tool: "click",
    model: "m",
    seam: "tool",
    outcome: "refused",
    level: "safe",
    issues: [{ path: "/selector", code: "required" }],
    repairs: [],
    ...more,
  };
}
