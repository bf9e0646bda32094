import { alignAsAllowed } from "./align-as-allowed.ts";
import { withHints } from "./errors/with-hints.ts";
import { type FixRequest, fixContextOf } from "./fixers/fix-context.ts";
import { runFixers } from "./fixers/run-fixers.ts";
import type { Accepted } from "./has-undeclared.ts";
import { getAt, toPointer } from "./json/json-pointer.ts";
import { jsonEquals, whyNotJson } from "./json/json-value.ts";
import { policyFor, type RepairPolicy } from "./options.ts";
import { writtenNumbersOf } from "./read/numbers.ts";
import type { RepairSuccess } from "./repair-result.ts";
import type { CompiledSchema } from "./schema/compiled-schema.ts";
import { findUndeclared } from "./schema/find-undeclared.ts";
import { NOT_A_FIELD, showReceived } from "./schema/show-received.ts";
import type { InputIssue, JsonValue, Repair } from "./types.ts";
import { allowedKeys } from "./undeclared-policy.ts";

/** The code of the issue that an undeclared key is where the policy says so. */
const UNDECLARED = "undeclared";

/**
 * Deals with the keys of an accepted input that its schema does not declare: tries the fixers, then
 * the edits of keys. What a fixer makes is kept if it leaves no more of them than there were, and all
 * that stands at declared keys as it was. An input to which nothing applies stays as it is, by
 * reference.
 *
 * @param accepted The input, as the schema accepts it.
 * @param request The tool, what the model wrote, and the options.
 * @returns The input with the keys that are still undeclared; or an issue for each of them, where
 * the policy is `"refuse"`.
 */
export async function heedUndeclared(
  accepted: Accepted,
  request: FixRequest,
): Promise<RepairSuccess | { readonly ok: false; readonly issues: readonly InputIssue[] }> {
  const { tool, options } = request;
  const policy = policyFor(tool, options);
  const heard = { schema: request.schema, policy };
  const given = strayState(accepted, heard);
  const { undeclaredKeys, limits } = policy;
  const isJson = whyNotJson(accepted.toolInput, limits.maxDepth) === undefined;
  if (given.undeclared.length === 0 || undeclaredKeys === "leave" || !isJson) {
    return settle(given, new Map(), policy);
  }
  const fixed = await fix(given, request, heard);
  if (fixed.undeclared.length === 0) return settle(fixed, new Map(), policy);
  const strays = new Set(fixed.undeclared);
  const undeclared = { allow: allowedKeys(policy), drops: false, strays };
  const asked = { value: fixed.toolInput, issues: issuesOf(fixed), undeclared };
  const aligned = await alignAsAllowed({ ...alignRequest(request, policy), ...asked }, policy);
  if (!aligned.ok) return settle(fixed, aligned.hints, policy);
  const repairs = [...fixed.repairs, ...aligned.repairs];
  const { value: toolInput, parsed } = aligned;
  return settle(strayState({ ok: true, toolInput, parsed, repairs }, heard), new Map(), policy);
}

interface Heard {
  readonly schema: CompiledSchema;
  readonly policy: RepairPolicy;
}

function strayState(accepted: Accepted, { schema, policy }: Heard): RepairSuccess {
  const { toolInput, parsed } = accepted;
  const { maxDepth } = policy.limits;
  const asked = { parsed, allow: allowedKeys(policy), maxDepth };
  return { ...accepted, undeclared: findUndeclared(toolInput, schema.jsonSchema, asked) };
}

function settle(
  state: RepairSuccess,
  hints: ReadonlyMap<string, string>,
  { undeclaredKeys }: RepairPolicy,
): RepairSuccess | { readonly ok: false; readonly issues: readonly InputIssue[] } {
  if (undeclaredKeys !== "refuse" || state.undeclared.length === 0) return state;
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

/** The fixers are asked as if the schema forbade the keys, so that they go on while one is left. */
async function fix(
  given: RepairSuccess,
  request: FixRequest,
  heard: Heard,
): Promise<RepairSuccess> {
  const { fixers, limits } = heard.policy;
  if (fixers.length === 0) return given;
  const { toolInput: value, repairs } = given;
  const start = { value, repairs, issues: issuesOf(given) };
  const context = fixContextOf(request, false);
  const strict = forbidding(heard);
  const { signal } = request.options;
  const fixed = await runFixers(start, fixers, { schema: strict, context, limits, signal });
  if (jsonEquals(fixed.value, value) || !keepsDeclared(fixed.value, given)) return given;
  const made = await accept(fixed.value, fixed.repairs, heard);
  const ready = made ?? (await finish(fixed, request, heard));
  return ready === undefined || ready.undeclared.length > given.undeclared.length ? given : ready;
}

/** Whether all that the schema accepts at a declared key is there as it was: only strangers moved. */
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
function forbidding(heard: Heard): CompiledSchema {
  const { schema } = heard;
  return {
    ...schema,
    async validate(value) {
      const validation = await schema.validate(value);
      if (!validation.ok) return validation;
      const toolInput = value as JsonValue;
      const { parsed } = validation;
      const state = strayState({ ok: true, toolInput, parsed, repairs: [] }, heard);
      return state.undeclared.length === 0 ? validation : { ok: false, issues: issuesOf(state) };
    },
  };
}

async function accept(
  toolInput: JsonValue,
  repairs: readonly Repair[],
  heard: Heard,
): Promise<RepairSuccess | undefined> {
  const validation = await heard.schema.validate(toolInput);
  if (!validation.ok) return undefined;
  return strayState({ ok: true, toolInput, parsed: validation.parsed, repairs }, heard);
}

/** What a fixer moved to where it belongs may still be wrong there: `"5"` for a number. */
async function finish(
  { value, repairs }: { readonly value: JsonValue; readonly repairs: readonly Repair[] },
  request: FixRequest,
  heard: Heard,
): Promise<RepairSuccess | undefined> {
  const validation = await heard.schema.validate(value);
  if (validation.ok) return undefined;
  const { issues } = validation;
  const { policy } = heard;
  const aligned = await alignAsAllowed({ value, issues, ...alignRequest(request, policy) }, policy);
  if (!aligned.ok) return undefined;
  const { value: toolInput, parsed } = aligned;
  const all = [...repairs, ...aligned.repairs];
  return strayState({ ok: true, toolInput, parsed, repairs: all }, heard);
}

function alignRequest({ raw, tool, schema }: FixRequest, { limits, objectAsText }: RepairPolicy) {
  const spellings = () => writtenNumbersOf(raw).spellings;
  return { schema, toolName: tool.name, limits, objectAsText, spellings };
}
