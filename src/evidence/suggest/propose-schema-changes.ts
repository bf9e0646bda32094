import { getAt, toPointer } from "../../repair/json/json-pointer.ts";
import { showValue } from "../../repair/json/json-value.ts";
import { repairToolInput } from "../../repair/pipeline.ts";
import type { InputIssue, JsonObject, JsonSchema, JsonValue } from "../../repair/types.ts";
import { changeSchema } from "./change-schema.ts";
import type { MinedTool } from "./mine-tool.ts";
import { choicesAt } from "./schema-at.ts";
import type { FixerSuggestion, SchemaProposal } from "./suggestion.ts";
import { runsOf } from "./tally.ts";
import type { ToolCases } from "./tool-cases.ts";
import type { Case, Trial } from "./trial.ts";

/** The most refused inputs of one tool that are looked at. */
const MAX_CASES = 2_000;

/** Which part of the valid calls must hold a value for it to be proposed as the default. */
const MOSTLY = 0.9;

/** In how many distinct runs at least. */
const MIN_RUNS = 3;

/** A change of the schema, before it is tried. */
interface Change {
  readonly about: Pick<SchemaProposal, "kind" | "path" | "proposal" | "value">;
  readonly schema: JsonSchema;
}

/**
 * Finds what a schema could say otherwise, so that refused inputs were accepted. That is all that can
 * be tried on a log: what a model would write by another schema is not known.
 *
 * @param cases The tool's inputs.
 * @param trial The tool.
 * @param found What was found for the tool so far, and in how many distinct runs a fault must be met.
 */
export async function proposeSchemaChanges(
  cases: ToolCases,
  trial: Trial,
  {
    open,
    suggestions,
    minRuns,
  }: Pick<MinedTool, "open" | "suggestions"> & { readonly minRuns: number },
): Promise<readonly SchemaProposal[]> {
  const refused = [...open.mined.slice(0, MAX_CASES), ...open.heldOut.slice(0, MAX_CASES)];
  const faults = new Map<string, { change: Change; cases: Case[] }>();
  const usual = usualValues([...cases.valid, ...cases.repaired]);
  for (const one of refused) {
    for (const change of one.issues.flatMap((issue) => changesFor(issue, one, { trial, usual }))) {
      const { kind, path, value } = change.about;
      const key = JSON.stringify([kind, path, value]);
      const known = faults.get(key) ?? { change, cases: [] };
      known.cases.push(one);
      faults.set(key, known);
    }
  }
  const proposals: SchemaProposal[] = [];
  for (const [, { change, cases: having }] of [...faults].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const runs = runsOf(having);
    if (runs < minRuns) continue;
    const tool = { name: cases.tool, schema: change.schema };
    let inputs = 0;
    for (const { input } of having) {
      const result = await repairToolInput(input.raw, tool, { level: input.level });
      if (result.ok) inputs += 1;
    }
    if (inputs === 0) continue;
    const about = { tool: cases.tool, schema: cases.schema, ...change.about };
    proposals.push({ ...about, runs, accepted: { inputs, of: having.length } });
  }
  return [...aliasesOf(suggestions), ...proposals];
}

/** A name that models use for a key is worth a word in its description. */
function aliasesOf(suggestions: readonly FixerSuggestion[]): readonly SchemaProposal[] {
  return suggestions
    .filter(({ verdict }) => verdict === "write")
    .flatMap(({ tool, schema, fixers, runs }) =>
      fixers.flatMap((call): SchemaProposal[] => {
        if (call.fixer !== "renameKey") return [];
        const path = call.at + toPointer([call.to]);
        const proposal = `say in the description that it is what models call ${showValue(call.from)}`;
        return [{ tool, schema, kind: "alias", path, proposal, value: call.from, runs }];
      }),
    );
}

function changesFor(
  { path, code }: InputIssue,
  { value }: Case,
  { trial, usual }: { readonly trial: Trial; readonly usual: UsualValues },
): readonly Change[] {
  const { jsonSchema } = trial.schema;
  const given = getAt(value, path);
  const place = placeOf(value, path);
  const make = (
    about: Change["about"],
    change: (schema: JsonObject) => JsonObject,
    at = about.path,
  ): readonly Change[] => {
    const schema = changeSchema(jsonSchema, at, change);
    return schema === undefined ? [] : [{ about, schema }];
  };
  if (given === null) {
    const proposal = "allow null";
    return make({ kind: "nullable", path: place, proposal }, (schema) => ({
      anyOf: [schema, { type: "null" }],
    }));
  }
  const choices = choicesAt(jsonSchema, place);
  if (typeof given === "string" && given.length <= 60 && choices?.includes(given) === false) {
    const about = { kind: "enum", path: place, value: given } as const;
    return make({ ...about, proposal: `add the choice ${showValue(given)}` }, (schema) => ({
      anyOf: [schema, { const: given }],
    }));
  }
  if (code !== "required" || given !== undefined) return [];
  const filled = usual(path);
  if (filled === undefined) return [];
  const key = path.slice(path.lastIndexOf("/") + 1);
  const holder = place.slice(0, place.lastIndexOf("/"));
  const proposal = `make it optional, with the default ${showValue(filled)}`;
  const optional = ({ required, ...rest }: JsonObject): JsonObject => ({
    ...rest,
    required: Array.isArray(required)
      ? required.filter((one) => toPointer([String(one)]) !== `/${key}`)
      : [],
  });
  return make({ kind: "default", path: place, proposal, value: filled }, optional, holder);
}

/** The same place in every element of a list. */
function placeOf(value: JsonValue, path: string): string {
  const segments = path.split("/");
  return segments
    .map((segment, index) => {
      const holder = index === 0 ? undefined : getAt(value, segments.slice(0, index).join("/"));
      return Array.isArray(holder) ? "*" : segment;
    })
    .join("/");
}

type UsualValues = (path: string) => JsonValue | undefined;

/** Looks up what nearly all valid calls hold in a place, each place once. */
function usualValues(valid: readonly Case[]): UsualValues {
  const known = new Map<string, JsonValue | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, usualValue(valid, path));
    return known.get(path);
  };
}

function usualValue(valid: readonly Case[], path: string): JsonValue | undefined {
  const byText = new Map<string, Case[]>();
  let held = 0;
  for (const one of valid) {
    const value = getAt(one.without, path);
    if (value === undefined) continue;
    held += 1;
    const text = JSON.stringify(value);
    const same = byText.get(text);
    if (same === undefined) byText.set(text, [one]);
    else same.push(one);
  }
  const [usual] = [...byText].sort(([, one], [, other]) => other.length - one.length);
  if (usual === undefined) return undefined;
  const [text, having] = usual;
  if (having.length / held < MOSTLY || runsOf(having) < MIN_RUNS) return undefined;
  const value = JSON.parse(text) as JsonValue;
  return value === null || typeof value === "object" ? undefined : value;
}
