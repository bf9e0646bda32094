import type { FixerRegistry } from "./fixers/fixer-registry.ts";
import { showValue } from "./json/json-value.ts";
import { LEVELS } from "./level-allows.ts";
import type { RepairOptions } from "./options.ts";
import { repairToolInput } from "./pipeline.ts";
import type { RepairResult } from "./repair-result.ts";
import type { Fixer, InputIssue, Repair, ToolLike } from "./types.ts";
import { checkOptions, type OptionsUsage } from "./usage/check-options.ts";
import { checkTool } from "./usage/check-tools.ts";
import type { NotRegistry } from "./usage/not-registry.ts";
import { REPAIR_USAGE } from "./usage/repair-checks.ts";

const EXPLAIN_USAGE: OptionsUsage = {
  ...REPAIR_USAGE,
  of: "explainRepair",
  example: "explainRepair(raw, tool, { fixers })",
};

/** One step of an explanation. */
export interface ExplainedStep {
  /** What was done: the text was read, the schema asked, a fixer run, edits sought; and what came of it. */
  readonly step: "read" | "schema" | "fixer" | "edit" | "level" | "result";
  /** What came of it, in a line. */
  readonly says: string;
}

/** Why an input is repaired or refused. */
export interface RepairExplanation {
  readonly steps: readonly ExplainedStep[];
  /** What `repairToolInput` returns. */
  readonly result: RepairResult;
}

/**
 * Explains, step by step, what `repairToolInput` makes of an input: what the schema said, which fixers
 * were run and what they did, which edits were made, why it was refused, and what another level would
 * do. It answers "why was it not repaired?".
 *
 * @param raw What the model wrote.
 * @param tool The tool, or just its name and schema.
 * @param options Fixers, level and limits, as for `repairToolInput`. Fixers are run more than once;
 * `onRepair`, `onRefused` and `evidence` are not told.
 * @returns The steps, and the result.
 * @throws TypeError for a wrong use, as `repairToolInput`.
 * @example
 * ```ts
 * const { steps } = await explainRepair({ element: "#buy" }, click);
 * console.log(steps.at(-1)?.says); // refused, invalid
 * ```
 */
export async function explainRepair(
  raw: unknown,
  tool: ToolLike,
  options: RepairOptions & NotRegistry = {},
): Promise<RepairExplanation> {
  checkTool(tool, "explainRepair(raw, tool, options)");
  checkOptions(options, EXPLAIN_USAGE);
  const heard: ExplainedStep[] = [];
  const fixers = options.fixers && listenTo(options.fixers, heard);
  // It is a question about a call, and none: who counts calls is not told.
  const quiet = { ...options, onRepair: undefined, onRefused: undefined, evidence: undefined };
  const alone = (more?: typeof NO_EDITS): RepairOptions => ({
    ...quiet,
    ...more,
    fixers: options.fixers && withoutFixers(options.fixers, more),
  });
  const asGiven = await repairToolInput(raw, tool, { ...alone(NO_EDITS), level: "strict" });
  const result = await repairToolInput(raw, tool, { ...quiet, fixers });
  const steps: ExplainedStep[] = [
    ...explainReading(raw),
    ...explainSchema(asGiven),
    ...heard,
    ...(result.ok ? result.repairs.map(explainEdit) : []),
    ...(await explainLevels(raw, tool, alone(), result)),
    explainResult(result),
  ];
  return { steps, result };
}

function explainReading(raw: unknown): readonly ExplainedStep[] {
  return [{ step: "read", says: `the model wrote ${showValue(raw, 300)}` }];
}

function explainSchema(asGiven: RepairResult): readonly ExplainedStep[] {
  if (!asGiven.ok) {
    return asGiven.error.issues.map((issue) => ({ step: "schema", says: showIssue(issue) }));
  }
  const undeclared = asGiven.undeclared.map((path): ExplainedStep => {
    return { step: "schema", says: `${path} is not declared: the tool will not hear it` };
  });
  const says =
    asGiven.repairs.length === 0 ? "accepts it as it is" : "accepts what is read from it";
  return [{ step: "schema", says }, ...undeclared];
}

function showIssue({ path, message, expected, received, didYouMean }: InputIssue): string {
  const place = path === "" ? "the whole input" : path;
  const wanted = expected === undefined ? message : `expected ${expected}`;
  const given = received === undefined ? "" : `, received ${received}`;
  const hint = didYouMean === undefined ? "" : `; did you mean ${didYouMean}?`;
  return `${place}: ${wanted}${given}${hint}`;
}

/** With these, nothing but the schema is asked. */
const NO_EDITS = { edits: {} };

/** A registry's policies alone; the level is the one that is asked about. */
function withoutFixers(registry: FixerRegistry, more?: typeof NO_EDITS): FixerRegistry {
  return {
    ...registry,
    ...more,
    forTool: (name) => ({ ...registry.forTool(name), fixers: [], level: undefined, ...more }),
  };
}

/** A registry whose fixers tell what they do. */
function listenTo(registry: FixerRegistry, heard: ExplainedStep[]): FixerRegistry {
  return {
    ...registry,
    forTool(name) {
      const known = registry.forTool(name);
      return { ...known, fixers: known.fixers.map((fixer) => listenToFixer(fixer, heard)) };
    },
  };
}

function listenToFixer(fixer: Fixer, heard: ExplainedStep[]): Fixer {
  const name = fixer.name || "a fixer without a name";
  const told: Fixer = async (input, context) => {
    try {
      const output = await fixer(input, context);
      const says = output === undefined ? "leaves it alone" : `makes it ${showValue(output, 300)}`;
      heard.push({ step: "fixer", says: `${name} ${says}` });
      return output;
    } catch (error) {
      heard.push({ step: "fixer", says: `${name} throws` });
      throw error;
    }
  };
  return Object.defineProperty(told, "name", { value: fixer.name });
}

function explainEdit({ fixer, path, before, after, level, reason }: Repair): ExplainedStep {
  const place = path === "" ? "the whole input" : path;
  const show = (value: unknown) => (value === undefined ? "nothing" : showValue(value, 120));
  const why = reason === undefined ? "" : `: ${reason}`;
  return {
    step: "edit",
    says: `${fixer} (${level}) at ${place}: ${show(before)} → ${show(after)}${why}`,
  };
}

/** What a refused input would be at another level. */
async function explainLevels(
  raw: unknown,
  tool: ToolLike,
  options: RepairOptions,
  result: RepairResult,
): Promise<readonly ExplainedStep[]> {
  if (result.ok) return [];
  const steps: ExplainedStep[] = [];
  for (const level of LEVELS) {
    const other = await repairToolInput(raw, tool, { ...options, level });
    if (!other.ok || other.repairs.length === 0) continue;
    const edits = other.repairs.map(({ fixer }) => fixer).join(", ");
    steps.push({ step: "level", says: `"${level}" would repair it, by ${edits}` });
    break;
  }
  return steps;
}

function explainResult(result: RepairResult): ExplainedStep {
  if (result.ok) {
    const { toolInput, undeclared } = result;
    const unheard = undeclared.length === 0 ? "" : `; not declared: ${undeclared.join(", ")}`;
    return { step: "result", says: `runs with ${showValue(toolInput, 300)}${unheard}` };
  }
  const { reason, candidates = [] } = result.error;
  const could = candidates.length === 0 ? "" : `; it could mean ${candidates.join(" or ")}`;
  return { step: "result", says: `refused, ${reason}${could}` };
}
