import { alignToolInput } from "./align/align-tool-input.ts";
import { asNoArguments } from "./as-no-arguments.ts";
import { toCausingData } from "./errors/causing-data.ts";
import { FIXER_ERROR, ToolInputError } from "./errors/tool-input-error.ts";
import { withHints } from "./errors/with-hints.ts";
import { fixContextOf } from "./fixers/fix-context.ts";
import { type FixerState, runFixers } from "./fixers/run-fixers.ts";
import { type Accepted, hasUndeclared, heedUndeclared } from "./heed-undeclared.ts";
import type { ToolInput, ToolOutput } from "./infer.ts";
import { jsonEquals, whyNotJson } from "./json/json-value.ts";
import { roundedNumbers } from "./json/rounded-numbers.ts";
import { notifyRepair } from "./notify.ts";
import { policyFor, type RepairOptions, type RepairPolicy } from "./options.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";
import { type CompiledSchema, compileSchema } from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import type { InputIssue, JsonValue, Repair, RepairResult, ToolLike } from "./types.ts";
import { allowedKeys } from "./undeclared-policy.ts";

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
 * @throws TypeError when the tool's schema is of no known kind.
 * @throws The reason of `options.signal` when that is aborted.
 */
export async function repairToolInput<const Tool extends ToolLike>(
  raw: unknown,
  tool: Tool,
  options: RepairOptions = {},
): Promise<RepairResult<ToolInput<Tool>, ToolOutput<Tool>>> {
  const result = await repairInput(raw, tool, options);
  if (result.ok) notifyRepair(raw, tool, result, options);
  return result as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
}

/** As `repairToolInput`, untyped, and without telling `onRepair`: whoever calls it does. */
export async function repairInput(
  raw: unknown,
  tool: ToolLike,
  options: RepairOptions,
): Promise<RepairResult> {
  const schema = compileSchema(tool.schema);
  const asIs = acceptAsIs(raw, schema, options);
  const accepted = asIs instanceof Promise ? await asIs : asIs;
  const outcome = accepted ?? (await mend(raw, tool, schema, options));
  if (!outcome.ok) return refuse(raw, tool, outcome, options);
  if (!hasUndeclared(outcome, schema)) return { ...outcome, undeclared: [] };
  const heeded = await heedUndeclared(outcome, { raw, tool, schema, options });
  return heeded.ok ? heeded : refuse(raw, tool, heeded, options);
}

/** Promise 1: what the schema accepts is returned untouched. */
function acceptAsIs(
  raw: unknown,
  schema: CompiledSchema,
  { truncated = false, parsed = false }: RepairOptions,
): Accepted | undefined | Promise<Accepted | undefined> {
  const mayBeText = schema.takesString || (parsed && schema.isOpen);
  if (truncated || (typeof raw === "string" && !mayBeText)) return undefined;
  const validation = schema.validate(raw);
  return validation instanceof Promise
    ? validation.then((settled) => (settled.ok ? asIs(raw, settled.parsed) : undefined))
    : validation.ok
      ? asIs(raw, validation.parsed)
      : undefined;
}

function asIs(raw: unknown, parsed: unknown): Accepted {
  return { ok: true, toolInput: raw as JsonValue, parsed, repairs: [] };
}

/** Why an input is refused. */
interface Refusal {
  readonly ok: false;
  readonly issues: readonly InputIssue[];
  readonly cause?: unknown;
}

async function mend(
  raw: unknown,
  tool: ToolLike,
  schema: CompiledSchema,
  options: RepairOptions,
): Promise<Accepted | Refusal> {
  options.signal?.throwIfAborted();
  const policy = policyFor(tool, options);
  const read = readToolInput(raw, schema, policy, options);
  if (!read.ok) return { ok: false, issues: [read.issue] };
  const outcome = await mendValue(read, { raw, tool, schema, policy, options });
  const rounded = outcome.ok ? roundedNumbers(outcome.toolInput, read.numbers()) : [];
  return rounded.length === 0 ? outcome : { ok: false, issues: rounded };
}

