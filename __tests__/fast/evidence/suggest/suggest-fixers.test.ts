import { describe, expect, jest, test } from "@jest/globals";
import { createFixerRegistry } from "toolmend";
import { renameKey } from "toolmend/fixers";
import type { LogLine } from "#src/evidence/log-line.ts";
import { replayInputs } from "#src/evidence/replay-inputs.ts";
import { suggestFixers } from "#src/evidence/suggest/suggest-fixers.ts";
import { type Suggestion, writeFixers } from "#src/evidence/suggest/suggestion.ts";
import type { JsonSchema, JsonValue } from "#src/repair/types.ts";
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

async function suggest(
  schema: JsonSchema,
  calls: readonly ToldCall[],
): Promise<readonly Suggestion[]> {
  return (await suggestFixers(logOf(schema, calls))).suggestions;
}
const written = (all: readonly Suggestion[]) =>
  all.filter(({ verdict }) => verdict === "write").map(({ code }) => code);

const listed = (all: readonly Suggestion[]) =>
  all.filter(({ verdict }) => verdict === "listed").map(({ code }) => code);

/** Corrections that structure proves: [schema, raw, meant, code], for the index of a call. */
const PROVEN: [string, JsonSchema, (index: number) => [JsonValue, JsonValue], string][] = [
  [
    "a key that lacks the form of its value",
    closed({ customer_id: text, qty: { type: "number" } }),
    (n) => [
      { customer: `A-${n}`, qty: n },
      { customer_id: `A-${n}`, qty: n },
    ],
    'renameKey("customer", "customer_id")',
  ],
  [
    "the same in every element of a list",
    closed({ rows: { type: "array", items: closed({ order_id: text }) } }),
    (n) => [{ rows: [{ order: `S-${n}` }] }, { rows: [{ order_id: `S-${n}` }] }],
    'renameKey("order", "order_id", "/rows/*")',
  ],
  [
    "a list in one text",
    closed({ tags: { type: "array", items: text }, to: text }),
    (n) => [
      { tags: `a${n}, b${n}, c${n}`, to: "x" },
      { tags: [`a${n}`, `b${n}`, `c${n}`], to: "x" },
    ],
    'splitList("/tags")',
  ],
];

/** Corrections that only a person can judge. */
const LISTED: [string, JsonSchema, (index: number) => [JsonValue, JsonValue], string[]][] = [
  [
    "a key of another name",
    closed({ note: text, to: text }),
    (n) => [
      { memo: `n${n}`, to: "x" },
      { note: `n${n}`, to: "x" },
    ],
    ['renameKey("memo", "note")'],
  ],
  [
    "two of them",
    closed({ order: text, sum: { type: "number" } }),
    (n) => [
      { no: `A-${n}`, total: n + 0.5 },
      { order: `A-${n}`, sum: n + 0.5 },
    ],
    ['renameKey("no", "order")', 'renameKey("total", "sum")'],
  ],
  [
    "a choice under another word, without the words",
    closed({ mode: { enum: ["walk", "drive"] }, to: text }),
    (n) => [
      { mode: "car", to: `p${n}` },
      { mode: "drive", to: `p${n}` },
    ],
    ['mapValue("/mode", { … })'],
  ],
  [
    "a value that was always missing, without the value",
    closed({ city: text, units: text }),
    (n) => [{ city: `c${n}` }, { city: `c${n}`, units: "metric" }],
    ['fill("/units", …)'],
  ],
  [
    "an envelope of an unknown name",
    closed({ q: text, page: { type: "integer" } }),
    (n) => [{ zibble: { q: `q${n}`, page: n } }, { q: `q${n}`, page: n }],
    ['unwrapKey("zibble")'],
  ],
  [
    "a list with another separator",
    closed({ tags: { type: "array", items: text }, to: text }),
    (n) => [
      { tags: `a${n} | b`, to: "x" },
      { tags: [`a${n}`, "b"], to: "x" },
    ],
    ['splitList("/tags", "|")'],
  ],
  [
    "a name beside a stray key that the schema lets through",
    { type: "object", properties: { note: text }, required: ["note"] },
    (n) => [{ memo: `n${n}`, mood: "calm" }, { note: `n${n}` }],
    ['renameKey("memo", "note")'],
  ],
  [
    "a word that the correction drops",
    closed({ drug: text, ward: text }),
    (n) => [
      { contraindicated_drug: `n${n}`, ward: "x" },
      { drug: `n${n}`, ward: "x" },
    ],
    ['renameKey("contraindicated_drug", "drug")'],
  ],
];

const many = (count: number, make: (n: number) => [JsonValue, JsonValue]): ToldCall[] =>
  repeat(count, (index) => {
    const [raw, meant] = make(index);
    return { raw, meant };
  });

