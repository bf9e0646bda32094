import { copyError } from "./errors/copy-error.ts";
import { ISSUE } from "./errors/refusal-reason.ts";
import type { ToolInputError } from "./errors/tool-input-error.ts";
import type { Origin } from "./events/origin.ts";
import { isJsonObject, showValue, typeName } from "./json/json-value.ts";
import { policyFor, type RepairOptions } from "./options.ts";
import { repairInput } from "./repair-tool-input.ts";
import { type Resolution, toResolution } from "./resolution.ts";
import { runLimited, TimedOut } from "./run-limited.ts";
import { compileSchema } from "./schema/compile-schema.ts";
import type { Validation } from "./schema/compiled-schema.ts";
import type { JsonValue, Repair, ToolLike } from "./types.ts";
import { type Unfixable, unfixableHandler } from "./unfixable-handler.ts";

/** Options of a wrapper: how inputs are repaired, and who decides about those that are not. */
export interface ResolveOptions extends RepairOptions {
  /** What the schema says of the input as it is, where somebody has asked it. */
  readonly checked?: Validation | undefined;
  /** Where the call came from. Default: whoever calls toolmend's repair directly. */
  readonly origin?: Origin | undefined;
  /**
   * Decides what becomes of an input that could not be repaired; `"tellModel"`: the model is told.
   * Default: it is refused.
   */
  readonly onUnfixable?: Unfixable | undefined;
}

/** An input on its way. */
interface Resolving {
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly options: ResolveOptions;
}

/**
 * Repairs a tool's input and, where that fails, asks `onUnfixable`. Every wrapper goes this way, and tells
 * what became of it itself (`tellInput`), as it alone knows the whole of what was changed.
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
  if (first.ok) return toResolution(first);
  const { error, microseconds } = first;
  const resolution = await askAbout(raw, tool, error, options);
  return { ...resolution, faults: error.issues, microseconds };
}

/** Asks `onUnfixable` about an input that was refused. */
async function askAbout(
  raw: unknown,
  tool: ToolLike,
  error: ToolInputError,
  options: ResolveOptions,
): Promise<Resolution> {
  const answer = await askHandler(error, tool, options);
  if (answer instanceof TimedOut) return { kind: "refused", error: outOfTime(error, answer) };
  if (answer === undefined || answer === null) return { kind: "refused", error };
  if (typeof answer === "string") return { kind: "observation", text: answer, error };
  return runCorrected(answer, error, { raw, tool, options });
}

async function askHandler(
  error: ToolInputError,
  tool: ToolLike,
  options: ResolveOptions,
): Promise<JsonValue | undefined | TimedOut> {
  const { onUnfixable, action, signal } = options;
  const handle = unfixableHandler(onUnfixable);
  if (handle === undefined) return undefined;
  const { handlerTimeoutMs } = policyFor(tool, options).limits;
  const ask = () => handle(error, structuredClone(error.causingData), action);
  try {
    return await runLimited(ask, handlerTimeoutMs, signal);
  } catch (thrown) {
    if (thrown instanceof TimedOut) return thrown;
    throw thrown;
  }
}

/** The first error again, of which nobody said what becomes of it. */
function outOfTime(error: ToolInputError, cause: TimedOut): ToolInputError {
  const limit = { name: "handlerTimeoutMs" as const, value: cause.timeoutMs };
  return copyError(error, { reason: "handler_timeout", limit, cause });
}

/** The first error again, with what the handler did wrong. */
function badCorrection(error: ToolInputError, returned: JsonValue): ToolInputError {
  const what = `${typeName(returned)} ${showValue(returned)}`;
  const message = `onUnfixable returned what is not an input of this tool: the ${what}`;
  const issues = [...error.issues, { path: "", code: ISSUE.badCorrection, message }];
  const why = { reason: undefined, candidates: undefined, limit: undefined };
  return copyError(error, { issues, cause: error, ...why });
}

async function runCorrected(
  returned: JsonValue,
  error: ToolInputError,
  { raw, tool, options }: Resolving,
): Promise<Resolution> {
  const answer = clonedAnswer(returned);
  if (answer === undefined || !(await isRunnable(answer, tool))) {
    return { kind: "refused", error: badCorrection(error, returned) };
  }
  const { truncated: _, checked: __, ...whole } = options;
  const second = await repairInput(answer, tool, whole);
  if (!second.ok) return { kind: "refused", error: copyError(second.error, { cause: error }) };
  const before = raw as JsonValue | undefined;
  const correction: Repair = {
    fixer: "onUnfixable",
    path: "",
    before,
    after: answer,
    level: "strict",
  };
  const repairs = [correction, ...second.repairs];
  return { kind: "run", ...second, repairs, corrects: error };
}

/** Whether what a handler returned may be meant as an input: the length of a list is not. */
async function isRunnable(answer: JsonValue, tool: ToolLike): Promise<boolean> {
  return isJsonObject(answer) || (await compileSchema(tool.schema).validate(answer)).ok;
}

/** A copy, so that what is validated is what is run; `undefined` where there can be none. */
function clonedAnswer(answer: JsonValue): JsonValue | undefined {
  try {
    return structuredClone(answer);
  } catch {
    return undefined;
  }
}
