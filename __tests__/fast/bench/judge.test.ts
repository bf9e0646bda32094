import { describe, expect, test } from "@jest/globals";
import {
  confirm,
  isOver,
  MAX_TRIES,
  mostOf,
  type Result,
  tableOf,
} from "../../../bench/cost/judge.ts";

const row: Result = { what: "a row", figure: 1, spread: 0.1, goal: 1 };

describe("the limit of a ratio", () => {
  test("is its goal and a third of it, or the stated ceiling", () => {
    expect(mostOf({ ...row, goal: 3 })).toBe(4);
    expect(mostOf({ ...row, goal: 3, ceiling: 7 })).toBe(7);
    expect(isOver({ ...row, figure: 1.4 })).toBe(true);
    expect(isOver({ ...row, figure: 1.4, ceiling: 1.5 })).toBe(false);
    expect(tableOf([{ ...row, ceiling: 1.5 }])).toContain("| a row | 1.00 | 0.10 | 1 | 1.50 |");
  });

  test("is measured again if it is over, until it is not", async () => {
    const figures = [9, 1.2, 0.5];
    const measure = () => ({ ...row, figure: figures.shift() ?? Number.NaN });
    expect(await confirm({ ...row, figure: 8 }, measure)).toMatchObject({ figure: 1.2 });
    expect(figures).toEqual([0.5]);
  });

  test("is broken if every measurement is over it, and the lowest is reported", async () => {
    const figures = [9, 6, 7, 0.5];
    const measure = () => ({ ...row, figure: figures.shift() ?? Number.NaN });
    const judged = await confirm({ ...row, figure: 8 }, measure);
    expect(judged.figure).toBe(6);
    expect(isOver(judged)).toBe(true);
    expect(figures).toHaveLength(4 - MAX_TRIES);
  });

  test("is not measured again if it is within the limit", async () => {
    const measure = () => {
      throw new Error("measured again");
    };
    expect(await confirm(row, measure)).toBe(row);
  });
});
