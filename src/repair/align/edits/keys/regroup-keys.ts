import { isJsonObject } from "../../../json/json-value.ts";
import type { JsonObject, JsonValue } from "../../../types.ts";
import { absentKeys, missingKeys, rekey, undeclaredKeys, withoutKeys } from "../../keys.ts";
import { foldName, isGeneric, isOperator, namesSide } from "../../names.ts";
import { allBelongIn, namesJoin, namesNoThing } from "../../reasons.ts";
import { fitCost, type KeyStep } from "./key-step.ts";

/** Keys that say which tool a call is for, folded. */
const NAMES: ReadonlySet<string> = new Set([
  "name",
  "tool",
  "toolname",
  "function",
  "functionname",
]);

/** Keys around arguments that name no thing whose fields they could be, folded. */
const CONTAINERS: ReadonlySet<string> = new Set(
  "details detail info information data fields attributes properties params parameters args arguments kwargs input inputs payload options".split(
    " ",
  ),
);

/**
 * Fields one level too deep: `{"user": {"name": "Ada"}}` for `user_name`. Never the field of
 * another thing, `{"parent": {"id": 5}}` for `id`: what it stands in must be in its name, or name no
 * thing. All that stands in the undeclared object must find its place.
 */
export const liftKeys: KeyStep = {
  name: "lift-keys",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    const unknown = undeclaredKeys(keyed.object, want.variant);
    // `{"name": "other_tool", "arguments": {…}}` is not for this tool.
    if (unknown.some((key) => NAMES.has(foldName(key)))) return keyed;
    const declared = new Set([...want.variant.properties.keys()].map((key) => foldName(key)));
    return unknown.reduce((done, outer) => {
      const inner = done.object[outer];
      const isSign = !/[\p{L}\p{N}]/u.test(outer);
      if (isOperator(outer) || (!isSign && declared.has(foldName(outer)))) return done;
      if (!isJsonObject(inner) || missingKeys(done.object, want.variant).length === 0) return done;
      const absent = absentKeys(done.object, want.variant);
      const isNameless = isSign || CONTAINERS.has(foldName(outer));
      const placed = Object.entries(inner as JsonObject).map(([key, value]) => {
        const names = isNameless
          ? absent.filter((name) => name === key)
          : absent.filter((name) => foldName(name) === foldName(outer + key));
        const [to, ...others] = names;
        const fits = to !== undefined && others.length === 0 && (fitCost(value, to, want) ?? 2) < 2;
        return fits ? ([to, value as JsonValue] as const) : undefined;
      });
      const lifted = placed.filter((entry) => entry !== undefined);
      const names = new Set(lifted.map(([name]) => name));
      if (lifted.length === 0 || lifted.length < placed.length || names.size < lifted.length) {
        return done;
      }
      const after = { ...withoutKeys(done.object, [outer]), ...Object.fromEntries(lifted) };
      const reason = isNameless ? namesNoThing(outer) : namesJoin(outer, lifted[0]?.[0] ?? "");
      return rekey(done, this, { object: after, reason });
    }, keyed);
  },
};

/**
 * Fields one level too high: `{"command": "ls"}` for `{"action": {"command": "ls"}}`, or
 * `user_name` for `{"user": {"name": …}}`, where that object is the only required key missing, and
 * all that is not declared belongs in it. Not a name that any thing may have, nor for an object
 * that plays a part: `{"id": 5}` says nothing of a `parent`.
 */
export const gatherKeys: KeyStep = {
  name: "gather-keys",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    const { object } = keyed;
    const unknown = undeclaredKeys(object, want.variant);
    const [outer, ...others] = missingKeys(object, want.variant);
    if (outer === undefined || others.length > 0 || unknown.length === 0) return keyed;
    const declared = (want.variant.properties.get(outer)?.variants() ?? []).flatMap(
      ({ type, properties }) => (type === "object" ? [...properties.keys()] : []),
    );
    const gathered = unknown.map((key) => {
      const names = new Set(
        declared.filter((name) => [foldName(name), foldName(outer + name)].includes(foldName(key))),
      );
      const [name] = names;
      return names.size === 1 && name !== undefined
        ? ([name, object[key] as JsonValue] as const)
        : undefined;
    });
    const inner = gathered.filter((entry) => entry !== undefined);
    if (inner.length < unknown.length) return keyed;
    if (new Set(inner.map(([name]) => name)).size < inner.length) return keyed;
    const isJoined = unknown.every((key) => foldName(key).startsWith(foldName(outer)));
    if (!isJoined && (namesSide(outer) || unknown.every(isGeneric))) return keyed;
    const value = Object.fromEntries(inner);
    if ((fitCost(value, outer, want) ?? 2) > 1) return keyed;
    const after = { ...withoutKeys(object, unknown), [outer]: value };
    return rekey(keyed, this, { object: after, reason: allBelongIn(outer) });
  },
};
