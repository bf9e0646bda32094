import type { ToolMessage } from "@langchain/core/messages/tool";
import { ensureConfig } from "@langchain/core/runnables";
import { IterableReadableStream } from "@langchain/core/utils/stream";
import { emitCall } from "../../repair/events/emit.ts";
import { type EvidenceSink, listenersOf } from "../../repair/events/event.ts";
import {
  resolveToolInput,
  type ValidatedUnchanged,
  validateUnchanged,
} from "../../repair/pipeline.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue } from "../../repair/types.ts";
import { errorAnswer } from "../message/messages.ts";
import { originOf, type TraceOptions } from "../trace/trace.ts";
import {
  type AcceptedInvocation,
  type InvocableTool,
  invokeOriginal,
  isToolCall,
  type ToolConfig,
  toToolCallInput,
} from "./invoke-original.ts";

/** A tool's ways in, of which LangChain's own tools have the first two. */
interface ToolMethods {
  invoke(input: unknown, config?: ToolConfig): Promise<unknown>;
  call(input: unknown, config?: ToolConfig, tags?: string[]): Promise<unknown>;
  batch(
    inputs: readonly unknown[],
    config?: ToolConfig | readonly (ToolConfig | undefined)[],
    more?: { readonly returnExceptions?: boolean },
  ): Promise<readonly unknown[]>;
  stream(input: unknown, config?: ToolConfig): Promise<AsyncIterable<unknown>>;
  _streamIterator(input: unknown, config?: ToolConfig): AsyncGenerator<unknown>;
}

/**
 * Makes a tool's ways in, which repair the input and hand it on to the tool's own. An answer in the
 * tool's stead is one chunk of a stream; it is no part of the batch that the tool is given.
 *
 * @param replacedCall Returns what stands for the tool's `call` when it is invoked; `undefined` for its own.
 * @throws TypeError when the tool's schema is of no known kind.
 */
export function repairedMethods(
  about: Pick<Invocation, "tool" | "options">,
  replacedCall: () => unknown,
): ToolMethods {
  const { tool } = about;
  compileSchema(tool.schema);
  const own = tool as unknown as ToolMethods;
  const resolve = async (input: unknown, config: ToolConfig | undefined) =>
    resolveInvocation({ ...about, input, config });
  return {
    invoke: (input, config) =>
      runRepaired({ ...about, input, config }, (use) =>
        invokeOriginal(tool, "invoke", { ...use, call: replacedCall() }),
      ),
    call: (input, config, tags) =>
      runRepaired({ ...about, input, config, tags }, (use) => invokeOriginal(tool, "call", use)),
    async batch(inputs, config, more) {
      const configs = Array.isArray(config) ? config : inputs.map(() => config);
      const resolving = inputs.map((input, index) => resolve(input, configs[index]));
      const resolved = await Promise.allSettled(resolving);
      const failed = resolved.find((one) => one.status === "rejected");
      // As `invoke` does, before anything is run.
      if (failed !== undefined && !more?.returnExceptions) throw failed.reason;
      const uses = resolved.flatMap((one) => (one.status === "fulfilled" && one.value.use) || []);
      const repaired = uses.map(({ input }) => input);
      const given = Array.isArray(config) ? uses.map((use) => use.config) : config;
      const answers = uses.length === 0 ? [] : await own.batch(repaired, given, more);
      const rest = answers[Symbol.iterator]();
      return resolved.map((one) => {
        if (one.status === "rejected") return one.reason;
        return one.value.use ? rest.next().value : one.value.answer;
      });
    },
    async stream(input, config) {
      const { use, answer } = await resolve(input, config);
      if (use) return own.stream(use.input, use.config);
      return IterableReadableStream.fromAsyncGenerator(only(answer));
    },
    async *_streamIterator(input, config) {
      const { use, answer } = await resolve(input, config);
      yield* use ? own._streamIterator(use.input, use.config) : only(answer);
    },
  };
}

async function* only(chunk: unknown): AsyncGenerator<unknown> {
  yield chunk;
}

