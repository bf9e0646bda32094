import { preload } from "#src/repair/repair-tool-input.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { type Form, forms, inForm } from "../hazards/schemas.ts";
import { checkRun, type RunSchema } from "./check-run.ts";
import { makeRaw } from "./make-raw.ts";
import { makeSubject, type Subject } from "./make-subject.ts";
import { createRandom } from "./random.ts";
import { compileByAjv } from "./validators.ts";

/** Inputs for one schema: a schema is expensive to make and to compile. */
const RUNS_A_SCHEMA = 60;

/** Every so many runs are repeated, and their results repaired again. */
const REPEAT = 5;

/** A broken property, with the first inputs that broke it. */
export interface Break {
  count: number;
  readonly samples: string[];
}

export interface FuzzReport {
  readonly runs: number;
  readonly outcomes: { readonly [outcome: string]: number };
  readonly broken: ReadonlyMap<string, Break>;
}

/**
 * Repairs random inputs for random schemas, each at `safe` and at `eager`.
 *
 * @param options The number of inputs, and the seed: the same seed makes the same inputs.
 */
export async function fuzz({ runs, seed }: { runs: number; seed: number }): Promise<FuzzReport> {
  const outcomes: { [outcome: string]: number } = {};
  const broken = new Map<string, Break>();
  // The first faulty input waits until the code is compiled, which must not be timed.
  await preload();
  for (let done = 0; done < runs; done += RUNS_A_SCHEMA) {
    const random = createRandom(seed + done);
    const subject = makeSubject(random);
    const form = random.of(forms);
    const tool = toRunSchema(subject, form);
    for (let run = done; run < Math.min(runs, done + RUNS_A_SCHEMA); run++) {
      const made = makeRaw(subject.input(), subject.json, random);
      const result = await checkRun({ ...made, raw: freeze(made.raw) }, tool, random.oneIn(REPEAT));
      const key = `${made.kind}, ${result.outcome}`;
      outcomes[key] = (outcomes[key] ?? 0) + 1;
      for (const [property, seen] of result.broken) {
        const found = broken.get(property) ?? { count: 0, samples: [] };
        broken.set(property, found);
        found.count += 1;
        if (found.samples.length < 4)
          found.samples.push(
            `run ${run}, ${form}, ${made.kind}\n  schema ${JSON.stringify(subject.json)}\n  raw ${JSON.stringify(made.raw)}\n  ${seen}`,
          );
      }
    }
  }
  return { runs, outcomes, broken };
}

function toRunSchema(subject: Subject, form: Form): RunSchema {
  const ajv = compileByAjv(subject.json);
  if (form === "JSON Schema") {
    const schema = freeze(subject.json);
    return { schema, json: schema, accepts: (value) => ajv(value) as boolean };
  }
  const schema = inForm(subject.spec, form) as { safeParse(value: unknown): { success: boolean } };
  return { schema, json: subject.json, accepts: (value) => schema.safeParse(value).success };
}

/** The input must not be mutated. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part as JsonValue);
  return Object.freeze(value);
}
