import type { Steps } from "./drive.ts";
import { LEVELS } from "./edit-switches.ts";
import { showValue } from "./json/json-value.ts";
import type { CommonOptions, RepairPolicy } from "./policy.ts";
import type { ExplainedStep, RepairResult } from "./result.ts";

/** The input of a result, and a way to repair it again with other options. */
interface Explained {
  readonly raw: unknown;
  readonly policy: RepairPolicy;
  /** What each fixer did. */
  readonly fixers: readonly ExplainedStep[];
  readonly repair: (changes: CommonOptions) => Steps<RepairResult>;
}

/**
 * Explains a result step by step: the schema's verdict, what each fixer did, the edits, why the
 * input was refused, and which level would repair it.
 */
export function* explain(
  result: RepairResult,
  { raw, policy, fixers, repair }: Explained,
): Steps<readonly ExplainedStep[]> {
  const steps: ExplainedStep[] = [];
  const say = (step: ExplainedStep["step"], says: string) => void steps.push({ step, says });
  const withoutFixers = { ...policy, fixers: undefined };
  say("read", `the model wrote ${showValue(raw, 300)}`);

  // At this level, without fixers and switches, only the schema is asked.
  const asWritten = yield* repair({ ...withoutFixers, level: "strict", edits: {} });
  for (const says of verdict(asWritten)) say("schema", says);

  steps.push(...fixers);
  if (result.ok) {
    for (const { fixer, path, before, after, level, reason } of result.repairs) {
      const why = reason === undefined ? "" : `: ${reason}`;
      const change = `${showValue(before, 120)} → ${showValue(after, 120)}`;
      say("edit", `${fixer} (${level}) at ${path || "the whole input"}: ${change}${why}`);
    }
    const { toolInput, undeclared } = result;
    const ignored = undeclared.length === 0 ? "" : `; not declared: ${undeclared.join(", ")}`;
    say("result", `runs with ${showValue(toolInput, 300)}${ignored}`);
    return steps;
  }
  for (const level of LEVELS) {
    const other = yield* repair({ ...withoutFixers, level });
    if (!other.ok || other.repairs.length === 0) continue;
    const names = other.repairs.map(({ fixer }) => fixer).join(", ");
    say("level", `"${level}" would repair it, by ${names}`);
    break;
  }
  const { reason, candidates = [] } = result.error;
  const could = candidates.length === 0 ? "" : `; it could mean ${candidates.join(" or ")}`;
  say("result", `refused, ${reason}${could}`);
  return steps;
}

function verdict(asWritten: RepairResult): readonly string[] {
  if (asWritten.ok) {
    const { repairs, undeclared } = asWritten;
    return [
      repairs.length === 0 ? "accepts it as it is" : "accepts what is read from it",
      ...undeclared.map((path) => `${path} is not declared: the tool will not hear it`),
    ];
  }
  return asWritten.error.issues.map(({ path, message, expected, received, didYouMean }) => {
    const wanted = expected === undefined ? message : `expected ${expected}`;
    const given = received === undefined ? "" : `, received ${received}`;
    const hint = didYouMean === undefined ? "" : `; did you mean ${didYouMean}?`;
    return `${path || "the whole input"}: ${wanted}${given}${hint}`;
  });
}
