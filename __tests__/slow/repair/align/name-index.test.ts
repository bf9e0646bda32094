import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isNear } from "#src/repair/align/names/is-near.ts";
import { indexNames } from "#src/repair/align/names/name-index.ts";
import { slipOf } from "#src/repair/align/names/slip-of.ts";
import { foldName } from "#src/repair/align/names.ts";

const word = fc.constantFrom(
  "field",
  "user",
  "userName",
  "colour",
  "color",
  "organisation",
  "organization",
  "centre",
  "center",
  "travelling",
  "traveling",
  "catalogue",
  "catalog",
  "temperature",
  "address",
  "id",
  "2",
  "_",
  "é",
  "$",
);
const joined = fc
  .tuple(fc.array(word, { maxLength: 4 }), fc.constantFrom("_", "", " ", "-"))
  .map(([words, sign]) => words.join(sign));
/** With a letter taken, doubled, swapped or put in. */
const slipped = fc
  .tuple(joined, fc.nat(40), fc.constantFrom("take", "double", "swap", "x"))
  .map(([name, at, how]) => {
    const [before, letter = "", next = "", after] = [
      name.slice(0, at),
      name.charAt(at),
      name.charAt(at + 1),
      name.slice(at + 2),
    ];
    if (how === "take") return before + next + after;
    if (how === "double") return before + letter + letter + next + after;
    return how === "swap" ? before + next + letter + after : before + how + letter + next + after;
  });
const anyName = fc.oneof(joined, slipped, fc.string({ maxLength: 12, unit: "grapheme" }));

describe("an index of names", () => {
  test("says of a key what asking about each name says", () => {
    const seen = { near: 0, slips: 0, alike: 0 };
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { maxLength: 30 }), anyName, (names, key) => {
        const index = indexNames(new Map(names.map((name) => [name, true])));
        const isAsked = (name: string) => name.length % 5 > 0;
        const near = index.findNear(key, isAsked);
        expect(near !== undefined).toBe(names.some((name) => isAsked(name) && isNear(key, name)));
        if (near !== undefined) expect(isAsked(near) && isNear(key, near)).toBe(true);
        const slips = names.flatMap((name) => {
          const slip = slipOf(key, name);
          return slip === undefined ? [] : [[name, slip]];
        });
        expect(index.slipsOf(key)).toEqual(slips);
        const alike = names.filter((name) => foldName(name) === foldName(key));
        expect(index.alike(foldName(key))).toEqual(alike);
        if (near !== undefined) seen.near++;
        if (slips.length > 0) seen.slips++;
        if (alike.length > 0) seen.alike++;
      }),
      { numRuns: 5_000, seed: 20_261_122 },
    );
    expect(Math.min(seen.near, seen.slips, seen.alike)).toBeGreaterThan(10);
  });

  test("is made once for a schema's keys", () => {
    const names = new Map([["city", true]]);
    expect(indexNames(names)).toBe(indexNames(names));
  });

  test("takes names that are too long to be compared", () => {
    const long = "word_".repeat(100);
    const index = indexNames(new Map([[long, true]]));
    expect(index.findNear(`${long}more`, () => true)).toBe(long);
    expect(index.slipsOf(long.slice(1))).toEqual([]);
  });
});
