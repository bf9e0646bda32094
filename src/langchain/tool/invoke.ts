import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { ToolCall, ToolMessage } from "@langchain/core/messages/tool";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import {
  DynamicStructuredTool,
  DynamicTool,
  StructuredTool,
  Tool,
} from "@langchain/core/tools";
import {
  type EvidenceSink,
  listenersOf,
  type Origin,
} from "../../repair/events/event.ts";
import { emitCall } from "../../repair/events/report.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { resolveToolInput } from "../../repair/repair-tool-input.ts";
import { type Resolution, runUnchanged } from "../../repair/result.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { ToolLike } from "../../repair/types.ts";
import { errorAnswer } from "../message/messages.ts";
import { runReported, withProcessListeners } from "../trace/process-state.ts";
import { originOf, type TraceOptions } from "../trace/trace.ts";
import { viewOf } from "./view-of.ts";

/** A tool's methods that run it. */
interface ToolMethods {
  invoke(input: unknown, config?: ToolConfig): Promise<unknown>;
  call(input: unknown, config?: ToolConfig, tags?: string[]): Promise<unknown>;
  _streamIterator(input: unknown, config?: ToolConfig): AsyncGenerator<unknown>;
}

/**
 * Makes methods that repair the input, and run the tool's own. An answer that
 * replaces the tool's run is one chunk of a stream.
 *
 * @throws TypeError when the tool's schema is of no known kind.
 */
export function repairedMethods(
  wrapped: Pick<Invocation, "tool" | "options">,
): ToolMethods {
  const { tool } = wrapped;
  compileSchema(tool.schema);
  const runBy =
    (entryPoint: EntryPoint): ToolMethods["call"] =>
    (input, config, tags) =>
      runRepaired({ ...wrapped, input, config, tags }, (use) =>
        invokeOriginal(tool, entryPoint, use),
      );
  return {
    invoke: runBy("invoke"),
    call: runBy("call"),
    async *_streamIterator(input, config) {
      const { use, answer } = await resolveInvocation({
        ...wrapped,
        input,
        config,
      });
      if (use)
        yield* (tool as unknown as ToolMethods)._streamIterator(
          use.input,
          use.config,
        );
      else yield answer;
    },
  };
}

/**
 * Repairs an input, and runs the tool with it. Throws a `ToolInputError` for a
 * rejected input.
 */
export function runRepaired(
  invocation: Invocation,
  run: (use: AcceptedInvocation) => Promise<unknown>,
): Promise<unknown> {
  const resolved = resolveInvocation(invocation);
  const runOrAnswer = ({ use, answer }: ResolvedInvocation) =>
    use ? run(use) : Promise.resolve(answer);
  return resolved instanceof Promise
    ? resolved.then(runOrAnswer)
    : runOrAnswer(resolved);
}

/** A tool, how its inputs are repaired, and what it is given. */
interface Invocation {
  readonly tool: InvocableTool;
  readonly options: ResolveOptions & TraceOptions;
  readonly input: unknown;
  readonly config?: ToolConfig | undefined;
  readonly tags?: string[] | undefined;
  /**
   * Whether a wrapper has reported the call, and a valid input is no further
   * one.
   */
  readonly isReported?: boolean;
}

type JudgedInvocation = Invocation &
  Pick<ResolveOptions, "toolCall"> & { raw: unknown; resolution: Resolution };

/**
 * The result of a use: an input to run the tool with, or an answer that
 * replaces the run.
 */
type ResolvedInvocation =
  | { readonly use: AcceptedInvocation; readonly answer?: never }
  | { readonly use?: never; readonly answer: string | ToolMessage };

/** Repairs an input. A valid one, as in most calls, takes no promise. */
function resolveInvocation(
  invocation: Invocation,
): ResolvedInvocation | Promise<ResolvedInvocation> {
  const { tool, input, config } = invocation;
  const options = withProcessListeners(invocation.options);
  const raw = isToolCall(input) ? input.args : input;
  const toolCall = isToolCall(input) ? input : config?.toolCall;
  const { signal } = ensureConfig(config);
  const resolving = { ...options, toolCall, parsed: true, signal };
  const resolution =
    raw === input
      ? resolveInput(raw, tool, resolving)
      : resolveToolInput(raw, tool, resolving);
  const finish = (settled: Resolution) =>
    finishInvocation({
      ...invocation,
      options,
      raw,
      toolCall,
      resolution: settled,
    });
  return resolution instanceof Promise
    ? resolution.then(finish)
    : finish(resolution);
}

