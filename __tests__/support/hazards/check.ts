import { jsonEquals } from "#src/repair/json.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairResult } from "#src/repair/result.ts";
import { type Hazard, TOOL_NAME } from "./hazard.ts";
import { type Form, forms, inForm, type Spec } from "./schemas.ts";

export const levels = ["safe", "eager"] as const;

export type Level = (typeof levels)[number];

/** A hazard whose outcome differed from the required one. */
export interface Miss {
  readonly level: Level;
  readonly form: Form;
  readonly expected: string;
  readonly got: string;
}

/** Runs a hazard at both levels, with its schema in every form. */
export async function missesOf(hazard: Hazard, schema: Spec): Promise<Miss[]> {
  const misses: Miss[] = [];
  for (const form of forms)
    for (const level of levels) {
      const result = await repairHazard(hazard, inForm(schema, form), level);
      const { right, mayRefuse } = hazard[level];
      const isFine = result.ok
        ? right.some((value) => jsonEquals(value, result.toolInput)) &&
          tellsUndeclared(hazard, result)
        : mayRefuse;
      if (isFine) continue;
      const answers = right.map((value) => JSON.stringify(value));
      const expected = [...answers, ...(mayRefuse ? ["refused"] : [])].join(" or ");
      misses.push({ level, form, expected, got: outcomeOf(result) });
    }
  return misses;
}

export function repairHazard(
  { raw }: Hazard,
  schema: unknown,
  level: Level,
): Promise<RepairResult> {
  return repairToolInput(raw, { name: TOOL_NAME, schema }, { level }) as Promise<RepairResult>;
}

function tellsUndeclared({ undeclared }: Hazard, result: RepairResult): boolean {
  if (undeclared === undefined || !result.ok) return true;
  return jsonEquals([...undeclared], [...undeclaredOf(result)]);
}

function outcomeOf(result: RepairResult): string {
  if (!result.ok) return "refused";
  const edits = result.repairs.map(({ fixer }) => fixer).join(", ");
  const ignored =
    undeclaredOf(result).length > 0 ? `, undeclared: ${undeclaredOf(result).join(" ")}` : "";
  return `${JSON.stringify(result.toolInput)} by ${edits || "nothing"}${ignored}`;
}

function undeclaredOf(result: RepairResult): readonly string[] {
  return result.ok ? result.undeclared : [];
}
