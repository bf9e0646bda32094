import { type ToolCall, ToolMessage } from "@langchain/core/messages/tool";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { emitCall } from "../../repair/events/emit.ts";
import {
  resolveToolInput,
  type ValidatedUnchanged,
  validateUnchanged,
} from "../../repair/pipeline.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue } from "../../repair/types.ts";
import { identity } from "../trace/identity.ts";
import { originOf } from "../trace/origin-of.ts";
import type { TraceOptions } from "../trace/trace-options.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import type { AcceptedInvocation } from "./invoke-original.ts";
import { isToolCall } from "./is-tool-call.ts";
import { type ReportedConfig, unreportedSinks } from "./reported-config.ts";
import { toToolCallInput } from "./to-tool-call-input.ts";

/** What LangChain hands a tool besides its input. */
export type ToolConfig = RunnableConfig & { toolCall?: ToolCall };

/** A tool, how its inputs are repaired, and what it is given. */
export interface Invocation {
  readonly tool: InvocableTool;
  readonly options: ResolveOptions & TraceOptions;
  readonly input: unknown;
  readonly config?: ToolConfig | undefined;
  readonly tags?: string[] | undefined;
}

/** What a use comes to: the tool is run, or there is an answer in its stead. */
export type ResolvedInvocation =
  | { readonly kind: "run"; readonly use: AcceptedInvocation }
  | { readonly kind: "answer"; readonly answer: string | ToolMessage };

/**
 * Repairs what a tool is given.
 *
 * A valid input goes straight on, without a promise in between: that is what most calls are, and
 * what `npm run bench` measures.
 *
 * @param given The tool and what it is given.
 * @returns What the tool is to be run with, or the answer in its stead; a promise, unless the input is
 * valid.
 * @throws ToolInputError for an input that is refused, in the promise.
 */
export function resolveInvocation(
  given: Invocation,
): ResolvedInvocation | Promise<ResolvedInvocation> {
  const { tool, input, config, tags } = given;
  const raw = isToolCall(input) ? input.args : input;
  const goOn = (known: ValidatedUnchanged) => {
    if (!known.accepted || !known.checked?.ok) return repairInvocation(given, known);
    const { parsed } = known.checked;
    const use = runWith({ input, parsed, config, tags });
    const emitted = given.options.evidence && emitValid(given, raw, parsed);
    return emitted === undefined ? use : emitted.then(() => use);
  };
  const known = validateUnchanged(raw, compileSchema(tool.schema));
  return known instanceof Promise ? known.then(goOn) : goOn(known);
}

function runWith(use: AcceptedInvocation): ResolvedInvocation {
  return { kind: "run", use };
}

const NONE: readonly never[] = [];

/** What is right as it is is not shown. */
const UNSHOWN: TraceOptions = { trace: false };

/** Told before the tool runs, as a repaired input is. */
function emitValid(
  { tool, options, input, config }: Invocation,
  raw: unknown,
  parsed: unknown,
): Promise<unknown> | undefined {
  const callId = (isToolCall(input) ? input : config?.toolCall)?.id;
  const toolInput = raw as JsonValue;
  const resolution = { kind: "run" as const, toolInput, parsed, repairs: NONE, undeclared: NONE };
  const origin = originOf(options.origin?.seam ?? "tool", config, UNSHOWN);
  const outcome = { raw, tool, resolution, callId, origin, wasHandedOn: true };
  const { evidence = NONE } = options;
  const unreported = unreportedSinks(evidence, config as ReportedConfig | undefined, tool);
  return emitCall(
    outcome,
    unreported === evidence ? options : { ...options, evidence: unreported },
  );
}

async function repairInvocation(
  { tool, options, input, config, tags }: Invocation,
  { checked }: ValidatedUnchanged,
): Promise<ResolvedInvocation> {
  const given = isToolCall(input) ? input : undefined;
  const toolCall = given ?? config?.toolCall;
  const raw = given === undefined ? input : given.args;
  const { signal } = ensureConfig(config);
  const about = { checked, toolCall, parsed: true, signal };
  const resolved = await resolveToolInput(raw, tool, { ...options, ...about });
  const origin = originOf(options.origin?.seam ?? "tool", config, options);
  const outcome = { raw, tool, resolution: resolved };
  const markRun = (await emitCall(outcome, { ...options, toolCall, origin })) ?? identity;
  switch (resolved.kind) {
    case "run": {
      const { toolInput, parsed, repairs } = resolved;
      if (repairs.length === 0) return runWith({ input, parsed, config, tags });
      return runWith({
        input: given ? { ...given, args: toolInput } : toToolCallInput(tool, toolInput),
        parsed,
        config: markRun(config),
        tags,
      });
    }
    case "observation":
      return { kind: "answer", answer: toToolAnswer(resolved.text, tool.name, toolCall) };
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
