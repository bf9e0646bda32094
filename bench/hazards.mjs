import { isDeepStrictEqual } from "node:util";
import { asJson, attempt, isAccepted, scoreEach } from "./faults.mjs";
import { loadTypescript } from "./load-typescript.mjs";
import { REFUSED } from "./methods/per-tool.mjs";
import { percent } from "./table.mjs";

/**
 * @typedef {{ tool: import("./methods/per-tool.mjs").Tool, args: string, right: unknown[], isPlain: boolean }} Case
 * @typedef {{ name: string, cases: Case[] }} Kind
 * @typedef {{ right: number, misled: number, count: number, plain: number }} Score
 */

/**
 * The project's table of hazards: inputs on which a repair could be wrong. Inputs that a schema
 * accepts unchanged are left out, as they need no repair.
 *
 * @returns {Promise<Kind[]>}
 */
export async function loadHazards() {
  const { hazardClasses } = await loadTypescript("__tests__/support/hazards/table.ts");
  return hazardClasses.map(({ name, groups }) => ({
    name,
    cases: groups.flatMap(({ schema, hazards }) => {
      const tool = { name: "run_step", schema: schema.json };
      return hazards.flatMap(({ raw, safe, eager }) => {
        const args = typeof raw === "string" ? raw : JSON.stringify(raw);
        if (isAccepted(args, tool.schema)) return [];
        return [{ tool, args, right: [...safe.right, ...eager.right], isPlain: !eager.mayRefuse }];
      });
    }),
  }));
}

/**
 * A method is misled if it accepts a wrong value, or any value for an input that has no right one.
 * A rejection is never misled.
 *
 * @param {readonly Kind[]} kinds
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 * @returns {Promise<Map<string, Score[]>>} By the method's name, a score for each class.
 */
export function scoreHazards(kinds, methods) {
  return scoreEach(kinds, methods, scoreCases);
}

async function scoreCases(cases, method) {
  const plain = cases.filter(({ isPlain }) => isPlain).length;
  const score = { right: 0, misled: 0, count: cases.length, plain };
  for (const { tool, args, right, isPlain } of cases) {
    const result = await attempt(method, tool, args);
    if (result === REFUSED) continue;
    const isRight = right.some((value) => isDeepStrictEqual(asJson(result.args), asJson(value)));
    if (!isRight) score.misled++;
    else if (isPlain) score.right++;
  }
  return score;
}

/** By the method's name, the share of all hazards that mislead it, in percent. */
export function misledShares(scores) {
  return new Map(
    [...scores].map(([name, ofKinds]) => [
      name,
      percent(sum(ofKinds, "misled"), sum(ofKinds, "count")),
    ]),
  );
}

/** One row a class: the share of its inputs that misleads each method, in percent. */
export function hazardsByClass(kinds, scores) {
  const counts = [...scores.values()].map((ofKinds) => sum(ofKinds, "count"));
  return {
    head: ["class", "inputs", ...scores.keys()],
    rows: [
      ...kinds.map(({ name, cases }, index) => [
        name,
        String(cases.length),
        ...[...scores.values()].map((ofKinds) => share(ofKinds[index], "misled")),
      ]),
      ["all, misled %", String(counts[0]), ...misledShares(scores).values()],
      [
        "plain ones, right %",
        String(sum([...scores.values()][0], "plain")),
        ...[...scores.values()].map((ofKinds) =>
          percent(sum(ofKinds, "right"), sum(ofKinds, "plain")),
        ),
      ],
    ],
  };
}

function share(score, what) {
  return String(Math.round((100 * score[what]) / score.count));
}

function sum(scores, what) {
  return scores.reduce((total, score) => total + score[what], 0);
}
