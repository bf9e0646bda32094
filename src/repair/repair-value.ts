import type { NotAligned } from "./align/align-tool-input.ts";
import { alignAsAllowed, NOT_ALIGNED } from "./align-as-allowed.ts";
import { asNoArguments } from "./as-no-arguments.ts";
import { allowsEdit } from "./edit-switches.ts";
import { ISSUE, type ReachedLimit } from "./errors/refusal-reason.ts";
import { FIXER_ERROR } from "./errors/tool-input-error.ts";
import { withHints } from "./errors/with-hints.ts";
import { type FixRequest, fixContextOf } from "./fixers/fix-context.ts";
import { type FixerState, runFixers } from "./fixers/run-fixers.ts";
import { type Accepted, hasUndeclared } from "./has-undeclared.ts";
import { heedUndeclared } from "./heed-undeclared.ts";
import { jsonEquals } from "./json/json-value.ts";
import { overLimit, whyNoInput } from "./limits.ts";
import { policyFor, type RepairPolicy } from "./options.ts";
import { roundedNumbers } from "./read/numbers.ts";
import type { ReadToolInput } from "./read/read-tool-input.ts";
import { readAsAllowed } from "./read-as-allowed.ts";
import type { RepairSuccess } from "./repair-result.ts";
import type { CompiledSchema } from "./schema/compiled-schema.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import type { InputIssue, JsonValue, Repair } from "./types.ts";
import { allowedKeys } from "./undeclared-policy.ts";
import type { AsGiven } from "./validate-as-given.ts";

// What is loaded with the first input, or tool's name, that is not right as it stands.
export { repairToolName } from "./align/repair-tool-name.ts";
export { tellCall, tellReplaced } from "./events/tell-call.ts";

/** What is asked of the pipeline. */
interface Asked extends FixRequest {
  readonly given: AsGiven;
}

/** Why an input is refused. */
export interface Refusal {
  readonly ok: false;
  readonly issues: readonly InputIssue[];
  readonly cause?: unknown;
  readonly candidates?: readonly string[] | undefined;
  readonly limit?: ReachedLimit | undefined;
}

/**
 * Repairs an input that is not right as it stands: the schema does not accept it, or does not declare
 * all its keys.
 *
 * @param request The input, and what was found of it so far.
 * @param accepted The input, where the schema accepts it as it is.
 */
export async function repairValue(
  request: Asked,
  accepted?: Accepted | undefined,
): Promise<RepairSuccess | Refusal> {
  const outcome = accepted ?? (await mend(request));
  if (!outcome.ok) return outcome;
  return hasUndeclared(outcome, request.schema)
    ? heedUndeclared(outcome, request)
    : { ...outcome, undeclared: [] };
}

async function mend(asked: Asked): Promise<Accepted | Refusal> {
  const { raw, tool, schema, options, given } = asked;
  options.signal?.throwIfAborted();
  const policy = policyFor(tool, options);
  const exact = given.isParsed ? { value: given.value as JsonValue | undefined } : undefined;
  const { truncated, parsed } = options;
  const read = readAsAllowed(raw, schema, policy, { truncated, parsed, exact });
  if (!read.ok) return { ok: false, issues: [read.issue], limit: read.limit };
  const outcome = await mendValue(read, { ...asked, policy });
  const rounded = outcome.ok ? roundedNumbers(outcome.toolInput, read.numbers()) : [];
  return rounded.length === 0 ? outcome : { ok: false, issues: rounded };
}

async function mendValue(
  read: Extract<ReadToolInput, { ok: true }>,
  asked: Asked & { readonly policy: RepairPolicy },
): Promise<Accepted | Refusal> {
  const { raw, tool, schema, policy, options, given } = asked;
  const known = read.value === given.value ? given.validation : undefined;
  const validation = known ?? (await schema.validate(read.value));
  if (validation.ok) return succeed(read.value, validation.parsed, read.repairs);
  if (schema.isOpen && typeof raw === "string") {
    const asText = await schema.validate(raw);
    if (asText.ok) return succeed(raw, asText.parsed, []);
  }
  const isKnown = read.isJson || read.value === null || typeof read.value !== "object";
  const why = isKnown ? undefined : whyNoInput(read.value, policy.limits);
  if (why !== undefined) return { ok: false, issues: [why.issue], limit: why.limit };
  const mayBeNone = allowsEdit(policy, { fixer: "no-arguments", level: "safe" });
  const empty = mayBeNone ? await asNoArguments(raw, read, schema) : undefined;
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
  const aligned =
    truncated || unread || mustFit || read.hasTwinKeys()
      ? NOT_ALIGNED
      : await alignStates(states, read, asked);
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

/** What is said of an input besides what the schema has against it. */
function whyNotAligned({ reason, candidates = [], limit }: NotAligned): InputIssue[] {
  if (limit !== undefined) return [overLimit(limit)];
  if (reason !== "ambiguous") return [];
  const which = candidates.length > 1 ? `: ${candidates.join(" or ")}` : "";
  const message = `could be meant in more than one way${which}`;
  return [{ path: "", code: ISSUE.ambiguous, message }];
}

/** Schema-driven repair of what the fixers left, or else of what they were given. */
async function alignStates(
  states: readonly FixerState[],
  read: Extract<ReadToolInput, { ok: true }>,
  { tool, schema, policy }: Asked & { readonly policy: RepairPolicy },
): Promise<Accepted | NotAligned> {
  const { limits, objectAsText, undeclaredKeys } = policy;
  const spellings = () => read.spellings;
  const undeclared = { allow: allowedKeys(policy), drops: undeclaredKeys !== "refuse" };
  const about = { schema, toolName: tool.name, limits, objectAsText, spellings, undeclared };
  let refused = NOT_ALIGNED;
  for (const { value, issues, repairs } of states) {
    const result = await alignAsAllowed({ ...about, value, issues }, policy);
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
