import type { CorrectionSource, Outcome, Seam } from "../repair/events/event.ts";
import { isJsonObject } from "../repair/json/json-value.ts";
import type { RepairLevel } from "../repair/types.ts";

/**
 * How much of what a model wrote a log holds.
 *
 * - `none`: nothing: the schema's own paths, codes and counts, and the names of fixers without their
 *   parameters.
 * - `keys`: and the names of keys and tools, and the shapes of values: types, lengths, formats.
 * - `full`: and the values, as `redact` leaves them.
 */
export type Content = "none" | "keys" | "full";

/** The version of the format that a log is written in. */
export type LogVersion = 1;

/** What every line says. */
interface LineBase {
  readonly v: LogVersion;
  /** When, as ISO 8601 in UTC. */
  readonly t: string;
  /** The tool's name; `_unknown` for one that is not offered, unless the content is `keys` or `full`. */
  readonly tool: string;
  /** A hash of the tool's JSON Schema: eight hexadecimal digits. */
  readonly schema?: string;
  readonly model?: string;
  readonly provider?: string;
}

/** One thing that a schema had against an input. */
export interface LoggedIssue {
  /** A JSON Pointer; at content `none`, keys that the schema does not declare are written `+1 key`. */
  readonly path: string;
  readonly code: string;
  readonly expected?: string;
  /** What stood there, in a few words; but at content `full` without a redaction, its type only. */
  readonly received?: string;
}

/** One change to an input. */
export interface LoggedRepair {
  /** The fixer's name; at content `none`, without its parameters. */
  readonly fixer: string;
  readonly path: string;
  readonly level: string;
  /** At content `full` only. */
  readonly before?: unknown;
  /** At content `full` only. */
  readonly after?: unknown;
}

/** The shape of a value: what is known of it without the value itself. */
export type Shape =
  | { readonly type: "null" | "boolean" | "integer" | "number" }
  | {
      readonly type: "string";
      /** The least length of its class, in characters: 0, 1, 9, 33, 129, 1025. */
      readonly length: number;
      /** What it looks like: `json`, `number`, `boolean`, `null`, `date`, `date-time`, `email`, `uri`, `uuid`. */
      readonly format?: string;
      /** Where it is JSON: the shape of what it holds. */
      readonly holds?: Shape;
    }
  | { readonly type: "array"; readonly length: number; readonly items?: Shape }
  | {
      readonly type: "object";
      readonly keys: { readonly [key: string]: Shape };
      /** How many more keys it has, where it has many. */
      readonly more?: number;
    }
  /** What is nested too deeply to be looked at. */
  | { readonly type: "deep" };

/** What became of one call. Valid ones have such a line only where a sink is asked for `valid: "each"`. */
export interface CallLine extends LineBase {
  readonly kind: "call";
  /** The ids of LangChain's run, LangGraph's thread and the tool call. */
  readonly run?: string;
  readonly thread?: string;
  readonly call?: string;
  readonly seam: Seam;
  readonly outcome: Outcome;
  readonly level: RepairLevel;
  readonly issues: readonly LoggedIssue[];
  readonly repairs: readonly LoggedRepair[];
  /** How the tool's name was changed; `before` at content `keys` and `full` only. */
  readonly nameRepair?: {
    readonly fixer: string;
    readonly level: string;
    readonly before?: string;
  };
  /** The keys that the schema does not declare, as JSON Pointers; at content `none` as `+2 keys`. */
  readonly undeclared?: readonly string[];
  /** How long the repair took, in microseconds. */
  readonly us?: number;
  /** Of what the model wrote; at content `keys` only. */
  readonly shape?: Shape;
  /** What the model wrote; at content `full` only. */
  readonly raw?: unknown;
  /** What ran; at content `full` only. */
  readonly toolInput?: unknown;
  /** The fields that were left out because the line was too long. */
  readonly cut?: readonly string[];
}

