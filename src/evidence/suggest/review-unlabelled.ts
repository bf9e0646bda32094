import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import { codeOf, type FixerCall } from "./fixer-call.ts";
import type { MinedTool } from "./mine-tool.ts";
import type { FixerSuggestion } from "./suggestion.ts";
import { countsOf, labelledRuns, runsOf, tally } from "./tally.ts";
import type { ToolCases } from "./tool-cases.ts";
import type { Case, Trial } from "./trial.ts";
import { valueKind } from "./value-kind.ts";

/** The most suggestions of one tool that somebody is asked to look at. */
const MAX_REVIEWED = 5;

/** The most refused inputs that are looked at. */
const MAX_CASES = 1_000;

/** Which part of the valid values of a place must be of one kind. */
const MOSTLY = 0.8;

/**
 * Finds fixers for inputs of which nothing is known that took their place. That the schema accepts
 * what comes out says little: so only what keeps the meaning is looked for, a renamed key or an
 * envelope taken off, and only where the value is of the kind that valid calls have in that place. It
 * is to be reviewed, never written.
 *
 * @param cases The tool's inputs.
 * @param trial The tool.
 * @param mined The fixers that are written and what they leave, and in how many distinct runs one
 * must be accepted.
 */
export async function reviewUnlabelled(
  cases: ToolCases,
  trial: Trial,
  { calls, open, minRuns }: Pick<MinedTool, "calls" | "open"> & { readonly minRuns: number },
): Promise<readonly FixerSuggestion[]> {
  const kinds = kindsOf([...cases.valid, ...cases.repaired], minRuns);
  const [mined, heldOut] = [open.mined.slice(0, MAX_CASES), open.heldOut.slice(0, MAX_CASES)];
  const found = new Map<string, readonly FixerCall[]>();
  for (const one of mined) {
    if (one.label !== undefined || !isJsonObject(one.value)) continue;
    for (const way of waysOf(one.value, kinds)) found.set(way.map(codeOf).join(), way);
  }
  const reviewed: FixerSuggestion[] = [];
  for (const [, way] of [...found].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const all = [...calls, ...way];
    const inMined = await tally(trial, mined, all);
    const inHeldOut = await tally(trial, heldOut, all);
    const runs = runsOf([...inMined.unlabelled, ...inMined.agree]);
    const isContradicted = inMined.contradict.length + inHeldOut.contradict.length > 0;
    if (runs < minRuns || isContradicted) continue;
    reviewed.push({
      tool: cases.tool,
      schema: cases.schema,
      fixers: way,
      code: way.map(codeOf),
      verdict: "review",
      why: "no correction is known: the schema accepts what comes out, and its values are of the kind that valid calls have",
      runs,
      mined: countsOf(inMined),
      heldOut: countsOf(inHeldOut),
      heldOutRuns: labelledRuns(inHeldOut),
      lowerBound: 0,
      validChanged: 0,
      valid: cases.valid.length,
      repairedChanged: 0,
      repaired: cases.repaired.length,
    });
  }
  reviewed.sort((one, other) => other.runs - one.runs);
  return withoutRivals(reviewed).slice(0, MAX_REVIEWED);
}

/** The kind that most valid values of a key are of. */
function kindsOf(cases: readonly Case[], minRuns: number): ReadonlyMap<string, string> {
  const values = new Map<string, { one: Case; kind: string | undefined }[]>();
  for (const one of cases) {
    const { without } = one;
    if (!isJsonObject(without)) continue;
    for (const [key, value] of Object.entries(without as JsonObject)) {
      const known = values.get(key) ?? [];
      known.push({ one, kind: valueKind(value) });
      values.set(key, known);
    }
  }
  const kinds = new Map<string, string>();
  for (const [key, seen] of values) {
    const counts = new Map<string, Case[]>();
    for (const { one, kind } of seen) {
      if (kind === undefined) continue;
      const having = counts.get(kind);
      if (having === undefined) counts.set(kind, [one]);
      else having.push(one);
    }
    for (const [kind, having] of counts) {
      if (having.length / seen.length >= MOSTLY && runsOf(having) >= minRuns) kinds.set(key, kind);
    }
  }
  return kinds;
}

/** Renames all that no valid call has to the only key of its kind that is missing, or takes an envelope off. */
function waysOf(
  value: JsonObject,
  kinds: ReadonlyMap<string, string>,
): readonly (readonly FixerCall[])[] {
  const [only, ...others] = Object.entries(value);
  const inner = only?.[1];
  if (others.length === 0 && isJsonObject(inner) && areOfKind(inner as JsonObject, kinds)) {
    return [[{ fixer: "unwrapKey", key: only?.[0] ?? "", at: "" }]];
  }
  const absent = [...kinds].filter(([key]) => !Object.hasOwn(value, key));
  const renames = Object.entries(value).flatMap(([from, one]): FixerCall[] => {
    if (kinds.has(from)) return [];
    const targets = absent.filter(([, kind]) => kind === valueKind(one));
    const [target] = targets;
    if (target === undefined || targets.length > 1) return [];
    return [{ fixer: "renameKey", from, to: target[0], at: "" }];
  });
  const targets = new Set(renames.map((call) => (call.fixer === "renameKey" ? call.to : "")));
  return renames.length === 0 || targets.size < renames.length ? [] : [renames];
}

function areOfKind(value: JsonObject, kinds: ReadonlyMap<string, string>): boolean {
  const keys = Object.keys(value);
  const known = keys.filter((key) => kinds.get(key) === valueKind(value[key] as JsonValue));
  return known.length > 0 && known.length === keys.filter((key) => kinds.has(key)).length;
}

/** Of two that lead one key to different places, neither is sure. */
function withoutRivals(reviewed: readonly FixerSuggestion[]): readonly FixerSuggestion[] {
  const targets = new Map<string, Set<string>>();
  for (const { fixers } of reviewed) {
    for (const call of fixers) {
      if (call.fixer !== "renameKey") continue;
      targets.set(call.from, (targets.get(call.from) ?? new Set()).add(call.to));
    }
  }
  return reviewed.filter(({ fixers }) =>
    fixers.every((call) => call.fixer !== "renameKey" || targets.get(call.from)?.size === 1),
  );
}
