import { describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { createExactFinder, jsonOf } from "#src/repair/read/exact-container.ts";
import { readJson } from "#src/repair/read/read-json.ts";

const MAX_DEPTH = 200;

function found(text: string, start = 0): string | undefined {
  const exact = createExactFinder(text, MAX_DEPTH)(start, 1);
  return exact && jsonOf(text, exact);
}

describe("what is JSON as it stands", () => {
  test("is found to its bracket, without white space", () => {
    const value = { a: [1, -2.5, true, null, "x, y"], b: { c: "}" }, d: [], e: {} };
    for (const indent of [0, 1, 2]) {
      const text = `${JSON.stringify(value, null, indent)}, and more`;
      expect(found(text)).toBe(JSON.stringify(value));
    }
  });

  test.each([
    ["a comma too many", "[1, 2,]"],
    ["a comma too few", "[1 2]"],
    ["a key twice", '{"a": 1, "a": 1}'],
    ["a comment", "[1, // one\n2]"],
    ["an escape", '["a\\nb"]'],
    ["a control character", '["a\nb"]'],
    ["digits that a double does not hold", "[1234567890.1234567]"],
    ["an exponent", "[1e5]"],
    ["a leading zero", "[007]"],
    ["another literal", "[True]"],
    ["another quote", "['a']"],
    ["another bracket", "[1}"],
    ["no end", "[1, [2]"],
    ["more brackets than are read", `${"[".repeat(201)}${"]".repeat(201)}`],
  ])("is not found in what has %s", (_, text) => {
    expect(found(text)).toBeUndefined();
  });

  test("is found inside of what is not, and looked for once", () => {
    const text = '[{"a": [1]}, {"b": 2}, 3,]';
    const find = createExactFinder(text, MAX_DEPTH);
    expect(find(0, 1)).toBeUndefined();
    const inner = find(1, 2);
    expect(inner && jsonOf(text, inner)).toBe('{"a":[1]}');
    expect(find(1, 2)).toBe(inner);
    expect(find(13, 2)).toMatchObject({ start: 13, end: 21 });
  });
});

/** Reads token by token, exact parts too. */
function readerWithoutFinder(): typeof readJson {
  let read: typeof readJson | undefined;
  jest.isolateModules(() => {
    jest.doMock("#src/repair/read/exact-container.ts", () => ({
      createExactFinder: () => () => undefined,
    }));
    read = require("#src/repair/read/read-json.ts").readJson;
    jest.dontMock("#src/repair/read/exact-container.ts");
  });
  return read as typeof readJson;
}

test("a text with a fault is read as if its exact parts had been read token by token", () => {
  const readSlowly = readerWithoutFinder();
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(1, -2.5, true, null, "x", "a, b", "{", "]", ": ", "it's", "#no", 'a "b"'),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom("a", "b", "c d"), tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  const sign = fc.constantFrom("", ",", "]", "}", "[", "{", ":", " ", "\n", "//", "1", '"');
  const faulty = fc.tuple(fc.array(value, { maxLength: 4 }), fc.constantFrom(0, 2), fc.nat(), sign);
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(faulty, ([items, indent, at, put]) => {
      const text = JSON.stringify({ items, end: items }, null, indent);
      const structural = [...text.matchAll(/[{}[\],:"]/g)].map(({ index }) => index);
      const index = structural[at % structural.length] ?? 0;
      const broken = text.slice(0, index) + put + text.slice(index + 1);
      const read = readJson(broken, 0);
      kinds.set(read.kind, (kinds.get(read.kind) ?? 0) + 1);
      expect(read).toEqual(readSlowly(broken, 0));
    }),
    { numRuns: 3_000, seed: 20_261_122 },
  );
  expect([...kinds.keys()].sort()).toEqual(["refused", "truncated", "value"]);
});
