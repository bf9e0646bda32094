import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { JsonValue } from "#src/repair/types.ts";
import { level, repairFor, seed } from "../../support/hazards/generated.ts";
import {
  closed,
  flag,
  number,
  open,
  type Spec,
  text,
  whole,
} from "../../support/hazards/schemas.ts";

/** Words that share no stem and do not look alike. */
const WORDS = [
  "anchor",
  "basil",
  "copper",
  "donkey",
  "elbow",
  "flute",
  "garden",
  "hammer",
  "island",
  "jacket",
  "kernel",
  "lemon",
  "mirror",
  "nickel",
  "oyster",
  "pepper",
  "quartz",
  "ribbon",
  "saddle",
  "turtle",
  "umbrella",
  "velvet",
  "willow",
  "yogurt",
  "zipper",
] as const;

const PREFIXES = [
  ["un", ""],
  ["in", ""],
  ["non", ""],
  ["dis", ""],
  ["de", ""],
  ["pre", "post"],
  ["hypo", "hyper"],
  ["over", "under"],
  ["up", "down"],
  ["in", "out"],
  ["inter", "intra"],
  ["min_", "max_"],
  ["from_", "to_"],
  ["old_", "new_"],
  ["source_", "target_"],
  ["start_", "end_"],
  ["first_", "last_"],
  ["anti", ""],
  ["before_", "after_"],
  ["left_", "right_"],
  ["sub", "super"],
] as const;

const UNITS = [
  "ms",
  "s",
  "seconds",
  "minutes",
  "hours",
  "km",
  "miles",
  "kg",
  "lb",
  "mg",
  "ml",
  "eur",
  "usd",
  "celsius",
  "fahrenheit",
  "percent",
  "bytes",
  "kb",
  "mb",
  "cents",
  "deg",
  "rad",
] as const;

const word = fc.constantFrom(...WORDS);
const twoWords = fc.uniqueArray(word, { minLength: 2, maxLength: 2 }) as fc.Arbitrary<
  [string, string]
>;
describe("renames", () => {
  test("between words that share no stem, a key is not renamed", async () => {
    const value = fc.constantFrom<[Spec, JsonValue]>([flag, true], [number, 12], [text, "Rossi"]);
    await fc.assert(
      fc.asyncProperty(twoWords, value, level, async ([said, declared], [spec, given], at) => {
        const result = await repairFor({ [said]: given }, closed({ [declared]: spec }), at);
        expect(result.ok).toBe(false);
      }),
      { ...seed, numRuns: 300 },
    );
  });

  test("between opposite prefixes of one word, a key is not renamed, in either direction", async () => {
    const turned = fc.tuple(fc.constantFrom(...PREFIXES), fc.boolean(), word);
    await fc.assert(
      fc.asyncProperty(turned, level, async ([prefixes, isTurned, stem], at) => {
        const [said, declared] = isTurned ? [...prefixes].reverse() : prefixes;
        const schema = closed({ [`${declared}${stem}`]: text });
        const result = await repairFor({ [`${said}${stem}`]: "Rossi" }, schema, at);
        expect([result.ok, said, declared, stem]).toEqual([false, said, declared, stem]);
      }),
      { ...seed, numRuns: 400 },
    );
  });

  test("between two units of one quantity, a key is not renamed", async () => {
    const two = fc.uniqueArray(fc.constantFrom(...UNITS), { minLength: 2, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(two, word, level, async ([said, declared], quantity, at) => {
        const schema = closed({ [`${quantity}_${declared}`]: number });
        const result = await repairFor({ [`${quantity}_${said}`]: 5 }, schema, at);
        expect([result.ok, said, declared]).toEqual([false, said, declared]);
      }),
      { ...seed, numRuns: 400 },
    );
  });
});

describe("undeclared keys", () => {
  test("beside an absent optional key of its type, a forbidden key is not dropped", async () => {
    const value = fc.constantFrom<[Spec, JsonValue]>([flag, true], [number, 12], [text, "Rossi"]);
    await fc.assert(
      fc.asyncProperty(twoWords, value, level, async ([said, declared], [spec, given], at) => {
        const schema = closed({ room: text, [`${declared}?`]: spec });
        const result = await repairFor({ room: "attic", [said]: given }, schema, at);
        expect(result.ok).toBe(false);
      }),
      { ...seed, numRuns: 300 },
    );
  });

  test("a key that an open schema permits stays, and is reported", async () => {
    await fc.assert(
      fc.asyncProperty(word, fc.boolean(), level, async (said, given, at) => {
        const raw = { room: "attic", [said]: given };
        const result = await repairFor(raw, open({ room: text }), at);
        expect(result).toMatchObject({ ok: true, toolInput: raw, undeclared: [`/${said}`] });
      }),
      { ...seed, numRuns: 60 },
    );
  });

  test("a declared object with a fault in it is not an envelope", async () => {
    const holder = fc.constantFrom(
      "data",
      "input",
      "request",
      "payload",
      "body",
      "params",
      "query",
    );
    await fc.assert(
      fc.asyncProperty(holder, twoWords, level, async (name, [one, other], at) => {
        const inner = closed({ [one]: text, [other]: whole });
        const schema = closed({ [`${one}?`]: text, [`${name}?`]: inner });
        const result = await repairFor({ [name]: { [one]: "a", [other]: "many" } }, schema, at);
        expect(result.ok).toBe(false);
      }),
      { ...seed, numRuns: 150 },
    );
  });
});
