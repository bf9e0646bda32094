import type { Steps } from "../drive.ts";
import type { ReachedLimit } from "../errors/refusal-reason.ts";
import { getAt } from "../json/json-pointer.ts";
import { isJsonObject, jsonEquals, showValue } from "../json/json-value.ts";
import { assertWithin, Budget, OverLimit } from "../limits.ts";
import type { NumberSpellings } from "../read/numbers.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import { type SchemaNode, toSchemaNode } from "../schema/node.ts";
import type { InputIssue, JsonSchema, JsonValue, Repair, RepairLimits } from "../types.ts";
import { alignValue } from "./align-value.ts";
import type { Candidate } from "./candidate.ts";
import { toComplaints } from "./complaints.ts";
import { foldedNames } from "./folded-names.ts";
import type { Place, Run, UndeclaredRun, Used } from "./place.ts";

/** What is asked of the schema-driven repair. */
export interface AlignRequest {
  /** The parsed input; it may be a bare string, an array or nothing. */
  readonly value: JsonValue | undefined;
  /** What the schema has against it. */
  readonly issues: readonly InputIssue[];
  readonly schema: CompiledSchema;
  readonly toolName: string;
  readonly level: "safe" | "eager";
  readonly limits: RepairLimits;
  /** What the repair may still use up. Default: the limits, whole. */
  readonly budget?: Budget | undefined;
  /** How the numbers of the input are written. Default: as `String` writes them. */
  readonly spellings?: () => NumberSpellings;
  /** Where an object may become JSON text for a field that wants text: everywhere, or at these JSON Pointers. */
  readonly objectAsText: boolean | readonly string[];
  /** What is to become of undeclared keys. Default: what the level says. */
  readonly undeclared?: UndeclaredRun | undefined;
}

/** The repaired input with every change, or why there is none and what was probably meant. */
export type AlignResult = { readonly steps: number } & (Aligned | NotAligned);

/** The repaired input. */
export interface Aligned {
  readonly ok: true;
  readonly value: JsonValue;
  readonly parsed: unknown;
  readonly repairs: readonly Repair[];
}

/** Why there is no repair. */
export interface NotAligned {
  readonly ok: false;
  readonly reason: "none" | "ambiguous" | "limit";
  /** By the JSON Pointer of an issue. */
  readonly hints: ReadonlyMap<string, string>;
  /** Some of the repairs between which there is no telling, as JSON, cut to length. */
  readonly candidates?: readonly string[];
  /** Which limit was reached. */
  readonly limit?: ReachedLimit;
}

/**
 * Repairs an input by its schema alone: finds the cheapest set of edits that the schema accepts,
 * and takes it only if it is the only one at that cost. Nothing that the schema accepts at its
 * place is altered, and the input given is never changed.
 */
export function* alignToolInput(request: AlignRequest): Steps<AlignResult> {
  const { budget = new Budget(request.limits) } = request;
  const used: Used = { candidates: 0, budget };
  try {
    const found = yield* search(request, used);
    return { ...found, steps: budget.steps };
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    const { limit } = error;
    return { ok: false, reason: "limit", hints: new Map(), limit, steps: budget.steps };
  }
}

function* search(request: AlignRequest, used: Used): Steps<Aligned | NotAligned> {
  const { value, schema, level, issues } = request;
  if (value === undefined) return { ok: false, reason: "none", hints: new Map() };
  let refused: NotAligned = { ok: false, reason: "none", hints: new Map() };
  for (const root of viewsOf(schema.jsonSchema, issues)) {
    let heard = issues;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const asked = { ...request, issues: heard };
      const found = yield* pick(alignAtLevel(value, root, asked, level, used), request, used);
      if ("ok" in found) {
        if (found.ok) return found;
        refused = found;
        break;
      }
      // A schema that stops at the first fault has more to say once that is repaired.
      const places = new Set(heard.map(({ path }) => path));
      const fresh = found.filter(({ path }) => !places.has(path));
      if (fresh.length === 0) break;
      heard = [...heard, ...fresh];
    }
  }
  return { ...refused, hints: new Map(hintsFor(request, value, used)) };
}

/** How often a schema is asked again what else it has against an input. */
const MAX_ROUNDS = 3;

const BY_LEVEL: UndeclaredRun = { allow: new Set(), drops: true };

