import type { TextCall } from "./text-call.ts";

const WHOLE = /^(?:Thought:[^\n]*\n+)?Action:[ \t]*([^\n]+?)[ \t]*\nAction Input:[ \t]*([\s\S]+)$/;
const ANOTHER = /^(?:Thought|Action|Action Input|Observation|Final Answer):/m;

/** ReAct: `Action:` and `Action Input:`, after a `Thought:` of one line or none. */
export function reactAction(text: string): readonly TextCall[] {
  const [, name, input = ""] = WHOLE.exec(text) ?? [];
  if (name === undefined || ANOTHER.test(input)) return [];
  return [{ name: name.replace(/^[`"'[]|[`"'\]]$/g, ""), args: input.trim() }];
}
