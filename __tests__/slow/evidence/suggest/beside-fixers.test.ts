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
  logOf,
  repeat,
  type ToldCall,
} from "../../../support/evidence/suggest/make-log.ts";

jest.setTimeout(60_000);

const text = { type: "string" };
const uri = { type: "string", format: "uri" };
const valid = (count: number, make: (index: number) => JsonValue): ToldCall[] =>
  repeat(count, (n) => ({ raw: make(n), outcome: "valid", run: `valid-${n}` }));

describe("where no correction is known", () => {
  const schema = closed({ url: uri, title: text });
  const page = (n: number) => ({ url: `https://a.example/${n}`, title: `some title ${n}` });

  test("a key whose value is of the kind that valid calls have there is to be reviewed, not written", async () => {
    const refused = repeat(20, (n) => {
      const { url, title } = page(n);
      return { raw: { address: url, title } };
    });
    const { suggestions, written } = await suggestFixers(
      logOf(schema, [...refused, ...valid(20, page)]),
    );
    expect(suggestions).toMatchObject([
      { verdict: "review", code: ['renameKey("address", "url")'], heldOut: { agree: 0 } },
    ]);
    expect(written).toMatchObject({ agree: 0, unlabelled: 0 });
  });

  test.each<[string, (n: number) => JsonValue]>([
    ["a number", (n) => ({ lon: n + 0.5, title: "a b" })],
    ["prose", (n) => ({ lon: `somewhere ${n}`, title: "a b" })],
    ["a date", (n) => ({ lon: `2026-01-${10 + n}`, title: "a b" })],
  ])("%s is no url, whatever would be accepted", async (_, raw) => {
    const open = closed({ url: text, title: text });
    const log = logOf(open, [...repeat(20, (n) => ({ raw: raw(n) })), ...valid(20, page)]);
    expect((await suggestFixers(log)).suggestions).toEqual([]);
  });

  test("a key that could be one of two is none", async () => {
    const two = closed({ from: uri, to: uri }, []);
    const both = (n: number) => ({ from: `https://a.example/${n}`, to: `https://b.example/${n}` });
    const refused = repeat(20, (n) => ({ raw: { link: `https://c.example/${n}` } }));
    expect((await suggestFixers(logOf(two, [...refused, ...valid(20, both)]))).suggestions).toEqual(
      [],
    );
  });

  test("nothing is reviewed that a single correction contradicts", async () => {
    const refused = repeat(20, (n) => ({
      raw: { address: page(n).url, title: "a b" },
      ...(n === 0 && { meant: { url: "https://other.example", title: "a b" } }),
    }));
    const log = logOf(schema, [...refused, ...valid(20, page)]);
    expect((await suggestFixers(log)).suggestions).toEqual([]);
  });
});

describe("what a schema could say otherwise", () => {
  async function propose(schema: object, calls: readonly ToldCall[]) {
    return (await suggestFixers(logOf(schema as never, calls))).schemaProposals;
  }

  test("is one more choice, which the log's inputs are accepted with", async () => {
    const schema = closed({ mode: { enum: ["walk", "drive"] }, to: text });
    const calls = repeat(10, (n) => ({ raw: { mode: "fly", to: `p${n}` } }));
    expect(await propose(schema, calls)).toMatchObject([
      { kind: "enum", path: "/mode", value: "fly", runs: 10, accepted: { inputs: 10, of: 10 } },
    ]);
    expect(await propose(schema, calls.slice(0, 2))).toEqual([]);
  });

  test("is null, or a default that valid calls hold", async () => {
    const schema = closed({ note: text, limit: { type: "integer" } });
    const nothing = repeat(10, (n) => ({ raw: { note: `n${n}`, limit: null } }));
    expect(await propose(schema, nothing)).toMatchObject([
      { kind: "nullable", path: "/limit", accepted: { inputs: 10, of: 10 } },
    ]);
    const missing = repeat(10, (n) => ({ raw: { note: `n${n}` } }));
    const usual = valid(20, (n) => ({ note: `v${n}`, limit: 10 }));
    expect(await propose(schema, [...missing, ...usual])).toMatchObject([
      { kind: "default", path: "/limit", value: 10, accepted: { inputs: 10, of: 10 } },
    ]);
    const unlike = valid(20, (n) => ({ note: `v${n}`, limit: n }));
    expect(await propose(schema, [...missing, ...unlike])).toEqual([]);
  });

  test("is said of every element of a list as one place", async () => {
    const schema = closed({
      rows: { type: "array", items: closed({ size: { enum: ["s", "l"] } }) },
    });
    const calls = repeat(10, (n) => ({
      raw: { rows: [...Array(n % 3).fill({ size: "s" }), { size: "huge" }] },
    }));
    expect(await propose(schema, calls)).toMatchObject([
      { kind: "enum", path: "/rows/*/size", value: "huge", accepted: { inputs: 10, of: 10 } },
    ]);
  });

  test("is a name for the description, of which nothing can be tested", async () => {
    const pairs = repeat(30, (n) => ({ raw: { memo: `n${n}` }, meant: { note: `n${n}` } }));
    const [alias] = await propose(closed({ note: text }), pairs);
    expect(alias).toMatchObject({ kind: "alias", path: "/note", value: "memo" });
    expect(alias?.accepted).toBeUndefined();
  });
});

