/** What providers answer where they refuse a request, and would refuse it again. */
const REFUSALS: ReadonlySet<unknown> = new Set([400, 404, 422, 501]);

/**
 * Asks a model that must call a tool; where its provider refuses to make it, asks without. Any other
 * error is thrown: a rate limit is no reason to ask again.
 *
 * @param toolChoice The tool that it must call; `undefined` where it is not made to.
 * @param ask Asks.
 */
export async function askForced<Answer>(
  toolChoice: string | undefined,
  ask: (toolChoice: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (toolChoice === undefined) return ask(undefined);
  try {
    return await ask(toolChoice);
  } catch (error) {
    if (!refusesToolChoice(error)) throw error;
    return ask(undefined);
  }
}

/**
 * Whether an error is a provider's refusal to be made to call a tool.
 *
 * @param error What the model threw.
 */
export function refusesToolChoice(error: unknown): boolean {
  let isSaid = false;
  // A middleware of LangChain's wraps what a model throws.
  for (let one = error; one instanceof Error; one = one.cause) {
    const { status, statusCode = status } = one as { status?: unknown; statusCode?: unknown };
    if (typeof statusCode === "number" && !REFUSALS.has(statusCode)) return false;
    isSaid ||= /tool[\s_]?choice/i.test(one.message);
    if (one.cause === one) break;
  }
  return isSaid;
}
