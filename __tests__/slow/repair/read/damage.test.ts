import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseToolInput } from "#src/repair/read/parse-tool-input.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { isJson } from "../../../support/repair/is-json.ts";

const text = fc.constantFrom(
  ...['"Hi", she said', 'a[href="/x"]', 'from "a b" to "c"', '<a href="x">y</a>', 'the "end"'],
  ...["Paris", "", "it's", "00713", "Hello, world!", 'He said "hi" to me', 'print("hi")', "a: b"],
  ...["C:\\Users\\me", "^\\d+$", "one\ntwo", "go!", "[x]", "use {it} here", '5" pipe', "日本語"],
  ...["SELECT a, b FROM t WHERE c = 'x'", 'x = {"a": [1, 2]}', "https://x.io/?q=1&r=2", "(see)"],
);
const key = fc.constantFrom("a", "name", "user_id", "b c", "type", "files");
const scalar = fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom(1, -3.5, 42, true, null));
const list = fc.array(scalar, { minLength: 2, maxLength: 4 });
const flat = fc.dictionary(key, fc.oneof(scalar, list), { minKeys: 1, maxKeys: 3 });
const input = fc.dictionary(key, fc.oneof({ weight: 3, arbitrary: scalar }, list, flat), {
  minKeys: 1,
  maxKeys: 4,
});

const SIGNS = "\"'{}[],:";

/** Deletes, doubles or moves one character of JSON, or inserts one. */
const damage = fc.record({
  kind: fc.constantFrom("delete", "double", "swap", "insert"),
  at: fc.nat(),
  sign: fc.constantFrom(...SIGNS),
});

test("one damaged character is repaired or rejected; nothing is lost, merged or moved", () => {
  let right = 0;
  fc.assert(
    fc.property(input, fc.constantFrom(0, 1), damage, (value, indent, { kind, at, sign }) => {
      const json = JSON.stringify(value, null, indent);
      const signs = Array.from(json, (char, index) => (SIGNS.includes(char) ? index : -1));
      const places = signs.filter((index) => index >= 0);
      const place = places[at % places.length] ?? 0;
      const damaged = apply(json, place, kind, sign);
      if (isJson(damaged)) return;
      const parsed = parseToolInput(damaged, { level: "safe" });
      if (parsed.kind !== "value" || parsed.repairs.length === 0) return;
      const given = JSON.parse(json) as JsonValue;
      right += Number(JSON.stringify(parsed.value) === JSON.stringify(given));
      expect([damaged, shapeOf(parsed.value)]).toEqual([damaged, shapeOf(given)]);
      expect([damaged, differences(given, parsed.value)]).toEqual([damaged, expect.any(Number)]);
      expect(differences(given, parsed.value)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 3_000, seed: 7 },
  );
  expect(right).toBeGreaterThan(150);
});

test("quotes without a backslash, beside one damaged character, are repaired or rejected", () => {
  let right = 0;
  fc.assert(
    fc.property(input, fc.constantFrom(0, 1), damage, (value, indent, { kind, at, sign }) => {
      const json = JSON.stringify(value, null, indent);
      fc.pre(json.includes('\\"'));
      const open = json.replaceAll('\\"', '"');
      const places = Array.from(open, (_, index) => index).filter((index) => {
        return SIGNS.includes(open.charAt(index));
      });
      const damaged = apply(open, places[at % places.length] ?? 0, kind, sign);
      for (const text of [open, damaged]) {
        if (isJson(text)) continue;
        const parsed = parseToolInput(text, { level: "safe" });
        if (parsed.kind !== "value" || parsed.repairs.length === 0) continue;
        const given = JSON.parse(json) as JsonValue;
        right += Number(JSON.stringify(parsed.value) === JSON.stringify(given));
        expect([text, shapeOf(parsed.value)]).toEqual([text, shapeOf(given)]);
        expect([text, differences(given, parsed.value)]).toEqual([text, expect.any(Number)]);
        expect(differences(given, parsed.value)).toBeLessThanOrEqual(text === open ? 0 : 1);
      }
    }),
    { numRuns: 3_000, seed: 7 },
  );
  expect(right).toBeGreaterThan(500);
});

function apply(json: string, at: number, kind: string, sign: string): string {
  const [before, char, after] = [json.slice(0, at), json.charAt(at), json.slice(at + 1)];
  if (kind === "delete") return before + after;
  if (kind === "double") return before + char + char + after;
  if (kind === "insert") return before + sign + char + after;
  return before + after.charAt(0) + char + after.slice(1);
}

/** The value without its scalars; a list of one and its element are equal. */
function shapeOf(value: JsonValue | undefined): unknown {
  if (Array.isArray(value)) return value.length === 1 ? shapeOf(value[0]) : value.map(shapeOf);
  if (value === null || typeof value !== "object") return "x";
  return Object.values(value).map(shapeOf);
}

/** The number of texts, keys included, that differ. */
function differences(left: JsonValue | undefined, right: JsonValue | undefined): number {
  const [one, other] = [textsOf(left), textsOf(right)];
  return one.filter((part, index) => part !== other[index]).length;
}

function textsOf(value: JsonValue | undefined): string[] {
  if (value === null || typeof value !== "object") return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([name, child]) =>
    Array.isArray(value) ? textsOf(child) : [name, ...textsOf(child)],
  );
}
