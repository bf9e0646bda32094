import { whyNotJson } from "./json-value.ts";
import { parseToolInput } from "./parse-tool-input.ts";
import type { CompiledSchema } from "./schema/compile-schema.ts";
import type { InputIssue, JsonValue, Repair, RepairLevel, RepairLimits } from "./types.ts";

/** What stage 1 made of what the model wrote: a value, or the reason to refuse it. */
export type ReadToolInput =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly repairs: readonly Repair[];
      /** Whether closing brackets had to be put in. */
      readonly truncated: boolean;
    }
  | { readonly ok: false; readonly issue: InputIssue };

/**
 * Reads what the model wrote as JSON. Text is parsed, unless the tool takes a string; text that
 * was cut off or holds several values is refused.
 *
 * @param raw Text, a parsed value, or `undefined`.
 * @param schema The tool's schema.
 * @param level `strict` reads exact JSON only; `eager` puts closing brackets in.
 * @param limits The longest input.
 * @param knownTruncated Whether the output is known to be cut off.
 */
export function readToolInput(
  raw: unknown,
  schema: CompiledSchema,
  level: RepairLevel,
  limits: RepairLimits,
  knownTruncated: boolean,
): ReadToolInput {
  if (typeof raw !== "string") {
    if (knownTruncated) return refused(CUT_OFF);
    if (raw === undefined) return accepted(null);
    const reason = whyNotJson(raw, limits.maxDepth);
    if (reason !== undefined)
      return refused({ code: "not_json", message: `is no JSON: ${reason}` });
    return isTooLong(JSON.stringify(raw), limits) ?? accepted(raw as JsonValue);
  }
  return isTooLong(raw, limits) ?? readText(raw, schema, level, limits, knownTruncated);
}

function readText(
  text: string,
  schema: CompiledSchema,
  level: RepairLevel,
  limits: RepairLimits,
  knownTruncated: boolean,
): ReadToolInput {
  if (schema.takesString) return knownTruncated ? refused(CUT_OFF) : accepted(text);
  const parsed = parseToolInput(text, { syntaxRepair: level !== "strict" });
  if (parsed.kind === "several") return refused(SEVERAL);
  if (parsed.kind === "truncated") {
    if (level !== "eager" || knownTruncated || parsed.where === "inside-value")
      return refused(CUT_OFF);
    if (parsed.completed === undefined) return refused(CUT_OFF);
    return accepted(parsed.completed, [closeBrackets(text, parsed.completed)], true);
  }
  if (knownTruncated && (parsed.repairs.length > 0 || typeof parsed.value !== "object")) {
    return refused(CUT_OFF);
  }
  if (typeof parsed.value === "number" && String(parsed.value) !== text.trim()) {
    return accepted(text); // "1.0", "1e3", too many digits: as text, nothing of it is lost
  }
  const reason = parsed.repairs.length > 0 ? whyNotJson(parsed.value, limits.maxDepth) : undefined;
  if (reason !== undefined) return refused({ code: "not_json", message: `is no JSON: ${reason}` });
  return accepted(parsed.value, parsed.repairs);
}

function closeBrackets(before: string, after: JsonValue): Repair {
  return { fixer: "close-brackets", path: "", before, after, level: "eager" };
}

const CUT_OFF = {
  code: "truncated",
  message: "was cut off before its end, so that what is missing is not known",
};

const SEVERAL = {
  code: "several_values",
  message: "holds several JSON values one after another, where one is wanted",
};

function accepted(
  value: JsonValue,
  repairs: readonly Repair[] = [],
  truncated = false,
): ReadToolInput {
  return { ok: true, value, repairs, truncated };
}

function refused(issue: Omit<InputIssue, "path">): ReadToolInput {
  return { ok: false, issue: { path: "", ...issue } };
}

function isTooLong(text: string, { maxLength }: RepairLimits): ReadToolInput | undefined {
  if (text.length <= maxLength) return undefined;
  return refused({
    code: "too_long",
    message: `is ${text.length} characters long, over the limit of ${maxLength} (option limits.maxLength)`,
  });
}
