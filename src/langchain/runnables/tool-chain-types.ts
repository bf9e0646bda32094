import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import type { ToolMessage } from "@langchain/core/messages";
import type { Runnable } from "@langchain/core/runnables";
import { aHandler, COMMON_CHECKS, type ResolveOptions } from "../../repair/policy.ts";
import type { JsonValue, NameRepair, Repair, ToolInput, ToolLike } from "../../repair/types.ts";
import {
  aBoolean,
  aFunction,
  anArray,
  anObject,
  type Checks,
  type OptionsUsage,
  oneOf,
} from "../../repair/usage.ts";
import type { OnAttempt } from "../correct/attempt-event.ts";
import { type SelfCorrectOptions, selfCorrectOptions } from "../correct/options.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { aTrace } from "../trace/a-trace.ts";
import type { TraceOptions } from "../trace/trace-options.ts";

/** A chat model that tools can be bound to. */
export interface ToolCallingModel {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own signatures differ by version
  bindTools?(tools: any[], kwargs?: any): { invoke(input: any, config?: any): Promise<any> };
  // biome-ignore lint/suspicious/noExplicitAny: see above
  invoke(input: any, config?: any): Promise<any>;
}

/** What a tool returns; `unknown` where its type does not say. */
export type ToolResult<Tool> = Tool extends {
  stream(...args: never[]): Promise<AsyncIterable<infer Output>>;
}
  ? 0 extends 1 & Output
    ? unknown
    : Exclude<Output, ToolMessage>
  : unknown;

/** A call that was run. */
export interface ToolChainSuccess<Tool extends ToolLike = ToolLike> {
  readonly ok: true;
  /** The id of the call. */
  readonly id: string;
  /** The name of the tool. */
  readonly name: Tool["name"];
  /** What the tool was run with. */
  readonly toolInput: ToolInput<Tool>;
  /** @deprecated Write `toolInput`, as in every other result. */
  readonly input: ToolInput<Tool>;
  /** Every change that was made to what the model wrote. */
  readonly repairs: readonly Repair[];
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** What the tool returned. */
  readonly output: ToolResult<Tool>;
  readonly error?: undefined;
}

/** A call that was not run, or whose tool failed. */
export interface ToolChainFailure {
  readonly ok: false;
  readonly id: string;
  /** The name of the tool; of none, where the model called one that does not exist. */
  readonly name: string;
  /** What the tool was run with; what the model wrote, where it was not run. */
  readonly toolInput: JsonValue | undefined;
  /** @deprecated Write `toolInput`, as in every other result. */
  readonly input: JsonValue | undefined;
  readonly repairs: readonly Repair[];
  readonly nameRepair?: NameRepair;
  readonly output?: undefined;
  /** A `ToolInputError` when the tool was not run; else what the tool threw. */
  readonly error: Error;
  /** What `onUnfixable` answered in the tool's stead. */
  readonly observation?: string;
}

/** What became of a call: a union discriminated by `ok`, then by `name`. */
export type ToolChainResult<Tools extends readonly ToolLike[] = readonly ToolLike[]> =
  | { [Index in keyof Tools]: ToolChainSuccess<Tools[Index]> }[number]
  | ToolChainFailure;

/** A chain that lets a model call tools: from what a chat model takes to what the tools returned. */
export type ToolChain<Tools extends readonly ToolLike[] = readonly ToolLike[]> = Runnable<
  BaseLanguageModelInput,
  ToolChainResult<Tools>[]
>;

/** How the models of a chain are asked to correct a call. */
export interface ChainSelfCorrectOptions extends SelfCorrectOptions {
  /** @deprecated Write `onAttempt` beside `selfCorrect`: it is told of fallback models, too. */
  readonly onAttempt?: OnAttempt | undefined;
}

/** How a tool chain repairs, and what it does where no repair is possible. */
export interface ToolChainOptions
  extends Omit<
      ResolveOptions,
      "action" | "checked" | "origin" | "toolCall" | "truncated" | "signal"
    >,
    TraceOptions {
  /** Asks the model to correct calls that were refused. Default: it is not asked. */
  readonly selfCorrect?: ChainSelfCorrectOptions | undefined;
  /** Models to ask, one after another, where the one before made no call that can be run. Default: none. */
  readonly fallbacks?: readonly ToolCallingModel[] | undefined;
  /** Which errors are a reason to ask the next model. Default: every `ToolInputError`. */
  readonly fallbackWhen?: ((error: Error) => boolean) | undefined;
  /**
   * What is thrown after all remedies: a call that is refused (`"input"`), and then no tool is run;
   * that and what a tool throws (`"any"`); or nothing (`"none"`): then it is in the results as
   * `error`, and the other calls are run. Default: `"input"`.
   */
  readonly throwOn?: "input" | "any" | "none" | undefined;
  /** What else `bindTools` is given: `tool_choice`, `parallel_tool_calls`, … Default: nothing. */
  readonly bindOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Told of every time that a model was asked. */
  readonly onAttempt?: OnAttempt | undefined;
}

/** A tool chain as its parts see it. */
export interface ToolChainSpec extends ToolChainOptions {
  readonly model: ToolCallingModel;
  readonly tools: readonly InvocableTool[];
}

/** How `toolChain` is called. */
export const TOOL_CHAIN_USAGE: OptionsUsage = {
  of: "toolChain",
  example: "toolChain(model, tools, { fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    parsed: aBoolean,
    onUnfixable: aHandler,
    selfCorrect: selfCorrectOptions,
    fallbacks: anArray,
    fallbackWhen: aFunction,
    throwOn: oneOf("input", "any", "none"),
    bindOptions: anObject,
    onAttempt: aFunction,
  } satisfies Checks<ToolChainOptions>,
};
