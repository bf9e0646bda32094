import type { Outcome } from "../../repair/events/input-event.ts";
import type { LogRead } from "../read-log.ts";
import type { ShownSuggestions } from "../suggest/suggestion.ts";

/** How many calls there were, by what became of them. */
export interface Tally extends Readonly<Record<Outcome, number>> {
  readonly calls: number;
  /** Those of which the log says that another input took their place later. */
  readonly correctedLater: number;
}

/** What is counted for each tool or model. */
export interface ReportRow extends Tally {
  readonly name: string;
  /** The share of calls that were not valid, from 0 to 1, and its 95 % interval (Wilson). */
  readonly faulty: number;
  readonly interval: { readonly lower: number; readonly upper: number };
  /** For each time step: calls, and those of them that were not valid. */
  readonly series: readonly (readonly [calls: number, faulty: number])[];
}

/** A kind of fault: what a schema had against which place. */
export interface ReportFault {
  readonly tool: string;
  /** A JSON Pointer; the numbers of list items are `*`. */
  readonly path: string;
  readonly code: string;
  readonly expected?: string;
  readonly count: number;
  /** How many of the calls with it ran in the end. */
  readonly ran: number;
  readonly models: readonly { readonly name: string; readonly count: number }[];
  /** The first and the last time, as ISO 8601. */
  readonly first: string;
  readonly last: string;
}

/** A fixer or an edit, and how often it changed an input. */
export interface ReportFixer {
  readonly fixer: string;
  readonly level: string;
  readonly count: number;
  readonly tools: readonly string[];
}

/** Refused calls of one tool with the same faults. */
export interface ReportRefusal {
  readonly tool: string;
  readonly issues: readonly {
    readonly path: string;
    readonly code: string;
    readonly expected?: string;
  }[];
  readonly count: number;
  readonly correctedLater: number;
  readonly last: string;
  /** Where the log holds it: what a model wrote, as JSON. */
  readonly raw?: string;
  /** What took the place of such a call, as JSON. */
  readonly correction?: { readonly source: string; readonly toolInput?: string };
}

/** Something that a period has and the one before has not. */
export interface ReportNews {
  readonly kind: "tool" | "model" | "fault" | "fixer";
  readonly name: string;
  /** Where it is a fault or a fixer: of which tool. */
  readonly tool?: string;
  readonly count: number;
  readonly first: string;
}

/** What logs say. `toolmend report --json` prints it, and the page shows it. */
export interface Report {
  readonly v: 1;
  /** The first and the last time in it, as ISO 8601; absent where there is no line. */
  readonly from?: string;
  readonly to?: string;
  /** What was asked for: `--since` as ISO 8601. */
  readonly since?: string;
  readonly read: LogRead & { readonly before: number };
  readonly total: Tally;
  readonly by: "tool" | "model";
  /** Most faulty calls first. */
  readonly rows: readonly ReportRow[];
  readonly overTime: {
    /** The length of a step, in hours. */
    readonly hours: number;
    readonly steps: readonly (Tally & { readonly t: string })[];
    /** When a tool was first seen with another schema than before. */
    readonly changes: readonly {
      readonly t: string;
      readonly tool: string;
      readonly schema: string;
    }[];
  };
  readonly heat: {
    readonly tools: readonly string[];
    readonly models: readonly string[];
    /** For each tool, for each model: calls, and those of them that were not valid. */
    readonly cells: readonly (readonly (readonly [calls: number, faulty: number])[])[];
  };
  readonly faults: readonly ReportFault[];
  readonly fixers: readonly ReportFixer[];
  /** Absent where there is no time before to compare with. */
  readonly news?: {
    readonly since: string;
    readonly comparedFrom: string;
    readonly items: readonly ReportNews[];
  };
  readonly refusals: readonly ReportRefusal[];
  /** Absent where the logs hold no inputs, or too many to be looked through for a report. */
  readonly suggestions?: ShownSuggestions;
}
