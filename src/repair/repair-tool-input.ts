import { toCausingData } from "./errors/causing-data.ts";
import { ISSUE } from "./errors/refusal-reason.ts";
import { ToolInputError } from "./errors/tool-input-error.ts";
import { hasListeners, tellInput } from "./events/tell-input.ts";
import type { FixRequest } from "./fixers/fix-context.ts";
import { type Accepted, hasUndeclared } from "./has-undeclared.ts";
import type { ToolInput, ToolOutput } from "./infer.ts";
import { notLoaded } from "./load-once.ts";
import { loadRepair } from "./load-repair.ts";
import type { NoHandler } from "./no-handler.ts";
import type { RepairOptions } from "./options.ts";
import type { RepairResult, RepairSuccess } from "./repair-result.ts";
import type { Refusal } from "./repair-value.ts";
import { type Faults, toResolution, withoutFaults } from "./resolution.ts";
import { compileSchema } from "./schema/compile-schema.ts";
import type { Validation } from "./schema/compiled-schema.ts";
import { NOT_A_FIELD } from "./schema/show-received.ts";
import type { InputIssue, JsonValue, ToolLike } from "./types.ts";
import { checkOptions } from "./usage/check-options.ts";
import { checkTool } from "./usage/check-tools.ts";
import type { NotRegistry } from "./usage/not-registry.ts";
import { REPAIR_USAGE } from "./usage/repair-checks.ts";
import { type AsGiven, validateAsGiven } from "./validate-as-given.ts";

/**
 * Makes a tool's input right, or says why it cannot: parse → validate → registered fixers →
 * schema-driven repair, each result validated by the tool's own schema. A valid input is returned
 * as it is, by reference.
 *
 * @param raw What the model wrote: text, a parsed value, or `undefined` for no arguments.
 * @param tool The tool, or just its name and schema.
 * @param options Fixers, level and limits.
 * @returns The input to run with every change that was made, or the error. Never throws for a bad
 * input.
 * @throws TypeError for a wrong use: something that is not a tool, a schema of an unknown kind, an
 * unknown option, a value that an option cannot have.
 * @throws The reason of `options.signal` when that is aborted.
 * @example
 * ```ts
 * const result = await repairToolInput('{"element": "#buy"}', click, { fixers });
 * if (result.ok) console.log(result.toolInput.selector); // #buy
 * else console.error(result.error.toModelMessage());
 * ```
 */
export async function repairToolInput<const Tool extends ToolLike>(
  raw: unknown,
  tool: Tool,
  options: RepairOptions & NotRegistry & NoHandler = NO_OPTIONS,
): Promise<RepairResult<ToolInput<Tool>, ToolOutput<Tool>>> {
  checkTool(tool, "repairToolInput(raw, tool, options)");
  checkOptions(options, REPAIR_USAGE);
  const result = await repairInput(raw, tool, options);
  if (hasListeners(options)) {
    await tellInput({ raw, tool, resolution: toResolution(result) }, options);
  }
  return withoutFaults(result) as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
}

/** The same each time, so that it is looked at once. */
const NO_OPTIONS = Object.freeze({});

/**
 * As `repairToolInput`, untyped, and without telling anybody: whoever calls it does. `checked` is
 * what the schema says of the input as it is, where somebody has asked it.
 */
export async function repairInput(
  raw: unknown,
  tool: ToolLike,
  options: RepairOptions & { readonly checked?: Validation | undefined },
): Promise<RepairResult & Faults> {
  const schema = compileSchema(tool.schema);
  const { checked } = options;
  const asked =
    checked === undefined
      ? validateAsGiven(raw, schema, options)
      : { value: raw, isParsed: false, validation: checked };
  const given = asked instanceof Promise ? await asked : asked;
  const { value, validation } = given;
  const accepted: Accepted | undefined = validation?.ok
    ? { ok: true, toolInput: value as JsonValue, parsed: validation.parsed, repairs: [] }
    : undefined;
  if (accepted !== undefined && !hasUndeclared(accepted, schema)) {
    return { ...accepted, undeclared: [] };
  }
  const begun = performance.now();
  const outcome = await repairOrRefuse({ raw, tool, schema, options, given }, accepted);
  const microseconds = Math.round((performance.now() - begun) * 1000);
  if (!outcome.ok) return { ...refuse(outcome, { raw, tool, options }), microseconds };
  const faults = validation?.ok === false ? validation.issues : unseenFaults(given, outcome);
  return { ...outcome, faults, microseconds };
}

/** What was wrong with an input that no schema was asked about, or that it accepts. */
function unseenFaults({ validation }: AsGiven, { repairs }: RepairSuccess): readonly InputIssue[] {
  const [first] = repairs;
  if (first === undefined) return [];
  return validation === undefined
    ? [{ path: "", code: ISSUE.notJson, message: "is text that is not JSON as it stands" }]
    : [{ path: first.path, code: "undeclared_key", message: NOT_A_FIELD }];
}

/** An input that cannot be looked into because the code is not there is refused, never run. */
async function repairOrRefuse(
  request: FixRequest & { readonly given: AsGiven },
  accepted: Accepted | undefined,
): Promise<RepairSuccess | Refusal> {
  let code: Awaited<ReturnType<typeof loadRepair>>;
  try {
    code = await loadRepair();
  } catch (cause) {
    const { validation } = request.given;
    const faults = validation?.ok === false ? validation.issues : [];
    const told = faults.filter(({ code }) => code !== ISSUE.notLoaded);
    return { ok: false, issues: [...told, notLoaded()], cause };
  }
  return code.repairValue(request, accepted);
}

function refuse(
  { issues, cause, candidates, limit }: Refusal,
  { raw, tool, options }: Pick<FixRequest, "raw" | "tool" | "options">,
): RepairResult {
  const { action, toolCall } = options;
  const error = new ToolInputError({
    toolName: tool.name,
    causingData: toCausingData(raw),
    issues,
    action,
    toolCall,
    cause,
    candidates,
    limit,
    jsonSchema: compileSchema(tool.schema).jsonSchema,
    verbose: tool.verboseParsingErrors,
  });
  return { ok: false, error, repairs: [] };
}
