import { isJsonObject } from "../../../json/json-value.ts";
import type { JsonObject, JsonValue } from "../../../types.ts";
import { absentKeys, missingKeys, rekey, undeclaredKeys, withoutKeys } from "../../keys.ts";
import { foldName, isOperator } from "../../names.ts";
import { fitCost, type KeyStep } from "./key-step.ts";

/** Keys that say which tool a call is for, folded. */
const NAMES: ReadonlySet<string> = new Set([
  "name",
  "tool",
  "toolname",
  "function",
  "functionname",
]);

/**
 * Fields one level too deep: `{"user": {"name": "Ada"}}` for `user_name`, or for `name` itself.
 * All that stands in the undeclared object must find its place.
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
      if (isOperator(outer) || declared.has(foldName(outer))) return done;
      if (!isJsonObject(inner) || missingKeys(done.object, want.variant).length === 0) return done;
      const absent = absentKeys(done.object, want.variant);
      const placed = Object.entries(inner as JsonObject).map(([key, value]) => {
        const joined = absent.filter((name) => foldName(name) === foldName(outer + key));
        const plain = absent.filter((name) => foldName(name) === foldName(key));
        const [to, ...others] = [...joined, ...plain];
        const fits = to !== undefined && others.length === 0 && (fitCost(value, to, want) ?? 2) < 2;
        return fits ? ([to, value as JsonValue] as const) : undefined;
      });
      const lifted = placed.filter((entry) => entry !== undefined);
      const names = new Set(lifted.map(([name]) => name));
      if (lifted.length === 0 || lifted.length < placed.length || names.size < lifted.length) {
        return done;
      }
      const after = { ...withoutKeys(done.object, [outer]), ...Object.fromEntries(lifted) };
      return rekey(done, this, { object: after });
    }, keyed);
  },
};

/**
 * Fields one level too high: `{"command": "ls"}` for `{"action": {"command": "ls"}}`, or
 * `user_name` for `{"user": {"name": …}}`, where that object is the only required key missing.
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
    const value = Object.fromEntries(inner);
    if ((fitCost(value, outer, want) ?? 2) > 1) return keyed;
    return rekey(keyed, this, { object: { ...withoutKeys(object, unknown), [outer]: value } });
  },
};
