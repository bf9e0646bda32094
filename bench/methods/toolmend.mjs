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
      if (call.agent === "text") return repairText(call, tools);
      const result = await repairToolCall(call, tools, options);
      return result.ok ? { name: result.name, args: result.toolInput } : REFUSED;
    },
  };

  async function repairText({ name, args }, tools) {
    const tool = tools.find((offered) => offered.name === name);
    const result = await repairToolInput(args, tool, options);
    return result.ok ? { name, args: result.toolInput } : REFUSED;
  }
}