function finishInvocation(
  judged: JudgedInvocation,
): ResolvedInvocation | Promise<ResolvedInvocation> {
  const { options, resolution, input, config, tags, isReported } = judged;
  if (resolution.kind !== "run" || resolution.repairs.length > 0)
    return finishFaulty(judged);
  const valid = { use: { input, parsed: resolution.parsed, config, tags } };
  if (options.onToolCall === undefined || isReported) return valid;
  const emitted = emitValid(judged);
  return emitted === undefined ? valid : emitted.then(() => valid);
}

/**
 * Repairs the input of a tool that is not run by a tool call. Plain text is
 * what `runnable.asTool({ schema: z.string() })` takes, though its schema
 * unwraps an object (core 1.4.0; wrap-tool.test).
 */
export function resolveInput(
  raw: unknown,
  tool: InvocableTool,
  options: ResolveOptions,
): Resolution | Promise<Resolution> {
  const resolve = () => resolveToolInput(raw, tool, options);
  if (typeof raw !== "string" || !isRunnableTool(tool)) return resolve();
  return Promise.resolve(
    compileSchema(tool.schema).validate({ input: raw }),
  ).then((checked) =>
    checked.ok && checked.parsed === raw ? runUnchanged(raw) : resolve(),
  );
}

/**
 * Reports a valid input to listeners that do not know of it yet; no stream or
 * trace shows it.
 */
function emitValid(judged: JudgedInvocation): Promise<unknown> | undefined {
  const { tool, options, config, raw, resolution, toolCall } = judged;
  const origin = originOfUse(config, { ...options, trace: false });
  const [toolName, sinks] = reportedTo.get(Object(config)) ?? [];
  const known = new Set(toolName === tool.name ? sinks : []);
  const onToolCall = listenersOf(options).filter((sink) => !known.has(sink));
  const context = { ...options, toolCall, origin, onToolCall };
  return emitCall({ raw, tool, resolution, wasHandedOn: true }, context);
}

/** Reports an input that was repaired or rejected. */
async function finishFaulty(
  judged: JudgedInvocation,
): Promise<ResolvedInvocation> {
  const { tool, options, input, config, tags, raw, resolution, toolCall } =
    judged;
  const origin = originOfUse(config, options);
  const markRun = await emitCall(
    { raw, tool, resolution },
    { ...options, toolCall, origin },
  );
  if (resolution.kind === "refused") throw resolution.error;
  if (resolution.kind === "observation") {
    if (toolCall?.id === undefined) return { answer: resolution.text };
    return { answer: errorAnswer(toolCall.id, tool.name, resolution.text) };
  }
  const { toolInput, parsed } = resolution;
  const repaired = isToolCall(input)
    ? { ...input, args: toolInput }
    : toToolCallInput(tool, toolInput);
  const marked = markRun === undefined ? config : markRun(config);
  return { use: { input: repaired, parsed, config: marked, tags } };
}

/**
 * Where a use comes from. In a stream, an executor gives its tools callbacks in
 * place of a config (classic 1.0.50).
 */
function originOfUse(
  config: ToolConfig | undefined,
  options: Invocation["options"],
): Origin {
  const seam = options.origin?.seam ?? "tool";
  return originOf(seam, config && parseCallbackConfigArg(config), options);
}

/**
 * The sinks that have a planned call's input, with its tool's name, by the
 * config of the tool.
 */
export const reportedTo: WeakMap<
  object,
  readonly [string, readonly EvidenceSink[]]
> = new WeakMap();

/**
 * A LangChain tool of any kind: `StructuredTool`, `DynamicTool`,
 * `RunnableToolLike`, …
 */
export interface InvocableTool extends ToolLike {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own signatures are generic in each tool
  invoke(input: any, config?: any): Promise<any>;
}

/** Checks for a tool call, as LangChain does. */
function isToolCall(input: unknown): input is ToolCall {
  return (Object(input) as { type?: unknown }).type === "tool_call";
}

/**
 * Returns an input in a form that the tool validates. A `RunnableToolLike`
 * (from `runnable.asTool()`), of any copy of LangChain, validates only tool
 * calls, and passes other inputs through.
 */
export function toToolCallInput(tool: InvocableTool, input: unknown): unknown {
  if (!isRunnableTool(tool) || isToolCall(input)) return input;
  return { type: "tool_call", name: tool.name, args: input };
}

function isRunnableTool(tool: InvocableTool): boolean {
  const kind = tool.constructor as { lc_name?: () => string };
  return kind.lc_name?.() === "RunnableToolLike";
}

