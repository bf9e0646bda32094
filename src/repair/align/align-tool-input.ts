import type { Steps } from "../drive.ts";
import { allowsEdit, allowsMore, type EditSwitches } from "../edit-switches.ts";
import type { ReachedLimit } from "../errors/refusal-reason.ts";
import { getAt } from "../json/json-pointer.ts";
import { isJsonObject, jsonEquals, showValue, whyNotJson } from "../json/json-value.ts";
import { assertWithin, Budget, OverLimit } from "../limits.ts";
import type { NumberSpellings } from "../read/numbers.ts";
import { parseToolInput } from "../read/parse-tool-input.ts";
import type { CompiledSchema } from "../schema/compile-schema.ts";
import { declaredNames } from "../schema/keywords.ts";
import { type SchemaNode, toSchemaNode } from "../schema/node.ts";
import type {
  InputIssue,
  JsonSchema,
  JsonValue,
  Repair,
  RepairLevel,
  RepairLimits,
} from "../types.ts";
import { solve } from "./engine.ts";
import { LONG_WORDS, SHORT_WORDS } from "./names.ts";
import { rootPlace } from "./place.ts";
import type { BareText, Candidate, Run, UndeclaredRun, Used } from "./types.ts";

/** What is asked of the schema-driven repair. */
export interface AlignRequest {
  /** The parsed input; `undefined` where nothing was given. */
  readonly value: JsonValue | undefined;
  /** What the schema has against it. */
  readonly issues: readonly InputIssue[];
  readonly schema: CompiledSchema;
  readonly toolName: string;
  /** What the tool says of itself: that null clears a field, say. */
  readonly toolDescription?: string | undefined;
  readonly level: RepairLevel;
  /** Single edits that are allowed or forbidden, whatever the level. Default: none. */
  readonly edits?: EditSwitches;
  readonly limits: RepairLimits;
  /** What the repair may still use up. Default: the limits, whole. */
  readonly budget?: Budget | undefined;
  /** How the numbers of the input are written. Default: as `String` writes them. */
  readonly spellings?: () => NumberSpellings;
  /** Where an object may become JSON text for a field that wants text: everywhere, or at these JSON Pointers. */
  readonly objectAsText: boolean | readonly string[];
  /** How a bare text came. Default: as the text that this agent writes. */
  readonly bareText?: BareText;
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
  /** By the JSON Pointer of an issue: what was probably meant. */
  readonly hints: ReadonlyMap<string, string>;
  /** Some of the repairs that cost the same, as JSON, cut to length. */
  readonly candidates?: readonly string[];
  /** Which limit was reached. */
  readonly limit?: ReachedLimit;
}

/** How often a schema is asked again what else it has against an input. */
const MAX_ROUNDS = 3;
/** A message lists fewer issues than this. */
const MAX_HINTS = 100;
/** The most characters of one candidate in a message. */
const MAX_SHOWN = 200;

/** That nothing was found, or looked for. */
export const NOT_ALIGNED: NotAligned = { ok: false, reason: "none", hints: new Map() };

const BY_LEVEL: UndeclaredRun = { allow: new Set(), drops: true };

/**
 * Repairs an input by its schema alone: finds the cheapest set of edits that the schema accepts,
 * and takes it only if it is the only one at that cost. Nothing that the schema accepts at its
 * place is altered, and the input given is never changed.
 *
 * The search is that of a level, and what it finds is taken if all its edits are allowed. So an edit
 * that is switched off makes no room for a dearer repair, nor one that is switched on for a guess.
 */
export function* alignToolInput(request: AlignRequest): Steps<AlignResult> {
  const { budget = new Budget(request.limits) } = request;
  const used: Used = { budget, candidates: 0 };
  try {
    const found = yield* alignAsAllowed(request, used);
    return { ...found, steps: budget.steps };
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    const { limit } = error;
    return { ok: false, reason: "limit", hints: new Map(), limit, steps: budget.steps };
  }
}

type Found = Aligned | NotAligned;
type Level = Run["level"];

function* alignAsAllowed(request: AlignRequest, used: Used): Steps<Found> {
  const { level, edits = {} } = request;
  const policy = { level, edits };
  const mayMore = allowsMore(policy);
  if (level === "strict" && !mayMore) return NOT_ALIGNED;
  const areAllowed = ({ repairs }: Aligned) => repairs.every((made) => allowsEdit(policy, made));
  const first: Level = level === "eager" ? "eager" : "safe";
  const found = yield* alignAtLevel(request, first, used);
  if (found.ok) return areAllowed(found) ? found : { ...NOT_ALIGNED };
  if (found.reason === "none" && first === "safe" && mayMore) {
    const further = yield* alignAtLevel(request, "eager", used);
    if (further.ok && areAllowed(further)) return further;
  }
  return { ...found, hints: new Map(hintsFor(request, used)) };
}

function* alignAtLevel(request: AlignRequest, level: Level, used: Used): Steps<Found> {
  const { schema, issues } = request;
  let refused = NOT_ALIGNED;
  for (const root of viewsOf(schema.jsonSchema, issues)) {
    let told = issues;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const candidates = candidatesFor({ ...request, issues: told }, root, level, used);
      const found = yield* pick(candidates, request, used);
      if ("ok" in found) {
        if (found.ok) return found;
        refused = found;
        break;
      }
      // A schema that stops at the first fault has more to say once that is repaired.
      const places = new Set(told.map(({ path }) => path));
      const fresh = found.filter(({ path }) => !places.has(path));
      if (fresh.length === 0) break;
      told = [...told, ...fresh];
    }
  }
  return refused;
}

