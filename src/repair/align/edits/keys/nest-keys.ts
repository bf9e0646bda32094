import { isJsonObject, isPollutingKey } from "../../../json/json-value.ts";
import type { Variant } from "../../../schema/node.ts";
import type { JsonObject, JsonValue } from "../../../types.ts";
import { rekey, undeclaredKeys, withoutKeys } from "../../keys.ts";
import { DECLARED_AT_EACH_STEP } from "../../reasons.ts";
import type { KeyStep } from "./key-step.ts";

/** A longer key spells out no path: it is text that stands in the wrong place. */
const MAX_KEY_LENGTH = 500;

/**
 * Keys that spell out a path: `{"user.name": "Ada"}` for `{"user": {"name": "Ada"}}`. Only through
 * keys that are declared at each step, and where there is one way to read the path: in an object of
 * free keys, `app.kubernetes.io` is one name.
 */
export const nestKeys: KeyStep = {
  name: "nest-keys",
  level: "safe",
  cost: 2,
  take(keyed, { variant, place, run }) {
    const { object } = keyed;
    const deepest = run.limits.maxDepth - place.depth;
    const found = undeclaredKeys(object, variant).flatMap((key) => {
      const path = pathOf(key, variant);
      return path === undefined || path.length > deepest ? [] : [{ key, path }];
    });
    if (found.length === 0) return keyed;
    const keys = found.map(({ key }) => key);
    // Copied along the paths only, and each object on them once.
    const nested = withoutKeys(object, keys);
    const owned = new Set<object>();
    for (const { key, path } of found) {
      if (!put(nested, path, { value: object[key] as JsonValue, owned })) return keyed;
    }
    return rekey(keyed, this, { object: nested, reason: DECLARED_AT_EACH_STEP });
  },
};

/** The declared keys that a key spells out, where they can be read in one way. */
function pathOf(key: string, variant: Variant): readonly string[] | undefined {
  if (key.length > MAX_KEY_LENGTH || !/[./[]/.test(key)) return undefined;
  const text = key.replace(/\[([^[\]]*)\]/g, ".$1");
  const reading: Reading = { paths: new Map(), visits: 0 };
  read(text, { variant, path: [] }, reading);
  const [path, ...others] = reading.paths.values();
  const isSure = others.length === 0 && reading.visits <= MAX_VISITS;
  return isSure && path !== undefined && path.length > 1 ? path : undefined;
}

/** The most keys that are tried for one path: names that begin alike, one in another. */
const MAX_VISITS = 1_000;

/** The ways found to read a key, and how much was looked at. */
interface Reading {
  readonly paths: Map<string, readonly string[]>;
  visits: number;
}

function read(
  text: string,
  { variant, path }: { readonly variant: Variant; readonly path: readonly string[] },
  reading: Reading,
): void {
  for (const [key, node] of variant.properties) {
    reading.visits += 1;
    if (reading.visits > MAX_VISITS || reading.paths.size > 1) return;
    if (key === "" || isPollutingKey(key) || !text.startsWith(key)) continue;
    const way = [...path, key];
    if (text.length === key.length) reading.paths.set(JSON.stringify(way), way);
    const sign = text[key.length];
    if (sign !== "." && sign !== "/") continue;
    const rest = text.slice(key.length + 1);
    for (const inner of node.variants()) {
      if (inner.type === "object") read(rest, { variant: inner, path: way }, reading);
    }
  }
}

/** Puts a value at a path; `false` where something stands there already. */
function put(
  object: JsonObject,
  path: readonly string[],
  { value, owned }: { readonly value: JsonValue; readonly owned: Set<object> },
): boolean {
  let at = object as { [key: string]: JsonValue };
  for (const key of path.slice(0, -1)) {
    const there = Object.hasOwn(at, key) ? at[key] : {};
    if (!isJsonObject(there)) return false;
    const copy = owned.has(there) ? there : { ...there };
    owned.add(copy);
    at[key] = copy as JsonObject;
    at = copy as { [key: string]: JsonValue };
  }
  const last = path.at(-1) ?? "";
  if (Object.hasOwn(at, last)) return false;
  at[last] = value;
  return true;
}
