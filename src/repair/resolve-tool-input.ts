import { ToolInputError } from "./errors/tool-input-error.ts";
import type { RepairOptions } from "./options.ts";
import { orAborted } from "./or-aborted.ts";
import { repairInput } from "./repair-tool-input.ts";
import type { JsonValue, Repair, RepairSuccess, ToolLike } from "./types.ts";
import { type Unfixable, unfixableHandler } from "./unfixable-handler.ts";

/** What becomes of a tool input: it is run, answered in the tool's stead, or refused. */
export type Resolution =
  | ({ readonly kind: "run" } & Pick<
      RepairSuccess,
      "toolInput" | "parsed" | "repairs" | "undeclared"
    >)
  | { readonly kind: "observation"; readonly text: string; readonly error: ToolInputError }
  | { readonly kind: "refused"; readonly error: ToolInputError };

/** Options of a wrapper: how inputs are repaired, and who decides about those that are not. */
export interface ResolveOptions extends RepairOptions {
  /**
   * Decides what becomes of an input that could not be repaired; `"tellModel"`: the model is told.
   * Default: it is refused.
   */
  readonly onUnfixable?: Unfixable | undefined;
}

/**
 * Repairs a tool's input and, where that fails, asks `onUnfixable`. Every wrapper goes this way, and tells
 * `onRepair` itself, as it alone knows the whole of what was changed.
 *
 * @param raw What the model wrote.
 * @param tool The tool.
 * @param options How to repair, and the handler.
 * @returns What becomes of the input. Corrected JSON from the handler goes through the same repair
 * and is recorded as a repair named `onUnfixable`; where that is refused too, the error's cause is
 * the first one.
 * @throws What the handler throws, or the reason of `options.signal` when that is aborted.
 */
export async function resolveToolInput(
  raw: unknown,
  tool: ToolLike,
  options: ResolveOptions = {},
): Promise<Resolution> {
  const first = await repairInput(raw, tool, options);
  if (first.ok) return { kind: "run", ...first };
  const { error } = first;
  const { onUnfixable, action, signal } = options;
  const handle = unfixableHandler(onUnfixable);
  const asked = Promise.resolve(handle?.(error, error.causingData, action));
  const answer = await orAborted(asked, signal);
  if (answer === undefined || answer === null) return { kind: "refused", error };
  if (typeof answer === "string") return { kind: "observation", text: answer, error };
  return runCorrected(raw, answer, tool, error, options);
}

async function runCorrected(
  raw: unknown,
  answer: JsonValue,
  tool: ToolLike,
  error: ToolInputError,
  options: ResolveOptions,
): Promise<Resolution> {
  const { truncated: _, ...whole } = options;
  const second = await repairInput(answer, tool, whole);
  if (!second.ok) {
    const { toolName, causingData, issues, action, toolCall } = second.error;
    const fields = { toolName, causingData, issues, action, toolCall, cause: error };
    return { kind: "refused", error: new ToolInputError(fields) };
  }
  const before = raw as JsonValue | undefined;
  const correction: Repair = {
    fixer: "onUnfixable",
    path: "",
    before,
    after: answer,
    level: "strict",
  };
  return { kind: "run", ...second, repairs: [correction, ...second.repairs] };
}
