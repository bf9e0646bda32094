import { notifyRepair } from "../../notify-repair.ts";
import {
  type Resolution,
  type ResolveOptions,
  resolveToolInput,
} from "../../resolve-tool-input.ts";
import type { AgentAction, JsonValue, Repair } from "../../types.ts";
import { findTool } from "./find-tool.ts";
import { printAsJson } from "./print-as-json.ts";
import type { RawCall } from "./raw-calls.ts";
import { keepOutcome, type Outcome, type PreparedAction, type Run } from "./run.ts";

/** An action as it was planned, before its input is repaired. */
export interface PlannedAction {
  /** The action as LangChain's parser makes it. */
  readonly action: AgentAction;
  /** What the model wrote as the tool's input. */
  readonly raw: unknown;
  /** How `raw` was got from what the model wrote, where that took a repair. */
  readonly before?: readonly Repair[];
  /** Whether the model's output is known to be cut off in this input. */
  readonly truncated?: boolean;
  /** The call that the action was made of, where the model made one. */
  readonly call?: RawCall;
  /** Whether `raw` is what LangChain parsed, so that a string in it was one for the model too. */
  readonly parsed?: boolean;
  /** `false`: `onUnfixable` is not asked, because the action is its own answer. */
  readonly ask?: boolean;
}

/**
 * Repairs the input of a planned action, before LangChain announces, runs and records it, and keeps
 * the outcome for when it runs the tool.
 *
 * @param planned The action.
 * @param run The run.
 * @returns The outcome, with the action to hand to LangChain: a new object.
 */
export async function prepareAction(planned: PlannedAction, run: Run): Promise<Outcome> {
  const { action, raw, before = [] } = planned;
  const [first] = before;
  const rawToolInput = (first === undefined ? raw : first.before) as JsonValue | undefined;
  const asWritten = {
    ...action,
    toolInput: (raw ?? null) as JsonValue,
    rawToolInput,
    repairs: [],
    valid: false,
  };
  const found = findTool(action.tool, run);
  if (found === undefined) {
    const text = `${action.tool} is not a valid tool, try another one.`;
    return keep(run, asWritten, undefined, { kind: "unknown", text });
  }
  const { tool, nameRepair } = found;
  const named = { ...asWritten, ...(nameRepair && { tool: tool.name, nameRepair }) };
  const resolution = await resolve(planned, tool, run);
  if (resolution.kind !== "run") return keep(run, named, tool, resolution);
  const repairs = [...before, ...resolution.repairs];
  const { onRepair } = run.options;
  notifyRepair(
    rawToolInput,
    tool,
    { ok: true, ...resolution, repairs, nameRepair },
    { onRepair, action },
  );
  const toolInput = isTextAction(action, raw)
    ? printAsJson(resolution.toolInput)
    : resolution.toolInput;
  return keep(run, { ...named, toolInput, repairs, valid: true }, tool, resolution);
}

function resolve(
  { action, raw, truncated, parsed, ask = true }: PlannedAction,
  tool: Outcome["tool"] & object,
  { resolving }: Run,
): Promise<Resolution> {
  if (tool.schema === undefined || tool.schema === null) {
    const toolInput = raw as JsonValue;
    return Promise.resolve({ kind: "run", toolInput, parsed: raw, repairs: [] });
  }
  const { onUnfixable: _, ...withoutHandler } = resolving;
  const handling = ask ? resolving : withoutHandler;
  const options: ResolveOptions = { ...handling, action, truncated, parsed };
  return resolveToolInput(raw, tool, options);
}

/** Agents that read actions off text may print an input into their next prompt. */
function isTextAction(action: AgentAction, raw: unknown): boolean {
  return !("messageLog" in action) && typeof raw === "string";
}

function keep(
  run: Run,
  action: PreparedAction,
  tool: Outcome["tool"],
  resolution: Outcome["resolution"],
): Outcome {
  const outcome = { action, tool, resolution };
  keepOutcome(run, outcome);
  return outcome;
}
