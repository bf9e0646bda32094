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

/** An action that was got from text as a whole. */
interface TextAction {
  /** The tool's name. */
  readonly tool: string;
  readonly input: JsonValue;
  /** What the model wrote. */
  readonly text: string;
  /** How the action was got from it. */
  readonly by: Pick<Repair, "fixer" | "level">;
  /** Whether `onUnfixable` may be asked about the input. Default: `true`. */
  readonly ask?: boolean;
}

/** Plans an action that was got from text as a whole. */
export function planFromText({ tool, input, text, by, ask = true }: TextAction): Plan {
  const action = { tool, toolInput: input as AgentAction["toolInput"], log: text };
  const before: Repair = { ...by, path: "", before: text, after: input };
  return {
    kind: "actions",
    planned: [{ action, raw: input, before: [before], ask }],
    isList: false,
  };
}
