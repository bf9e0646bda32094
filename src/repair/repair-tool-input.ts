import { alignToolInput, type NotAligned } from "./align/align-tool-input.ts";
import { asNoArguments } from "./as-no-arguments.ts";
import { toCausingData } from "./errors/causing-data.ts";
import { ISSUE, type ReachedLimit } from "./errors/refusal-reason.ts";
import { FIXER_ERROR, ToolInputError } from "./errors/tool-input-error.ts";
import { withHints } from "./errors/with-hints.ts";
import { fixContextOf } from "./fixers/fix-context.ts";
import { type FixerState, runFixers } from "./fixers/run-fixers.ts";
import { type Accepted, hasUndeclared, heedUndeclared } from "./heed-undeclared.ts";
import type { ToolInput, ToolOutput } from "./infer.ts";
import { jsonEquals, whyNotJson } from "./json/json-value.ts";
import { roundedNumbers } from "./json/rounded-numbers.ts";
import { overLimit } from "./limits.ts";
import { notifyRepair } from "./notify.ts";
import { policyFor, type RepairOptions, type RepairPolicy } from "./options.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";
import { type CompiledSchema, compileSchema } from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import type { Validation } from "./schema/validation.ts";
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

/**
 * As `repairToolInput`, untyped, and without telling `onRepair`: whoever calls it does. `checked` is
 * what the schema says of the input as it is, where somebody has asked it.
 */
export async function repairInput(
  raw: unknown,
  tool: ToolLike,
  options: RepairOptions & { readonly checked?: Validation | undefined },
): Promise<RepairResult> {
  const schema = compileSchema(tool.schema);
  const asked = options.checked ?? validateAsIs(raw, schema, options);
  const first = asked instanceof Promise ? await asked : asked;
  const outcome = first?.ok
    ? asIs(raw, first.parsed)
    : await mend({ raw, tool, schema, options, first });
  if (!outcome.ok) return refuse(raw, tool, outcome, options);
  if (!hasUndeclared(outcome, schema)) return { ...outcome, undeclared: [] };
  const heeded = await heedUndeclared(outcome, { raw, tool, schema, options });
  return heeded.ok ? heeded : refuse(raw, tool, heeded, options);
}

/** Promise 1: what the schema accepts is returned untouched. `undefined` where it is not asked. */
function validateAsIs(
  raw: unknown,
  schema: CompiledSchema,
  { truncated = false, parsed = false }: RepairOptions,
): Validation | undefined | Promise<Validation> {
  const mayBeText = schema.takesString || (parsed && schema.isOpen);
  if (truncated || (typeof raw === "string" && !mayBeText)) return undefined;
  return schema.validate(raw);
}

function asIs(raw: unknown, parsed: unknown): Accepted {
  return { ok: true, toolInput: raw as JsonValue, parsed, repairs: [] };
}

/** What is asked of the pipeline. */
interface Asked {
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly options: RepairOptions;
  /** What the schema says of the input as it is, where it was asked. */
  readonly first: Validation | undefined;
}

/** Why an input is refused. */
interface Refusal {
  readonly ok: false;
  readonly issues: readonly InputIssue[];
  readonly cause?: unknown;
  readonly candidates?: readonly string[] | undefined;
  readonly limit?: ReachedLimit | undefined;
}

async function mend(asked: Asked): Promise<Accepted | Refusal> {
  const { raw, tool, schema, options } = asked;
  options.signal?.throwIfAborted();
  const policy = policyFor(tool, options);
  const read = readToolInput(raw, schema, policy, options);
  if (!read.ok) return { ok: false, issues: [read.issue], limit: read.limit };
  const outcome = await mendValue(read, { ...asked, policy });
  const rounded = outcome.ok ? roundedNumbers(outcome.toolInput, read.numbers()) : [];
  return rounded.length === 0 ? outcome : { ok: false, issues: rounded };
}

