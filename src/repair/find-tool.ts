import type { ToolNameResult } from "./align/repair-tool-name.ts";
import { allowsEdit } from "./edit-switches.ts";
import { loadRepair } from "./load.ts";
import { policyFor, type RepairOptions } from "./options.ts";
import { toolNames } from "./tool-names.ts";
import type { NameRepair, ToolLike } from "./types.ts";

/**
 * The tool that a name means, and how the name was changed; or what was probably meant, and why the
 * name could not be repaired, where the code for it could not be loaded.
 */
export type FoundTool<Tool extends ToolLike = ToolLike> =
  | { readonly ok: true; readonly tool: Tool; readonly nameRepair?: NameRepair }
  | { readonly ok: false; readonly didYouMean?: string | undefined; readonly cause?: unknown };

/**
 * Finds the tool that a name means: by that very name, else by what is registered for the name, else
 * by one that the name is repaired to, as far as the level of the very tool that it leads to allows.
 *
 * @param name The name as the model wrote it.
 * @param tools The tools that were offered.
 * @param options Fixers and level; `caseIsFree`: a name that differs only in case is right at every
 * level, as LangChain's executor takes it.
 */
export async function findTool<Tool extends ToolLike>(
  name: string,
  tools: readonly Tool[],
  options: RepairOptions & { readonly caseIsFree?: boolean },
): Promise<FoundTool<Tool>> {
  const exact = tools.find((tool) => tool.name === name);
  if (exact !== undefined) return { ok: true, tool: exact };
  const registered = options.fixers?.toolNamed(name);
  if (registered !== undefined) return renamed(name, registered, tools);
  const guess = await guessName(name, toolNames(tools));
  if (!guess.ok) return guess;
  const tool = tools.find((offered) => offered.name === guess.name);
  if (tool === undefined) return { ok: false };
  const isCase = tool.name.toLowerCase() === name.trim().toLowerCase();
  const level = options.caseIsFree && isCase ? "strict" : guess.level;
  if (level !== "strict" && !allowsEdit(policyFor(tool, options), { fixer: guess.fixer, level })) {
    return { ok: false, didYouMean: tool.name };
  }
  return {
    ok: true,
    tool,
    nameRepair: { fixer: guess.fixer, before: name, after: tool.name, level },
  };
}

/** What is registered for a name is what it means: where that tool is not offered, none is. */
function renamed<Tool extends ToolLike>(
  before: string,
  after: string,
  tools: readonly Tool[],
): FoundTool<Tool> {
  const tool = tools.find(({ name }) => name === after);
  if (tool === undefined) return { ok: false };
  const fixer = `renameTool(${before} → ${after})`;
  return { ok: true, tool, nameRepair: { fixer, before, after, level: "strict" } };
}

async function guessName(
  name: string,
  names: readonly string[],
): Promise<ToolNameResult | { readonly ok: false; readonly cause: unknown }> {
  let code: Awaited<ReturnType<typeof loadRepair>>;
  try {
    code = await loadRepair();
  } catch (cause) {
    return { ok: false, cause };
  }
  return code.repairToolName(name, names, "eager");
}
