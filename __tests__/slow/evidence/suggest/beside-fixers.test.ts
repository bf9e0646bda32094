import { expect, jest, test } from "@jest/globals";
import { suggestFixers } from "#src/evidence/suggest/suggest-fixers.ts";
import { writeFixers } from "#src/evidence/suggest/suggestion.ts";
import { sharesValue } from "#src/repair/json.ts";
import type { JsonValue } from "#src/repair/types.ts";
import {
  closed,
  gather,
  linesOf,
  repeat,
  type ToldCall,
} from "../../../support/evidence/suggest/make-log.ts";

jest.setTimeout(60_000);

const text = { type: "string" };
const _valid = (count: number, make: (index: number) => JsonValue): ToldCall[] =>
  repeat(count, (n) => ({ raw: make(n), outcome: "valid", run: `valid-${n}` }));

test.each<[JsonValue, JsonValue, boolean]>([
  [{ a: "x" }, { b: "x" }, true],
  [{ a: "5" }, { b: 5 }, true],
  [{ a: "red, green" }, { b: ["red", "blue"] }, true],
  ['{"a":"x1"}', { b: "x1" }, true],
  [{ a: "x" }, { a: "y" }, false],
  [{ x: "a" }, { y: "x" }, false],
  [{ a: true, b: null }, { a: true, b: null }, false],
  [{ a: "" }, { b: "" }, false],
  [{}, { b: "x" }, false],
])("%j and %j have a value in common: %p", (raw, correction, expected) => {
  expect(sharesValue(raw, correction)).toBe(expected);
});

test("model output stays text in the file: it ends no line, comment or string", async () => {
  const key = 'a"); process.exit(1); //\u2028*/ `x`';
  const schema = closed({ customer_id: text, note: text });
  const calls = repeat(60, (n) => ({
    raw:
      n % 2
        ? { customer_id: `A-${n}`, [key]: "x" }
        : ({ customer: `A-${n}`, note: "x" } as JsonValue),
    meant: { customer_id: `A-${n}`, note: "x" },
    source: "human" as const,
  }));
  const lines = linesOf(schema, calls, 'click"); throw 1; //\n');
  const source = writeFixers(await suggestFixers(gather(lines)));
  expect(source).not.toMatch(/process\.exit|[\u2028\u2029]/);
  const registered: unknown[] = [];
  const scope = {
    createFixerRegistry: () => ({ register: (...args: unknown[]) => registered.push(args) }),
    renameKey: (...args: unknown[]) => args,
  };
  const body = source.replace(/^import .*$/gm, "").replace("export const", "const");
  new Function(...Object.keys(scope), body)(...Object.values(scope));
  expect(registered).toEqual([['click"); throw 1; //\n', ["customer", "customer_id"]]]);
});
