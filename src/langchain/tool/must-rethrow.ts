const BUBBLING: ReadonlySet<string> = new Set(["AbortError", "GraphInterrupt", "NodeInterrupt"]);

/**
 * Tells errors that steer the run, and are no answer of a tool: aborts, and LangGraph's interrupts.
 *
 * @param error What a tool threw.
 * @param signal The run's signal.
 */
export function mustRethrow(error: unknown, signal: AbortSignal | undefined): boolean {
  if (signal?.aborted) return true;
  if (error === null || typeof error !== "object") return false;
  const { name, is_bubble_up } = error as { name?: unknown; is_bubble_up?: unknown };
  return is_bubble_up === true || (typeof name === "string" && BUBBLING.has(name));
}
