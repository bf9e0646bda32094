import { wrongUse } from "../../repair/errors/likeness.ts";
import { nameThing } from "../../repair/usage.ts";

/**
 * Checks that something is an AgentExecutor.
 *
 * @param given What was given.
 * @throws TypeError when it is not; of what else runs agents, it says what to use.
 */
export function checkExecutor(given: unknown): void {
  const { agent, tools, _call: run } = (given ?? {}) as Record<string, unknown>;
  if (Array.isArray(tools) && hasFunction(agent, "plan") && typeof run === "function") return;
  throw wrongUse(`wrapAgentExecutor needs an AgentExecutor; this is ${whatRunsInstead(given)}.`);
}

function whatRunsInstead(given: unknown): string {
  const kind = nameThing(given);
  if (kind === "a chat model") return kind;
  if (hasFunction(given, "plan") || hasKey(given, "singleAction")) {
    return "an agent alone: put it in new AgentExecutor({ agent, tools }) first";
  }
  if (isCreateAgent(given)) {
    return "what createAgent returns: give createAgent the middleware toolInputMiddleware(), of toolmend/middleware";
  }
  if (hasFunction(given, "addNode") || hasFunction(given, "getGraph")) {
    return "a graph or another Runnable: use repairNode, of toolmend/messages, or wrapTools";
  }
  return kind;
}

/** LangChain's ReactAgent keeps its graph behind a getter of its own class. */
function isCreateAgent(given: unknown): boolean {
  return hasKey(given, "graph") && !hasFunction(given, "addNode");
}

function hasKey(given: unknown, key: string): boolean {
  return given !== null && typeof given === "object" && key in given;
}

function hasFunction(given: unknown, name: string): boolean {
  if (given === null || typeof given !== "object") return false;
  return typeof (given as Record<string, unknown>)[name] === "function";
}