/** Repairs what a tool is given, and runs it with that; throws a `ToolInputError` for an input that is refused. */
export function runRepaired(
  given: Invocation,
  run: (use: AcceptedInvocation) => Promise<unknown>,
): Promise<unknown> {
  const goOn = (resolved: ResolvedInvocation): Promise<unknown> =>
    resolved.use ? run(resolved.use) : Promise.resolve(resolved.answer);
  const resolved = resolveInvocation(given);
  return resolved instanceof Promise ? resolved.then(goOn) : goOn(resolved);
}

/** A tool, how its inputs are repaired, and what it is given. */
interface Invocation {
  readonly tool: InvocableTool;
  readonly options: ResolveOptions & TraceOptions;
  readonly input: unknown;
  readonly config?: ToolConfig | undefined;
  readonly tags?: string[] | undefined;
}

/** What a use comes to: the tool is run, or there is an answer in its stead. */
type ResolvedInvocation =
  | { readonly use: AcceptedInvocation; readonly answer?: never }
  | { readonly use?: never; readonly answer: string | ToolMessage };

/**
 * Repairs what a tool is given. A valid input goes straight on, without a promise in between: that is
 * what most calls are, and what `npm run bench` measures.
 */
function resolveInvocation(given: Invocation): ResolvedInvocation | Promise<ResolvedInvocation> {
  const { tool, input, config, tags } = given;
  const raw = isToolCall(input) ? input.args : input;
  const goOn = (known: ValidatedUnchanged) => {
    if (!known.accepted || !known.checked?.ok) return repairInvocation(given, known);
    const { parsed } = known.checked;
    const use = { use: { input, parsed, config, tags } };
    const emitted = given.options.onToolCall && emitValid(given, raw, parsed);
    return emitted === undefined ? use : emitted.then(() => use);
  };
  const known = validateUnchanged(raw, compileSchema(tool.schema));
  return known instanceof Promise ? known.then(goOn) : goOn(known);
}

const NONE: readonly never[] = [];

/**
 * Reports a valid input before the tool runs, as a repaired one is, to those who have not been told of it;
 * no stream or trace shows it.
 */
function emitValid(
  { tool, options, input, config }: Invocation,
  raw: unknown,
  parsed: unknown,
): Promise<unknown> | undefined {
  const toolInput = raw as JsonValue;
  const resolution = { kind: "run" as const, toolInput, parsed, repairs: NONE, undeclared: NONE };
  const toolCall = isToolCall(input) ? input : config?.toolCall;
  const origin = originOf(options.origin?.seam ?? "tool", config, { trace: false });
  const [toolName, reported] = (config as ReportedConfig | undefined)?.[REPORTED] ?? [];
  const onToolCall = listenersOf(options).filter(
    (sink) => toolName !== tool.name || !reported?.includes(sink),
  );
  const context = { ...options, toolCall, origin, onToolCall };
  return emitCall({ raw, tool, resolution, wasHandedOn: true }, context);
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
  const resolution = await resolveToolInput(raw, tool, { ...options, ...about });
  const origin = originOf(options.origin?.seam ?? "tool", config, options);
  const markRun = await emitCall({ raw, tool, resolution }, { ...options, toolCall, origin });
  if (resolution.kind === "refused") throw resolution.error;
  if (resolution.kind === "observation") {
    const { text } = resolution;
    const { id } = toolCall ?? {};
    return { answer: id === undefined ? text : errorAnswer(id, tool.name, text) };
  }
  const { toolInput, parsed, repairs } = resolution;
  if (repairs.length === 0) return { use: { input, parsed, config, tags } };
  const repaired = given ? { ...given, args: toolInput } : toToolCallInput(tool, toolInput);
  const marked = markRun === undefined ? config : markRun(config);
  return { use: { input: repaired, parsed, config: marked, tags } };
}

/** Under this key a config says which sinks were told of a tool's input. LangChain does not hand it on. */
export const REPORTED: unique symbol = Symbol("toolmend.told");

/** A config that says so. */
export interface ReportedConfig {
  /** The tool's name, as a tool may hand its config on to another, and the sinks. */
  readonly [REPORTED]?: readonly [toolName: string, sinks: readonly EvidenceSink[]];
}
