import { raisesDoubt } from "../../../repair/read/speaks-for-input.ts";
import { textArgs } from "./json-call.ts";
import type { TextCall } from "./text-call.ts";

const WHOLE =
  /^(?:Thought:([^\n]*)\n+)?Action:[ \t]*([^\n]+?)[ \t]*\nAction Input:[ \t]*([\s\S]+)$/;
const ANOTHER = /^(?:Thought|Action|Action Input|Observation|Final Answer):/m;

/**
 * ReAct: `Action:` and `Action Input:`, after a `Thought:` of one line or none. A thought that has
 * doubts, or introduces what follows, may quote it.
 */
export function reactAction(text: string): readonly TextCall[] {
  const [, thought = "", written, input = ""] = WHOLE.exec(text) ?? [];
  if (written === undefined || ANOTHER.test(input)) return [];
  if (raisesDoubt(thought) || thought.trimEnd().endsWith(":")) return [];
  const name = written.replace(/^[`"'[]|[`"'\]]$/g, "");
  return /^[{[]/.test(input.trim()) ? textArgs(name, input) : [{ name, args: input.trim() }];
}
