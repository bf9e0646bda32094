import { DynamicStructuredTool, DynamicTool, StructuredTool, Tool } from "@langchain/core/tools";
import { acceptedView } from "./accepted-view.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { viewOf } from "./view-of.ts";

/** A tool's way in. */
export type EntryPoint = "invoke" | "call";

/** One use of a tool, with an input that its schema has accepted. */
export interface AcceptedInvocation {
  /** The input, or a tool call that holds it. */
  readonly input: unknown;
  /** What the schema made of it. */
  readonly parsed: unknown;
  readonly config: unknown;
  readonly tags?: string[] | undefined;
}

/** What else there is to a use. */
interface InvocationOptions {
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
 *
 * @param tool The tool.
 * @param entryPoint The way in.
 * @param use The input and what goes with it.
 */
export function invokeOriginal(
  tool: InvocableTool,
  entryPoint: EntryPoint,
  { input, parsed, config, tags, call, onStart }: AcceptedInvocation & InvocationOptions,
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
