import { describe, expect, jest, test } from "@jest/globals";
import type { LogLine } from "#src/evidence/log-line.ts";
import { type SuggestOptions, suggestFixers } from "#src/evidence/suggest/suggest-fixers.ts";
import type { FixerSuggestion } from "#src/evidence/suggest/suggestion.ts";
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
  options?: SuggestOptions,
): Promise<readonly FixerSuggestion[]> {
  return (await suggestFixers(logOf(schema, calls), options)).suggestions;
}
const written = (all: readonly FixerSuggestion[]) =>
  all.filter(({ verdict }) => verdict === "write").map(({ code }) => code.join(", "));

/** Habits that one fixer or several mend: [schema, raw, meant, code], for the index of a call. */
const HABITS: [string, JsonSchema, (index: number) => [JsonValue, JsonValue], string][] = [
  [
    "a key of another name",
    closed({ note: text }),
    (n) => [{ memo: `n${n}` }, { note: `n${n}` }],
    'renameKey("memo", "note")',
  ],
  [
    "two of them",
    closed({ order: text, sum: { type: "number" } }),
    (n) => [
      { no: `A-${n}`, total: n + 0.5 },
      { order: `A-${n}`, sum: n + 0.5 },
    ],
    'renameKey("no", "order"), renameKey("total", "sum")',
  ],
  [
    "a key further in, in every element of a list",
    closed({ rows: { type: "array", items: closed({ sku: text }) } }),
    (n) => [{ rows: [{ art: `S${n}` }, { art: "x" }] }, { rows: [{ sku: `S${n}` }, { sku: "x" }] }],
    'renameKey("art", "sku", "/rows/*")',
  ],
  [
    "a choice under another word",
    closed({ mode: { enum: ["walk", "drive"] }, to: text }),
    (n) => [
      { mode: "car", to: `p${n}` },
      { mode: "drive", to: `p${n}` },
    ],
    'mapValue("/mode", { "car": "drive" })',
  ],
  [
    "an envelope that no other tool has",
    closed({ q: text, page: { type: "integer" } }),
    (n) => [{ zibble: { q: `q${n}`, page: n } }, { q: `q${n}`, page: n }],
    'unwrapKey("zibble")',
  ],
  [
    "a list in one text",
    closed({ tags: { type: "array", items: text } }),
    (n) => [{ tags: `a${n} | b` }, { tags: [`a${n}`, "b"] }],
    'splitList("/tags", "|")',
  ],
  [
    "a bare value in a list",
    closed({ rows: { type: "array", items: closed({ sku: text }) }, to: text }),
    (n) => [
      { rows: [`S${n}`, "T"], to: "x" },
      { rows: [{ sku: `S${n}` }, { sku: "T" }], to: "x" },
    ],
    'wrapValue("sku", "/rows/*")',
  ],
  [
    "a name beside a stray key that the schema lets through",
    { type: "object", properties: { note: text }, required: ["note"] },
    (n) => [{ memo: `n${n}`, mood: "calm" }, { note: `n${n}` }],
    'renameKey("memo", "note")',
  ],
];

describe("suggestFixers finds", () => {
  test.each(HABITS)("%s", async (_, schema, make, code) => {
    const calls = repeat(30, (index) => {
      const [raw, meant] = make(index);
      return { raw, meant };
    });
    const found = await suggest(schema, calls);
    expect(written(found)).toEqual([code]);
    const [{ mined, heldOut, validChanged } = {}] = found as [Partial<FixerSuggestion>];
    expect((mined?.agree ?? 0) + (heldOut?.agree ?? 0)).toBe(30);
    expect(validChanged).toBe(0);
  });

  test("a default that nearly all valid calls hold, and no other", async () => {
    const schema = closed({ city: text, units: text });
    const missing = repeat(30, (n) => ({
      raw: { city: `c${n}` },
      meant: { city: `c${n}`, units: "metric" },
    }));
    const valid = (units: (n: number) => string) =>
      repeat(40, (n) => ({
        raw: { city: `v${n}`, units: units(n) },
        outcome: "valid" as const,
        run: `valid-${n}`,
      }));
    const held = await suggest(schema, [...missing, ...valid(() => "metric")]);
    expect(written(held)).toEqual(['setDefault("/units", "metric")']);
    const open = await suggest(schema, [...missing, ...valid((n) => `u${n}`)]);
    expect(written(open)).toEqual([]);
    expect(open[0]?.why).toMatch(/only 0 of 40 calls that are right hold the value/);
    expect(written(await suggest(schema, missing))).toEqual([]);
  });
});

