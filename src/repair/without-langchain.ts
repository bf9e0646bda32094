// Replaces `langchain.ts` where LangChain is not installed: `toolmend/core` is
// built with it.

/** An agent's action, as LangChain's agents make it. */
export interface AgentAction {
  readonly tool: string;
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's versions, and the patch, type it differently, and a fixer for one of them fits here too
  readonly toolInput: any;
  readonly log: string;
}

/** A tool call, as LangChain's messages hold it. */
export interface ToolCall {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own type
  readonly args: Record<string, any>;
  readonly id?: string;
  readonly type?: "tool_call";
}

/** Branded, so that `isToolInputParsingException` always recognizes it. */
export class ToolInputParsingException extends Error {
  readonly output?: string;

  constructor(message: string, output?: string) {
    super(message);
    if (output !== undefined) this.output = output;
    Object.defineProperty(
      this,
      Symbol.for("langchain.error.tool-input-parsing"),
      { value: true },
    );
  }
}

/**
 * Converts a Standard JSON Schema; returns any other schema, zod 3 too,
 * unchanged.
 */
export function toJsonSchema(schema: {
  readonly "~standard": {
    readonly jsonSchema?: { input(options: { target: string }): unknown };
  };
}): unknown {
  return (
    schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? schema
  );
}
