import type { ToolInputError } from "../errors/tool-input-error.ts";
import type { AgentAction, InputIssue, JsonValue, OnRepair, ToolCall } from "../types.ts";
import type { EvidenceSink } from "./input-event.ts";

/** What was not run, and why. Given to `onRefused`. */
export interface RefusalEvent {
  /** The tool's name; of none, where the model called one that was not offered. */
  readonly toolName: string;
  /** What the model wrote. */
  readonly rawToolInput: JsonValue | undefined;
  readonly issues: readonly InputIssue[];
  readonly error: ToolInputError;
  /** What `onUnfixable` answered in the tool's stead, where it did. */
  readonly observation?: string;
  readonly action?: AgentAction;
  readonly toolCall?: ToolCall;
}

/** Told of every input that was not run. A throw or rejection is ignored: watching never stops a run. */
export type OnRefused = (event: RefusalEvent) => void;

/** Who is told of what became of inputs. */
export interface TellOptions {
  /** Told of every input that was changed. */
  readonly onRepair?: OnRepair | undefined;
  /** Told of every input that was not run: it was refused, or `onUnfixable` answered in the tool's stead. */
  readonly onRefused?: OnRefused | undefined;
  /** Sinks that are told of every call, the valid ones included. Default: none. */
  readonly evidence?: readonly EvidenceSink[] | undefined;
}
