import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import { faults } from "../faults/catalogue.ts";
import type { Sample } from "../faults/places.ts";
import type { Random } from "./random.ts";

/** A plausible model output, derived from an input that the schema accepts. */
export interface Raw {
  readonly raw: JsonValue;
  /** How it was made. */
  readonly kind: "valid" | "fault" | "damage" | "cut" | "foreign";
  /** The original input, if one character of its text was damaged. */
  readonly meant?: JsonObject;
}

const CHARACTERS = [...'{}[]",:\'\\/.-+ \n`<>#()=;|&*1e0xtn_"😀ß'];

const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => `<tool_call>${text}</tool_call>`,
  (text) => JSON.stringify(text),
  (text) => `{"arguments":${JSON.stringify(text)}}`,
];

const catalogue = faults.filter(({ name }) => !name.includes("prose"));

export function makeRaw(input: JsonObject, schema: JsonObject, random: Random): Raw {
  switch (random.below(10)) {
    case 0:
      return { raw: random.oneIn(2) ? input : JSON.stringify(input), kind: "valid" };
    case 1:
    case 2:
    case 3:
      return { raw: withFaults(input, schema, random), kind: "fault" };
    case 4:
    case 5:
    case 6:
      return damaged(input, random);
    case 7:
      return { raw: cut(input, random), kind: "cut" };
    case 8:
      return { raw: damage(withFaults(input, schema, random), random), kind: "foreign" };
    default:
      return { raw: foreign(random, 3), kind: "foreign" };
  }
}

function withFaults(input: JsonObject, schema: JsonObject, random: Random): JsonValue {
  let raw: JsonValue = input;
  for (let count = 1 + random.below(2); count > 0; count--) {
    if (raw === null || typeof raw !== "object" || Array.isArray(raw)) break;
    const sample: Sample = { toolName: "run_step", schema, input: raw as JsonObject };
    raw = random.of(catalogue).inject(sample, (most) => random.below(most))?.raw ?? raw;
  }
  return raw;
}

function damaged(input: JsonObject, random: Random): Raw {
  const text = JSON.stringify(input, null, random.of([0, 0, 2]));
  const isPlain = random.oneIn(2);
  const raw = damageText(text, random);
  if (isPlain) return { raw, kind: "damage", meant: input };
  return { raw: random.of(WRAPPERS)(raw), kind: "foreign" };
}

function cut(input: JsonObject, random: Random): string {
  const text = random.of(WRAPPERS)(JSON.stringify(input));
  return text.slice(0, random.below(text.length));
}

function damage(raw: JsonValue, random: Random): string {
  let text = typeof raw === "string" ? raw : JSON.stringify(raw);
  for (let count = 1 + random.below(3); count > 0; count--) text = damageText(text, random);
  return text;
}

/** One character added, dropped, replaced, or swapped with the next. */
function damageText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const rest = text.slice(at);
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at) + random.of(CHARACTERS) + rest;
    case 1:
      return text.slice(0, at) + rest.slice(1);
    case 2:
      return text.slice(0, at) + random.of(CHARACTERS) + rest.slice(1);
    default:
      return text.slice(0, at) + rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2);
  }
}

/** A value unrelated to the schema. */
function foreign(random: Random, depth: number): JsonValue {
  const leaf = [null, true, 0, -1.5, "", "x", "null", "[]", "5", "{", "__proto__", "run_step"];
  if (depth === 0 || random.oneIn(3)) return random.of<JsonValue>(leaf);
  const items = Array.from({ length: random.below(4) }, () => foreign(random, depth - 1));
  if (random.oneIn(2)) return items;
  const keys = ["a", "__proto__", "constructor", "query", "a.b.c", "0", "input", "arguments"];
  const entries = items.map((item) => `${JSON.stringify(random.of(keys))}:${JSON.stringify(item)}`);
  return JSON.parse(`{${entries.join(",")}}`) as JsonValue;
}
