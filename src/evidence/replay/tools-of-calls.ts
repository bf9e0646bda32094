import type { JsonSchema, ToolLike } from "../../repair/types.ts";
import type { LoggedInputs } from "../suggest/log-evidence.ts";
import type { LoggedInput } from "../suggest/logged-input.ts";
import { latestTools } from "../suggest/tool-cases.ts";

/**
 * Creates what tells which tools a call was offered: its own, with the schema that it was checked by;
 * all that the log knows, as they were last, where it named one that there is not.
 *
 * @param logged The calls of the log.
 * @param schemas Schemas that stand in the place of those in the log, by the tool's name.
 * @returns The tools of a call; `undefined` where no schema is known.
 */
export function toolsOfCalls(
  logged: LoggedInputs,
  schemas: ReadonlyMap<string, JsonSchema> = new Map(),
): (input: LoggedInput) => readonly ToolLike[] | undefined {
  const latest = [...latestTools(logged).values()].map(({ tool, jsonSchema }) => ({
    name: tool,
    schema: schemas.get(tool) ?? jsonSchema,
  }));
  const names = new Set(latest.map(({ name }) => name));
  const given = [...schemas].flatMap(([name, schema]) =>
    names.has(name) ? [] : [{ name, schema }],
  );
  const all = [...latest, ...given];
  return ({ tool, schema, isUnknown }) => {
    if (isUnknown) return all.length === 0 ? undefined : all;
    const own = schemas.get(tool) ?? logged.schemaOf(tool, schema);
    return own === undefined ? undefined : [{ name: tool, schema: own }];
  };
}
