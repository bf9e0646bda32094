import { isThenable, type Steps } from "./drive.ts";
import type { FixerLookup } from "./fixers/registry.ts";
import { showValue } from "./json/json-value.ts";
import { LEVELS } from "./level-allows.ts";
import { type Fixers, type PolicyOptions, toRegistry } from "./policy.ts";
import type { ExplainedStep, RepairResult } from "./result.ts";
import type { Fixer, InputIssue, Repair } from "./types.ts";

/**
 * Explains a result step by step: the schema's verdict, what each fixer did, the edits, why the
 * input was refused, and which level would repair it.
 */
export function* explain(
  result: RepairResult,
  {
    raw,
    fixers,
    repair,
  }: {
    readonly raw: unknown;
    readonly fixers: Fixers | undefined;
    readonly repair: (changes: PolicyOptions) => Steps<RepairResult>;
  },
): Steps<readonly ExplainedStep[]> {
  // Only the schema is asked.
  const edits = {};
  const bare = fixers && withoutFixers(fixers, { edits });
  const asWritten = yield* repair({ level: "strict", edits, fixers: bare });
  const ran: ExplainedStep[] = [];
  if (fixers !== undefined) yield* repair({ fixers: recording(fixers, ran) });
  const steps: ExplainedStep[] = [
    { step: "read", says: `the model wrote ${showValue(raw, 300)}` },
    ...explainSchema(asWritten),
    ...ran,
  ];
  if (result.ok) steps.push(...result.repairs.map(explainEdit));
  else {
    for (const level of LEVELS) {
      const other = yield* repair({ level, fixers: fixers && withoutFixers(fixers) });
      if (!other.ok || other.repairs.length === 0) continue;
      const names = other.repairs.map(({ fixer }) => fixer).join(", ");
      steps.push({ step: "level", says: `"${level}" would repair it, by ${names}` });
      break;
    }
  }
  return [...steps, { step: "result", says: explainResult(result) }];
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

/** A registry's policies without its fixers; the caller sets the level. */
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
  const record = (did: string) =>
    void ran.push({ step: "fixer", says: `${fixer.name || "a fixer without a name"} ${did}` });
  const returned = (output: Awaited<ReturnType<Fixer>>) => {
    record(output === undefined ? "leaves it alone" : `makes it ${showValue(output, 300)}`);
    return output;
  };
  const threw = (error: unknown): never => {
    record("throws");
    throw error;
  };
  const recorded: Fixer = (input, context) => {
    try {
      const output = fixer(input, context);
      return isThenable(output) ? output.then(returned, threw) : returned(output);
    } catch (error) {
      return threw(error);
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
