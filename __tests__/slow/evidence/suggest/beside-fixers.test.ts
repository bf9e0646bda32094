import { describe, expect, jest, test } from "@jest/globals";
import type { CallLine, LogLine } from "#src/evidence/log-line.ts";
import { suggestFixers } from "#src/evidence/suggest/suggest-fixers.ts";
import { writeFixers } from "#src/evidence/suggest/write-fixers.ts";
import { sharesValue } from "#src/repair/json/shares-value.ts";
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
const valid = (count: number, make: (index: number) => JsonValue): ToldCall[] =>
  repeat(count, (n) => ({ raw: make(n), outcome: "valid", run: `valid-${n}` }));

describe("an unknown tool's name", () => {
  const schema = closed({ note: text });
  const [head, ...calls] = linesOf(
    schema,
    repeat(20, (n) => ({ raw: { note: `n${n}` }, outcome: "valid" })),
    "add_note",
  );
  const isCall = (line: LogLine): line is CallLine => line.kind === "call";
  /** Before each call of `add_note`, in its run, there is one of the unknown tool `create_note`. */
  function withUnknown(change: (line: CallLine, index: number) => Partial<CallLine>): LogLine[] {
    const unknown = calls.filter(isCall).flatMap((line, index): LogLine[] => {
      const { schema: _, toolInput: __, ...rest } = line;
      const issues = [{ path: "", code: "unknown_tool" }];
      const refused = {
        ...rest,
        tool: "create_note",
        call: `u-${index}`,
        outcome: "refused",
      } as const;
      return [{ ...refused, issues, ...change(line, index) }, line];
    });
    return [head as LogLine, ...unknown];
  }

  test("is matched by the same input to a known tool in the same run", async () => {
    const { suggestions, refused } = await suggestFixers(gather(withUnknown(() => ({}))));
    expect(suggestions).toMatchObject([
      {
        verdict: "listed",
        code: 'renameTool("create_note", "add_note")',
        heldOut: { contradict: 0 },
        sources: { "later-call": 20 },
      },
    ]);
    expect(refused).toBe(20);
  });

  test("is not matched by another input, by a call of another run, or if a tool has that name", async () => {
    const other = withUnknown((_, index) => ({ raw: { note: `other ${index + 100}` } }));
    expect((await suggestFixers(gather(other))).suggestions).toEqual([]);
    const elsewhere = withUnknown((_, index) => ({ run: `elsewhere-${index}` }));
    expect((await suggestFixers(gather(elsewhere))).suggestions).toEqual([]);
    const later = withUnknown(() => ({ t: "2027-01-01T00:00:00.000Z" }));
    expect((await suggestFixers(gather(later))).suggestions).toEqual([]);
    const taken = [
      ...withUnknown(() => ({})),
      ...linesOf(
        schema,
        valid(1, () => ({ note: "x" })),
        "create_note",
      ),
    ];
    expect((await suggestFixers(gather(taken))).suggestions).toEqual([]);
  });
});

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
