import { foldName } from "../align/names/fold-name.ts";

/**
 * Checks whether a name is that of the tool which an input was given to.
 *
 * @param name The name, as the model wrote it.
 * @param toolName The tool's name; `undefined` where it is unknown, and so every name another's.
 */
export function namesTool(name: string, toolName: string | undefined): boolean {
  return toolName !== undefined && name.length <= 200 && foldName(name) === foldName(toolName);
}
