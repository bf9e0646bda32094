import { readJsonArguments } from "./read-tagged.ts";
import type { ReadAt, WrittenArguments } from "./text-format.ts";

/**
 * Creates a reader of arguments that are a JSON object, or else one text: the tool's `command`.
 *
 * @param close What stands behind them.
 */
export function readCommand(close: string): ReadAt<WrittenArguments> {
  return ({ text, at }) => {
    if (text.charAt(at) === "{") return readJsonArguments({ text, at });
    const end = text.indexOf(close, at);
    if (end < 0) return undefined;
    const written = text.slice(at, end).trim();
    if (written === "") return { value: { kind: "json", text: "{}" }, end };
    if (written.includes("<tool:")) return undefined;
    return { value: { kind: "tree", children: [["command", { text: written }]] }, end };
  };
}