function candidatesFor(
  request: AlignRequest,
  root: SchemaNode,
  level: Level,
  used: Used,
  minLetters = LONG_WORDS,
): readonly Candidate[] {
  const { value = null, limits, toolName, edits = {} } = request;
  used.candidates = 0;
  const run: Run = {
    level,
    asked: new Set(Object.entries(edits).flatMap(([name, is]) => (is ? [name] : []))),
    minLetters,
    toolName,
    toolDescription: request.toolDescription ?? "",
    objectAsText: request.objectAsText,
    bareText: request.bareText ?? "text",
    limits,
    spellings: request.spellings ?? (() => new Map()),
    undeclared: request.undeclared ?? BY_LEVEL,
    isDeclared: (key) => declaredNames(request.schema.jsonSchema).has(key),
    parse: textParser(toolName, limits),
    memo: new Map(),
    used,
  };
  const found = solve(value, root, rootPlace(value, request.issues), run);
  const changed = found.filter(({ changes }) => changes.length > 0);
  return request.value === undefined ? changed.map(fromNothing) : changed;
}

/** The repair of an input that was not given at all: nothing stood there before. */
function fromNothing(candidate: Candidate): Candidate {
  const [first, ...others] = candidate.changes;
  if (first === undefined) return candidate;
  return { ...candidate, changes: [{ ...first, before: undefined }, ...others] };
}

/** Reads JSON in text, each text once: every branch of a union asks for the same. */
function textParser(toolName: string, { maxDepth }: RepairLimits): Run["parse"] {
  const known = new Map<string, JsonValue | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    const read = parseToolInput(text, { level: "safe", toolName });
    const isRead =
      read.kind === "value" &&
      read.value !== text &&
      whyNotJson(read.value, maxDepth) === undefined;
    const value = isRead ? read.value : undefined;
    known.set(text, value);
    return value;
  };
}

/**
 * The only one of the cheapest candidates that the tool's own schema accepts; otherwise what it
 * has against the cheapest.
 */
function* pick(
  candidates: readonly Candidate[],
  { schema, limits }: AlignRequest,
  used: Used,
): Steps<Found | readonly InputIssue[]> {
  let best: (Aligned & { readonly cost: number }) | undefined;
  let against: readonly InputIssue[] | undefined;
  for (const { value, changes, unsure, cost } of candidates) {
    if (value === undefined || (best !== undefined && cost > best.cost)) break;
    assertWithin(value, limits);
    used.budget.look();
    const validation = yield* used.budget.wait(schema.validate(value));
    if (!validation.ok) {
      against ??= validation.issues;
      continue;
    }
    if (unsure || best !== undefined) return ambiguous([...(best ? [best.value] : []), value]);
    best = { ok: true, value, parsed: validation.parsed, repairs: changes, cost };
  }
  if (best === undefined) return against ?? [];
  const { cost: _, ...aligned } = best;
  return aligned;
}

function ambiguous(values: readonly JsonValue[]): NotAligned {
  const candidates = values.map((value) => showValue(value, MAX_SHOWN));
  return { ...NOT_ALIGNED, reason: "ambiguous", candidates };
}

interface Views {
  readonly asWritten: SchemaNode | undefined;
  /** With undeclared keys allowed; absent where they are so anyway. */
  readonly open: SchemaNode | undefined;
}

const knownViews = new WeakMap<object, Views>();

/**
 * The views by which to repair. A schema may forbid undeclared keys in its JSON Schema and yet
 * accept them (zod 3 strips them): where it did not complain, they are left alone if they can be.
 */
function viewsOf(schema: JsonSchema, issues: readonly InputIssue[]): SchemaNode[] {
  if (typeof schema === "boolean") return [];
  const { asWritten, open } = knownViews.get(schema) ?? compileViews(schema);
  knownViews.set(schema, { asWritten, open });
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

/** The edits that are asked for are worth a hint, too. */
const FOR_HINTS: EditSwitches = { "correct-choice": true };

/** What was probably meant, by what a further level would have made of it. */
function hintsFor(request: AlignRequest, used: Used): (readonly [string, string])[] {
  const { value, issues, schema } = request;
  const [root] = viewsOf(schema.jsonSchema, issues);
  if (root === undefined || value === undefined) return [];
  const candidates = candidatesForHints({ ...request, edits: FOR_HINTS }, root, used);
  const meant = candidates.filter(({ cost }) => cost === candidates[0]?.cost).slice(0, 3);
  return issues.slice(0, MAX_HINTS).flatMap(({ path }) => {
    if (path === "") return [];
    const shown = new Set(meant.flatMap((candidate) => hintAt(path, value, candidate.value)));
    return shown.size === 0 ? [] : [[path, [...shown].join(" or ")] as const];
  });
}

/** A limit that only the search for hints reaches is no reason to refuse. */
function candidatesForHints(
  request: AlignRequest,
  root: SchemaNode,
  used: Used,
): readonly Candidate[] {
  try {
    return candidatesFor(request, root, "eager", used, SHORT_WORDS);
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