interface Asked {
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly policy: RepairPolicy;
  readonly options: RepairOptions;
}

async function mendValue(
  read: Extract<ReadToolInput, { ok: true }>,
  asked: Asked,
): Promise<Accepted | Refusal> {
  const { raw, tool, schema, policy, options } = asked;
  const validation = await schema.validate(read.value);
  if (validation.ok) return succeed(read.value, validation.parsed, read.repairs);
  if (schema.isOpen && typeof raw === "string") {
    const asText = await schema.validate(raw);
    if (asText.ok) return asIs(raw, asText.parsed);
  }
  const reason = whyNotJson(read.value, policy.limits.maxDepth);
  if (reason !== undefined) {
    return {
      ok: false,
      issues: [{ path: "", code: "not_json", message: `no JSON: ${reason}` }],
    };
  }
  const empty = policy.level === "strict" ? undefined : await asNoArguments(raw, read, schema);
  if (empty !== undefined) return empty;

  const { value, repairs, truncated, unread, mustFit } = read;
  const start = { value, repairs, issues: validation.issues };
  const context = fixContextOf({ raw, tool, schema, options }, truncated);
  const { fixers, limits } = policy;
  const fixed = await runFixers(start, fixers, schema, context, limits, options.signal);
  if (fixed.ok) return succeed(fixed.value, fixed.parsed, fixed.repairs);

  const states = jsonEquals(fixed.value, value) ? [start] : [fixed, start];
  const aligned = truncated || unread || mustFit ? NOT_ALIGNED : await align(states, read, asked);
  if (aligned.ok) return aligned;
  const issues =
    raw === undefined ? [nothingGiven(schema)] : withHints(start.issues, value, aligned.hints);
  return { ok: false, issues, cause: causeOf(fixed.failures) ?? validation.cause };
}

function succeed(toolInput: JsonValue, parsed: unknown, repairs: readonly Repair[]): Accepted {
  return { ok: true, toolInput, parsed, repairs };
}

interface NotAligned {
  readonly ok: false;
  readonly hints: ReadonlyMap<string, string>;
}

const NOT_ALIGNED: NotAligned = { ok: false, hints: new Map() };

/** Schema-driven repair of what the fixers left, or else of what they were given. */
async function align(
  states: readonly FixerState[],
  read: Extract<ReadToolInput, { ok: true }>,
  { tool, schema, policy }: Asked,
): Promise<Accepted | NotAligned> {
  const { level, limits, objectAsText, undeclaredKeys } = policy;
  if (level === "strict") return NOT_ALIGNED;
  const spellings = () => read.spellings;
  const undeclared = { allow: allowedKeys(policy), drops: undeclaredKeys !== "refuse" };
  const about = { schema, toolName: tool.name, level, limits, objectAsText, spellings, undeclared };
  let hints: ReadonlyMap<string, string> = NOT_ALIGNED.hints;
  for (const { value, issues, repairs } of states) {
    const result = await alignToolInput({ ...about, value, issues });
    if (result.ok) return succeed(result.value, result.parsed, [...repairs, ...result.repairs]);
    hints = result.hints;
  }
  return { ok: false, hints };
}

function nothingGiven({ jsonSchema }: CompiledSchema): InputIssue {
  const expected = describeSchema(jsonSchema);
  return {
    path: "",
    message: "no arguments were given",
    code: "nothing",
    expected,
    received: "nothing",
  };
}

function causeOf(failures: readonly Error[]): Error | undefined {
  if (failures.length <= 1) return failures[0];
  const message = failures.map((failure) => failure.message).join("; ");
  return Object.assign(new AggregateError(failures, message), { name: FIXER_ERROR });
}

function refuse(
  raw: unknown,
  { name }: ToolLike,
  { issues, cause }: Refusal,
  { action, toolCall }: RepairOptions,
): RepairResult {
  const causingData = toCausingData(raw);
  const fields = { toolName: name, causingData, issues, action, toolCall, cause };
  return { ok: false, error: new ToolInputError(fields), repairs: [] };
}
