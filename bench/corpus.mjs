import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { REFUSED } from "./methods/per-tool.mjs";
import { percent } from "./table.mjs";

/**
 * Measures every method on recorded model outputs, with the measure.mjs beside them.
 *
 * @param {string} file The records.
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 * @returns {Promise<{ head: string[], rows: string[][], note: string }>}
 */
export async function measureCorpus(file, methods) {
  const { run } = await import(pathToFileURL(join(dirname(file), "measure.mjs")).href);
  const records = readRecords(file);
  const toolsOf = toolsInCommon();
  const rows = [];
  let last;
  for (const method of methods) {
    last = await run(records, onRecords(method, toolsOf));
    rows.push([method.name, ...columns(last)]);
  }
  return {
    head: [
      "method",
      "correct %",
      `of safe ${last?.safeN}`,
      `of policy ${last?.polN}`,
      "mis-repaired %",
      "mis-repaired + hopeless",
      "should refuse, accepted",
      "valid changed",
      "valid refused",
    ],
    rows,
    note: `${records.length} records, ${last?.malformed} malformed calls, ${last?.malGT} with usable truth, ${last?.valid} valid calls.`,
  };
}

/** @param {string} file JSON Lines. */
export function readRecords(file) {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

function columns(score) {
  return [
    percent(score.correct, score.malGT),
    String(score.safeHit),
    String(score.polHit),
    percent(score.misrepair, score.malGT),
    `${score.misrepair} + ${score.hopeless}`,
    `${score.noCallAccepted}/${score.malNoCall}`,
    String(score.changed),
    String(score.rejected),
  ];
}

/** The form of a method that measure.mjs expects: the call to make, or null. */
function onRecords(method, toolsOf) {
  const prepared = new WeakMap();
  return async (offered, { name, args }) => {
    const tools = toolsOf(offered);
    const repair = prepared.get(tools) ?? method.prepare(tools);
    prepared.set(tools, repair);
    const result = await repair({ name, args });
    return result === REFUSED ? null : result;
  };
}

/** One object for each tool, so that each is prepared once for all records that offer it. */
function toolsInCommon() {
  const known = new Map();
  const lists = new WeakMap();
  return (offered) => {
    const list = lists.get(offered) ?? offered.map(intern);
    lists.set(offered, list);
    return list;
  };

  function intern({ name, description, parameters }) {
    const key = JSON.stringify([name, parameters]);
    const tool = known.get(key) ?? { name, description, schema: parameters };
    known.set(key, tool);
    return tool;
  }
}
