import { isDeepStrictEqual } from "node:util";
import type { Scenario, ToolRun } from "./scenarios.ts";

/** A recorded step, of whichever agent. */
export interface RecordedStep {
  readonly action: { readonly tool: string; readonly toolInput: unknown };
}

/** What came of a model output. */
export interface Outcome {
  /** What reached the page. */
  readonly ran: readonly ToolRun[];
  /** What the run threw. */
  readonly threw: Error | undefined;
  /** What the run recorded. */
  readonly steps: readonly RecordedStep[];
  /** What the model was told of its calls, with its next request. */
  readonly told: readonly string[];
  /** How many times the model was called. */
  readonly modelCalls: number;
}

/**
 * How good an outcome is. A run that ended in an error is at least not silent, and neither is a call
 * that was not run when the model was told why: it must be asked again.
 */
export type Verdict = "as meant" | "asked again" | "threw" | "silently wrong";

/**
 * Judges an outcome by what the model meant.
 *
 * @returns The verdict, and what is wrong.
 */
export function judge(
  { calls, meant, mustSay }: Scenario,
  { ran, threw, steps, told }: Outcome,
): { readonly verdict: Verdict; readonly faults: readonly string[] } {
  if (threw !== undefined) return { verdict: "threw", faults: [] };
  const recorded = steps.map(({ action }) => ({ tool: action.tool, input: action.toolInput }));
  const faults = [
    ...without(ran, meant).map(() => "but it should not have run"),
    ...without(meant, ran).map(({ tool }) =>
      told.length < calls.length ? `but dropped the call of ${tool}` : `but did not run ${tool}`,
    ),
    ...without(ran, recorded).map(({ tool }) => {
      const near = recorded.find((step) => step.tool.toLowerCase() === tool);
      return near === undefined ? `but did not record ${tool}` : `but recorded ${show(near)}`;
    }),
  ];
  const isAskedAgain =
    ran.length === 0 && meant.length > 0 && told.length > 0 && told.length === calls.length;
  if (isAskedAgain) return { verdict: "asked again", faults: ["ran nothing, told the model"] };
  if (faults.length === 0 && mustSay !== undefined && !told.some((text) => mustSay.test(text))) {
    faults.push(`but told the model ${told.map((text) => JSON.stringify(text)).join(", ")}`);
  }
  return { verdict: faults.length === 0 ? "as meant" : "silently wrong", faults };
}

/** A call as a line: `click {"selector":"#buy"}`. */
export function show({ tool, input }: { tool: string; input: unknown }): string {
  return `${tool} ${JSON.stringify(input)}`;
}

function without<One extends object>(runs: readonly One[], others: readonly unknown[]): One[] {
  return runs.filter((run) => !others.some((other) => isDeepStrictEqual(run, other)));
}
