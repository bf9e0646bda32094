import type { FixerLookup } from "./fixers/registry.ts";
import { showValue } from "./json/json-value.ts";
import { LEVELS } from "./level-allows.ts";
import { repairInput } from "./pipeline.ts";
import {
  type Fixers,
  type NotRegistry,
  REPAIR_USAGE,
  type RepairOptions,
  toRegistry,
} from "./policy.ts";
import { type RepairResult, withoutFaults } from "./result.ts";
import type { Fixer, InputIssue, Repair, ToolLike } from "./types.ts";
import { checkOptions, checkTool, type OptionsUsage } from "./usage.ts";

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
  const { fixers } = options;
  const repair = async (changes: RepairOptions): Promise<RepairResult> =>
    withoutFaults(await repairInput(raw, tool, { ...options, ...changes }));
  // Nothing but the schema is asked.
  const edits = {};
  const bare = fixers && withoutFixers(fixers, { edits });
  const asWritten = await repair({ level: "strict", edits, fixers: bare });
  const ran: ExplainedStep[] = [];
  const result = await repair({ fixers: fixers && recording(fixers, ran) });
  const steps: ExplainedStep[] = [
    { step: "read", says: `the model wrote ${showValue(raw, 300)}` },
    ...explainSchema(asWritten),
    ...ran,
  ];
  if (result.ok) steps.push(...result.repairs.map(explainEdit));
  else {
    for (const level of LEVELS) {
      const other = await repair({ level, fixers: fixers && withoutFixers(fixers) });
      if (!other.ok || other.repairs.length === 0) continue;
      const edits = other.repairs.map(({ fixer }) => fixer).join(", ");
      steps.push({ step: "level", says: `"${level}" would repair it, by ${edits}` });
      break;
    }
  }
  return { steps: [...steps, { step: "result", says: explainResult(result) }], result };
}

function explainSchema(asWritten: RepairResult): readonly ExplainedStep[] {
  if (!asWritten.ok) {
    return asWritten.error.issues.map((issue) => ({ step: "schema", says: showIssue(issue) }));
  }
  const { repairs, undeclared } = asWritten;
  return [
    repairs.length === 0 ? "accepts it as it is" : "accepts what is read from it",
    ...undeclared.map((path) => `${path} is not declared: the tool will not hear it`),
  ].map((says) => ({ step: "schema", says }));
}

function showIssue({ path, message, expected, received, didYouMean }: InputIssue): string {
  const wanted = expected === undefined ? message : `expected ${expected}`;
  const given = received === undefined ? "" : `, received ${received}`;
  const hint = didYouMean === undefined ? "" : `; did you mean ${didYouMean}?`;
  return `${path || "the whole input"}: ${wanted}${given}${hint}`;
}

/** A registry's policies alone; the level is the one that is asked about. */
function withoutFixers(fixers: Fixers, changes: Pick<FixerLookup, "edits"> = {}): FixerLookup {
  const registry = toRegistry(fixers);
  return {
    ...registry,
    ...changes,
    forTool: (name) => ({ ...registry.forTool(name), fixers: [], level: undefined, ...changes }),
  };
}

/** A registry whose fixers record what they do. */
function recording(fixers: Fixers, ran: ExplainedStep[]): FixerLookup {
  const registry = toRegistry(fixers);
  return {
    ...registry,
    forTool(name) {
      const known = registry.forTool(name);
      return { ...known, fixers: known.fixers.map((fixer) => recordingFixer(fixer, ran)) };
    },
  };
}

function recordingFixer(fixer: Fixer, ran: ExplainedStep[]): Fixer {
  const name = fixer.name || "a fixer without a name";
  const recorded: Fixer = async (input, context) => {
    try {
      const output = await fixer(input, context);
      const says = output === undefined ? "leaves it alone" : `makes it ${showValue(output, 300)}`;
      ran.push({ step: "fixer", says: `${name} ${says}` });
      return output;
    } catch (error) {
      ran.push({ step: "fixer", says: `${name} throws` });
      throw error;
    }
  };
  return Object.defineProperty(recorded, "name", { value: fixer.name });
}

function explainEdit({ fixer, path, before, after, level, reason }: Repair): ExplainedStep {
  const show = (value: unknown) => (value === undefined ? "nothing" : showValue(value, 120));
  const why = reason === undefined ? "" : `: ${reason}`;
  const place = path || "the whole input";
  return {
    step: "edit",
    says: `${fixer} (${level}) at ${place}: ${show(before)} → ${show(after)}${why}`,
  };
}

function explainResult(result: RepairResult): string {
  if (result.ok) {
    const { toolInput, undeclared } = result;
    const unheard = undeclared.length === 0 ? "" : `; not declared: ${undeclared.join(", ")}`;
    return `runs with ${showValue(toolInput, 300)}${unheard}`;
  }
  const { reason, candidates = [] } = result.error;
  const could = candidates.length === 0 ? "" : `; it could mean ${candidates.join(" or ")}`;
  return `refused, ${reason}${could}`;
}
