/**
 * Tells a `RunnableToolLike` (what `runnable.asTool()` makes), of whichever copy of LangChain. Its
 * schema is applied to tool calls only; anything else it hands on as it is.
 *
 * @param tool A tool.
 */
export function isRunnableToolLike(tool: object): boolean {
  const kind = tool.constructor as { lc_name?: () => string };
  return kind.lc_name?.() === "RunnableToolLike";
}