function alignAtLevel(
  value: JsonValue,
  root: SchemaNode,
  request: AlignRequest,
  level: "safe" | "eager",
  used: Used,
): readonly Candidate[] {
  const { schema, toolName, limits, objectAsText, issues } = request;
  const { spellings = () => new Map(), undeclared = BY_LEVEL } = request;
  used.candidates = 0;
  const run: Run = {
    eager: level === "eager",
    toolName,
    objectAsText,
    limits,
    spellings,
    used,
    undeclared,
    declaredNames: foldedNames(schema.jsonSchema),
    memo: new Map(),
    verdicts: new Map(),
    align: (child, node, place) => alignValue(child, node, place, run),
  };
  const complaint = toComplaints(issues);
  const whole: Place = { path: "", key: undefined, depth: 0, given: value, complaint };
  return alignValue(value, root, whole, run).filter(({ changes }) => changes.length > 0);
}

/**
 * The only one of the cheapest candidates that the tool's own schema accepts; otherwise what it
 * has against the cheapest.
 */
function* pick(
  candidates: readonly Candidate[],
  { schema, limits }: AlignRequest,
  { budget }: Used,
): Steps<Aligned | NotAligned | readonly InputIssue[]> {
  let best: Aligned | undefined;
  let cost = Number.POSITIVE_INFINITY;
  let against: readonly InputIssue[] | undefined;
  for (const { value, changes, unsure, ...candidate } of candidates) {
    if (candidate.cost > cost || value === undefined) break;
    assertWithin(value, limits);
    budget.look();
    const validation = yield* budget.wait(schema.validate(value));
    if (!validation.ok) {
      against ??= validation.issues;
      continue;
    }
    if (unsure || best !== undefined) return ambiguous([...(best ? [best.value] : []), value]);
    best = { ok: true, value, parsed: validation.parsed, repairs: changes };
    cost = candidate.cost;
  }
  return best ?? against ?? [];
}

function ambiguous(values: readonly JsonValue[]): NotAligned {
  const candidates = values.map((value) => showValue(value, MAX_SHOWN));
  return { ok: false, reason: "ambiguous", hints: new Map(), candidates };
}

/** The most characters of one candidate in a message. */
const MAX_SHOWN = 200;

interface Views {
  readonly asWritten: SchemaNode | undefined;
  /** With undeclared keys allowed; absent where they are so anyway. */
  readonly open: SchemaNode | undefined;
}

const known = new WeakMap<object, Views>();

/**
 * The views by which to repair. A schema may forbid undeclared keys in its JSON Schema and yet
 * accept them (zod 3 strips them): where it did not complain, they are left alone if they can be.
 */
function viewsOf(schema: JsonSchema, issues: readonly InputIssue[]): SchemaNode[] {
  if (typeof schema === "boolean") return [];
  const found = known.get(schema) ?? compileViews(schema);
  known.set(schema, found);
  const { asWritten, open } = found;
  const complains = issues.some(({ code }) => /additional|unrecognized|unevaluated/i.test(code));
  return [complains ? undefined : open, asWritten].filter((view) => view !== undefined);
}

function compileViews(schema: JsonSchema): Views {
  try {
    const opened = JSON.stringify(schema, (key, value) =>
      /^(additional|unevaluated)Properties$/.test(key) && value === false ? undefined : value,
    );
    const isOpen = opened === JSON.stringify(schema);
    return {
      asWritten: toSchemaNode(schema),
      open: isOpen ? undefined : toSchemaNode(JSON.parse(opened)),
    };
  } catch {
    return { asWritten: undefined, open: undefined };
  }
}

/** What was probably meant, by what a further level would have made of it. */
function hintsFor(
  request: AlignRequest,
  value: JsonValue,
  used: Used,
): (readonly [string, string])[] {
  const [root] = viewsOf(request.schema.jsonSchema, request.issues);
  if (root === undefined) return [];
  const candidates = alignForHints(request, value, root, used);
  const meant = candidates.filter(({ cost }) => cost === candidates[0]?.cost).slice(0, 3);
  return request.issues.slice(0, MAX_HINTS).flatMap(({ path }) => {
    if (path === "") return [];
    const shown = new Set(meant.flatMap((candidate) => hintAt(path, value, candidate.value)));
    return shown.size === 0 ? [] : [[path, [...shown].join(" or ")] as const];
  });
}

/** A message lists fewer issues than this. */
const MAX_HINTS = 100;

/** A limit that only the search for hints reaches is no reason to refuse. */
function alignForHints(
  request: AlignRequest,
  value: JsonValue,
  root: SchemaNode,
  used: Used,
): readonly Candidate[] {
  try {
    return alignAtLevel(value, root, request, "eager", used);
  } catch (error) {
    if (error instanceof OverLimit) return [];
    throw error;
  }
}

/** What stands at a place afterwards; of a key that is there no more, what it is called now. */
function hintAt(path: string, before: JsonValue, after: JsonValue | undefined): string[] {
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
