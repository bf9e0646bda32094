import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairLevel } from "#src/repair/types.ts";
import {
  BESIDE,
  type FaultyText,
  offerTool,
  TEXT_FAULTS,
} from "../../../support/repair/read/text-faults.ts";
import { sampled } from "../../../support/tier.ts";

async function readAt(text: string, level: RepairLevel): Promise<unknown> {
  const result = await repairToolInput(text, offerTool, { level });
  return result.ok ? result.toolInput : "rejected";
}

describe.each(TEXT_FAULTS)("$name", ({ level, texts }) => {
  test("is repaired at its level and above, wherever it stands", async () => {
    const wrong: unknown[] = [];
    for (const { text, means } of sampled(texts, 2)) {
      const read = [
        await readAt(text, "strict"),
        await readAt(text, "safe"),
        await readAt(text, "eager"),
      ];
      const wanted = ["rejected", level === "safe" ? means : "rejected", means];
      if (JSON.stringify(read) !== JSON.stringify(wanted)) wrong.push([text, ...read]);
    }
    expect(wrong).toEqual([]);
  });

  test.each(Object.entries(BESIDE))("is never misread beside %s", async (_, damage) => {
    const wrong: string[] = [];
    for (const { text, means } of sampled(texts, 6)) {
      const input = await readAt(damage(text), "eager");
      const isRight = JSON.stringify(input) === JSON.stringify(means);
      if (input !== "rejected" && !isRight) wrong.push(damage(text));
    }
    expect(wrong).toEqual([]);
  });

  test("is never misread where it is cut off", async () => {
    const wrong: string[] = [];
    for (const faulty of sampled(texts, 24)) wrong.push(...(await misreadCuts(faulty)));
    expect(wrong).toEqual([]);
  });
});

async function misreadCuts({ text, means }: FaultyText): Promise<string[]> {
  const wrong: string[] = [];
  for (let end = 1; end < text.length; end++) {
    const cut = text.slice(0, end);
    const input = await readAt(cut, "eager");
    // every field is required: a cut input fits only if nothing but closing marks is missing
    const isWhole = JSON.stringify(input) === JSON.stringify(means);
    if (input !== "rejected" && !isWhole) wrong.push(cut);
  }
  return wrong;
}
