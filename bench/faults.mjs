import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { readRecords } from "./corpus.mjs";
import { loadTypescript } from "./load-typescript.mjs";
import { REFUSED } from "./methods/per-tool.mjs";
import { validatorOf } from "./methods/validator.mjs";
import { pickFrom } from "./random.mjs";
import { syntaxFaults } from "./syntax-faults.mjs";
import { percent } from "./table.mjs";

const SEED = 20261121;
const SAMPLES = 800;
const CASES = 30;

/**
 * @typedef {{ toolName: string, schema: any, input: any }} Sample
 * @typedef {{ sample: Sample, tool: import("./methods/per-tool.mjs").Tool, args: string, meant: unknown }} Case
 * @typedef {{ name: string, level: "safe" | "eager" | "never", cases: Case[] }} Kind
 * @typedef {{ right: number, wrong: number, count: number }} Score
 */

/** Schemas and valid inputs made by fast-check, as the project's own tests have them. */
export async function generatedSamples() {
  const fc = createRequire(new URL("../package.json", import.meta.url))("fast-check");
  const { sample } = await loadTypescript("__tests__/support/faults/arbitraries.ts");
  return fc.sample(sample, { seed: SEED, numRuns: SAMPLES });
}

/**
 * The valid calls among recorded outputs.
 *
 * @param {string} file The records, with score.mjs beside them.
 * @returns {Promise<Sample[]>}
 */
export async function recordedSamples(file) {
  const { validateCall } = await import(pathToFileURL(join(dirname(file), "score.mjs")).href);
  return readRecords(file).flatMap(({ tools, raw }) =>
    raw.flatMap(({ name, args }) => {
      const input = parsed(args);
      if (!validateCall(tools, { name, args: input }).strictValid) return [];
      const schema = tools.find((tool) => tool.name === name).parameters;
      return [{ toolName: name, schema, input }];
    }),
  );
}

function parsed(args) {
  try {
    return typeof args === "string" ? JSON.parse(args) : args;
  } catch {
    return undefined;
  }
}

/**
 * Puts every kind of fault of the project's catalogue, and the syntax faults, into samples.
 *
 * @param {readonly Sample[]} samples
 * @returns {Promise<Kind[]>}
 */
export async function injectFaults(samples) {
  const { faults } = await loadTypescript("__tests__/support/faults/catalogue.ts");
  const tools = samples.map(({ toolName: name, schema }) => ({ name, schema }));
  return [...faults, ...syntaxFaults].map(({ name, level, inject }) => {
    const pick = pickFrom(name);
    const start = pick(samples.length);
    const cases = [];
    for (let step = 0; step < samples.length && cases.length < CASES; step++) {
      const index = (start + step) % samples.length;
      const injected = inject(samples[index], pick);
      if (injected === undefined) continue;
      const args = typeof injected.raw === "string" ? injected.raw : JSON.stringify(injected.raw);
      if (isAccepted(args, samples[index].schema)) continue;
      cases.push({ sample: samples[index], tool: tools[index], args, meant: injected.meant });
    }
    return { name, level, cases };
  });
}

/** An input that the schema accepts unchanged has no fault. */
export function isAccepted(text, schema) {
  try {
    return validatorOf(schema)(JSON.parse(text));
  } catch {
    return false;
  }
}

/**
 * @param {readonly Kind[]} kinds
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 * @returns {Promise<Map<string, Score[]>>} By the method's name, a score for each kind.
 */
export function scoreFaults(kinds, methods) {
  return scoreEach(kinds, methods, scoreCases);
}

/**
 * Scores every method on every kind, sequentially: they share the machine.
 *
 * @param {readonly { cases: readonly unknown[] }[]} kinds
 * @param {readonly import("./methods/per-tool.mjs").Method[]} methods
 * @param {Function} score Scores the cases of one kind with one method.
 * @returns {Promise<Map<string, unknown[]>>} By the method's name, a score for each kind.
 */
export async function scoreEach(kinds, methods, score) {
  const scores = new Map();
  for (const method of methods) {
    const ofKinds = [];
    for (const { cases } of kinds) ofKinds.push(await score(cases, method));
    scores.set(method.name, ofKinds);
  }
  return scores;
}

async function scoreCases(cases, method) {
  const score = { right: 0, wrong: 0, count: cases.length };
  for (const { tool, args, meant } of cases) {
    const result = await attempt(method, tool, args);
    if (result === REFUSED) continue;
    if (meant !== undefined && isDeepStrictEqual(asJson(result.args), asJson(meant))) score.right++;
    else score.wrong++;
  }
  return score;
}

/**
 * The result of a method for one call; a throw is a rejection.
 *
 * @param {import("./methods/per-tool.mjs").Method} method
 * @param {import("./methods/per-tool.mjs").Tool} tool
 * @param {unknown} args
 * @param {"native" | "text"} [agent]
 */
export async function attempt(method, tool, args, agent = "native") {
  try {
    return await method.prepare([tool])({ name: tool.name, args, agent });
  } catch {
    return REFUSED;
  }
}

/** A value as JSON, for comparison. */
export function asJson(value) {
  return JSON.parse(JSON.stringify(value));
}

/**
 * The averages over the kinds, with equal weight for each kind.
 *
 * @param {readonly Kind[]} kinds
 * @param {ReadonlyMap<string, readonly Score[]>} scores
 * @param {ReadonlyMap<string, string>} misled By the method's name, the share of hazards that mislead it.
 */
export function summarise(kinds, scores, misled) {
  const rows = [...scores].map(([name, ofKinds]) => {
    const average = (levels, count) =>
      macroAverage(
        ofKinds.filter((score, index) => levels.includes(kinds[index].level) && score.count > 0),
        count,
      );
    return [
      name,
      average(["safe", "eager"], ({ right }) => right),
      average(["safe", "eager"], ({ wrong }) => wrong),
      average(["never"], ({ wrong }) => wrong),
      misled.get(name) ?? "–",
      average(["safe"], ({ right }) => right),
      average(["safe"], ({ wrong }) => wrong),
    ];
  });
  return {
    head: [
      "method",
      "right %",
      "wrong %",
      "must refuse, accepted %",
      "misled %",
      "right % of safe kinds",
      "wrong % of safe kinds",
    ],
    rows,
    note: describeKinds(kinds),
  };
}

function macroAverage(scores, count) {
  const shares = scores.map((score) => count(score) / score.count);
  return percent(
    shares.reduce((sum, share) => sum + share, 0),
    shares.length,
  );
}

function describeKinds(kinds) {
  const met = kinds.filter(({ cases }) => cases.length > 0);
  const ofLevel = (level) => met.filter((kind) => kind.level === level).length;
  const cases = met.reduce((sum, kind) => sum + kind.cases.length, 0);
  return `${cases} faulty inputs of ${met.length} kinds: ${ofLevel("safe")} that level safe repairs, ${ofLevel("eager")} more at level eager, ${ofLevel("never")} that must be refused.`;
}

/** One row a kind: right % and, after a slash, wrong % if there is any. */
export function byKind(kinds, scores) {
  return {
    head: ["kind", "level", "inputs", ...scores.keys()],
    rows: kinds.flatMap(({ name, level, cases }, index) => {
      if (cases.length === 0) return [];
      const cells = [...scores.values()].map((ofKinds) => cell(ofKinds[index]));
      return [[name, level, String(cases.length), ...cells]];
    }),
  };
}

function cell({ right, wrong, count }) {
  const share = (part) => Math.round((100 * part) / count);
  return wrong === 0 ? String(share(right)) : `${share(right)} / ${share(wrong)}`;
}