describe("suggestFixers", () => {
  test.each(PROVEN)("writes what structure proves: %s", async (_, schema, make, code) => {
    const found = await suggest(schema, many(30, make));
    expect(written(found)).toEqual([code]);
    const [{ mined, heldOut, sources } = {}] = found as [Partial<Suggestion>];
    expect((mined?.agree ?? 0) + (heldOut?.agree ?? 0)).toBe(30);
    expect(sources).toEqual({ "later-call": 30 });
  });

  test("writes two fixers that each call needs, and keeps one if calls with the other contradict", async () => {
    const schema = closed({ customer_id: text, order_id: text, limit: { type: "integer" } });
    const raw = (n: number) => ({ customer: `A-${n}`, order: `S-${n}`, limit: n });
    const meant = (n: number) => ({ customer_id: `A-${n}`, order_id: `S-${n}`, limit: n });
    const both = many(30, (n) => [raw(n), meant(n)]);
    const customer = 'renameKey("customer", "customer_id")';
    expect(written(await suggest(schema, both))).toEqual([
      customer,
      'renameKey("order", "order_id")',
    ]);
    const alone = repeat(30, (n) => {
      const { customer_id: customer, ...others } = meant(n);
      return { raw: { customer, ...others }, meant: meant(n), run: `alone-${n}` };
    });
    const other = both.map((one, n) => ({ ...one, meant: { ...meant(n), limit: n + 500 } }));
    expect(written(await suggest(schema, [...alone, ...other]))).toEqual([customer]);
  });

  test.each(LISTED)("lists what only a person can judge: %s", async (_, schema, make, codes) => {
    const found = await suggest(schema, many(30, make));
    expect([written(found), listed(found).sort()]).toEqual([[], codes]);
  });
});

describe("suggestFixers does not write", () => {
  const schema = closed({ customer_id: text });
  const pair = (n: number) => ({
    raw: { customer: `A-${n}` },
    meant: { customer_id: `A-${n}` } as JsonValue,
  });

  test("a pattern in one conversation only, however frequent", async () => {
    const calls = repeat(40, (n) => ({ ...pair(n), run: "one" }));
    expect(await suggest(schema, calls)).toEqual([]);
  });

  test("a pattern in too few conversations, with one contradiction in forty", async () => {
    const wrong = (n: number) => ({ ...pair(n), meant: { customer_id: `A-${n} or another` } });
    const calls = (few: number) => repeat(40, (n) => (n < few ? wrong(n) : pair(n)));
    expect(written(await suggest(schema, calls(1)))).toEqual([
      'renameKey("customer", "customer_id")',
    ]);
    const found = await suggest(schema, calls(12));
    expect(found).toMatchObject([{ verdict: "listed" }]);
    expect(found[0]?.why).toMatch(/28 conversations agree, 12 contradict/);
    expect(found[0]?.lowerBound).toBeLessThan(0.75);
    expect(await suggest(schema, calls(25))).toEqual([]);
    expect(await suggest(schema, repeat(8, pair))).toMatchObject([{ verdict: "listed" }]);
  });

  test("a pattern seen with one input only: it may always be the same question", async () => {
    const found = await suggest(
      schema,
      repeat(30, () => ({ ...pair(0), source: "human" })),
    );
    expect(written(found)).toEqual([]);
    expect(found[0]?.why).toMatch(/always the same input/);
  });

  test("a pattern that is not proven on each input that it would change", async () => {
    const odd = repeat(2, (n) => ({
      raw: { customer: `somebody or other ${n}` },
      run: `odd-${n}`,
    }));
    const found = await suggest(schema, [...repeat(30, pair), ...odd]);
    expect(written(found)).toEqual([]);
    expect(found[0]?.why).toMatch(/only later corrections support it in some of its inputs/);
  });

  test("a fixer that would change a call accepted without it", async () => {
    const open = { type: "object", properties: { a_id: text, b: text, a: text }, required: ["b"] };
    const refused = repeat(30, (n) => ({
      raw: { a: `A-${n}` },
      meant: { a_id: `A-${n}`, b: "x" } as JsonValue,
    }));
    expect(written(await suggest(open, refused))).toEqual([]);
  });

  test("a fixer that no correction supports, only a note to the model", async () => {
    const calls = repeat(30, (n) => ({ raw: { customer: `A-${n}` } }));
    const { suggestions, notes } = await suggestFixers(logOf(schema, calls));
    expect(suggestions).toEqual([]);
    expect(notes).toContainEqual(expect.stringContaining("--level eager"));
  });

  test("a rename in calls whose corrections change another value, too, where most do", async () => {
    const both = closed({ customer_id: text, execute: { type: "boolean" } });
    const calls = (careful: number) =>
      many(40, (n) => [
        { customer: `A-${n}`, execute: true },
        { customer_id: `A-${n}`, execute: n >= careful },
      ]);
    expect(written(await suggest(both, calls(1)))).toEqual([
      'renameKey("customer", "customer_id")',
    ]);
    const result = await suggestFixers(logOf(both, calls(40)));
    expect(written(result.suggestions)).toEqual([]);
    expect(result.suggestions).toContainEqual(
      expect.objectContaining({
        code: 'renameKey("customer", "customer_id")',
        why: "too few whole calls agree: 0 conversations do, 40 contradict",
      }),
    );
    expect(result.written).toEqual({ agree: 0, contradict: 0, unlabelled: 0, changed: 0 });
  });

  test("one of two renames that no correction tells apart, as two values are equal", async () => {
    const two = closed({ width: text, height: text });
    const same = repeat(30, (n) => ({
      raw: { w: `${n}px`, h: `${n}px` },
      meant: { width: `${n}px`, height: `${n}px` },
    }));
    expect(await suggest(two, same)).toEqual([]);
  });
});