async function mendValue(
  read: Extract<ReadToolInput, { ok: true }>,
  asked: Asked & { readonly policy: RepairPolicy },
): Promise<Accepted | Refusal> {
  const { raw, tool, schema, policy, options, first } = asked;
  const validation =
    first !== undefined && read.value === raw ? first : await schema.validate(read.value);
  if (validation.ok) return succeed(read.value, validation.parsed, read.repairs);
  if (schema.isOpen && typeof raw === "string") {
    const asText = await schema.validate(raw);
    if (asText.ok) return asIs(raw, asText.parsed);
  }
  const isKnown = read.isJson || read.value === null || typeof read.value !== "object";
  const reason = isKnown ? undefined : whyNotJson(read.value, policy.limits.maxDepth);
  if (reason !== undefined) {
    return {
      ok: false,
      issues: [{ path: "", code: ISSUE.notJson, message: `no JSON: ${reason}` }],
    };
  }
  const empty = policy.level === "strict" ? undefined : await asNoArguments(raw, read, schema);
  if (empty !== undefined) return empty;

  const { value, repairs, truncated, unread, mustFit } = read;
  const start = { value, repairs, issues: validation.issues };
  const context = fixContextOf({ raw, tool, schema, options }, truncated);
  const { fixers, limits } = policy;
  const fixed =
    fixers.length === 0
      ? { ok: false as const, ...start, failures: [] }
      : await runFixers(start, fixers, { schema, context, limits, signal: options.signal });
  if (fixed.ok) return succeed(fixed.value, fixed.parsed, fixed.repairs);

  const states = fixed.value === value || jsonEquals(fixed.value, value) ? [start] : [fixed, start];
  const aligned = truncated || unread || mustFit ? NOT_ALIGNED : await align(states, read, asked);
  if (aligned.ok) return aligned;
  const { hints, candidates, limit } = aligned;
  const issues =
    raw === undefined
      ? [nothingGiven(schema)]
      : [...withHints(start.issues, value, hints), ...whyNotAligned(aligned)];
  const cause = causeOf(fixed.failures) ?? validation.cause;
  return { ok: false, issues, cause, candidates, limit };
}

function succeed(toolInput: JsonValue, parsed: unknown, repairs: readonly Repair[]): Accepted {
  return { ok: true, toolInput, parsed, repairs };
}

const NOT_ALIGNED: NotAligned = { ok: false, reason: "none", hints: new Map() };

/** What is said of an input besides what the schema has against it. */
function whyNotAligned({ reason, candidates = [], limit }: NotAligned): InputIssue[] {
  if (limit !== undefined) return [overLimit(limit)];
  if (reason !== "ambiguous") return [];
  const which = candidates.length > 1 ? `: ${candidates.join(" or ")}` : "";
  const message = `could be meant in more than one way${which}`;
  return [{ path: "", code: ISSUE.ambiguous, message }];
}

/** Schema-driven repair of what the fixers left, or else of what they were given. */
async function align(
  states: readonly FixerState[],
  read: Extract<ReadToolInput, { ok: true }>,
  { tool, schema, policy }: Asked & { readonly policy: RepairPolicy },
): Promise<Accepted | NotAligned> {
  const { level, limits, objectAsText, undeclaredKeys } = policy;
  if (level === "strict") return NOT_ALIGNED;
  const spellings = () => read.spellings;
  const undeclared = { allow: allowedKeys(policy), drops: undeclaredKeys !== "refuse" };
  const about = { schema, toolName: tool.name, level, limits, objectAsText, spellings, undeclared };
  let refused = NOT_ALIGNED;
  for (const { value, issues, repairs } of states) {
    const result = await alignToolInput({ ...about, value, issues });
    if (result.ok) return succeed(result.value, result.parsed, [...repairs, ...result.repairs]);
    refused = result;
  }
  return refused;
}

function nothingGiven({ jsonSchema }: CompiledSchema): InputIssue {
  const expected = describeSchema(jsonSchema);
  return {
    path: "",
    message: "no arguments were given",
    code: ISSUE.nothing,
    expected,
    received: "nothing",
  };
}

/** The most fixers that a message names as failed. */
const MAX_FAILURES_SHOWN = 5;

/** The most failures of fixers that an error holds. */
const MAX_FAILURES_KEPT = 20;

function causeOf(failures: readonly Error[]): Error | undefined {
  if (failures.length <= 1) return failures[0];
  const shown = failures.slice(0, MAX_FAILURES_SHOWN).map((failure) => failure.message);
  const more = failures.length - shown.length;
  const message = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  const kept = failures.slice(0, MAX_FAILURES_KEPT);
  return Object.assign(new AggregateError(kept, message), { name: FIXER_ERROR });
}

function refuse(
  raw: unknown,
  { name }: ToolLike,
  { issues, cause, candidates, limit }: Refusal,
  { action, toolCall }: RepairOptions,
): RepairResult {
  const causingData = toCausingData(raw);
  const fields = {
    toolName: name,
    causingData,
    issues,
    action,
    toolCall,
    cause,
    candidates,
    limit,
  };
  return { ok: false, error: new ToolInputError(fields), repairs: [] };
}
