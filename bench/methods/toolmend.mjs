import { loadTypescript } from "../load-typescript.mjs";
import { REFUSED } from "./per-tool.mjs";

export const { repairToolCall, repairToolInput } = await loadTypescript("src/index.ts");

/**
 * The project itself, from its source.
 *
 * @param {"strict" | "safe" | "eager"} level
 * @returns {import("./per-tool.mjs").Method}
 */
export function toolmend(level) {
  const options = { level };
  return {
    name: `toolmend, ${level}`,
    uses: "toolmend",
    prepare: (tools) => async (call) => {
      const result = await repairToolCall(call, tools, options);
      return result.ok ? { name: result.name, args: result.toolInput } : REFUSED;
    },
  };
}
