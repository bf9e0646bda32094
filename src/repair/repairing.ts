// The stages of the pipeline that are loaded with the first faulty input or tool's name.

import { alignToolInput, NOT_ALIGNED, type NotAligned } from "./align/align-tool-input.ts";
import { bareTextOf } from "./align/written-values.ts";
import type { Steps } from "./drive.ts";
import { allowsEdit, allowsMore } from "./edit-switches.ts";
import { FIXER_ERROR, withHints } from "./errors.ts";
import type { FixerOutcome, FixerState } from "./fixers/run.ts";
import { overLimit } from "./limits.ts";
import { allowedKeys, type RepairRun } from "./policy.ts";
import { type ReadToolInput, readToolInput } from "./read/read-tool-input.ts";
import type { Accepted, Refusal } from "./result.ts";
import type { Validation } from "./schema/compile-schema.ts";
import { describeSchema } from "./schema/describe.ts";
import { type InputIssue, ISSUE, type JsonValue } from "./types.ts";

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
  const forbidden = (one: Read) => one.repairs.find((made) => !allowsEdit(policy, made));
  if (read.ok && !read.unread) {
    const edit = forbidden(read);
    if (edit === undefined) return read;
    const message = `not JSON as it stands, and "${edit.fixer}" is switched off (option edits)`;
    return { ok: false, issue: { path: "", code: ISSUE.notJson, message } };
  }
  if (policy.level === "eager" || !allowsMore(policy)) return read;
  const further = readToolInput(raw, schema, { ...policy, level: "eager" }, about);
  return further.ok && !further.unread && forbidden(further) === undefined ? further : read;
}

/** Schema-driven repair of the first of several states of an input that has a repair. */
export function* alignStates(
  states: readonly FixerState[],
  { raw, tool, schema, policy, budget, options }: RepairRun,
  read: Read,
): Steps<Accepted | NotAligned> {
  if (read.truncated || read.unread || read.mustFit || read.hasTwinKeys()) return NOT_ALIGNED;
  const isToolCall = options.isToolCall === true || options.toolCall !== undefined;
  const about = {
    ...policy,
    schema,
    budget,
    toolDescription: tool.description,
    spellings: () => read.numbers().spellings,
    undeclared: { allow: allowedKeys(policy), drops: policy.undeclaredKeys !== "refuse" },
    bareText: bareTextOf(raw, read.value, { isToolCall, isParsed: options.parsed === true }),
  };
  let refused = NOT_ALIGNED;
  for (const { value, issues, repairs } of states) {
    const given = raw === undefined && value === null ? undefined : value;
    const found = yield* alignToolInput({ ...about, value: given, issues });
    if (found.ok) {
      const { value: toolInput, parsed } = found;
      return { ok: true, toolInput, parsed, repairs: [...repairs, ...found.repairs] };
    }
    refused = found;
  }
  return refused;
}

/** The outcome of every stage for an input that neither fixers nor edits could repair. */
interface Failed {
  readonly fixed: FixerOutcome;
  readonly aligned: NotAligned;
  readonly validation: Validation;
}

/** Explains why an input is refused that neither fixers nor edits could repair. */
export function refuse(
  { raw, schema }: RepairRun,
  start: FixerState,
  { fixed, aligned, validation }: Failed,
): Refusal {
  const { hints, candidates, limit } = aligned;
  const failure = fixed.ok ? undefined : causeOf(fixed.failures);
  const cause = failure ?? (validation.ok ? undefined : validation.cause);
  if (raw === undefined) {
    const wanted = { expected: describeSchema(schema.jsonSchema), received: "nothing" };
    const message = "no arguments were given";
    const issues = [{ path: "", message, code: ISSUE.nothing, ...wanted }];
    return { ok: false, issues, cause, candidates, limit };
  }
  const whyNot = whyNotAligned(aligned);
  const issues = [...start.issues, ...whyNot];
  const hinted = () => [...withHints(start.issues, start.value, hints()), ...whyNot];
  return { ok: false, issues, hinted, cause, candidates, limit };
}

function whyNotAligned({ reason, candidates = [], limit }: NotAligned): InputIssue[] {
  if (limit !== undefined) return [overLimit(limit)];
  if (reason !== "ambiguous") return [];
  const which = candidates.length > 1 ? `: ${candidates.join(" or ")}` : "";
  const message = `could be meant in more than one way${which}`;
  return [{ path: "", code: ISSUE.ambiguous, message }];
}

/** The most failed fixers that a message names. */
const MAX_NAMED = 5;

function causeOf(failures: readonly Error[]): Error | undefined {
  if (failures.length <= 1) return failures[0];
  const named = failures.slice(0, MAX_NAMED).map(({ message }) => message);
  if (failures.length > MAX_NAMED) named.push(`and ${failures.length - MAX_NAMED} more`);
  return Object.assign(new AggregateError(failures, named.join("; ")), { name: FIXER_ERROR });
}
