import { callIds } from "../call-ids.ts";
import type { CallLine, CorrectionLine } from "../log-line.ts";
import type { OpenRefusal } from "./open-report.ts";

/** How many names of refused calls a correction is waited for; the oldest are given up. */
const MOST = 100_000;

/** Refused calls that may be corrected later. */
export interface WaitingRefusals {
  add(line: CallLine, refusal: OpenRefusal): void;
  /** Returns what a correction corrects, once. */
  take(line: CorrectionLine): OpenRefusal | undefined;
}

interface Waiting {
  readonly refusal: OpenRefusal;
  readonly ids: readonly string[];
}

/** Creates what refused calls wait in. */
export function createWaitingRefusals(): WaitingRefusals {
  /** By each name of a call; `undefined` where two have the name. */
  const waiting = new Map<string, Waiting | undefined>();
  return {
    add(line, refusal) {
      if (line.call === undefined) return;
      const one = { refusal, ids: callIds(line, line.call) };
      for (const id of one.ids) {
        waiting.set(id, waiting.has(id) ? undefined : one);
        if (waiting.size > MOST) waiting.delete(waiting.keys().next().value as string);
      }
    },
    take(line) {
      const ids = line.of === undefined ? [] : callIds(line, line.of);
      const found = ids.map((id) => waiting.get(id)).find((one) => one !== undefined);
      for (const id of found?.ids ?? []) if (waiting.get(id) === found) waiting.delete(id);
      return found?.refusal;
    },
  };
}
