import type { BaseMessage } from "@langchain/core/messages";
import { showValue } from "./json.ts";
import {
  type NoHandler,
  type NotRegistry,
  REPAIR_USAGE,
  type RepairOptions,
} from "./policy.ts";
import { type LiteralTool, repairToolCall } from "./repair-tool-call.ts";
import type {
  JsonValue,
  NameRepair,
  OtherToolName,
  Repair,
  ToolInput,
  ToolLike,
} from "./types.ts";
import {
  anArray,
  checkArguments,
  checkOptions,
  checkToolList,
} from "./usage.ts";

/**
 * The tool name of the action that LangChain records if it could read no action
 * at all.
 */
export const EXCEPTION = "_Exception";

/** What is recorded of an action whose tool did not run. */
export function notRun(
  rawToolInput: JsonValue | undefined,
): Pick<ToolAction, "rawToolInput" | "repairs" | "undeclared" | "valid"> {
  return { rawToolInput, repairs: [], undeclared: [], valid: false };
}

/**
 * A call of a tool. `toolInput` is what the tool ran with: JSON that its schema
 * accepts. If `valid` is `false`, it is what the model wrote, and the tool did
 * not run: check `valid` before you rely on the type.
 */
export interface ToolAction<Name extends string = string, Input = JsonValue> {
  readonly tool: Name;
  readonly toolInput: Input;
  /**
   * Whether the schema accepts `toolInput`: `false` if it could not be
   * repaired.
   */
  readonly valid: boolean;
  /** What the model wrote, as LangChain keeps it for its next prompt. */
  readonly log: string;
  /**
   * The tool input as the model wrote it: text, or LangChain's parsed value.
   */
  readonly rawToolInput: JsonValue | undefined;
  /** Every change that was made to it, in order. */
  readonly repairs: readonly Repair[];
  /**
   * The keys of the tool input that the tool's schema does not declare, as JSON
   * Pointers.
   */
  readonly undeclared: readonly string[];
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** The id of the tool call, if the model made one. */
  readonly toolCallId?: string;
  /**
   * The messages of the action, with the repaired input; on the first of
   * parallel calls only.
   */
  readonly messageLog?: BaseMessage[];
}

/**
 * An action of an agent with these tools: a union discriminated by `tool`.
 * After `action.tool === "click"`, `action.toolInput` is click's input. Unless
 * `valid` is known to be `true` and the tool is known, it is JSON.
 *
 * - Tools whose name is a literal type have a member each.
 * - Tools with a name of type `string`, and names that no tool has, share one
 *   of JSON.
 * - `_Exception`, for output that could not be read, has the observation as its
 *   input.
 */
export type TypedAgentAction<Tools extends readonly ToolLike[]> =
  | ActionOf<LiteralTool<Tools[number]>>
  | ToolAction<
      [LiteralTool<Tools[number]>] extends [never] ? string : OtherToolName
    >
  | (ToolAction<typeof EXCEPTION, string> & { readonly valid: false });

type ActionOf<Tool extends ToolLike> = Tool extends ToolLike
  ? ToolAction<Tool["name"], ToolInput<Tool>>
  : never;

/** A step of an agent with these tools: its action, and the observation. */
export interface TypedAgentStep<Tools extends readonly ToolLike[]> {
  readonly action: TypedAgentAction<Tools>;
  readonly observation: string;
}

/**
 * Repairs and types steps that were recorded elsewhere: each tool input is
 * parsed, repaired and validated as `repairToolInput` does. It runs no tool,
 * and a second pass changes nothing.
 *
 * @param steps The steps, as LangChain records them.
 * @param tools The tools that were offered.
 * @param options Fixers, level and limits.
 * @returns The steps in their order. If an input could not be repaired, or no
 *   tool has the name, `valid` is `false` and `toolInput` is what was recorded.
 * @throws TypeError if an item is no step, or the options hold a handler.
 * @example
 * ```ts
 * const recorded = [{ action: { tool: "click", toolInput: { element: "#buy" }, log: "" }, observation: "" }];
 * const [step] = await normalizeIntermediateSteps(recorded, tools, { fixers });
 * console.log(step?.action.toolInput); // { selector: '#buy' }
 * ```
 */
export async function normalizeIntermediateSteps<
  const Tools extends readonly ToolLike[],
>(
  steps: readonly unknown[],
  tools: Tools,
  options: RepairOptions & NotRegistry & NoHandler = {},
): Promise<TypedAgentStep<Tools>[]> {
  checkToolList(tools, "normalizeIntermediateSteps(steps, tools, options)");
  checkOptions(options, { ...REPAIR_USAGE, of: "normalizeIntermediateSteps" });
  checkArguments("normalizeIntermediateSteps", { steps }, { steps: anArray });
  const normalized = steps.map(async (step: unknown, at): Promise<unknown> => {
    const { action, observation } = Object(step) as Readonly<
      Record<string, unknown>
    >;
    const { toolInput: recorded, ...fields } = Object(
      action,
    ) as Partial<ToolAction>;
    const { tool, repairs: earlier = [] } = fields;
    if (typeof tool !== "string") {
      const shape = "{ action: { tool, toolInput, log }, observation }";
      throw new TypeError(
        `Step ${at} must be ${shape}, not ${showValue(step)}.`,
      );
    }
    const before = {
      log: "",
      rawToolInput: recorded,
      ...fields,
      repairs: earlier,
      undeclared: [],
    };
    const stepOf = (now: object) => ({
      action: { ...before, ...now },
      observation: asText(observation),
    });
    if (tool === EXCEPTION)
      return stepOf({ toolInput: asText(recorded), valid: false });
    const result = await repairToolCall(
      { name: tool, args: recorded },
      tools,
      options,
    );
    if (!result.ok)
      return stepOf({ toolInput: recorded ?? null, valid: false });
    const { name, toolInput, undeclared, nameRepair } = result;
    const repairs = [...earlier, ...result.repairs];
    const named = nameRepair && { nameRepair };
    return stepOf({
      tool: name,
      toolInput,
      repairs,
      undeclared,
      ...named,
      valid: true,
    });
  });
  return (await Promise.all(normalized)) as TypedAgentStep<Tools>[];
}

const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");
