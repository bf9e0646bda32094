import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Schema, Validator } from "@cfworker/json-schema";
import { tool } from "@langchain/core/tools";
import { metrics } from "@opentelemetry/api";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { Ajv2019 } from "ajv/dist/2019.js";
import { repairToolInput, wrapTool } from "toolmend";
import { type EvidenceSink, jsonlSink, otelSink } from "toolmend/evidence";
import {
  inputOf,
  LARGE,
  type Sized,
  SMALL,
  withComma,
  withNonsense,
  withQuotes,
  ZOD,
} from "./inputs.ts";
import type { Work } from "./paired.ts";
import { turnRows } from "./turns.ts";

/** One ratio with a limit. */
export interface Row {
  readonly what: string;
  readonly goal: number;
  /** The limit while the goal is not reached. */
  readonly ceiling?: number;
  readonly over: Work;
  readonly under: Work;
}

/** Repairs JSON text the way its peers do; `undefined` if jsonrepair is not installed. */
type ReadJson = ((text: string) => string) | undefined;

/** A row of one kind: its size, the goal, and the ceiling while the goal is not reached. */
type Held = readonly [size: string, goal: number, ceiling?: number];

/**
 * Returns the table of toolmend's costs and their limits.
 *
 * @param jsonrepair The package of that name; without it, the rows that compare with it are left out.
 */
export function rowsOf(jsonrepair: ReadJson): readonly Row[] {
  return [
    ...kind("valid text, JSON Schema ÷ parse + validate", VALID, ({ text, ...sized }) => ({
      over: repairing(text, toolOf(sized)),
      under: validating(text, sized),
    })),
    ...kind("wrapped ÷ bare invoke, valid, JSON Schema", WRAPPED, (sized) =>
      invoking(sized.value, toolOf(sized)),
    ),
    ...kind("wrapped ÷ bare invoke, valid, zod 4", WRAPPED, (sized) =>
      invoking(sized.value, zodToolOf(sized)),
    ),
    ...turnRows(),
    ...kind("wrapped with a log ÷ without, valid, zod 4", WATCHED, (sized) =>
      watching(sized.value, zodToolOf(sized), jsonlSink(LOG)),
    ),
    ...kind("wrapped with OpenTelemetry ÷ without, valid, zod 4", WATCHED, (sized) =>
      watching(sized.value, zodToolOf(sized), otelSink()),
    ),
    ...(jsonrepair === undefined
      ? []
      : [
          ...kind("a comma too many ÷ jsonrepair + Ajv", COMMA, ({ text, ...sized }) => ({
            over: repairing(withComma(text), toolOf(sized)),
            under: peer(withComma(text), toolOf(sized).schema, jsonrepair),
          })),
          ...kind('"5" for 5, text ÷ the same, which coerces', QUOTES, ({ text, ...sized }) => ({
            over: repairing(withQuotes(text), toolOf(sized)),
            under: peer(withQuotes(text), toolOf(sized).schema, jsonrepair),
          })),
        ]),
    ...kind('"5" for 5, text, zod 4 ÷ parse + safeParse', QUOTES_ZOD, ({ text, ...sized }) => ({
      over: repairing(withQuotes(text), zodToolOf(sized)),
      under: () => zodToolOf(sized).schema.safeParse(JSON.parse(text)),
    })),
    ...kind("rejected, JSON Schema ÷ parse + validate", REFUSED, ({ text, ...sized }) => ({
      over: repairing(withNonsense(text), toolOf(sized)),
      under: validating(text, sized),
    })),
    ...kind("a comma too many, JSON Schema ÷ parse + validate", HUGE, ({ text, ...sized }) => ({
      over: repairing(withComma(text), toolOf(sized)),
      under: validating(text, sized),
    })),
    ...kind("a comma too many, zod 4 ÷ parse + safeParse", HUGE_ZOD, ({ text, ...sized }) => ({
      over: repairing(withComma(text), zodToolOf(sized)),
      under: () => zodToolOf(sized).schema.safeParse(JSON.parse(text)),
    })),
  ];
}

const VALID: readonly Held[] = [
  ["55 B", 0.5, 1.6],
  ["1 kB", 0.2],
  ["100 kB", 0.2],
];
const WRAPPED: readonly Held[] = [
  ["55 B", 1.05],
  ["1 kB", 1.05],
  ["10 kB", 1.05],
];
const WATCHED: readonly Held[] = [
  ["55 B", 1.1],
  ["1 kB", 1.1],
];
const COMMA: readonly Held[] = [
  ["55 B", 0.9, 10],
  ["1 kB", 1.2, 2.8],
  ["100 kB", 1.4],
];
const QUOTES: readonly Held[] = [
  ["55 B", 15, 160],
  ["1 kB", 5, 24],
  ["100 kB", 3, 7.5],
];
const QUOTES_ZOD: readonly Held[] = [
  ["1 kB", 5, 18],
  ["100 kB", 1.8, 5.3],
];
const REFUSED: readonly Held[] = [["10 kB", 0.6]];
const HUGE: readonly Held[] = [["1 MB", 1.5]];
const HUGE_ZOD: readonly Held[] = [["1 MB", 3, 4.6]];

function kind(
  what: string,
  held: readonly Held[],
  work: (sized: Sized) => Pick<Row, "over" | "under">,
): readonly Row[] {
  return held.map(([size, goal, ceiling]) => ({
    what: `${what}, ${size}`,
    goal,
    ...(ceiling === undefined ? {} : { ceiling }),
    ...work(inputOf(size)),
  }));
}

function toolOf({ isSmall }: Pick<Sized, "isSmall">) {
  return isSmall ? SMALL : LARGE;
}

function zodToolOf({ isSmall }: Pick<Sized, "isSmall">) {
  return isSmall ? ZOD.small : ZOD.large;
}

function repairing(text: string, asked: { name: string; schema: unknown }): Work {
  return () => repairToolInput(text, asked as never);
}

/** The validator that LangChain uses, made once. */
function validating(text: string, sized: Pick<Sized, "isSmall">): Work {
  const validator = new Validator(toolOf(sized).schema as Schema, "2019-09");
  return () => validator.validate(JSON.parse(text));
}

function invoking(input: object, asked: { name: string; description: string; schema: unknown }) {
  const bare = tool(() => "done", asked as never);
  const wrapped = wrapTool(bare as never) as typeof bare;
  return { over: () => wrapped.invoke(input as never), under: () => bare.invoke(input as never) };
}

/** A log for the benchmark, and a metrics provider without an exporter. */
const LOG = join(mkdtempSync(join(tmpdir(), "toolmend-bench-")), "log.jsonl");

function watching(
  input: object,
  asked: { name: string; description: string; schema: unknown },
  sink: EvidenceSink,
) {
  metrics.setGlobalMeterProvider(new MeterProvider());
  const bare = tool(() => "done", asked as never);
  const without = wrapTool(bare as never) as typeof bare;
  const watched = wrapTool(bare as never, { onToolCall: [sink] }) as typeof bare;
  return {
    over: () => watched.invoke(input as never),
    under: () => without.invoke(input as never),
  };
}

function peer(text: string, schema: object, read: (text: string) => string): Work {
  const validate = new Ajv2019({ coerceTypes: "array", strict: false }).compile(schema);
  return () => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = JSON.parse(read(text));
    }
    return validate(value);
  };
}
