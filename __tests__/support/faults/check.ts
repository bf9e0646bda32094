import fc from "fast-check";
import { jsonEquals } from "#src/repair/json.ts";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairResult } from "#src/repair/result.ts";
import { compileSchema } from "#src/repair/schema/compile-schema.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { applyRepairs } from "../repair/apply-repairs.ts";
import { sample } from "./arbitraries.ts";
import type { Fault, Injected } from "./catalogue.ts";
import type { Pick, Sample } from "./places.ts";

/** A sample's tool, and an input for it with a fault. */
export interface Case extends Injected {
  readonly sample: Sample;
}

/** The outcomes of the cases of one kind of fault. */
export interface Tally {
  readonly cases: number;
  readonly right: number;
  readonly refused: number;
  /** Accepted inputs that differ from the intended ones. */
  readonly wrong: readonly string[];
}

const SEED = 20_261_121;

/** The samples of the suite: the same in every run. */
export const samples: readonly Sample[] = fc.sample(sample, { seed: SEED, numRuns: 2_000 });

/** Numbers below a bound, the same in every run (a linear congruential generator). */
export function picker(seed: number): Pick {
  let state = seed;
  return (count) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
}

/** Inputs with this fault that the schema rejects. */
export async function casesOf(fault: Fault, most: number): Promise<Case[]> {
  const pick = picker(fault.name.length);
  const found: Case[] = [];
  for (const each of samples) {
    const injected = fault.inject(each, pick);
    if (injected === undefined || !(await isRefused(injected.raw, each))) continue;
    found.push({ ...injected, sample: each });
    if (found.length === most) break;
  }
  return found;
}

export async function isRefused(raw: JsonValue, { schema }: Sample): Promise<boolean> {
  return typeof raw === "string" || !(await compileSchema(schema).validate(raw)).ok;
}

export function repair(
  { raw, sample: { toolName, schema } }: Case,
  level: "strict" | "safe" | "eager",
): Promise<RepairResult> {
  return repairToolInput(raw, { name: toolName, schema }, { level }) as Promise<RepairResult>;
}

/** Repairs every case, and counts the outcomes. */
export async function tally(cases: readonly Case[], level: "safe" | "eager"): Promise<Tally> {
  let right = 0;
  let refused = 0;
  const wrong: string[] = [];
  for (const each of cases) {
    const result = await repair(each, level);
    if (!result.ok) refused += 1;
    else if (each.meant !== undefined && jsonEquals(result.toolInput, each.meant)) right += 1;
    else {
      const edits = result.repairs.map(({ fixer }) => fixer).join(", ");
      const [from, to, schema] = [each.raw, result.toolInput, each.sample.schema].map((value) =>
        JSON.stringify(value),
      );
      wrong.push(`${from} became ${to} by ${edits}, for ${schema}`);
    }
  }
  return { cases: cases.length, right, refused, wrong };
}

/** The parsed input after a replay of the result's repairs. */
export function replay(raw: JsonValue, { repairs }: RepairResult): JsonValue | undefined {
  const isText = typeof raw === "string" && repairs[0]?.before !== raw;
  return applyRepairs(isText ? (JSON.parse(raw) as JsonValue) : raw, repairs);
}
