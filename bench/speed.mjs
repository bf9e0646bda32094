import { isDeepStrictEqual } from "node:util";
import { Validator } from "@cfworker/json-schema";
import { Bench } from "tinybench";
import { z } from "zod";
import { REFUSED } from "./methods/per-tool.mjs";
import { repairToolInput } from "./methods/toolmend.mjs";
import { KINDS, SIZES, TOOL, textOf, validInput } from "./speed-inputs.mjs";
import { median } from "./table.mjs";

/** Every round runs all of a cell, so that a ratio compares neighbours in time. */
const ROUNDS = 5;
const TIME = 40;

/**
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 * @param {(line: string) => void} say
 * @returns {Promise<{ title: string, note: string, head: string[], rows: string[][] }[]>}
 */
export async function measureSpeed(methods, say) {
  const tables = [];
  for (const [kind, spoil] of KINDS) {
    const columns = [];
    for (const [size, count] of SIZES) {
      say(`speed: ${kind}, ${size}`);
      columns.push(await measureMethods(methods, validInput(count), spoil));
    }
    tables.push(toTable(kind, methods, columns));
  }
  say("speed: valid path");
  return [...tables, await measureValidPath()];
}

/** Microseconds of each method by round, and its result for the input. */
async function measureMethods(methods, input, spoil) {
  const call = { name: TOOL.name, args: spoil(textOf(input)) };
  const runs = methods.map((method) => attempt(method.prepare([TOOL]), call));
  const outcomes = [];
  const once = [];
  for (const run of runs) {
    const start = performance.now();
    outcomes.push(outcomeOf(await run(), input));
    once.push(1000 * (performance.now() - start));
  }
  return { micros: await timeUnlessSlow(runs, once), outcomes };
}

/** A method that took half a second at its first run is not run again. */
async function timeUnlessSlow(runs, once) {
  const isSlow = once.map((micros) => micros > 500_000);
  const rest = await timeRounds(runs.filter((_, index) => !isSlow[index]));
  return once.map((micros, index) => (isSlow[index] ? Array(ROUNDS).fill(micros) : rest.shift()));
}

function attempt(repair, call) {
  return () => {
    try {
      return repair(call);
    } catch {
      return REFUSED;
    }
  };
}

function outcomeOf(result, input) {
  if (result === REFUSED) return "refused";
  return isDeepStrictEqual(result.args, input) ? "right" : "wrong";
}

/** @returns {Promise<number[][]>} By task, the median microseconds of every round. */
async function timeRounds(runs) {
  const micros = runs.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    const bench = new Bench({ time: TIME, iterations: 3, warmupTime: 10, warmupIterations: 2 });
    for (const [index, run] of runs.entries()) bench.add(String(index), run);
    await bench.run();
    for (const [index, { result }] of bench.tasks.entries()) {
      if (result.state !== "completed") throw result.error ?? new Error(result.state);
      micros[index].push(result.latency.p50 * 1000);
    }
  }
  return micros;
}

function toTable(kind, methods, columns) {
  const own = methods.findIndex(({ name }) => name === "toolmend, safe");
  const sizes = SIZES.map(([size]) => size);
  const rows = methods.map(({ name }, index) => [
    name,
    ...columns.map(({ micros, outcomes }) => show(median(micros[index])) + MARK[outcomes[index]]),
    ...columns.map(({ micros }) => ratio(micros[index], micros[0])),
    ...columns.map(({ micros }) => ratio(micros[own], micros[index])),
  ]);
  return {
    title: `Text with ${kind === "valid" ? "no fault" : kind}`,
    head: [
      "method",
      ...sizes.map((size) => `${size} µs`),
      ...sizes.map((size) => `÷ parse, ${size}`),
      ...sizes.map((size) => `toolmend ÷ it, ${size}`),
    ],
    rows,
    note: "Medians of paired rounds. r: refused; w: accepted wrongly. ÷ parse: times as long as JSON.parse + validate takes. toolmend ÷ it: times as long as it that toolmend takes at level safe.",
  };
}

const MARK = { right: "", refused: " r", wrong: " w" };

/**
 * The cost of a valid input on top of validation: the same validator, alone and inside toolmend.
 */
async function measureValidPath() {
  const zod = z.fromJSONSchema(TOOL.schema);
  const json = new Validator(TOOL.schema, "2019-09");
  const kinds = [
    ["JSON Schema, value", TOOL, (value) => json.validate(value), (value) => value],
    ["JSON Schema, text", TOOL, (text) => json.validate(JSON.parse(text)), textOf],
    ["zod 4, value", { ...TOOL, schema: zod }, (value) => zod.parseAsync(value), (value) => value],
    ["zod 4, text", { ...TOOL, schema: zod }, (text) => zod.parseAsync(JSON.parse(text)), textOf],
  ];
  const rows = [];
  for (const [name, tool, validate, write] of kinds) {
    const cells = [];
    for (const [, count] of SIZES) {
      const input = write(validInput(count));
      const [alone, within] = await timeRounds([
        () => validate(input),
        () => repairToolInput(input, tool),
      ]);
      cells.push(`${show(median(alone))} → ${show(median(within))}, × ${ratio(within, alone)}`);
    }
    rows.push([name, ...cells]);
  }
  return {
    title: "A valid input: validate alone → repairToolInput, µs, × ratio",
    head: ["schema and input", ...SIZES.map(([size]) => size)],
    rows,
    note: "What the tool's own schema takes alone, and within repairToolInput. zod: parseAsync, which is what LangChain asks.",
  };
}

function show(micros) {
  return micros < 10 ? micros.toFixed(1) : micros.toFixed(0);
}

/** The median of the rounds' ratios. */
function ratio(over, under) {
  const value = median(over.map((micros, round) => micros / under[round]));
  if (value < 0.1) return value.toPrecision(1);
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}
