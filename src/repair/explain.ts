import { isThenable, type Steps } from "./drive.ts";
import type { FixerLookup, RegisteredTool } from "./fixers/registry.ts";
import { showValue } from "./json/json-value.ts";
import { LEVELS } from "./level-allows.ts";
import { type Fixers, type PolicyOptions, toRegistry } from "./policy.ts";
import type { ExplainedStep, RepairResult } from "./result.ts";
import type { Fixer } from "./types.ts";

/** The input that a result is of, and a way to repair it again with other options. */
interface Explained {
  readonly raw: unknown;
  readonly fixers: Fixers | undefined;
  readonly repair: (changes: PolicyOptions) => Steps<RepairResult>;
}

/**
 * Explains a result step by step: the schema's verdict, what each fixer did, the edits, why the
 * input was refused, and which level would repair it.
 */
export function* explain(
  result: RepairResult,
  { raw, fixers, repair }: Explained,
): Steps<readonly ExplainedStep[]> {
  const steps: ExplainedStep[] = [];
  const say = (step: ExplainedStep["step"], says: string) => void steps.push({ step, says });
  say("read", `the model wrote ${showValue(raw, 300)}`);

  // At this level, without fixers and switches, only the schema is asked.
  const edits = {};
  const bare = fixers && changed(fixers, (tool) => ({ ...tool, ...WITHOUT_FIXERS, edits }));
  const asWritten = yield* repair({ level: "strict", edits, fixers: bare && { ...bare, edits } });
  for (const says of verdict(asWritten)) say("schema", says);

  if (fixers !== undefined) {
    const record = (fixer: Fixer, did: string) =>
      say("fixer", `${fixer.name || "a fixer without a name"} ${did}`);
    const recording = (tool: RegisteredTool) => ({
      ...tool,
      fixers: tool.fixers.map((fixer) => recorded(fixer, record)),
    });
    yield* repair({ fixers: changed(fixers, recording) });
  }
  if (result.ok) {
    for (const { fixer, path, before, after, level, reason } of result.repairs) {
      const why = reason === undefined ? "" : `: ${reason}`;
      const change = `${showValue(before, 120)} → ${showValue(after, 120)}`;
      say("edit", `${fixer} (${level}) at ${path || "the whole input"}: ${change}${why}`);
    }
  } else {
    const without = fixers && changed(fixers, (tool) => ({ ...tool, ...WITHOUT_FIXERS }));
    for (const level of LEVELS) {
      const other = yield* repair({ level, fixers: without });
      if (!other.ok || other.repairs.length === 0) continue;
      const names = other.repairs.map(({ fixer }) => fixer).join(", ");
      say("level", `"${level}" would repair it, by ${names}`);
      break;
    }
  }
  say("result", outcome(result));
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

function outcome(result: RepairResult): string {
  if (result.ok) {
    const { toolInput, undeclared } = result;
    const unheard = undeclared.length === 0 ? "" : `; not declared: ${undeclared.join(", ")}`;
    return `runs with ${showValue(toolInput, 300)}${unheard}`;
  }
  const { reason, candidates = [] } = result.error;
  const could = candidates.length === 0 ? "" : `; it could mean ${candidates.join(" or ")}`;
  return `refused, ${reason}${could}`;
}

/** The caller sets the level. */
const WITHOUT_FIXERS = { fixers: [], level: undefined };

/** A registry with its entries changed. */
function changed(fixers: Fixers, change: (tool: RegisteredTool) => RegisteredTool): FixerLookup {
  const registry = toRegistry(fixers);
  return { ...registry, forTool: (name) => change(registry.forTool(name)) };
}

/** A fixer that records what it does. */
function recorded(fixer: Fixer, record: (fixer: Fixer, did: string) => void): Fixer {
  const returned = (output: Awaited<ReturnType<Fixer>>) => {
    const did = output === undefined ? "leaves it alone" : `makes it ${showValue(output, 300)}`;
    record(fixer, did);
    return output;
  };
  const threw = (error: unknown): never => {
    record(fixer, "throws");
    throw error;
  };
  const recording: Fixer = (input, context) => {
    try {
      const output = fixer(input, context);
      return isThenable(output) ? output.then(returned, threw) : returned(output);
    } catch (error) {
      return threw(error);
    }
  };
  return Object.defineProperty(recording, "name", { value: fixer.name });
}
