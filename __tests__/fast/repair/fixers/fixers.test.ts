import { describe, expect, test } from "@jest/globals";
import type { Fixer, JsonValue } from "toolmend";
import { coerceTo, mapValue, renameKey, splitList, unwrapKey, wrapValue } from "toolmend/fixers";
import type { FixerInput } from "#src/repair/types.ts";

/** [fixer, input, result]: `undefined` means "not mine". */
const CASES: [Fixer, FixerInput, JsonValue | undefined][] = [
  [renameKey("element", "selector"), { element: "#a", n: 1 }, { selector: "#a", n: 1 }],
  [renameKey("element", "selector"), { element: "#a", selector: "#b" }, undefined],
  [renameKey("element", "selector"), { target: "#a" }, undefined],
  [renameKey("element", "selector"), ["element"], undefined],
  [renameKey("a", "b", "/in"), { in: { a: 1 } }, { in: { b: 1 } }],
  [renameKey("toString", "b"), {}, undefined],
  [wrapValue("selector"), "#a", { selector: "#a" }],
  [wrapValue("files"), ["a"], { files: ["a"] }],
  [wrapValue("n"), 0, { n: 0 }],
  [wrapValue("selector"), { element: "#a" }, undefined],
  [wrapValue("selector"), null, undefined],
  [wrapValue("selector"), "", undefined],
  [unwrapKey("params"), { params: { a: 1 } }, { a: 1 }],
  [unwrapKey("params"), { params: { a: 1 }, b: 2 }, undefined],
  [splitList("/tags"), { tags: "a, b,,c " }, { tags: ["a", "b", "c"] }],
  [splitList("/tags", ";"), { tags: "a,b;c" }, { tags: ["a,b", "c"] }],
  [splitList("/tags"), { tags: ["a,b"] }, undefined],
  [splitList("/tags"), { tags: " , " }, undefined],
  [splitList("/tags"), { tags: '["a", "b"]' }, undefined],
  [splitList("/tags"), { tags: " ['a']" }, undefined],
  [splitList("/tags"), { tags: '{"a": 1, "b": 2}' }, undefined],
  [splitList("/tags"), { tags: '"a", "b"' }, undefined],
  [mapValue("/unit", { C: "celsius" }), { unit: "C" }, { unit: "celsius" }],
  [mapValue("/unit", { C: "celsius" }), { unit: "K" }, undefined],
  [mapValue("/unit", { C: "celsius" }), { unit: "toString" }, undefined],
  [mapValue("/n", (n) => (typeof n === "number" ? n * 2 : undefined)), { n: 2 }, { n: 4 }],
  [coerceTo("/n", "number"), { n: " 5.5 " }, { n: 5.5 }],
  [coerceTo("/n", "integer"), { n: "5.0" }, { n: 5 }],
  [coerceTo("/n", "integer"), { n: "5.5" }, undefined],
  [coerceTo("/n", "number"), { n: "12 items" }, undefined],
  [coerceTo("/n", "number"), { n: "00713" }, undefined],
  [coerceTo("/n", "number"), { n: "12345678901234567890" }, undefined],
  [coerceTo("/n", "number"), { n: "" }, undefined],
  [coerceTo("/n", "number"), { n: true }, undefined],
  [coerceTo("/b", "boolean"), { b: "True" }, { b: true }],
  [coerceTo("/b", "boolean"), { b: "yes" }, undefined],
  [coerceTo("/b", "boolean"), { b: 1 }, undefined],
  [coerceTo("/s", "string"), { s: 5 }, { s: "5" }],
  [coerceTo("/s", "string"), { s: null }, undefined],
  // `*` matches every element of an array; in an object it is a plain key.
  [
    coerceTo("/items/*/qty", "integer"),
    { items: [{ qty: "5" }, { qty: "x" }, {}, 7] },
    { items: [{ qty: 5 }, { qty: "x" }, {}, 7] },
  ],
  [coerceTo("/items/*/qty", "integer"), { items: [{ qty: 5 }] }, undefined],
  [coerceTo("/items/*/qty", "integer"), { items: { a: { qty: "5" } } }, undefined],
  [
    coerceTo("/items/*/qty", "integer"),
    { items: { "*": { qty: "5" } } },
    { items: { "*": { qty: 5 } } },
  ],
  [coerceTo("/rows/*/*", "number"), { rows: [["1"], ["2", 3]] }, { rows: [[1], [2, 3]] }],
  [coerceTo("/*", "number"), ["1", "2"], [1, 2]],
  [coerceTo("/items/1", "number"), { items: ["1", "2"] }, { items: ["1", 2] }],
  [coerceTo("/items/length", "string"), { items: [1] }, undefined],
  [
    renameKey("amount", "qty", "/items/*"),
    { items: [{ amount: 1 }, { amount: 2, qty: 3 }] },
    { items: [{ qty: 1 }, { amount: 2, qty: 3 }] },
  ],
  [
    mapValue("/items/*/unit", { C: "celsius" }),
    { items: [{ unit: "C" }] },
    { items: [{ unit: "celsius" }] },
  ],
  [splitList("/rows/*"), { rows: ["a,b", "c"] }, { rows: [["a", "b"], ["c"]] }],
  [
    wrapValue("sku", "/items/*"),
    { items: ["A1", { sku: "B2" }] },
    { items: [{ sku: "A1" }, { sku: "B2" }] },
  ],
  [unwrapKey("item", "/items/*"), { items: [{ item: { sku: "A1" } }] }, { items: [{ sku: "A1" }] }],
];

describe("built-in fixers", () => {
  test.each(CASES.map((row) => [row[0].name, ...row] as const))("%s", (_, fixer, input, result) => {
    const before = structuredClone(input);
    expect(fixer(input, { issues: [] } as never)).toEqual(result);
    expect(input).toEqual(before);
  });

  test("an invalid JSON Pointer throws when the fixer is made", () => {
    expect(() => splitList("tags")).toThrow(/as in "\/tags"/);
    expect(() => coerceTo("n", "number")).toThrow(TypeError);
    expect(() => unwrapKey("params", "in")).toThrow(/as in "\/in"/);
    expect(() => wrapValue("sku", "items/*")).toThrow(TypeError);
  });

  test("a JSON Pointer in place of a key throws: the fixer would do nothing", () => {
    expect(() => renameKey("/element", "selector")).toThrow(
      /must be a string without "\/" before it/,
    );
    expect(() => renameKey("element", "/selector")).toThrow(TypeError);
    expect(() => unwrapKey("/params")).toThrow(TypeError);
    expect(() => wrapValue("/query")).toThrow(TypeError);
  });
});