describe("the file of fixers", () => {
  test("holds the proven fixers, the rest as comments, and no value of the log", async () => {
    const schema = closed({ customer_id: text, mode: { enum: ["walk", "drive"] }, note: text });
    const calls = many(60, (n) => [
      (n % 2
        ? { customer: `A-${n}`, mode: "walk", note: "n" }
        : { customer_id: `A-${n}`, mode: "secret-car", note: "n" }) as JsonValue,
      { customer_id: `A-${n}`, mode: n % 2 ? "walk" : "drive", note: "n" },
    ]);
    const key = many(30, (n) => [
      { customer_id: `A-${n}`, mode: "walk", "jane@doe.example": "n" },
      { customer_id: `A-${n}`, mode: "walk", note: "n" },
    ]).map((one, n) => ({ ...one, run: `key-${n}` }));
    const file = writeFixers(await suggestFixers(logOf(schema, [...calls, ...key])));
    expect(file).toContain('\n  renameKey("customer", "customer_id"),\n');
    expect(file).toContain('\n// fixers.register("click", mapValue("/mode", { … }));\n');
    expect(file).not.toMatch(/secret-car|drive|A-\d|jane/);
  });
});

describe("the correction of a rejected call", () => {
  const schema = closed({ note: text });

  test("must share a value with it", async () => {
    const other = repeat(30, (n) => ({
      raw: { memo: `n${n}` },
      meant: { note: `other ${n + 500}` },
    }));
    expect(await suggest(schema, other)).toEqual([]);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])("counts most if a person gave it, in the order %i, %i", (...order) => {
    const lines = linesOf(schema, [
      { raw: { memo: "a" }, meant: { note: "a" }, source: "human" },
      { raw: { memo: "a" }, meant: { note: "b" }, source: "self-correct" },
    ]);
    const [head, call, human, , model] = lines as [LogLine, LogLine, LogLine, LogLine, LogLine];
    const both = [human, { ...model, run: "run-0", of: "call-0" } as LogLine];
    const { inputs } = gather([head, call, ...order.map((index) => both[index] as LogLine)]);
    expect(inputs).toMatchObject([{ correction: { source: "human", toolInput: { note: "a" } } }]);
  });
});

describe("a correction", () => {
  const schema = closed({ note: text });

  test("belongs to its call also if a person gave it in a later run of the thread", () => {
    const lines = linesOf(schema, [{ raw: { memo: "a" }, meant: { note: "a" }, source: "human" }]);
    const inThread = lines.map((line) => ({ ...line, thread: "t" }) as LogLine);
    const later = inThread.map((line) =>
      line.kind === "correction" ? { ...line, run: "another" } : line,
    );
    expect(gather(later).inputs).toMatchObject([{ correction: { toolInput: { note: "a" } } }]);
    const [head, call, correction] = later as [LogLine, LogLine, LogLine];
    const twice = [head, call, { ...call, run: "third" } as LogLine, correction];
    expect(gather(twice).inputs.map((one) => one.correction)).toEqual([undefined, undefined]);
    // Changed in place: the call that runs has the id of the rejected one.
    const changed = { ...call, outcome: "valid", raw: { note: "a" }, toolInput: { note: "a" } };
    const inPlace = [head, call, changed as LogLine, correction];
    expect(gather(inPlace).inputs.map((one) => one.correction?.source)).toEqual([
      "human",
      undefined,
    ]);
  });

  test("of an accepted call is no sign of a mistake", () => {
    const lines = linesOf(schema, [{ raw: { note: "a" }, outcome: "valid" }]);
    const [head, call] = lines as [LogLine, LogLine];
    const edit = {
      ...call,
      kind: "correction",
      of: "call-0",
      source: "human",
      toolInput: { note: "b" },
    } as LogLine;
    const { inputs } = gather([head, call, edit]);
    expect(inputs).toMatchObject([{ toolInput: { note: "a" } }]);
    expect(inputs[0]?.correction).toBeUndefined();
  });

  test.each(["handler", "later-call"] as const)(
    "counts once with its call if neither has an id: %s",
    (source) => {
      const calls = repeat(3, (n) => ({
        raw: { memo: `n${n}` },
        meant: { note: `n${n}` },
        source,
      }));
      const outcome = source === "handler" ? "corrected" : "refused";
      const lines = linesOf(schema, calls).map((line) => {
        if (line.kind === "correction") return { ...line, of: undefined, by: undefined };
        const ran = outcome === "corrected" && { toolInput: { note: "n" } };
        return line.kind === "call" ? { ...line, call: undefined, outcome, ...ran } : line;
      });
      const corrections = gather(lines as LogLine[]).inputs.map((one) => one.correction);
      expect(corrections).toMatchObject(
        ["n0", "n1", "n2"].map((note) => ({ source, toolInput: { note } })),
      );
    },
  );

  test("counts by itself if its call is in no log", () => {
    const lines = linesOf(schema, [{ raw: { memo: "a" }, meant: { note: "a" } }]);
    const alone = lines.filter(({ kind }) => kind !== "call");
    expect(gather(alone).inputs).toMatchObject([
      { raw: { memo: "a" }, toolInput: undefined, correction: { toolInput: { note: "a" } } },
    ]);
  });
});

