import { alignToolInput } from "./align/align-tool-input.ts";
import type { AlignRequest } from "./align/types.ts";
import type { Steps } from "./drive.ts";
import { withHints } from "./errors/messages.ts";
import { type FixerState, runFixers } from "./fixers/run.ts";
import { getAt, toPointer } from "./json/json-pointer.ts";
import { jsonEquals, whyNotJson } from "./json/json-value.ts";
import { allowedKeys, type RepairRun } from "./policy.ts";
import { writtenNumbersOf } from "./read/numbers.ts";
import type { Accepted, Refusal, RepairSuccess } from "./result.ts";
import type { CompiledSchema, Validation } from "./schema/compile-schema.ts";
import { NOT_A_FIELD, showReceived } from "./schema/describe.ts";
import { findUndeclared } from "./schema/node.ts";
import type { InputIssue, JsonValue } from "./types.ts";

/** More undeclared keys than this are no misspellings. */
const MAX_EDITED = 10_000;

/** The code of the issue for an undeclared key that the policy refuses. */
const UNDECLARED = "undeclared";

/**
 * Applies the policy for undeclared keys to an accepted input: tries the fixers, then the edits of
 * keys. A fixer's result counts if it has no more undeclared keys than before, and every value at a
 * declared key is unchanged. If nothing applies, the input is returned by reference.
 */
export function* applyUndeclaredPolicy(
  accepted: Accepted,
  run: RepairRun,
): Steps<RepairSuccess | Refusal> {
  const { policy } = run;
  const given = withUndeclared(accepted, run);
  const isJson = whyNotJson(accepted.toolInput, policy.limits.maxDepth) === undefined;
  if (given.undeclared.length === 0 || policy.undeclaredKeys === "leave" || !isJson) {
    return judge(given, run);
  }
  const fixed = yield* fix(given, run);
  if (fixed.undeclared.length === 0) return fixed;
  if (fixed.undeclared.length > MAX_EDITED) return judge(fixed, run);
  const strays = new Set(fixed.undeclared);
  const undeclared = { allow: allowedKeys(policy), drops: false, strays };
  const state = { value: fixed.toolInput, issues: issuesOf(fixed), repairs: fixed.repairs };
  const aligned = yield* align(state, run, undeclared);
  return aligned.ok ? judge(aligned, run) : judge(fixed, run, aligned.hints);
}

function withUndeclared(accepted: Accepted, { schema, policy }: RepairRun): RepairSuccess {
  const { toolInput, parsed } = accepted;
  const { maxDepth } = policy.limits;
  const asked = { parsed, allow: allowedKeys(policy), maxDepth };
  return { ...accepted, undeclared: findUndeclared(toolInput, schema.jsonSchema, asked) };
}

function judge(
  state: RepairSuccess,
  { policy }: RepairRun,
  hints: ReadonlyMap<string, string> = new Map(),
): RepairSuccess | Refusal {
  if (policy.undeclaredKeys !== "refuse" || state.undeclared.length === 0) return state;
  return { ok: false, issues: withHints(issuesOf(state), state.toolInput, hints) };
}

function issuesOf({ toolInput, undeclared }: RepairSuccess): readonly InputIssue[] {
  return undeclared.map((path) => ({
    path,
    message: NOT_A_FIELD,
    code: UNDECLARED,
    received: showReceived(getAt(toolInput, path)),
  }));
}

/** Runs the fixers as if the schema forbade the keys, so that they go on while one is left. */
function* fix(given: RepairSuccess, run: RepairRun): Steps<RepairSuccess> {
  if (run.policy.fixers.length === 0) return given;
  const { toolInput: value, repairs } = given;
  const start = { value, repairs, issues: issuesOf(given) };
  const fixed = yield* runFixers(start, { ...run, schema: forbidding(run) }, false);
  if (jsonEquals(fixed.value, value) || !keepsDeclared(fixed.value, given)) return given;

  // A value that a fixer moved to its key may still be wrong there: `"5"` for a number.
  const validation = yield* run.budget.wait(run.schema.validate(fixed.value));
  const { value: toolInput, repairs: all } = fixed;
  const ready = validation.ok
    ? withUndeclared({ ok: true, toolInput, parsed: validation.parsed, repairs: all }, run)
    : yield* align({ value: toolInput, repairs: all, issues: validation.issues }, run);
  return !ready.ok || ready.undeclared.length > given.undeclared.length ? given : ready;
}

function* align(
  { value, issues, repairs }: FixerState,
  run: RepairRun,
  undeclared?: AlignRequest["undeclared"],
): Steps<RepairSuccess | { readonly ok: false; readonly hints: ReadonlyMap<string, string> }> {
  const { raw, tool, schema, policy, budget } = run;
  const { level, edits, limits, objectAsText } = policy;
  const spellings = () => writtenNumbersOf(raw).spellings;
  const about = {
    schema,
    toolName: tool.name,
    toolDescription: tool.description,
    level,
    edits,
    limits,
    budget,
    objectAsText,
    spellings,
    undeclared,
  };
  const aligned = yield* alignToolInput({ ...about, value, issues });
  if (!aligned.ok) return aligned;
  const { value: toolInput, parsed } = aligned;
  const all = [...repairs, ...aligned.repairs];
  return withUndeclared({ ok: true, toolInput, parsed, repairs: all }, run);
}

/** Whether all values at declared keys are unchanged: only undeclared ones moved. */
function keepsDeclared(fixed: JsonValue, { toolInput, undeclared }: RepairSuccess): boolean {
  const strays = new Set(undeclared);
  const above = new Set(undeclared.flatMap(pathsAbove));
  const keeps = (before: JsonValue, after: JsonValue | undefined, path: string): boolean => {
    if (!above.has(path) || before === null || typeof before !== "object") {
      return jsonEquals(before, after);
    }
    if (after === null || typeof after !== "object") return false;
    if (Array.isArray(before) !== Array.isArray(after)) return false;
    return Object.entries(before).every(([key, child]) => {
      const place = path + toPointer([key]);
      const there = getAt(after, toPointer([key]));
      return strays.has(place) || keeps(child as JsonValue, there, place);
    });
  };
  return keeps(toolInput, fixed, "");
}

function pathsAbove(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** The schema, but with undeclared keys among its issues. */
function forbidding(run: RepairRun): CompiledSchema {
  const { schema } = run;
  const forbid = (value: unknown, validation: Validation): Validation => {
    if (!validation.ok) return validation;
    const { parsed } = validation;
    const state = withUndeclared(
      { ok: true, toolInput: value as JsonValue, parsed, repairs: [] },
      run,
    );
    return state.undeclared.length === 0 ? validation : { ok: false, issues: issuesOf(state) };
  };
  return {
    ...schema,
    validate(value) {
      const asked = schema.validate(value);
      return asked instanceof Promise
        ? asked.then((validation) => forbid(value, validation))
        : forbid(value, asked);
    },
  };
}
