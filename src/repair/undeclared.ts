import { alignToolInput, NO_HINTS, type NotAligned } from "./align/align-tool-input.ts";
import type { AlignRequest } from "./align/types.ts";
import type { Steps } from "./drive.ts";
import { withHints } from "./errors.ts";
import { type FixerState, runFixers } from "./fixers/run.ts";
import { getAt, parsePointer, toPointer } from "./json/json-pointer.ts";
import { jsonEquals, whyNotJson } from "./json/json-value.ts";
import { allowedKeys, type RepairRun } from "./policy.ts";
import { writtenNumbersOf } from "./read/numbers.ts";
import { isContainer } from "./read/parse-exactly.ts";
import type { Accepted, Refusal, RepairSuccess } from "./result.ts";
import type { CompiledSchema, Validation } from "./schema/compile-schema.ts";
import { NOT_A_FIELD, showReceived } from "./schema/describe.ts";
import { findUndeclared } from "./schema/node.ts";
import type { JsonValue } from "./types.ts";

/** More undeclared keys than this are no misspellings. */
const MAX_EDITED = 10_000;

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
  const undeclared = {
    allow: allowedKeys(policy),
    drops: false,
    strays: new Set(fixed.undeclared),
  };
  const aligned = yield* align(stateOf(fixed), run, undeclared);
  return aligned.ok ? judge(aligned, run) : judge(fixed, run, aligned.hints);
}

function withUndeclared(accepted: Accepted, { schema, policy }: RepairRun): RepairSuccess {
  const { toolInput, parsed } = accepted;
  const allowed = allowedKeys(policy);
  const isAllowed = (path: string) => allowed.has(parsePointer(path).at(-1) ?? "");
  const found = findUndeclared(toolInput, schema.jsonSchema, parsed);
  return { ...accepted, undeclared: found.filter((path) => !isAllowed(path)) };
}

function judge(
  found: RepairSuccess,
  { policy }: RepairRun,
  hints = NO_HINTS,
): RepairSuccess | Refusal {
  if (policy.undeclaredKeys !== "refuse" || found.undeclared.length === 0) return found;
  const { issues } = stateOf(found);
  return { ok: false, issues, hinted: () => withHints(issues, found.toolInput, hints()) };
}

/** The input as if the schema forbade its undeclared keys. */
function stateOf({ toolInput: value, undeclared, repairs }: RepairSuccess): FixerState {
  const issues = undeclared.map((path) => ({
    path,
    message: NOT_A_FIELD,
    code: "undeclared",
    received: showReceived(getAt(value, path)),
  }));
  return { value, repairs, issues };
}

/** Runs the fixers as if the schema forbade the keys, so that they go on while one is left. */
function* fix(given: RepairSuccess, run: RepairRun): Steps<RepairSuccess> {
  if (run.policy.fixers.length === 0) return given;
  const strict = { ...run, schema: forbidding(run) };
  const { value, repairs } = yield* runFixers(stateOf(given), strict, false);
  if (jsonEquals(value, given.toolInput) || !keepsDeclared(value, given)) return given;

  // A value that a fixer moved to its key may still be wrong there: `"5"` for a number.
  const validation = yield* run.budget.wait(run.schema.validate(value));
  const ready = validation.ok
    ? withUndeclared({ ok: true, toolInput: value, parsed: validation.parsed, repairs }, run)
    : yield* align({ value, repairs, issues: validation.issues }, run);
  return !ready.ok || ready.undeclared.length > given.undeclared.length ? given : ready;
}

function* align(
  { value, issues, repairs }: FixerState,
  run: RepairRun,
  undeclared?: AlignRequest["undeclared"],
): Steps<RepairSuccess | NotAligned> {
  const { raw, tool, schema, policy, budget } = run;
  const found = yield* alignToolInput({
    ...policy,
    value,
    issues,
    schema,
    budget,
    undeclared,
    toolDescription: tool.description,
    spellings: () => writtenNumbersOf(raw).spellings,
  });
  if (!found.ok) return found;
  const { value: toolInput, parsed } = found;
  const all = [...repairs, ...found.repairs];
  return withUndeclared({ ok: true, toolInput, parsed, repairs: all }, run);
}

/** Whether all values at declared keys are unchanged: only undeclared ones moved. */
function keepsDeclared(fixed: JsonValue, { toolInput, undeclared }: RepairSuccess): boolean {
  const moved = new Set(undeclared);
  const above = new Set(undeclared.flatMap(pathsAbove));
  const keeps = (before: JsonValue, after: JsonValue | undefined, path: string): boolean => {
    if (!above.has(path) || !isContainer(before)) return jsonEquals(before, after);
    if (!isContainer(after) || Array.isArray(before) !== Array.isArray(after)) return false;
    return Object.entries(before).every(([key, child]) => {
      const step = toPointer([key]);
      return moved.has(path + step) || keeps(child, getAt(after, step), path + step);
    });
  };
  return keeps(toolInput, fixed, "");
}

/** The paths of the containers that a path leads through. */
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
    const accepted = { ok: true, toolInput: value as JsonValue, parsed, repairs: [] } as const;
    const { issues } = stateOf(withUndeclared(accepted, run));
    return issues.length === 0 ? validation : { ok: false, issues };
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
