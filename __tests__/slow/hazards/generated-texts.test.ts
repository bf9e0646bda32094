import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isJsonObject, jsonEquals } from "#src/repair/json.ts";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import { level, repairFor, seed } from "../../support/hazards/generated.ts";
import { closed, flag, list, number, text, whole } from "../../support/hazards/schemas.ts";
import { isJson } from "../../support/repair/is-json.ts";

const order = closed({ parcel: text, weight: number, "tags?": list(text), "fragile?": flag });

const input = fc.record({
  parcel: fc.constantFrom("Lisbon", "a, b", 'say "hi"', "{x}", "It's", "00713", "C:\\neu", "日本"),
  weight: fc.integer({ min: -500, max: 9_999 }).map((cents) => cents / 100),
  tags: fc.array(fc.constantFrom("red", "green tea", "[1]", "x y"), { minLength: 1, maxLength: 3 }),
}) as fc.Arbitrary<JsonObject>;

describe("text", () => {
  test("long digits are rejected in every wrapper", async () => {
    const wrappers: readonly ((json: string) => string)[] = [
      (json) => json,
      (json) => JSON.stringify(json),
      (json) => `{"arguments":${JSON.stringify(json)}}`,
      (json) => `{"input":${json}}`,
      (json) => `\`\`\`json\n${json}\n\`\`\``,
      (json) => `<tool_call>${json}</tool_call>`,
      (json) => json.replaceAll('"', "'"),
      (json) => json.replace("}", ",}"),
      (json) => `[${json}]`,
    ];
    const digits = fc.bigInt({ min: 2n ** 53n + 1n, max: 10n ** 24n }).filter(isRounded);
    await fc.assert(
      fc.asyncProperty(digits, fc.constantFrom(...wrappers), level, async (id, wrap, at) => {
        const result = await repairFor(wrap(`{"id": ${id}}`), closed({ id: whole }), at);
        expect(result.ok).toBe(false);
      }),
      { ...seed, numRuns: 300 },
    );
  });

  test("an input cut off anywhere is rejected at safe; eager gives what was meant, without the rest", async () => {
    await fc.assert(
      fc.asyncProperty(input, fc.nat(), level, async (meant, at, which) => {
        const json = JSON.stringify(meant);
        const result = await repairFor(json.slice(0, at % json.length), order, which);
        if (!result.ok) return;
        expect(which).toBe("eager");
        for (const [key, value] of Object.entries(result.toolInput as JsonObject))
          expect(value).toEqual(meant[key]);
      }),
      { ...seed, numRuns: 600 },
    );
  });

  test("with one character damaged, nothing merges: the number of keys and elements stays", async () => {
    const character = fc.constantFrom(..."{}[]\",:'\\/.- \n`<>#()=;|&*");
    const edit = fc.tuple(fc.constantFrom("in", "out", "other"), fc.nat(), character);
    await fc.assert(
      fc.asyncProperty(input, edit, level, async (meant, [kind, place, sign], which) => {
        const json = JSON.stringify(meant);
        const at = place % json.length;
        const rest = kind === "in" ? json.slice(at) : json.slice(at + 1);
        const raw = json.slice(0, at) + (kind === "out" ? "" : sign) + rest;
        if (isJson(raw)) return;
        const result = await repairFor(raw, order, which);
        if (result.ok) expect([raw, sizes(result.toolInput)]).toEqual([raw, sizes(meant)]);
      }),
      { ...seed, numRuns: 3_000 },
    );
  });

  test("a value that the schema accepts is not changed by a fault elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(input, level, async (meant, which) => {
        const raw = { ...meant, weight: String(meant.weight) };
        const result = await repairFor(raw, order, which);
        expect(result.ok && jsonEquals(result.toolInput, meant)).toBe(true);
      }),
      { ...seed, numRuns: 200 },
    );
  });
});

/** Whether its double is written in other digits. */
function isRounded(id: bigint): boolean {
  return id % 10n !== 0n && String(Number(id)) !== String(id);
}

/** The number of keys, and the number of elements in each list. */
function sizes(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return [];
  const lists = Object.values(value).filter((item) => Array.isArray(item));
  return [Object.keys(value).length, ...lists.map((item) => (item as JsonValue[]).length)];
}