/** The method that a tool is run by. */
export type EntryPoint = "invoke" | "call";

/** The config that LangChain gives a tool. */
export type ToolConfig = RunnableConfig & { toolCall?: ToolCall };

/** One use of a tool, with an input that its schema has accepted. */
interface AcceptedInvocation {
  /** The input, or a tool call that holds it. */
  readonly input: unknown;
  /** What the schema made of it. */
  readonly parsed: unknown;
  readonly config: ToolConfig | undefined;
  readonly tags?: string[] | undefined;
}

type AnyMethod = (...args: unknown[]) => Promise<unknown>;

/**
 * Runs a tool with an input that its schema has accepted. LangChain's own
 * `call` does not validate the input a second time; a tool with its own `call`,
 * or of another copy of LangChain, may do so.
 */
export function invokeOriginal(
  tool: InvocableTool,
  entryPoint: EntryPoint,
  { input, parsed, config, tags }: AcceptedInvocation,
): Promise<unknown> {
  const { [entryPoint]: enter, call } = tool as unknown as Record<
    EntryPoint,
    AnyMethod
  >;
  // Checked for each use: `toolmend/register`, or another library, may have
  // swapped `call`.
  const isLangChains = LANGCHAINS.some(
    ({ prototype }) => prototype.call === call,
  );
  const args = entryPoint === "call" ? [input, config, tags] : [input, config];
  const view = isLangChains ? acceptedView(tool, parsed) : tool;
  const run = () => Reflect.apply(enter, view, args);
  return view === tool ? runReported(tool, run) : run();
}

const LANGCHAINS = [DynamicStructuredTool, DynamicTool, Tool, StructuredTool];

/** What LangChain's own `call` uses of a tool, apart from its schema. */
interface ToolParts {
  _call?(...args: unknown[]): unknown;
  /** What a patched LangChain parses by; a subclass may have its own. */
  parseInput?: unknown;
}

/** Marks a view whose schema has accepted the input. */
const ACCEPTED = Symbol.for("toolmend.acceptedInput");

/**
 * Makes the view of a tool for one input that its schema has accepted:
 * LangChain's own `invoke` and `call`, run on it, get what the schema made of
 * the input. Returns the tool itself if it overrides LangChain's `parseInput`,
 * or if LangChain does not know its kind of schema.
 */
export function acceptedView(
  tool: InvocableTool,
  parsed: unknown,
): InvocableTool {
  const parts = tool as ToolParts;
  const { parseInput } = parts;
  const langChain = StructuredTool.prototype as unknown as ToolParts;
  if (parseInput !== langChain.parseInput) return tool;
  if (!isParsedByLangChain(tool.schema)) return tool;
  const accepted = {
    [ACCEPTED]: true,
    schema: schemaThatGives(parsed),
    // A tool's function may keep state on `this`: the tool, not this view.
    _call: (...args: unknown[]) => parts._call?.(...args),
  };
  // Without methods or `#private` state of its own, a tool may be inherited,
  // which is cheap.
  if (INHERITABLE.has(Object.getPrototypeOf(tool)))
    return { __proto__: tool, ...accepted } as unknown as InvocableTool;
  const onView = (name: "call" | "parseInput") => {
    const method: unknown = Reflect.get(tool, name);
    if (typeof method !== "function") return {};
    return {
      [name]: (...args: unknown[]) => Reflect.apply(method, view, args),
    };
  };
  const view: InvocableTool = viewOf(tool, {
    ...accepted,
    ...onView("call"),
    ...onView("parseInput"),
  });
  return view;
}

/** The prototypes of tools that may be inherited. */
const INHERITABLE = new Set<unknown>([
  DynamicStructuredTool.prototype,
  DynamicTool.prototype,
]);

/** Checks for the view of a tool whose schema has accepted the input. */
export function isAcceptedView(tool: object): boolean {
  return (tool as { [ACCEPTED]?: true })[ACCEPTED] === true;
}

/**
 * zod is parsed by LangChain, JSON Schema checked; it takes other validators
 * for JSON Schema (core 1.4.0; asked-once.test).
 */
function isParsedByLangChain(schema: unknown): boolean {
  const known = Object(schema);
  return "_zod" in known || "_def" in known || !("~standard" in known);
}

/** A zod schema, as every version of LangChain knows one. */
function schemaThatGives(parsed: unknown): object {
  const parseAsync = async () => parsed;
  return { _def: { typeName: "ZodAny" }, parse: () => parsed, parseAsync };
}
