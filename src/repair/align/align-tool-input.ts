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
  let refused: NotAligned | undefined;
  for (const level of levelsOf(request)) {
    const result = yield* alignAtLevel(request, level);
    if (isAllowed(result, request)) return result;
    // The first level says why there is no repair.
    refused ??= result.ok ? NOT_ALIGNED : result;
    if (result.ok || result.reason === "ambiguous") break;
  }
  if (refused === undefined) return NOT_ALIGNED;
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
  if (!result.ok) return false;
  return result.repairs.every((repair) => allowsEdit(request, repair));
}

function* alignAtLevel(
  request: AlignRequest,
  level: Run["level"],
): Steps<AlignResult> {
  let refused = NOT_ALIGNED;
  for (const root of viewsOf(request.schema.jsonSchema, request.issues)) {
    const candidates = yield* candidatesFor(request, root, level, false);
    const result = yield* pick(candidates, request);
    if (result.ok) return result;
    if (result.reason !== "none") refused = result;
  }
  return refused;
}

function* candidatesFor(
  request: AlignRequest,
  root: SchemaNode,
  level: Run["level"],
  isForHints: boolean,
): Steps<readonly Candidate[]> {
  const { value = null, issues } = request;
  const run: Run = {
    ...request,
    level,
    isForHints,
    parse: textParser(request),
    memo: new Map(),
    tries: 0,
  };
  const place = rootPlace(value, issues);
  const candidates = yield* solve(value, { node: root, place, run });
  return candidates.filter(({ changes }) => changes.length > 0);
}

/**
 * Reads JSON in text, each text once: every branch of a union asks for the
 * same.
 */
function textParser(request: AlignRequest): Run["parse"] {
  const known = new Map<string, JsonValue | undefined>();
  return (text) => {
    if (!known.has(text)) known.set(text, parseText(text, request));
    return known.get(text);
  };
}

function parseText(
  text: string,
  { toolName, limits }: AlignRequest,
): JsonValue | undefined {
  const read = parseToolInput(text, { level: "safe", toolName });
  if (read.kind !== "value" || read.value === text) return undefined;
  if (hasTwinKeys(text, read.value)) return undefined;
  const fault = whyNotJson(read.value, limits.maxDepth);
  return fault === undefined ? read.value : undefined;
}

/**
 * The only one of the cheapest candidates that the tool's own schema accepts.
 */
function* pick(
  candidates: readonly Candidate[],
  request: AlignRequest,
): Steps<AlignResult> {
  const [best, second] = yield* cheapestAccepted(candidates, request);
  if (best === undefined) return NOT_ALIGNED;
  if (second !== undefined) return ambiguous([best.value, second.value]);
  const { value, parsed, changes, unsure } = best;
  if (unsure) return ambiguous([value]);
  return { ok: true, value, parsed, repairs: changes };
}

/** A candidate that the tool's own schema accepts. */
interface AcceptedCandidate extends Candidate {
  readonly value: JsonValue;
  readonly parsed: unknown;
}

/**
 * The accepted candidates of the least cost: as many as show whether the
 * repair is certain. None if one of them has a key that no input may have.
 */
function* cheapestAccepted(
  candidates: readonly Candidate[],
  { schema, limits, budget }: AlignRequest,
): Steps<readonly AcceptedCandidate[]> {
  const accepted: AcceptedCandidate[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const { value, cost, unsure } = candidate;
    if (value === undefined || cost > least) break;
    if (hasForbiddenKey(value, limits)) return [];
    budget.look();
    const validation = yield* budget.wait(schema.validate(value));
    if (!validation.ok) continue;
    accepted.push({ ...candidate, value, parsed: validation.parsed });
    if (unsure || accepted.length > 1) break;
    least = cost;
  }
  return accepted;
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
  return issues.some(isOfUndeclaredKey) ? views.slice(-1) : views;
}

/** Words of the codes of issues with undeclared keys. */
const OF_UNDECLARED = ["additional", "unrecognized", "unevaluated"];

function isOfUndeclaredKey({ code }: InputIssue): boolean {
  const words = code.toLowerCase();
  return OF_UNDECLARED.some((word) => words.includes(word));
}

/** The keywords that forbid undeclared keys. */
const CLOSING: ReadonlySet<string> = new Set([
  "additionalProperties",
  "unevaluatedProperties",
]);

/**
 * The view with undeclared keys allowed, unless the schema allows them; and as
 * it is written.
 */
const compileViews = memoize(
  (schema: JsonSchema & object): readonly SchemaNode[] => {
    try {
      const opened = JSON.stringify(schema, (key, value) =>
        value === false && CLOSING.has(key) ? undefined : value,
      );
      const written = toSchemaNode(schema);
      if (opened === JSON.stringify(schema)) return [written];
      return [toSchemaNode(JSON.parse(opened)), written];
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
  const { value, issues } = request;
  const hints = new Map<string, string>();
  if (value === undefined) return hints;
  const meant = probablyMeant(request);
  for (const { path } of issues.slice(0, 100)) {
    if (path === "") continue;
    const shown = new Set(meant.flatMap((after) => hintAt(path, value, after)));
    if (shown.size > 0) hints.set(path, [...shown].join(" or "));
  }
  return hints;
}

/** Up to three repaired inputs of the same cost; none if a limit is reached. */
function probablyMeant(request: AlignRequest): readonly Candidate["value"][] {
  const [root] = viewsOf(request.schema.jsonSchema, request.issues);
  if (root === undefined) return [];
  const limits = { ...request.limits, timeoutMs: Number.POSITIVE_INFINITY };
  const budget = new Budget(limits);
  budget.steps = request.budget.steps;
  const silent = { ...request, budget, onObjection: undefined };
  try {
    const steps = candidatesFor(silent, root, "eager", true);
    const candidates = advance(steps).value as readonly Candidate[];
    const cheapest = candidates.filter(
      ({ cost }) => cost === candidates[0]?.cost,
    );
    return cheapest.slice(0, 3).map(({ value }) => value);
  } catch (error) {
    // A limit that only the search for hints reaches is no reason to reject.
    if (error instanceof OverLimit) return [];
    throw error;
  }
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
