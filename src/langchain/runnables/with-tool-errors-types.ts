import type { ToolCall, ToolMessage } from "@langchain/core/messages";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import type { ToolInput } from "../../repair/types.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import type { ToolResult } from "./tool-chain-types.ts";

/** A Runnable of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: Runnable is invariant in its parameters
export type AnyRunnable = Runnable<any, any, any>;

/** What a failure is told as: a message only where a tool call may be given. */
type Told<Input> = ToolCall extends Input ? string | ToolMessage : string;

/** A tool whose failures are text: the same, with `string` among what it returns. */
export type ToolWithErrors<Tool extends InvocableTool> = Omit<
  Tool,
  Exclude<keyof Runnable, "name">
> & {
  invoke(call: ToolCall, config?: RunnableConfig): Promise<ToolMessage>;
} & Runnable<ToolInput<Tool>, ToolResult<Tool> | string>;

/** A tool or a chain whose failures are text. */
export type WithToolErrors<Target> = Target extends InvocableTool
  ? ToolWithErrors<Target>
  : Target extends Runnable<infer Input, infer Output>
    ? Runnable<Input, Output | Told<Input>>
    : never;
