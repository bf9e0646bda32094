import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { asJson, attempt, scoreEach } from "./faults.mjs";
import { loadTypescript } from "./load-typescript.mjs";
import { REFUSED } from "./methods/per-tool.mjs";
import { percent } from "./table.mjs";

/**
 * @typedef {{ right: number, misled: number, count: number }} Score
 */

/**
 * The rows of the gauge: plain inputs, and attacks. Those that a schema accepts unchanged need no
 * repair, and are left out.
 */
export async function loadGauge() {
  const { readRows, VALID_CLASS } = await loadTypescript("bench/gauge/rows.ts");
  const { plain, attacks } = readRows(fileURLToPath(new URL("gauge/rows", import.meta.url)));
  return [
    { name: "plain", cases: plain.map((row) => ({ ...row, allow: [row.want] })) },
    { name: "attacks", cases: attacks.filter((row) => row.class !== VALID_CLASS) },
  ];
}

/**
 * Runs every method on both sides.
 *
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 */
export async function measureGauge(methods) {
  const sides = await loadGauge();
  const scores = await scoreEach(sides, methods, scoreRows);
  const [plain, attacks] = sides.map(({ cases }) => cases.length);
  return {
    head: ["method", "right %", "wrong %", "misled %"],
    rows: [...scores].map(([name, [ofPlain, ofAttacks]]) => [
      name,
      percent(ofPlain.right, ofPlain.count),
      percent(ofPlain.misled, ofPlain.count),
      percent(ofAttacks.misled, ofAttacks.count),
    ]),
    note: `${plain} plain inputs and ${attacks} attacks that the schema does not accept unchanged, by four authors who had read neither source nor docs (bench/gauge/README.md).`,
  };
}

async function scoreRows(rows, method) {
  const score = { right: 0, misled: 0, count: rows.length };
  for (const { tool, agent, raw, allow } of rows) {
    const result = await attempt(method, tool, raw, agent);
    if (result === REFUSED) continue;
    if (allow.some((value) => isDeepStrictEqual(asJson(result.args), value))) score.right++;
    else score.misled++;
  }
  return score;
}
