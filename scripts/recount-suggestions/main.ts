// Counts again what `toolmend suggest --json` says of a log, with nothing of src/evidence: its own reading of the
// log, its own halves, its own comparison. Only the repair itself is toolmend's, and the fixers are the code that
// would be written. Ends with exit code 1 where a number differs.
//
//   toolmend suggest LOG --json > found.json
//   node scripts/run-ts.mjs scripts/recount-suggestions/main.ts LOG found.json
import { readFileSync } from "node:fs";
import * as toolmend from "toolmend";
import { isRepaired, readCalls, type Told } from "./read-calls.ts";

interface Counts {
  agree: number;
  contradict: number;
  unlabelled: number;
}

interface Found {
  suggestions: (Counted & { tool: string; code: string[]; validChanged: number })[];
  toolNames: (Counted & { to: string; from: string; code: string })[];
  edits: (Counted & { edit: string })[];
  holdOut: { by: string; minedRuns: number; heldOutRuns: number };
  written: Counts & { refused: number; changed: number };
}

interface Counted {
  verdict: string;
  mined: Counts;
  heldOut: Counts;
  heldOutRuns: { agree: number; contradict: number };
  lowerBound: number;
}

const [logFile = "", foundFile = ""] = process.argv.slice(2);
const found = JSON.parse(readFileSync(foundFile, "utf8")) as Found;
const log = readCalls(readFileSync(logFile, "utf8"));
const differences: string[] = [];
let numbers = 0;

function check(what: string, said: unknown, counted: unknown): void {
  numbers += 1;
  if (JSON.stringify(said) === JSON.stringify(counted)) return;
  differences.push(`${what}: said ${JSON.stringify(said)}, counted ${JSON.stringify(counted)}`);
}

if (found.holdOut.by !== "run") throw new Error("Only what is halved by run is counted again.");
const refused = log.calls.filter((call) => !call.wasAccepted);
const runs = (half: boolean) =>
  new Set(refused.filter((call) => call.isMined === half).map((call) => call.run)).size;
check("runs searched", found.holdOut.minedRuns, runs(true));
check("runs held out", found.holdOut.heldOutRuns, runs(false));

const written = found.suggestions.filter((one) => one.verdict === "write");
const allowed = found.edits.filter((one) => one.verdict === "write").map((one) => [one.edit, true]);
const registry = toolmend.createFixerRegistry(undefined, { edits: Object.fromEntries(allowed) });
for (const tool of new Set(written.map((one) => one.tool))) {
  const calls = log.calls.filter((call) => call.tool === tool);
  let registered = toolmend.createFixerRegistry();
  let before: ReadonlyMap<Told, unknown> = await outcomesOf(calls, tool, registered);
  const soFar: toolmend.Fixer[] = [];
  for (const one of written.filter((suggestion) => suggestion.tool === tool)) {
    soFar.push(...one.code.map((code) => run(code) as toolmend.Fixer));
    registered = toolmend.createFixerRegistry();
    registered.register(tool, ...soFar);
    const after = await outcomesOf(calls, tool, registered);
    const gained = calls.filter(
      (call) =>
        !call.wasAccepted && before.get(call) === undefined && after.get(call) !== undefined,
    );
    compare(
      `${tool} ${one.code.join(", ")}`,
      one,
      gained,
      (call) => (call.isLabelOf(tool) ? log.heard(tool, call.label) : undefined),
      (call) => log.heard(tool, after.get(call)),
    );
    const changed = calls.filter(
      (call) =>
        before.get(call) !== undefined &&
        JSON.stringify(before.get(call)) === JSON.stringify(call.raw) &&
        JSON.stringify(after.get(call)) !== JSON.stringify(call.raw),
    );
    check(`${tool} ${one.code}: valid changed`, one.validChanged, changed.length);
    before = after;
  }
  registry.register(tool, ...soFar);
}

for (const one of found.toolNames.filter(({ verdict }) => verdict === "write")) {
  const calls = log.calls.filter((call) => call.isUnknown && call.tool === one.from);
  const after = await outcomesOf(calls, one.to, toolmend.createFixerRegistry());
  const gained = calls.filter((call) => after.get(call) !== undefined);
  compare(
    one.code,
    one,
    gained,
    (call) =>
      call.isLabelOf(one.to)
        ? log.heard(one.to, call.label)
        : call.label === undefined
          ? undefined
          : "another tool",
    (call) => log.heard(one.to, after.get(call)),
  );
  run(`registry.${one.code}`);
}

