import type { ToolCall } from "@langchain/core/messages/tool";
import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicStructuredTool, DynamicTool, StructuredTool, Tool } from "@langchain/core/tools";
import type { ToolLike } from "../../repair/types.ts";
import { viewOf } from "./view-of.ts";

/** A LangChain tool of any kind: `StructuredTool`, `DynamicTool`, `RunnableToolLike`, … */
export interface InvocableTool extends ToolLike {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own signatures are generic in each tool
  invoke(input: any, config?: any): Promise<any>;
}

/** As LangChain tells a tool call from an input. */
export function isToolCall(input: unknown): input is ToolCall {
  return (
    input !== null && typeof input === "object" && "type" in input && input.type === "tool_call"
  );
}

/**
 * Returns an input in the form in which a tool applies its schema to it. A `RunnableToolLike` (what
 * `runnable.asTool()` makes), of whichever copy of LangChain, does so to a tool call only; anything
 * else it hands on as it is.
 */
export function toToolCallInput(tool: InvocableTool, input: unknown): unknown {
  const kind = tool.constructor as { lc_name?: () => string };
  if (kind.lc_name?.() !== "RunnableToolLike" || isToolCall(input)) return input;
  return { type: "tool_call", name: tool.name, args: input };
}

/** A tool's way in. */
export type EntryPoint = "invoke" | "call";

/** What LangChain hands a tool besides its input. */
export type ToolConfig = RunnableConfig & { toolCall?: ToolCall };

/** One use of a tool, with an input that its schema has accepted. */
export interface AcceptedInvocation {
  /** The input, or a tool call that holds it. */
  readonly input: unknown;
  /** What the schema made of it. */
  readonly parsed: unknown;
  readonly config: ToolConfig | undefined;
  readonly tags?: string[] | undefined;
  /** What stands for the tool's own `call`. */
  readonly call?: unknown;
  /** Called when the tool itself is run; not where its own way in, or another copy's, runs it. */
  readonly onStart?: () => void;
}

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * Runs a tool with an input that its schema has accepted, without asking the schema a second time
 * where the code that would do so is LangChain's own. A tool with an `invoke` or `call` of its own, or
 * of another copy of LangChain, is run as it is.
 */
export function invokeOriginal(
  tool: InvocableTool,
  entryPoint: EntryPoint,
  { input, parsed, config, tags, call, onStart }: AcceptedInvocation,
): Promise<unknown> {
  const { [entryPoint]: enter, call: own } = tool as unknown as Record<EntryPoint, Call>;
  const args = entryPoint === "call" ? [input, config, tags] : [input, config];
  const goesByCall = entryPoint === "call" || enter === StructuredTool.prototype.invoke;
  if (goesByCall && typeof call === "function") {
    return Reflect.apply(enter, viewOf(tool, { call }), args);
  }
  if (!goesByCall || !isLangChains(own)) return Reflect.apply(enter, tool, args);
  return Reflect.apply(enter, acceptedView(tool, parsed, onStart), args);
}

/** Asked anew for each use: `toolmend/register`, or another library, may have put its own there. */
function isLangChains(call: unknown): boolean {
  return [DynamicStructuredTool, DynamicTool, Tool, StructuredTool].some(
    ({ prototype }) => prototype.call === call,
  );
}

/** What LangChain's own `call` uses of a tool, besides its schema. */
interface ToolParts {
  _call?(input: unknown, ...rest: unknown[]): unknown;
  /** What a patched LangChain parses by; a subclass may have its own. */
  parseInput?: unknown;
}

/** Under this key a view says that its schema has been asked. */
const ACCEPTED = Symbol.for("toolmend.acceptedInput");

/**
 * Makes the view of a tool for one input that its schema has accepted: LangChain's own `invoke` and
 * `call`, run on it, get what the schema made of the input. The tool itself where LangChain parses by a
 * method of the tool's own, or does not know its kind of schema.
 */
export function acceptedView(
  tool: InvocableTool,
  parsed: unknown,
  onStart?: () => void,
): InvocableTool {
  const parts = tool as InvocableTool & ToolParts;
  const langChain = StructuredTool.prototype as unknown as ToolParts;
  if (parts.parseInput !== langChain.parseInput || !isParsedByLangChain(tool.schema)) return tool;
  const others = {
    [ACCEPTED]: true,
    schema: schemaThatGives(parsed),
    // Whatever LangChain makes of that schema, the tool gets what its own has made.
    _call: (_: unknown, ...rest: unknown[]) => {
      onStart?.();
      return parts._call?.(parsed, ...rest);
    },
  };
  // Without methods or `#private` state of its own, a tool may be inherited, which is cheap.
  const prototype: unknown = Object.getPrototypeOf(tool);
  if (prototype === DynamicStructuredTool.prototype || prototype === DynamicTool.prototype) {
    return { __proto__: tool, ...others } as unknown as InvocableTool;
  }
  const onView = (name: "call" | "parseInput") => {
    const method: unknown = Reflect.get(tool, name);
    if (typeof method !== "function") return {};
    return { [name]: (...given: unknown[]) => Reflect.apply(method, view, given) };
  };
  const methods = { ...onView("call"), ...onView("parseInput") };
  const view: InvocableTool = viewOf<InvocableTool>(tool, { ...others, ...methods });
  return view;
}

/** Tells the view of a tool whose schema has accepted the input. */
export function isAcceptedView(tool: object): boolean {
  return (tool as { [ACCEPTED]?: true })[ACCEPTED] === true;
}

/** zod is parsed by LangChain, JSON Schema checked; it takes other validators for JSON Schema. */
function isParsedByLangChain(schema: unknown): boolean {
  const known = Object(schema);
  return "_zod" in known || "_def" in known || !("~standard" in known);
}

/** A zod schema, as every version of LangChain knows one. */
function schemaThatGives(parsed: unknown): object {
  const parseAsync = async () => parsed;
  return { _def: { typeName: "ZodAny" }, parse: () => parsed, parseAsync };
}