/** How many calls were valid in one minute; `t` is its start. Several lines may count one minute. */
export interface CountLine extends LineBase {
  readonly kind: "count";
  readonly seam: Seam;
  readonly n: number;
}

/** A tool's schema, once for each hash and process. */
export interface SchemaLine extends LineBase {
  readonly kind: "schema";
  readonly schema: string;
  /** Without its descriptions where it would be too long; with them left out still too long: absent. */
  readonly jsonSchema?: unknown;
  readonly cut?: readonly string[];
}

/** Which input stands for one that was refused. It can be read without the lines of the calls. */
export interface CorrectionLine extends LineBase {
  readonly kind: "correction";
  readonly run?: string;
  readonly thread?: string;
  /** The id of the call that was refused. */
  readonly of?: string;
  /** The id of the call that replaces it. */
  readonly by?: string;
  readonly source: CorrectionSource;
  readonly level?: RepairLevel;
  /** What was wrong with the input that was refused. */
  readonly issues: readonly LoggedIssue[];
  /** What the model wrote at first; at content `full` only. */
  readonly raw?: unknown;
  /** What stands for it; at content `full` only. */
  readonly toolInput?: unknown;
  /** At content `keys` only. */
  readonly shape?: Shape;
  /** At content `keys` only. */
  readonly correctedShape?: Shape;
  readonly cut?: readonly string[];
}

/** One line of a log, an object of JSON of at most 8 KB. */
export type LogLine = CallLine | CountLine | SchemaLine | CorrectionLine;

const OUTCOMES: ReadonlySet<unknown> = new Set<Outcome>([
  "valid",
  "repaired",
  "rescued",
  "answered",
  "refused",
  "corrected",
]);

type Fields = { readonly [key: string]: unknown };

/**
 * Tells a line of a log from other JSON. Everything that a reader goes by is checked; what only
 * some lines have, and what the model wrote, is not.
 *
 * @param value What a line of a file holds.
 */
export function isLogLine(value: unknown): value is LogLine {
  if (!isJsonObject(value) || value.v !== 1 || typeof value.tool !== "string") return false;
  if (typeof value.t !== "string" || Number.isNaN(Date.parse(value.t))) return false;
  if (!isTextOrAbsent(value.model) || !isTextOrAbsent(value.schema)) return false;
  switch (value.kind) {
    case "call":
      return OUTCOMES.has(value.outcome) && hasIssues(value) && hasRepairs(value);
    case "count":
      return Number.isSafeInteger(value.n) && (value.n as number) >= 0;
    case "schema":
      return typeof value.schema === "string";
    case "correction":
      return typeof value.source === "string" && hasIssues(value);
    default:
      return false;
  }
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function hasIssues({ issues }: Fields): boolean {
  return (
    Array.isArray(issues) &&
    issues.every(
      (one) => isJsonObject(one) && typeof one.path === "string" && typeof one.code === "string",
    )
  );
}

function hasRepairs({ repairs }: Fields): boolean {
  return (
    Array.isArray(repairs) &&
    repairs.every(
      (one) =>
        isJsonObject(one) &&
        typeof one.fixer === "string" &&
        typeof one.path === "string" &&
        typeof one.level === "string",
    )
  );
}

/**
 * Names a call by its run and, as a person may answer in a later run, by its thread. Some models count
 * their calls from 1: where two have one name, nothing is known of them by it.
 *
 * @param line The line that tells of the call: its own, or that of its correction.
 * @param call The call's id.
 * @returns The names, the one that tells most apart first.
 */
export function callIds(
  { run, thread }: Pick<CallLine, "run" | "thread">,
  call: string,
): readonly string[] {
  // With its length before it, no run and id give the name of others.
  const ids: string[] = [];
  if (run) ids.push(`run ${run.length} ${run} ${call}`);
  if (thread) ids.push(`thread ${thread.length} ${thread} ${call}`);
  return ids.length === 0 ? [`call ${call}`] : ids;
}