describe("suggestFixers does not write", () => {
  const schema = closed({ note: text });
  const pair = (n: number) => ({ raw: { memo: `n${n}` }, meant: { note: `n${n}` } });

  test("what is seen in one run only, however often", async () => {
    const calls = repeat(40, (n) => ({ ...pair(n), run: "one" }));
    expect(await suggest(schema, calls)).toEqual([]);
    const unknown = repeat(40, pair).map((one, n) => ({ ...one, run: n % 2 ? "a" : "b" }));
    expect(written(await suggest(schema, unknown))).toEqual([]);
  });

  test("what a single correction contradicts, in either half", async () => {
    const calls = repeat(30, pair);
    for (const odd of [0, 1, 2, 3]) {
      const changed = calls.map((one, n) =>
        n === odd
          ? { ...one, meant: { note: `n${n} but otherwise` }, source: "human" as const }
          : one,
      );
      const found = await suggest(schema, changed);
      expect(written(found)).toEqual([]);
      expect(found[0]).toMatchObject({ verdict: "listed" });
      expect(found[0]?.why).toMatch(/contradicted by 1 of 30/);
    }
  });

  test("what too few held-out runs can tell", async () => {
    const calls = repeat(60, (n) => (n < 20 ? pair(n) : { raw: { memo: `n${n}` } }));
    // By time, all corrections that are known are in the half that is searched.
    const found = await suggest(schema, calls, { holdOut: "time" });
    expect(found).toMatchObject([{ verdict: "listed", heldOut: { agree: 0, unlabelled: 30 } }]);
    expect(found[0]?.why).toMatch(/too few corrections held out/);
  });

  test("a constant whose input is always the same: perhaps it is always the same question", async () => {
    const choice = closed({ mode: { enum: ["walk", "drive"] } });
    const found = await suggest(
      choice,
      repeat(30, () => ({ raw: { mode: "car" }, meant: { mode: "drive" }, source: "human" })),
    );
    expect(written(found)).toEqual([]);
    expect(found[0]?.why).toMatch(/always the same input/);
  });

  const number = { type: "number" };
  /** What all corrections agree on, and which means something else: [schema, raw, meant]. */
  const MEANINGS: [string, JsonSchema, (n: number) => [JsonValue, JsonValue], RegExp][] = [
    [
      "a consent",
      closed({ path: text, confirm: { type: "boolean" } }),
      (n) => [{ path: `p${n}` }, { path: `p${n}`, confirm: true }],
      /flag/,
    ],
    [
      "a flag",
      closed({ path: text, recursive: { type: "boolean" } }),
      (n) => [{ path: `p${n}` }, { path: `p${n}`, recursive: true }],
      /flag/,
    ],
    [
      "the day of the log",
      closed({ id: text, day: text }),
      (n) => [{ id: `i${n}` }, { id: `i${n}`, day: "2026-11-01" }],
      /date/,
    ],
    [
      "a number that is always 0, of which no sign is seen",
      closed({ amount: number }),
      () => [{ debit: 0 }, { amount: 0 }],
      /always the same input/,
    ],
  ];

  test.each(MEANINGS)("%s, whatever agrees with it", async (_, schema, make, why) => {
    const calls = repeat(30, (index) => {
      const [raw, meant] = make(index);
      return { raw, meant };
    });
    const valid = repeat(30, (index) => {
      const [, raw] = make(index);
      return { raw, outcome: "valid" as const, run: `valid-${index}` };
    });
    const found = await suggest(schema, [...calls, ...valid]);
    expect(written(found)).toEqual([]);
    expect(found.map((one) => one.why).join("; ")).toMatch(why);
  });

  test("a default that only the corrections hold", async () => {
    const schema = closed({ city: text, units: { enum: ["metric", "imperial"] } });
    const meant = (n: number) => ({ city: `c${n}`, units: "metric" });
    const calls = repeat(30, (n) => ({ raw: { city: `c${n}` }, meant: meant(n), run: `r${n}` }));
    const rerun = repeat(30, (n) => ({ raw: meant(n), outcome: "valid" as const, run: `r${n}` }));
    const found = await suggest(schema, [...calls, ...rerun]);
    expect(written(found)).toEqual([]);
    expect(found[0]?.why).toMatch(/only 0 of 0 calls that are right hold the value/);
  });

  test("one of two ways that no correction tells apart: which of two equal values went where", async () => {
    const two = closed({ width: text, height: text });
    const pair = (n: number, height: string) => ({
      raw: { w: `${n}px`, h: height },
      meant: { width: `${n}px`, height },
    });
    const same = repeat(30, (n) => pair(n, `${n}px`));
    expect(await suggest(two, same)).toEqual([]);
    const different = repeat(30, (n) => pair(n, n % 10 === 0 ? "1em" : `${n}px`));
    expect(written(await suggest(two, different))).toEqual([
      'renameKey("w", "width"), renameKey("h", "height")',
    ]);
  });

  test("a mapping of a value that is no choice of the schema", async () => {
    const free = closed({ ip: { type: "string", pattern: "^[0-9.]+$" }, q: text });
    const calls = repeat(30, (n) => ({
      raw: { ip: "home", q: `q${n}` },
      meant: { ip: "10.0.0.1", q: `q${n}` },
    }));
    expect(await suggest(free, calls)).toEqual([]);
  });
});

