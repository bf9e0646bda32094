import { advance, lazy, type Steps } from "../drive.ts";
import { allowsEdit, allowsMore } from "../edit-switches.ts";
import {
  getAt,
  isJsonObject,
  jsonEquals,
  showValue,
  whyNotJson,
} from "../json.ts";
import { Budget, limitIssue, OverLimit } from "../limits.ts";
import { hasTwinKeys } from "../read/parse.ts";
import { parseToolInput } from "../read/read-tool-input.ts";
import { type SchemaNode, toSchemaNode } from "../schema/node.ts";
import { memoize } from "../schema/part.ts";
import type { InputIssue, JsonSchema, JsonValue, Repair } from "../types.ts";
import { solve } from "./engine.ts";
import { rootPlace } from "./place.ts";
import type { AlignRequest, Candidate, Run } from "./types.ts";

/** The repaired input with every change. */
interface Aligned {
  readonly ok: true;
  readonly value: JsonValue;
  readonly parsed: unknown;
  readonly repairs: readonly Repair[];
}

/** Why there is no repair, and what was probably meant. */
export interface NotAligned {
  readonly ok: false;
  readonly reason: "none" | "ambiguous";
  /**
   * What was probably meant, by the JSON Pointer of an issue: searched for when
   * first asked.
   */
  readonly hints: () => ReadonlyMap<string, string>;
  /** Some of the repairs of equal cost, as JSON, cut to length. */
  readonly candidates?: readonly string[];
}

export type AlignResult = Aligned | NotAligned;

export const NO_HINTS: NotAligned["hints"] = () => new Map();

export const NOT_ALIGNED: NotAligned = {
  ok: false,
  reason: "none",
  hints: NO_HINTS,
};

/**
 * Repairs an input by its schema alone: finds the cheapest set of edits that
 * the schema accepts, and takes it only if no other has the same cost. It never
 * alters a value that the schema accepts at its place, nor the input itself.
 * Throws where a limit is reached.
 *
 * The search uses all edits of a level, and its result counts only if all its
 * edits are allowed. So switching an edit off never lets a dearer repair win,
 * and switching one on never adds a guess.
 */
export function* alignToolInput(request: AlignRequest): Steps<AlignResult> {
  const [first, second] = levelsOf(request);
  if (first === undefined) return NOT_ALIGNED;
  const result = yield* alignAtLevel(request, first);
  if (isAllowed(result, request)) return result;
  if (second !== undefined && !result.ok && result.reason === "none") {
    const further = yield* alignAtLevel(request, second);
    if (isAllowed(further, request)) return further;
  }
  const refused = result.ok ? NOT_ALIGNED : result;
  return { ...refused, hints: lazy(() => hintsFor(request)) };
}

/**
 * The levels to search at; beyond the asked one only if single edits of it are
 * switched on.
 */
function levelsOf(request: AlignRequest): readonly Run["level"][] {
  if (request.level === "eager") return ["eager"];
  if (allowsMore(request)) return ["safe", "eager"];
  return request.level === "safe" ? ["safe"] : [];
}

function isAllowed(result: AlignResult, request: AlignRequest): boolean {
  return (
    result.ok && result.repairs.every((repair) => allowsEdit(request, repair))
  );
}

function* alignAtLevel(
  request: AlignRequest,
  level: Run["level"],
): Steps<AlignResult> {
  let refused = NOT_ALIGNED;
  for (const root of viewsOf(request.schema.jsonSchema, request.issues)) {
    const result = yield* pick(
      yield* candidatesFor(request, root, level),
      request,
    );
    if (result.ok) return result;
    if (result.reason !== "none") refused = result;
  }
  return refused;
}

function* candidatesFor(
  request: AlignRequest,
  root: SchemaNode,
  level: Run["level"],
  isForHints = false,
): Steps<readonly Candidate[]> {
  const { value = null, issues } = request;
  const parse = textParser(request);
  const run = {
    ...request,
    level,
    isForHints,
    parse,
    memo: new Map(),
    tries: 0,
  };
  const candidates = yield* solve(value, {
    node: root,
    place: rootPlace(value, issues),
    run,
  });
  return candidates.filter(({ changes }) => changes.length > 0);
}

/**
 * Reads JSON in text, each text once: every branch of a union asks for the
 * same.
 */
function textParser({ toolName, limits }: AlignRequest): Run["parse"] {
  const known = new Map<string, JsonValue | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const read = parseToolInput(text, { level: "safe", toolName });
    const isSound =
      read.kind === "value" &&
      read.value !== text &&
      !hasTwinKeys(text, read.value) &&
      whyNotJson(read.value, limits.maxDepth) === undefined;
    known.set(text, isSound ? read.value : undefined);
    return known.get(text);
  };
}

