import type { AgentAction, JsonValue, Repair } from "../../repair/types.ts";
import type { AgentOutput } from "./executor-like.ts";
import type { PlannedAction } from "./prepare-action.ts";
import type { Outcome } from "./run.ts";

/** What the model's output comes to: actions to prepare, or an output to hand on as it is. */
export type Plan =
  | {
      readonly kind: "actions";
      readonly planned: readonly PlannedAction[];
      /** Whether LangChain is handed an array. */
      readonly isList: boolean;
      /** Why LangChain's parser refused the output: thrown where an input cannot be repaired. */
      readonly refusal?: Error;
    }
  | { readonly kind: "output"; readonly output: AgentOutput };

/** Actions whose inputs are repaired, and what is to become of each. */
export type PreparedActions = Extract<Plan, { kind: "actions" }> & {
  readonly outcomes: readonly Outcome[];
};

/** A plan whose inputs are repaired. */
export type PreparedPlan = PreparedActions | Extract<Plan, { kind: "output" }>;

/**
 * Plans an action that was got from text as a whole.
 *
 * @param tool The tool's name.
 * @param input The tool's input.
 * @param text What the model wrote.
 * @param by How the action was got from it.
 * @param ask Whether `onUnfixable` may be asked about the input. Default: `true`.
 */
export function planFromText(
  tool: string,
  input: JsonValue,
  text: string,
  by: Pick<Repair, "fixer" | "level">,
  ask = true,
): Plan {
  const action = { tool, toolInput: input as AgentAction["toolInput"], log: text };
  const before: Repair = { ...by, path: "", before: text, after: input };
  return {
    kind: "actions",
    planned: [{ action, raw: input, before: [before], ask }],
    isList: false,
  };
}
