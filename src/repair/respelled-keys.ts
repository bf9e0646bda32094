import {
  getAt,
  isContainer,
  parsePointer,
  showValue,
  toPointer,
} from "./json.ts";
import type { AcceptedInput } from "./result.ts";
import { resolvedPartAt } from "./schema/part.ts";
import { undeclaredIssue } from "./schema/validate.ts";
import type { InputIssue, JsonSchema } from "./types.ts";
import { foldName } from "./words/names.ts";

/**
 * Reports the keys that a repaired input would lose: undeclared ones that only
 * respell a declared key, which is absent and does not take the value. A tool
 * would run with its default: `dry_run: "yes"` with `dryRun: false`.
 */
export function lostKeysIn(
  { toolInput, undeclared }: AcceptedInput,
  schema: JsonSchema,
): readonly InputIssue[] {
  return undeclared.flatMap((path) => {
    const meant = respelledBy(path, toolInput, schema);
    if (meant === undefined) return [];
    const message = `is another spelling of ${showValue(meant)}, which does not take this value`;
    return [undeclaredIssue(toolInput, path, message)];
  });
}

/** The absent declared key that an undeclared key respells. */
function respelledBy(
  path: string,
  toolInput: AcceptedInput["toolInput"],
  schema: JsonSchema,
): string | undefined {
  const keys = parsePointer(path);
  const written = foldName(keys.pop() ?? "");
  const object = getAt(toolInput, toPointer(keys));
  const declared = resolvedPartAt(schema, keys);
  if (declared === undefined || written === "" || !isContainer(object))
    return undefined;
  return [...declared.properties.keys()].find(
    (name) => foldName(name) === written && !Object.hasOwn(object, name),
  );
}
