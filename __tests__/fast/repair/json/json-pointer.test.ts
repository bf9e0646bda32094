import { describe, expect, test } from "@jest/globals";
import { getAt, parsePointer, setAt, toPointer } from "#src/repair/json.ts";

describe("JSON Pointers (RFC 6901)", () => {
  test.each([
    [[], ""],
    [["a", 0, "b"], "/a/0/b"],
    [["a/b", "m~n", ""], "/a~1b/m~0n/"],
  ])("%j is written as %j and read back", (path, pointer) => {
    expect(toPointer(path)).toBe(pointer);
    expect(parsePointer(pointer)).toEqual(path.map(String));
  });

  test("a pointer without its slash throws with the remedy", () => {
    expect(() => parsePointer("selector")).toThrow(/begin with "\/", as in "\/selector"/);
  });

  test("getAt sees own properties only", () => {
    expect(getAt({ a: [1, { b: 2 }] }, "/a/1/b")).toBe(2);
    expect(getAt({ a: 1 }, "/toString")).toBeUndefined();
    expect(getAt("text", "/length")).toBeUndefined();
  });

  test("setAt changes one path, keeps the order of keys and leaves the original alone", () => {
    const root = { a: 1, b: { c: [1, 2] }, d: 4 };
    expect(JSON.stringify(setAt(root, "/b/c/1", 9))).toBe('{"a":1,"b":{"c":[1,9]},"d":4}');
    expect(JSON.stringify(setAt(root, "/a", 7))).toBe('{"a":7,"b":{"c":[1,2]},"d":4}');
    expect(setAt(root, "/e", 5)).toEqual({ ...root, e: 5 });
    expect(setAt(root, "/b", undefined)).toEqual({ a: 1, d: 4 });
    expect(setAt([1, 2, 3], "/1", undefined)).toEqual([1, 3]);
    expect(root).toEqual({ a: 1, b: { c: [1, 2] }, d: 4 });
  });

  test("a path without a parent cannot be set", () => {
    expect(() => setAt({ a: 1 }, "/a/b", 2)).toThrow(RangeError);
  });

  test("setting __proto__ makes a plain key and pollutes nothing", () => {
    const result = setAt({}, "/__proto__", { polluted: true });
    expect(Object.keys(result as object)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
