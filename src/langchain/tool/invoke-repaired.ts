import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { type ToolCall, ToolMessage } from "@langchain/core/messages/tool";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { type CheckedAsIs, checkAsIs } from "../../repair/check-as-is.ts";
import { notifyRepair } from "../../repair/notify.ts";
import { type ResolveOptions, resolveToolInput } from "../../repair/resolve-tool-input.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue, Repair } from "../../repair/types.ts";
import { asToolTakesIt } from "./as-tool-takes-it.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { isToolCall } from "./is-tool-call.ts";

/** A tool's ways in, with repair before them. */
export interface RepairedWaysIn {
  invoke(input: unknown, config?: ToolConfig): Promise<unknown>;
  call?(input: unknown, config?: ToolConfig, tags?: string[]): Promise<unknown>;
}

/** What LangChain hands a tool besides its input. */
type ToolConfig = RunnableConfig & { toolCall?: ToolCall };

/** One use of a tool: what it was given, and what runs it with what that is repaired to. */
interface Invocation {
  readonly tool: InvocableTool;
  readonly options: ResolveOptions;
  readonly input: unknown;
  readonly config: ToolConfig | undefined;
  readonly run: (input: unknown, repairs: readonly Repair[]) => Promise<unknown>;
}

/**
 * Makes `invoke` and, where the tool has it, `call`, which repair the input and hand it on to the
 * tool's own.
 *
 * @param tool The tool.
 * @param options How to repair, and the handlers.
 * @throws TypeError when the tool's schema is of no known kind.
 */
export function invokeRepaired(tool: InvocableTool, options: ResolveOptions): RepairedWaysIn {
  compileSchema(tool.schema);
  const { call } = tool as { call?: RepairedWaysIn["call"] };
  const waysIn: RepairedWaysIn = {
    invoke: (input, config) =>
      repairThen({
        tool,
        options,
        input,
        config,
        run: (repaired, repairs) =>
          tool.invoke(
            repairs.length === 0 ? repaired : asToolTakesIt(tool, repaired),
            withRepairs(config, input, repairs),
          ),
      }),
  };
  if (call === undefined) return waysIn;
  return {
    ...waysIn,
    call: (input, config, tags) =>
      repairThen({
        tool,
        options,
        input,
        config,
        run: (repaired, repairs) =>
          call.call(tool, repaired, withRepairs(config, input, repairs), tags),
      }),
  };
}

/**
 * A valid input goes straight to the tool, without a promise in between: that is what most calls
 * are, and what `npm run bench` measures.
 */
function repairThen(invocation: Invocation): Promise<unknown> {
  const { tool, options, input, run } = invocation;
  const raw = isToolCall(input) ? input.args : input;
  const goOn = ({ accepted, checked }: CheckedAsIs) =>
    accepted ? run(input, []) : resolveThen({ ...invocation, options: { ...options, checked } });
  const checked = checkAsIs(raw, compileSchema(tool.schema));
  return checked instanceof Promise ? checked.then(goOn) : goOn(checked);
}

async function resolveThen({ tool, options, input, config, run }: Invocation): Promise<unknown> {
  const given = isToolCall(input) ? input : undefined;
  const toolCall = given ?? config?.toolCall;
  const raw = given === undefined ? input : given.args;
  const resolved = await resolveToolInput(raw, tool, {
    ...options,
    toolCall,
    parsed: true,
    signal: ensureConfig(config).signal,
  });
  switch (resolved.kind) {
    case "run": {
      const { toolInput, repairs } = resolved;
      notifyRepair(raw, tool, { ok: true, ...resolved }, { ...options, toolCall });
      if (repairs.length === 0) return run(input, repairs);
      return run(given === undefined ? toolInput : { ...given, args: toolInput }, repairs);
    }
    case "observation":
      return toToolAnswer(resolved.text, tool.name, toolCall);
    case "refused":
      throw resolved.error;
  }
}

/** The observation in the tool's stead: a message where a tool call asks for one. */
function toToolAnswer(
  text: string,
  name: string,
  toolCall: ToolCall | undefined,
): string | ToolMessage {
  if (toolCall?.id === undefined) return text;
  return new ToolMessage({ content: text, tool_call_id: toolCall.id, name, status: "error" });
}

/**
 * Puts the repairs of an input into the metadata of the tool's run, for tracing.
 *
 * @param config The config; callbacks alone are fine, as LangChain's deprecated `call` takes them.
 * @param input What the model wrote.
 * @param repairs The repairs; without any, the config is returned as it is.
 */
export function withRepairs<Config>(
  config: Config,
  input: unknown,
  repairs: readonly Repair[],
): Config {
  if (repairs.length === 0) return config;
  const rawToolInput = (isToolCall(input) ? input.args : input) as JsonValue | undefined;
  const given = parseCallbackConfigArg(config as RunnableConfig | undefined);
  const { metadata, ...rest } = ensureConfig(given);
  return { ...rest, metadata: { ...metadata, toolmend: { rawToolInput, repairs } } } as Config;
}
