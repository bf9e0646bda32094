import { isDeepStrictEqual } from "node:util";
import type { Scenario, ToolRun } from "./scenarios.ts";

/** A recorded step, of either kind of agent. */
export interface RecordedStep {
  readonly action: { readonly tool: string; readonly toolInput: unknown };
}

/** The outcome of a model output. */
export interface Outcome {
  /** The actions on the page. */
  readonly ran: readonly ToolRun[];
  /** The error that the run threw. */
  readonly threw: Error | undefined;
  /** The steps that the run recorded. */
  readonly steps: readonly RecordedStep[];
  /** The answers to the model's calls in its next request. */
  readonly answers: readonly string[];
  /** How many times the model was called. */
  readonly modelCalls: number;
}

/**
 * The verdict on an outcome. A run that ended in an error is at least not silent, and neither is a
 * call that did not run if the model got the reason: it has to call again.
 */
export type Verdict = "as meant" | "asked again" | "threw" | "silently wrong";

/**
 * Judges an outcome by the model's intention.
 *
 * @returns The verdict, and the fault.
 */
export function judge(
  { calls, meant, mustSay }: Scenario,
  { ran, threw, steps, answers }: Outcome,
): { readonly verdict: Verdict; readonly faults: readonly string[] } {
  if (threw !== undefined) return { verdict: "threw", faults: [] };
  const recorded = steps.map(({ action }) => ({ tool: action.tool, input: action.toolInput }));
  const faults = [
    ...without(ran, meant).map(() => "but it should not have run"),
    ...without(meant, ran).map(({ tool }) =>
      answers.length < calls.length ? `but dropped the call of ${tool}` : `but did not run ${tool}`,
    ),
    ...without(ran, recorded).map(({ tool }) => {
      const near = recorded.find((step) => step.tool.toLowerCase() === tool);
      return near === undefined ? `but did not record ${tool}` : `but recorded ${show(near)}`;
    }),
  ];
  const isAskedAgain =
    ran.length === 0 && meant.length > 0 && answers.length > 0 && answers.length === calls.length;
  if (isAskedAgain) return { verdict: "asked again", faults: ["ran nothing, told the model"] };
  if (faults.length === 0 && mustSay !== undefined && !answers.some((text) => mustSay.test(text))) {
    const told = answers.map((text) => JSON.stringify(text)).join(", ");
    faults.push(`but told the model ${told || "nothing"}`);
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
