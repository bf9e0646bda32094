import { isJsonObject, jsonEquals } from "#src/repair/json.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairResult } from "#src/repair/result.ts";
import type { JsonValue, RepairLevel } from "#src/repair/types.ts";
import { applyRepairs } from "../repair/apply-repairs.ts";
import { isJson } from "../repair/is-json.ts";
import type { Raw } from "./make-raw.ts";
import { inventedIn, lostFrom } from "./tokens.ts";

/** The limit of CPU time for one small input, in milliseconds, which includes compilation. */
const MOST_MS = 1_000;

/** The content of a comment is lost by intent. */
const COMMENT = /#|\/\/|\/\*|<!--/;

/** A schema as one run has it. */
export interface RunSchema {
  readonly schema: unknown;
  /** Whether validators other than toolmend's accept a value. */
  readonly accepts: (value: JsonValue) => boolean;
  /** The JSON Schema, for every form of the schema. */
  readonly json: unknown;
}

/** The outcomes of one input at both levels. */
export interface Run {
  /** The names of the broken properties, each with the evidence. */
  readonly broken: readonly (readonly [property: string, seen: string])[];
  readonly outcome: "refused" | "valid" | "repaired";
}

/** Repairs an input at both levels, and checks the properties that every repair must have. */
export async function checkRun(made: Raw, tool: RunSchema, again: boolean): Promise<Run> {
  const broken: [string, string][] = [];
  const note = (property: string, level: string, seen: unknown) =>
    broken.push([property, `${level}: ${JSON.stringify(seen)}`]);
  const results = new Map<RepairLevel, RepairResult>();
  for (const level of ["safe", "eager"] as const) {
    const result = await repair(made.raw, tool, level);
    if (typeof result === "string") {
      note(result.startsWith("took") ? "no overrun" : "no crash", level, result);
      continue;
    }
    results.set(level, result);
    if (!result.ok) {
      if (made.kind === "valid") note("valid is accepted", level, result.error.issues);
      continue;
    }
    const { toolInput, repairs } = result;
    if (!tool.accepts(toolInput)) note("nothing outside the schema", level, toolInput);
    if (again && !(await isSettled(result, tool, level))) note("idempotent", level, toolInput);
    if (again && !(await isTheSame(made.raw, result, tool, level)))
      note("deterministic", level, toolInput);
    if (repairs.length === 0) {
      if (typeof made.raw === "object" && made.raw !== toolInput)
        note("valid is untouched", level, toolInput);
      continue;
    }
    if (!isReplayed(made.raw, result)) note("replayed by applyRepairs", level, repairs);
    const invented = inventedIn(toolInput, made.raw, tool.json);
    if (invented.length > 0) note("nothing invented", level, [invented, repairs]);
    if (hasForbiddenKey(toolInput, tool.json)) note("no forbidden key", level, toolInput);
    if (made.meant === undefined || typeof made.raw !== "string" || isJson(made.raw)) continue;
    if (COMMENT.test(made.raw)) continue;
    const lost = lostFrom(made.raw, toolInput, repairs);
    if (lost.length > 0) note("nothing lost", level, [lost, toolInput, repairs]);
  }
  const [safe, eager] = [results.get("safe"), results.get("eager")];
  // A key that safe leaves and reports, eager may correct.
  if (
    safe?.ok &&
    eager?.ok &&
    safe.undeclared.length === 0 &&
    !jsonEquals(safe.toolInput, eager.toolInput)
  ) {
    if (eager.repairs.every(({ level }) => level !== "eager") || safe.repairs.length > 0)
      note("eager repairs as safe does", "both", [safe.toolInput, eager.toolInput]);
  }
  const isRepaired = safe?.ok && safe.repairs.length > 0;
  return { broken, outcome: isRepaired ? "repaired" : safe?.ok ? "valid" : "refused" };
}

async function repair(
  raw: JsonValue,
  { schema }: RunSchema,
  level: RepairLevel,
): Promise<RepairResult | string> {
  const before = process.cpuUsage();
  try {
    const result = await repairToolInput(raw, { name: "run_step", schema }, { level });
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1_000;
    return took > MOST_MS ? `took ${took} ms` : (result as RepairResult);
  } catch (error) {
    return `threw ${error}`;
  }
}

/** Whether repairing the output changes nothing. */
async function isSettled(
  result: Extract<RepairResult, { ok: true }>,
  tool: RunSchema,
  level: RepairLevel,
): Promise<boolean> {
  const second = await repair(result.toolInput, tool, level);
  return typeof second !== "string" && second.ok && second.toolInput === result.toolInput;
}

async function isTheSame(
  raw: JsonValue,
  result: RepairResult,
  tool: RunSchema,
  level: RepairLevel,
): Promise<boolean> {
  const second = await repair(raw, tool, level);
  return typeof second !== "string" && JSON.stringify(second) === JSON.stringify(result);
}

function isReplayed(raw: JsonValue, result: Extract<RepairResult, { ok: true }>): boolean {
  const startsWithText = typeof raw === "string" && result.repairs[0]?.before !== raw;
  const parsed = startsWithText ? parsedOr(raw) : raw;
  return jsonEquals(applyRepairs(parsed, result.repairs) as JsonValue, result.toolInput);
}

/** `constructor` may be declared; `__proto__` never is. */
function hasForbiddenKey(value: JsonValue, schema: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const keys = isJsonObject(value) ? Object.keys(value) : [];
  if (keys.includes("__proto__") && !JSON.stringify(schema).includes("__proto__")) return true;
  return Object.values(value).some((item) => hasForbiddenKey(item as JsonValue, schema));
}

/** Only a repair reports text that is not JSON: this text is what does not replay. */
function parsedOr(text: string): JsonValue {
  return isJson(text) ? (JSON.parse(text) as JsonValue) : text;
}