describe("what takes the place of a refused call", () => {
  const schema = closed({ note: text });

  test("is no correction where it shares no value with it", async () => {
    const other = repeat(30, (n) => ({
      raw: { memo: `n${n}` },
      meant: { note: `other ${n + 500}` },
    }));
    expect(await suggest(schema, other)).toEqual([]);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])("counts most where a person said so, whichever comes first: %i, %i", (...order) => {
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

  test("is of its call also where a person gave it in a later run of the thread", () => {
    const lines = linesOf(schema, [{ raw: { memo: "a" }, meant: { note: "a" }, source: "human" }]);
    const inThread = lines.map((line) => ({ ...line, thread: "t" }) as LogLine);
    const later = inThread.map((line) =>
      line.kind === "correction" ? { ...line, run: "another" } : line,
    );
    expect(gather(later).inputs).toMatchObject([{ correction: { toolInput: { note: "a" } } }]);
    const [head, call, correction] = later as [LogLine, LogLine, LogLine];
    const twice = [head, call, { ...call, run: "third" } as LogLine, correction];
    expect(gather(twice).inputs.map((one) => one.correction)).toEqual([undefined, undefined]);
    // Changed in place: the call that runs has the id of the one that was refused.
    const changed = { ...call, outcome: "valid", raw: { note: "a" }, toolInput: { note: "a" } };
    const inPlace = [head, call, changed as LogLine, correction];
    expect(gather(inPlace).inputs.map((one) => one.correction?.source)).toEqual([
      "human",
      undefined,
    ]);
  });

  test("of a call that was accepted is no sign of a mistake", () => {
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

  test("stands for itself where its call is in no log", () => {
    const lines = linesOf(schema, [{ raw: { memo: "a" }, meant: { note: "a" } }]);
    const alone = lines.filter(({ kind }) => kind !== "call");
    expect(gather(alone).inputs).toMatchObject([
      { raw: { memo: "a" }, toolInput: undefined, correction: { toolInput: { note: "a" } } },
    ]);
  });
});

test("runs that are held out are none of those that were searched", async () => {
  const calls = repeat(40, (n) => ({ raw: { memo: `n${n}` }, meant: { note: `n${n}` } }));
  for (const holdOut of ["run", "time", "model"] as const) {
    const models = calls.map((one, n) => ({ ...one, model: ["a", "b", "c"][n % 3] as string }));
    const result = await suggestFixers(logOf(closed({ note: text }), models), { holdOut });
    const [found] = result.suggestions;
    expect(result.holdOut).toMatchObject({ by: holdOut });
    expect(result.holdOut.minedRuns + result.holdOut.heldOutRuns).toBe(40);
    expect(found?.mined.agree).toBe(result.holdOut.minedRuns);
    expect(found?.heldOut.agree).toBe(result.holdOut.heldOutRuns);
    expect(found?.heldOut.agree).toBeGreaterThan(5);
  }
});

test("the same log gives the same suggestions, byte for byte", async () => {
  const calls = repeat(30, (n) => ({
    raw: { memo: `n${n}`, mode: n % 2 ? "car" : "foot" },
    meant: { note: `n${n}`, mode: n % 2 ? "drive" : "walk" },
  }));
  const schema = closed({ note: text, mode: { enum: ["walk", "drive"] } });
  const [once, again] = [await suggest(schema, calls), await suggest(schema, calls)];
  expect(once.length).toBeGreaterThan(0);
  expect(JSON.stringify(again)).toBe(JSON.stringify(once));
});

test("what this version repairs without any fixer is told apart from what the fixers do", async () => {
  const schema = closed({ note: text, limit: { type: "integer" } });
  // Refused once, by another version: toolmend repairs it at `safe`.
  const old = repeat(7, (n) => ({ raw: { note: `o${n}`, limit: "5" }, run: `old-${n}` }));
  const renamed = repeat(30, (n) => ({
    raw: { memo: `n${n}`, limit: n },
    meant: { note: `n${n}`, limit: n },
  }));
  const { written } = await suggestFixers(logOf(schema, [...renamed, ...old]));
  expect(written).toEqual({
    refused: 37,
    agree: 30,
    contradict: 0,
    unlabelled: 7,
    changed: 0,
    withoutFixers: 7,
  });
});
