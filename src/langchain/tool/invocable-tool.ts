import type { ToolLike } from "../../repair/types.ts";

/** A LangChain tool of any kind: `StructuredTool`, `DynamicTool`, `RunnableToolLike`, … */
export interface InvocableTool extends ToolLike {
  // biome-ignore lint/suspicious/noExplicitAny: LangChain's own signatures are generic in each tool
  invoke(input: any, config?: any): Promise<any>;
}
