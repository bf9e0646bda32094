import { StructuredTool } from "@langchain/core/tools";
import type { InvocableTool } from "./invocable-tool.ts";
import { viewOf } from "./view-of.ts";

/** What LangChain's own `call` uses of a tool, besides its schema. */
interface ToolParts {
  _call?(input: unknown, ...rest: unknown[]): unknown;
  /** What a patched LangChain parses by; a subclass may have its own. */
  parseInput?: unknown;
}

interface AcceptedOverrides {
  readonly onStart?: (() => void) | undefined;
  readonly call?: unknown;
}

/** Under this key a view says that its schema has been asked. */
const ACCEPTED = Symbol.for("toolmend.acceptedInput");

/**
 * Makes the view of a tool for one input that its schema has accepted. LangChain's own `call`, run on
 * it, does not ask the schema again: it gets what the schema made of the input.
 *
 * @param tool The tool.
 * @param parsed What its schema made of the input.
 * @param overrides What else is another; `onStart` is called when the tool itself is run.
 * @returns The view; the tool itself where LangChain parses by a method of the tool's own, or does not
 * know its kind of schema.
 */
export function acceptedView(
  tool: InvocableTool,
  parsed: unknown,
  { onStart, ...overrides }: AcceptedOverrides = {},
): InvocableTool {
  const parts = tool as InvocableTool & ToolParts;
  const langChain = StructuredTool.prototype as unknown as ToolParts;
  if (parts.parseInput !== langChain.parseInput || !isParsedByLangChain(tool.schema)) return tool;
  const view: InvocableTool = viewOf<InvocableTool>(tool, {
    ...overrides,
    ...(typeof langChain.parseInput === "function" && {
      parseInput: (...given: unknown[]) =>
        Reflect.apply(langChain.parseInput as () => unknown, view, given),
    }),
    [ACCEPTED]: true,
    schema: schemaThatGives(parsed),
    // Whatever LangChain makes of that schema, the tool gets what its own has made.
    _call: (_: unknown, ...rest: unknown[]) => {
      onStart?.();
      return parts._call?.(parsed, ...rest);
    },
  });
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
