/**
 * Makes an observation of what a tool, or a handler, returned: text as it is, the content of a
 * message, JSON of anything else. Nothing at all is `""`, as in LangChain.
 *
 * @param result What was returned.
 */
export function toObservation(result: unknown): string {
  if (typeof result === "string") return result;
  if (result === undefined || result === null) return "";
  const { content, _getType } = result as { content?: unknown; _getType?: unknown };
  if (typeof _getType === "function" && content !== undefined) return toObservation(content);
  try {
    return JSON.stringify(result) ?? String(result);
  } catch {
    return String(result);
  }
}
