import { DynamicStructuredTool, DynamicTool, StructuredTool } from "@langchain/core/tools";
import type { InvocableTool } from "./invocable-tool.ts";
import { viewOf } from "./view-of.ts";

/** What LangChain's own `call` uses of a tool, besides its schema. */
interface ToolParts {
  _call?(input: unknown, ...rest: unknown[]): unknown;
  /** What a patched LangChain parses by; a subclass may have its own. */
  parseInput?: unknown;
}

/** Under this key a view says that its schema has been asked. */
const ACCEPTED = Symbol.for("toolmend.acceptedInput");

/**
 * Makes the view of a tool for one input that its schema has accepted. LangChain's own `invoke` and
 * `call`, run on it, do not ask the schema again: they get what the schema made of the input.
 *
 * @param tool The tool.
 * @param parsed What its schema made of the input.
 * @param onStart Called when the tool itself is run.
 * @returns The view; the tool itself where LangChain parses by a method of the tool's own, or does not
 * know its kind of schema.
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
  if (isOfLangChainsClass(tool)) return { __proto__: tool, ...others } as unknown as InvocableTool;
  const view: InvocableTool = viewOf<InvocableTool>(tool, {
    ...others,
    ...onView("call", () => view, tool),
    ...onView("parseInput", () => view, tool),
  });
  return view;
}

/** Tells a tool without methods or `#private` state of its own: it may be inherited, which is cheap. */
function isOfLangChainsClass(tool: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(tool);
  return prototype === DynamicStructuredTool.prototype || prototype === DynamicTool.prototype;
}

/** A method of LangChain's that is run on the view, and not on the tool itself. */
function onView(name: string, view: () => object, tool: object): Record<string, unknown> {
  const method: unknown = Reflect.get(tool, name);
  if (typeof method !== "function") return {};
  return { [name]: (...given: unknown[]) => Reflect.apply(method, view(), given) };
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
