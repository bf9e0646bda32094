// The stages of the pipeline that are loaded with the first faulty input or tool's name.

import {
  type Aligned,
  alignToolInput,
  NOT_ALIGNED,
  type NotAligned,
} from "./align/align-tool-input.ts";
import { bareTextOf } from "./align/written-values.ts";
import type { Steps } from "./drive.ts";
import { allowsEdit, allowsMore } from "./edit-switches.ts";
import { withHints } from "./errors/messages.ts";
import { ISSUE } from "./errors/refusal-reason.ts";
import { FIXER_ERROR } from "./errors/tool-input-error.ts";
import type { FixerOutcome, FixerState } from "./fixers/run.ts";
import { overLimit } from "./limits.ts";
import type { RepairRun } from "./policy.ts";
import { allowedKeys } from "./policy.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";
import type { Accepted, Refusal } from "./result.ts";
import type { CompiledSchema, Validation } from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/describe.ts";
import type { InputIssue, JsonValue, Repair } from "./types.ts";

export { repairToolName } from "./align/repair-tool-name.ts";
export { reportCall, reportCorrection } from "./events/report.ts";
export { explain } from "./explain.ts";
export { runFixers } from "./fixers/run.ts";
export { roundedNumbers } from "./read/numbers.ts";
export { applyUndeclaredPolicy } from "./undeclared.ts";

/** An input that was read. */
type Read = Extract<ReadToolInput, { ok: true }>;

/** Reads what the model wrote as JSON, as far as the level and the switches of single edits allow. */
export function readAsAllowed(
  { raw, schema, policy, budget, options }: RepairRun,
  exact: { readonly value: JsonValue | undefined } | undefined,
): ReadToolInput {
  const { truncated, parsed } = options;
  if (typeof raw === "string") budget.step(raw.length >> 6);
  const about = { truncated, parsed, exact, step: () => budget.step(1) };
  const read = readToolInput(raw, schema, policy, about);
  const isRead = read.ok && !read.unread;
  if (isRead) return firstForbidden(read, policy) ?? read;
  if (policy.level === "eager" || !allowsMore(policy)) return read;
  const further = readToolInput(raw, schema, { ...policy, level: "eager" }, about);
  const isFurther = further.ok && !further.unread;
  return isFurther && firstForbidden(further, policy) === undefined ? further : read;
}

function firstForbidden(
  { repairs }: Read,
  policy: RepairRun["policy"],
): Extract<ReadToolInput, { ok: false }> | undefined {
  const repair = repairs.find((one) => !allowsEdit(policy, one));
  if (repair === undefined) return undefined;
  const message = `not JSON as it stands, and "${repair.fixer}" is switched off (option edits)`;
  return { ok: false, issue: { path: "", code: ISSUE.notJson, message } };
}

/** Schema-driven repair of the first of several states of an input that has a repair. */
export function* alignStates(
  states: readonly FixerState[],
  { raw, tool, schema, policy, budget, options }: RepairRun,
  read: Read,
): Steps<Accepted | NotAligned> {
  if (read.truncated || read.unread || read.mustFit || read.hasTwinKeys()) return NOT_ALIGNED;
  const { level, edits, limits, objectAsText, undeclaredKeys } = policy;
  const isToolCall = options.isToolCall === true || options.toolCall !== undefined;
  const about = {
    schema,
    toolName: tool.name,
    toolDescription: tool.description,
    level,
    edits,
    limits,
    budget,
    objectAsText,
    spellings: () => read.numbers().spellings,
    undeclared: { allow: allowedKeys(policy), drops: undeclaredKeys !== "refuse" },
    bareText: bareTextOf(raw, read.value, { isToolCall, isParsed: options.parsed === true }),
  };
  let refused = NOT_ALIGNED;
  for (const { value, issues, repairs } of states) {
    const given = raw === undefined && value === null ? undefined : value;
    const found = yield* alignToolInput({ ...about, value: given, issues });
    if (found.ok) return toAccepted(found, repairs);
    refused = found;
  }
  return refused;
}

function toAccepted({ value, parsed, repairs }: Aligned, before: readonly Repair[]): Accepted {
  return { ok: true, toolInput: value, parsed, repairs: [...before, ...repairs] };
}

/** Explains why an input is refused that neither fixers nor edits could repair. */
export function refuse(
  { raw, schema }: RepairRun,
  start: FixerState,
  {
    fixed,
    aligned,
    validation,
  }: {
    readonly fixed: FixerOutcome;
    readonly aligned: NotAligned;
    readonly validation: Validation;
  },
): Refusal {
  const { hints, candidates, limit } = aligned;
  const issues =
    raw === undefined
      ? [nothingGiven(schema)]
      : [...withHints(start.issues, start.value, hints), ...whyNotAligned(aligned)];
  const failure = fixed.ok ? undefined : causeOf(fixed.failures);
  const cause = failure ?? (validation.ok ? undefined : validation.cause);
  return { ok: false, issues, cause, candidates, limit };
}

function whyNotAligned({ reason, candidates = [], limit }: NotAligned): InputIssue[] {
  if (limit !== undefined) return [overLimit(limit)];
  if (reason !== "ambiguous") return [];
  const which = candidates.length > 1 ? `: ${candidates.join(" or ")}` : "";
  const message = `could be meant in more than one way${which}`;
  return [{ path: "", code: ISSUE.ambiguous, message }];
}

function nothingGiven({ jsonSchema }: CompiledSchema): InputIssue {
  return {
    path: "",
    message: "no arguments were given",
    code: ISSUE.nothing,
    expected: describeSchema(jsonSchema),
    received: "nothing",
  };
}

/** The most fixers that a message names as failed, and the most failures that an error holds. */
const MAX_FAILURES = { shown: 5, kept: 20 };

function causeOf(failures: readonly Error[]): Error | undefined {
  if (failures.length <= 1) return failures[0];
  const shown = failures.slice(0, MAX_FAILURES.shown).map(({ message }) => message);
  const more = failures.length - shown.length;
  const message = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  const kept = failures.slice(0, MAX_FAILURES.kept);
  return Object.assign(new AggregateError(kept, message), { name: FIXER_ERROR });
}
