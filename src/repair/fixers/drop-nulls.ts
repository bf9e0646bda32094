import { wrongUse } from "../errors/usage-error.ts";
import { getAt, setAt } from "../json/json-pointer.ts";
import type { Fixer, JsonValue } from "../types.ts";
import { namedFixer } from "./named-fixer.ts";

/**
 * Creates a fixer that removes the keys whose `null` the schema refuses, as models write them for
 * optional fields: `{"query": "x", "limit": null}` → `{"query": "x"}`. A `null` that the schema
 * takes stays, and so does one in an array.
 *
 * @returns The fixer.
 * @throws TypeError when it is given an argument.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", dropNulls());
 * ```
 */
export function dropNulls(...given: readonly []): Fixer {
  if (given.length > 0) {
    throw wrongUse("dropNulls() takes no arguments: call it, and register what it returns.");
  }
  return namedFixer("dropNulls()", [], (input, { issues }) => {
    const places = issues.map(({ path }) => path).filter((path) => isDroppable(input, path));
    if (places.length === 0) return undefined;
    return places.reduce<JsonValue>((value, path) => setAt(value, path, undefined) ?? value, input);
  });
}

function isDroppable(input: Parameters<Fixer>[0], path: string): boolean {
  if (path === "" || getAt(input, path) !== null) return false;
  return !Array.isArray(getAt(input, path.slice(0, path.lastIndexOf("/"))));
}
