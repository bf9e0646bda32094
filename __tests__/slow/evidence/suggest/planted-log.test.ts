import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { suggestFixers } from "#src/evidence/suggest/suggest-fixers.ts";
import {
  type Suggestion,
  type SuggestResult,
  writeFixers,
} from "#src/evidence/suggest/suggestion.ts";
import { gather } from "../../../support/evidence/suggest/make-log.ts";
import {
  HABITS,
  type Planted,
  plantedLines,
  TRAPS,
} from "../../../support/evidence/suggest/planted-log.ts";

jest.setTimeout(120_000);

let found: SuggestResult;
beforeAll(async () => {
  const lines = [...plantedLines(HABITS, "habit"), ...plantedLines(TRAPS, "trap")];
  found = await suggestFixers(gather(lines));
});

/** The planted corrections for whose tool something was found. */
function namesOf(
  planted: readonly Planted[],
  prefix: string,
  verdicts: readonly Suggestion["verdict"][] = ["write", "listed"],
): readonly string[] {
  return planted.flatMap(({ name }, index) => {
    const isOwn = ({ tool }: Suggestion) => tool === `${prefix}_${index}`;
    const shown = found.suggestions.filter(isOwn);
    return shown.some(({ verdict }) => verdicts.includes(verdict)) ? [name] : [];
  });
}

describe("on a log whose corrections all agree, in unfamiliar domains", () => {
  test("suggest writes none of the traps", () => {
    expect(TRAPS.length).toBeGreaterThanOrEqual(80);
    expect(namesOf(TRAPS, "trap", ["write"])).toEqual([]);
  });

  test("it writes or lists four of five habits, and writes those that structure proves", () => {
    expect(HABITS.length).toBeGreaterThanOrEqual(30);
    expect(namesOf(HABITS, "habit").length).toBeGreaterThanOrEqual(0.8 * HABITS.length);
    expect(namesOf(HABITS, "habit", ["write"]).length).toBeGreaterThanOrEqual(8);
  });

  test("no value of the log is in the file", () => {
    const file = writeFixers(found);
    expect(file).toContain("fixers.register(");
    expect(file).not.toMatch(/w\d+-\d+|BX-\d|mallory|evil|theatre_owner|DE02|GUILD|4711|4567/);
  });
});