test("a key that may be a value, an account say, is not written, and in no file", async () => {
  const account = "DE02120300000000202051";
  const calls = many(30, (n) => [{ [account]: `n${n}` }, { [`${account}_id`]: `n${n}` }]);
  const result = await suggestFixers(logOf(closed({ [`${account}_id`]: text }), calls));
  expect(listed(result.suggestions)).toEqual(["renameKey(…, …)"]);
  expect(writeFixers(result)).not.toContain(account);
});

test("what is held out is none of what was searched", async () => {
  const calls = many(40, (n) => [{ memo: `n${n}` }, { note: `n${n}` }]);
  const result = await suggestFixers(logOf(closed({ note: text }), calls));
  const [found] = result.suggestions;
  expect(result.holdOut.minedRuns + result.holdOut.heldOutRuns).toBe(40);
  expect(found?.mined.agree).toBe(result.holdOut.minedRuns);
  expect(found?.heldOut.agree).toBe(result.holdOut.heldOutRuns);
  expect(found?.heldOut.agree).toBeGreaterThan(5);
});

test("the same log gives the same suggestions, byte for byte", async () => {
  const calls = many(30, (n) => [
    { memo: `n${n}`, mode: n % 2 ? "car" : "foot" },
    { note: `n${n}`, mode: n % 2 ? "drive" : "walk" },
  ]);
  const schema = closed({ note: text, mode: { enum: ["walk", "drive"] } });
  const [once, again] = [await suggest(schema, calls), await suggest(schema, calls)];
  expect(once.length).toBeGreaterThan(0);
  expect(JSON.stringify(again)).toBe(JSON.stringify(once));
});

test("what is written is counted as a replay counts it", async () => {
  const schema = closed({ customer_id: text, limit: { type: "integer" } });
  const renamed = many(30, (n) => [
    { customer: `A-${n}`, limit: n },
    { customer_id: `A-${n}`, limit: n },
  ]);
  const unlabelled = repeat(7, (n) => ({ raw: { customer: `B-${n}`, limit: n }, run: `u-${n}` }));
  const logged = logOf(schema, [...renamed, ...unlabelled]);
  const { written, refused } = await suggestFixers(logged);
  expect(refused).toBe(37);
  expect(written).toEqual({ agree: 30, contradict: 0, unlabelled: 7, changed: 0 });
  const fixers = createFixerRegistry();
  fixers.register("click", renameKey("customer", "customer_id"));
  const { differing, contradicted } = await replayInputs(logged, { fixers });
  expect([differing.length, contradicted]).toEqual([37, 0]);
});

test("a replay warns of fixers for a tool that the log does not know, and of no others", async () => {
  const schema = closed({ title: text });
  const calls = repeat(2, (n) => ({ raw: { title: `n${n}` }, outcome: "valid" as const }));
  const tools = ["create_task", "update_task"];
  const logged = gather(tools.flatMap((tool) => linesOf(schema, calls, tool)));
  const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
  try {
    await replayInputs(logged, { fixers: { create_task: [renameKey("name", "title")] } });
    expect(warn).not.toHaveBeenCalled();
    await replayInputs(logged, { fixers: { create_tsak: [renameKey("name", "title")] } });
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('Did you mean "create_task"?'), { code: "TOOLMEND_UNKNOWN_TOOL" }],
    ]);
  } finally {
    warn.mockRestore();
  }
});
