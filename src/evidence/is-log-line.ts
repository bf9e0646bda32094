import type { Outcome } from "../repair/events/event.ts";
import { isJsonObject } from "../repair/json/json-value.ts";
import type { LogLine } from "./log-line.ts";
import { parseTime } from "./parse-time.ts";

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
  if (typeof value.t !== "string" || Number.isNaN(parseTime(value.t))) return false;
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