const totals = { refused: 0, agree: 0, contradict: 0, unlabelled: 0, changed: 0 };
for (const call of log.calls) {
  const offered = call.isUnknown ? log.latest() : [{ name: call.tool, schema: call.ownSchema }];
  const result = await toolmend.repairToolCall({ name: call.tool, args: call.raw }, offered, {
    level: call.level,
    fixers: registry,
  });
  if (call.wasAccepted) {
    const isSame = result.ok && isRepaired(call, result.toolInput);
    if (!isSame) totals.changed += 1;
    continue;
  }
  totals.refused += 1;
  if (!result.ok) continue;
  const label = call.isLabelOf(result.name) ? log.heard(result.name, call.label) : undefined;
  if (label === undefined) totals.unlabelled += 1;
  else if (label === log.heard(result.name, result.toolInput)) totals.agree += 1;
  else totals.contradict += 1;
}
const { agree, contradict, unlabelled, refused: all, changed } = found.written;
check("the whole log", { refused: all, agree, contradict, unlabelled, changed }, totals);

for (const difference of differences) console.error(difference);
console.log(`${numbers} numbers counted again, ${differences.length} differ.`);
process.exitCode = differences.length > 0 || written.length === 0 ? 1 : 0;

function compare(
  what: string,
  said: Counted,
  gained: readonly Told[],
  labelOf: (call: Told) => string | undefined,
  madeOf: (call: Told) => string | undefined,
): void {
  const halves = { mined: true, heldOut: false } as const;
  for (const [half, isMined] of Object.entries(halves) as ["mined" | "heldOut", boolean][]) {
    const counts = { agree: 0, contradict: 0, unlabelled: 0 };
    const byRun = new Map<string, boolean>();
    for (const call of gained.filter((one) => one.isMined === isMined)) {
      const label = labelOf(call);
      if (label === undefined) {
        counts.unlabelled += 1;
        continue;
      }
      const isSame = label === madeOf(call);
      counts[isSame ? "agree" : "contradict"] += 1;
      byRun.set(call.run, (byRun.get(call.run) ?? true) && isSame);
    }
    check(`${what}: ${half}`, said[half], counts);
    if (half === "mined") continue;
    const right = [...byRun.values()].filter((isRight) => isRight).length;
    check(`${what}: runs`, said.heldOutRuns, { agree: right, contradict: byRun.size - right });
    check(`${what}: bound`, said.lowerBound.toFixed(6), lowerBound(right, byRun.size).toFixed(6));
  }
}

/** What comes out of each call with these fixers, by the latest schema of the tool. */
async function outcomesOf(
  calls: readonly Told[],
  tool: string,
  fixers: toolmend.FixerRegistry,
): Promise<ReadonlyMap<Told, unknown>> {
  const outcomes = new Map<Told, unknown>();
  const [offered] = log.latest().filter(({ name }) => name === tool);
  if (offered === undefined) throw new Error(`The log has no schema of ${tool}.`);
  for (const call of calls) {
    const result = await toolmend.repairToolInput(call.raw, offered, { level: call.level, fixers });
    outcomes.set(call, result.ok ? result.toolInput : undefined);
  }
  return outcomes;
}

/** Wilson's lower bound at 95 %, by the formula that is solved for the share. */
function lowerBound(hits: number, total: number): number {
  if (hits === 0) return 0;
  const z = 1.959964;
  const [a, b, c] = [
    1 + z ** 2 / total,
    -(2 * (hits / total) + z ** 2 / total),
    (hits / total) ** 2,
  ];
  return (-b - Math.sqrt(b ** 2 - 4 * a * c)) / (2 * a);
}

/** Runs code that would be written to a file. */
function run(code: string): unknown {
  const scope = { ...toolmend };
  const values = Object.values(scope);
  return new Function("registry", ...Object.keys(scope), `return ${code};`)(registry, ...values);
}