describe("a single edit of eager", () => {
  /** Tools whose keys models misspell by one letter, each another one. */
  const tools = ["recipient", "destination", "deadline"].map((key) => ({
    key,
    schema: closed({ [key]: text }),
  }));
  const spoiled = (key: string) => key.slice(0, 3) + key.slice(4);
  const log = (change: (call: ToldCall, n: number) => ToldCall): LogLine[] =>
    tools.flatMap(({ key, schema }, index) => {
      const calls = repeat(8, (n) => {
        const value = `v${index}-${n}`;
        const told = {
          raw: { [spoiled(key)]: value },
          meant: { [key]: value },
          run: `run-${index}-${n}`,
        };
        return change(told, n);
      });
      return linesOf(schema, calls, `tool_${index}`);
    });

  test("is found over all tools, where no tool has enough of one mistake", async () => {
    const result = await suggestFixers(gather(log((call) => call)), { minRuns: 6 });
    expect(result.edits).toMatchObject([
      { edit: "correct-key", verdict: "write", tools: 3, heldOut: { contradict: 0 } },
    ]);
    expect(result.written).toMatchObject({ refused: 24, agree: 24, changed: 0 });
    expect(writeFixers(result)).toMatch(/edits: \{\n.*\n {4}"correct-key": true,/);
  });

  test("is not written where one correction contradicts it", async () => {
    const lines = log((call, n) =>
      n === 5 ? { ...call, meant: { ...(call.meant as object), other: 1 } } : call,
    );
    expect((await suggestFixers(gather(lines), { minRuns: 6 })).edits).toMatchObject([
      { verdict: "write" },
    ]);
    const against = log((call, n) => {
      const meant = Object.fromEntries(
        Object.keys(call.meant as object).map((key) => [key, "else"]),
      );
      return n === 5 ? { ...call, meant, source: "human" } : call;
    });
    expect((await suggestFixers(gather(against), { minRuns: 6 })).edits).toMatchObject([
      { verdict: "listed", why: expect.stringMatching(/contradicted by 3 of 24/) },
    ]);
  });
});

describe("the name of a tool that there is not", () => {
  const schema = closed({ note: text });
  const [head, ...calls] = linesOf(
    schema,
    repeat(20, (n) => ({ raw: { note: `n${n}` }, outcome: "valid" })),
    "add_note",
  );
  const isCall = (line: LogLine): line is CallLine => line.kind === "call";
  /** Before each call of `add_note`, in its run, one of `create_note` that no tool takes. */
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

  test("is found by the same input, given to a tool that there is, in the same run", async () => {
    const { toolNames, written } = await suggestFixers(gather(withUnknown(() => ({}))));
    expect(toolNames).toMatchObject([
      { verdict: "write", from: "create_note", to: "add_note", heldOut: { contradict: 0 } },
    ]);
    expect(written).toMatchObject({ refused: 20, agree: 20, contradict: 0, changed: 0 });
  });

  test("is not by another input, nor by a call of another run, nor where a tool has it", async () => {
    const other = withUnknown((_, index) => ({ raw: { note: `other ${index + 100}` } }));
    expect((await suggestFixers(gather(other))).toolNames).toEqual([]);
    const elsewhere = withUnknown((_, index) => ({ run: `elsewhere-${index}` }));
    expect((await suggestFixers(gather(elsewhere))).toolNames).toEqual([]);
    const later = withUnknown(() => ({ t: "2027-01-01T00:00:00.000Z" }));
    expect((await suggestFixers(gather(later))).toolNames).toEqual([]);
    const taken = [
      ...withUnknown(() => ({})),
      ...linesOf(
        schema,
        valid(1, () => ({ note: "x" })),
        "create_note",
      ),
    ];
    expect((await suggestFixers(gather(taken))).toolNames).toEqual([]);
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

test("what models write stays text in the file: it ends no line, comment or string", async () => {
  const key = 'a"); process.exit(1); //\u2028*/ `x`';
  const value = '\n"]}); import("x"); //';
  const schema = closed({ note: text, mode: { enum: ["walk", "drive"] } });
  const calls = repeat(30, (n) => ({
    raw: { [key]: `n${n}`, mode: value },
    meant: { note: `n${n}`, mode: "drive" },
    source: "human" as const,
  }));
  const lines = linesOf(schema, calls, 'click"); throw 1; //\n');
  const source = writeFixers(await suggestFixers(gather(lines)));
  expect(source).toContain("renameKey(");
  expect(source).not.toMatch(/[\u2028\u2029]/);
  const registered: unknown[] = [];
  const scope = {
    createFixerRegistry: () => ({ register: (...args: unknown[]) => registered.push(args) }),
    renameKey: (...args: unknown[]) => args,
    mapValue: (...args: unknown[]) => args,
  };
  const body = source.replace(/^import .*$/m, "").replace("export const", "const");
  new Function(...Object.keys(scope), body)(...Object.values(scope));
  expect(registered).toEqual([
    [
      'click"); throw 1; //\n',
      ...sortedCalls(
        [
          [key, "note"],
          ["/mode", { [value]: "drive" }],
        ],
        registered,
      ),
    ],
  ]);
});

/** In the order in which they were registered: either may come first. */
function sortedCalls(calls: unknown[][], [first]: unknown[]): unknown[][] {
  const [, one] = first as [string, unknown[]];
  return JSON.stringify(one) === JSON.stringify(calls[0]) ? calls : [...calls].reverse();
}
