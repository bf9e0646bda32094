import { handsOver, raisesDoubt } from "../read/speaks-for-input.ts";

/**
 * Checks whether a thought that a format puts beside its call leads to it: "I need to pay Bob." One
 * that has doubts, introduces a quotation or is in a language that is not known may speak against it.
 *
 * @param thought The thought.
 * @param name The name of the tool that is called.
 */
export function leadsToCall(thought: string, name: string): boolean {
  const said = thought.trim();
  if (said === "") return true;
  if (said.endsWith(":") || raisesDoubt(said)) return false;
  return handsOver(said.replace(/^need to /i, "I $&"), name);
}