/**
 * The only one of the cheapest candidates that the tool's own schema accepts.
 */
function* pick(
  candidates: readonly Candidate[],
  request: AlignRequest,
): Steps<AlignResult> {
  const { schema, limits, budget } = request;
  let best: Aligned | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const { value, changes, unsure, cost } of candidates) {
    if (value === undefined || cost > least) break;
    if (hasForbiddenKey(value, limits)) return NOT_ALIGNED;
    budget.look();
    const validation = yield* budget.wait(schema.validate(value));
    if (!validation.ok) continue;
    if (best !== undefined) return ambiguous([best.value, value]);
    if (unsure) return ambiguous([value]);
    best = { ok: true, value, parsed: validation.parsed, repairs: changes };
    least = cost;
  }
  return best ?? NOT_ALIGNED;
}

/**
 * Whether a candidate has a key that no input may have. Throws if it exceeds a
 * limit.
 */
function hasForbiddenKey(
  value: JsonValue,
  limits: AlignRequest["limits"],
): boolean {
  const over = limitIssue(value, limits);
  if (over?.limit) throw new OverLimit(over.limit.name, over.limit.value);
  return over !== undefined;
}

function ambiguous(values: readonly JsonValue[]): NotAligned {
  const candidates = values.map((value) => showValue(value, 200));
  return { ...NOT_ALIGNED, reason: "ambiguous", candidates };
}

/**
 * The views to repair by: zod 3 strips keys that its JSON Schema forbids, so
 * both are tried.
 */
function viewsOf(
  schema: JsonSchema,
  issues: readonly InputIssue[],
): readonly SchemaNode[] {
  if (typeof schema === "boolean") return [];
  const views = compileViews(schema);
  const complains = issues.some(({ code }) =>
    /additional|unrecognized|unevaluated/i.test(code),
  );
  return complains ? views.slice(-1) : views;
}

/**
 * The view with undeclared keys allowed, unless the schema allows them; and as
 * it is written.
 */
const compileViews = memoize(
  (schema: JsonSchema & object): readonly SchemaNode[] => {
    try {
      const opened = JSON.stringify(schema, (key, value) =>
        /^(additional|unevaluated)Properties$/.test(key) && value === false
          ? undefined
          : value,
      );
      const isOpen = opened === JSON.stringify(schema);
      return [...(isOpen ? [] : [JSON.parse(opened)]), schema].map(
        toSchemaNode,
      );
    } catch {
      return [];
    }
  },
);

/**
 * What was probably meant, by the repair of a further level with the steps that
 * are left.
 */
function hintsFor(request: AlignRequest): ReadonlyMap<string, string> {
  const { value, issues, schema } = request;
  const budget = new Budget({
    ...request.limits,
    timeoutMs: Number.POSITIVE_INFINITY,
  });
  budget.steps = request.budget.steps;
  const [root] = viewsOf(schema.jsonSchema, issues);
  const hints = new Map<string, string>();
  if (root === undefined || value === undefined) return hints;
  try {
    const silent = { ...request, budget, onObjection: undefined };
    const steps = candidatesFor(silent, root, "eager", true);
    const candidates = advance(steps).value as readonly Candidate[];
    const meant = candidates
      .filter(({ cost }) => cost === candidates[0]?.cost)
      .slice(0, 3);
    for (const { path } of issues.slice(0, 100)) {
      const shown = new Set(
        meant.flatMap((candidate) => hintAt(path, value, candidate.value)),
      );
      if (path !== "" && shown.size > 0)
        hints.set(path, [...shown].join(" or "));
    }
  } catch (error) {
    // A limit that only the search for hints reaches is no reason to reject.
    if (!(error instanceof OverLimit)) throw error;
  }
  return hints;
}

/** The new value of a place; for a key that is gone, its new name. */
function hintAt(
  path: string,
  before: JsonValue,
  after: JsonValue | undefined,
): string[] {
  const [was, is] = [getAt(before, path), getAt(after, path)];
  if (is !== undefined) return jsonEquals(was, is) ? [] : [showValue(is)];
  const parent = path.slice(0, path.lastIndexOf("/"));
  const [old, renewed] = [getAt(before, parent), getAt(after, parent)];
  if (!isJsonObject(old) || !isJsonObject(renewed)) return [];
  const name = Object.keys(renewed).find(
    (key) => !Object.hasOwn(old, key) && jsonEquals(was, renewed[key]),
  );
  return name === undefined ? [] : [showValue(name)];
}
