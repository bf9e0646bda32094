import { cutText } from "../cut-text.ts";

/**
 * Names what was given in the place of something else, for the errors of wrong uses: its kind, and
 * the value itself only of a short text, a number or a boolean.
 *
 * @param thing Anything.
 * @returns A few words, as in `the tool "click"`.
 */
export function nameThing(thing: unknown): string {
  if (typeof thing === "string") return JSON.stringify(cutText(thing, 40));
  if (typeof thing === "function") return "a function";
  if (Array.isArray(thing)) return "an array";
  if (thing === null || typeof thing !== "object") return String(thing);
  if (valueAt(thing, "forTool")) return "a fixer registry";
  if (valueAt(thing, "invoke") && valueAt(thing, "schema"))
    return `the tool ${nameThing(valueAt(thing, "name"))}`;
  if (valueAt(thing, "~standard")) return "a schema";
  if (valueAt(thing, "bindTools")) return "a chat model";
  if (valueAt(thing, "agent") && valueAt(thing, "tools")) return "an AgentExecutor";
  if (valueAt(thing, "tool_calls")) return "a message";
  const kind = Object.getPrototypeOf(thing)?.constructor?.name;
  return typeof kind === "string" && kind !== "Object" && kind !== ""
    ? `an instance of ${kind}`
    : "an object";
}

/** What stands under a key; a getter that throws is as good as none. */
function valueAt(thing: object, key: string): unknown {
  try {
    return (thing as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
