import { parsePointer, toPointer } from "../json/json-pointer.ts";
import { declaredNames } from "../schema/declared-names.ts";
import type { JsonSchema } from "../types.ts";

/** What stands for a key that the schema does not declare. */
const UNDECLARED = "+1 key";

/** Indexes of lists; longer numbers may be keys that mean something. */
const INDEX = /^\d{1,3}$/;

/**
 * Returns a place in words of the schema alone: a key that it does not declare is what a model wrote.
 *
 * @param path A JSON Pointer.
 * @param schema The tool's schema as JSON Schema; where it is unknown, all keys count as undeclared.
 */
export function declaredPath(path: string, schema: JsonSchema | undefined): string {
  if (path === "") return path;
  if (!path.startsWith("/")) return `/${UNDECLARED}`;
  const names = declaredNames(schema ?? true);
  const isSaid = (key: string) => names.has(key) || INDEX.test(key);
  return toPointer(parsePointer(path).map((key) => (isSaid(key) ? key : UNDECLARED)));
}

/**
 * Returns the type of what an issue says was received, without the value.
 *
 * @param received What it says.
 */
export function receivedType(received: string): string {
  if (NAMED.has(received)) return received;
  if (received === "true" || received === "false") return "boolean";
  if (received.startsWith('"')) return "string";
  return /^-?\d/.test(received) ? "number" : "something";
}

const NAMED: ReadonlySet<string> = new Set(["nothing", "null", "object", "array"]);
