import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import {
  choice,
  closed,
  constant,
  either,
  flag,
  list,
  number,
  open,
  record,
  type Spec,
  text,
  welcoming,
  whole,
} from "../hazards/schemas.ts";
import type { Random } from "./random.ts";

/** A schema, and a generator of values that it accepts. */
interface Part {
  readonly spec: Spec;
  value(): JsonValue;
}

/** A schema of a tool, in every form, and a generator of inputs that it accepts. */
export interface Subject {
  readonly spec: Spec;
  /** The JSON Schema, in one of the drafts, with or without references. */
  readonly json: JsonObject;
  input(): JsonObject;
}

const NAMES = [
  "selector",
  "file_path",
  "maxResults",
  "query",
  "start_date",
  "temperature",
  "recipients",
  "priority",
  "includeHidden",
  "currency",
  "quantity",
  "language",
  "message",
  "orderNumber",
  "dryRun",
  "timeout_ms",
  "labels",
  "type",
  "value",
  "input",
  "größe",
  "colour",
  "organisation",
  "confirm",
  "rooms",
  "unit",
  "phone_number",
  "attendees",
  "from",
  "to",
  "temp_c",
  "width_mm",
];

const TEXTS = [
  "Lisbon",
  "#buy",
  "report.pdf",
  "a@b.example",
  "https://example.org/a?b=c",
  "2026-11-21",
  "00713",
  "true",
  "null",
  "a, b",
  "3.10",
  "C:\\temp\\new",
  'say "hi"',
  "It's 5 o'clock",
  "日本",
  "{x}",
  "[1]",
  "line one\nline two",
  "Q:\nyes",
  "",
  " ",
  "x".repeat(60),
  "<b>",
  "1e5",
  "\\d+",
  "a\tb",
  "Rossi, Eva",
  "Toledo, Spain",
  "red, green and blue",
  "done?",
  "yes",
  "1,234",
  "1,234,567",
  "1.234,56",
  "21 C",
  "12mm",
  "3,4,5",
];

const CHOICES: readonly [string, ...string[]][] = [
  ["celsius", "fahrenheit"],
  ["low", "medium", "high"],
  ["round_trip", "one_way"],
  ["mW", "kW"],
  ["3.1", "3.10"],
  ["GET", "POST", "DELETE"],
  ["mmol", "mol"],
  ["filed", "field"],
  ["DELETE"],
  ["json", "csv"],
];

const DRAFTS = [
  undefined,
  "http://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
];

export function makeSubject(random: Random): Subject {
  const { spec, value } = makeObject(random, 3);
  const draft = random.of(DRAFTS);
  const json = structuredClone(spec.json) as JsonObject;
  const hoisted = random.oneIn(3) ? hoist(json, draft, random) : json;
  return {
    spec,
    json: draft === undefined ? hoisted : { $schema: draft, ...hoisted },
    input: () => value() as JsonObject,
  };
}

function makePart(random: Random, depth: number): Part {
  if (depth > 0 && random.oneIn(3)) {
    return random.of([makeObject, makeList, makeUnion, makeMap])(random, depth - 1);
  }
  const choices = random.of(CHOICES);
  const fixed = random.of<string | number>(["v1", 2]);
  return random.of<Part>([
    { spec: text, value: () => random.of(TEXTS) },
    { spec: text, value: () => random.of(TEXTS) },
    { spec: whole, value: () => random.below(2000) - 500 },
    { spec: number, value: () => (random.below(20_000) - 5_000) / 100 },
    { spec: flag, value: () => random.oneIn(2) },
    { spec: choice(...choices), value: () => random.of(choices) },
    { spec: constant(fixed), value: () => fixed },
  ]);
}

function makeObject(random: Random, depth: number): Part {
  const parts = new Map<string, Part & { optional: boolean }>();
  for (let count = 1 + random.below(4); count > 0; count--) {
    parts.set(random.of(NAMES), { ...makePart(random, depth), optional: random.oneIn(2) });
  }
  const shape = Object.fromEntries(
    [...parts].map(([name, { spec, optional }]) => [optional ? `${name}?` : name, spec]),
  );
  return {
    spec: random.of([closed, closed, open, welcoming])(shape),
    value: () =>
      Object.fromEntries(
        [...parts].flatMap(([name, { value, optional }]) =>
          optional && random.oneIn(2) ? [] : [[name, value()]],
        ),
      ),
  };
}

function makeList(random: Random, depth: number): Part {
  const { spec, value } = makePart(random, depth);
  return {
    spec: list(spec),
    value: () => Array.from({ length: random.below(4) }, value),
  };
}

function makeUnion(random: Random, depth: number): Part {
  const [one, other] = [makeObject(random, depth), makePart(random, depth)];
  return { spec: either(one.spec, other.spec), value: () => random.of([one, other]).value() };
}

function makeMap(random: Random, depth: number): Part {
  const { spec, value } = makePart(random, depth);
  return {
    spec: record(spec),
    value: () => Object.fromEntries(TEXTS.slice(0, random.below(3)).map((key) => [key, value()])),
  };
}

/** Moves the schemas of some properties behind references. */
function hoist(json: JsonObject, draft: string | undefined, random: Random): JsonObject {
  const place = draft?.includes("draft-07") ? "definitions" : "$defs";
  const moved: { [name: string]: JsonValue } = {};
  const properties = Object.entries(json.properties as JsonObject).map(([name, schema], index) => {
    if (random.oneIn(2)) return [name, schema];
    moved[`part${index}`] = schema as JsonValue;
    return [name, { $ref: `#/${place}/part${index}` }];
  });
  return { ...json, properties: Object.fromEntries(properties), [place]: moved } as JsonObject;
}
