// Counts how often each edit was right on recorded calls, and writes scripts/edits/counts.json: numbers only.
//   node scripts/run-ts.mjs scripts/edits/count-edits.ts CORPUS/records.jsonl
// A record has the offered tools, the calls as the model wrote them, and mostly the right call; score.mjs beside it
// compares a call with that.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { repairToolCall } from "../../src/repair/repair-tool-call.ts";
import type { JsonSchema, JsonValue } from "../../src/repair/types.ts";

interface CorpusRecord {
  readonly tools: readonly { name: string; description?: string; parameters: JsonSchema }[];
  readonly raw: readonly { name: string; args: JsonValue }[];
  readonly groundTruth: { readonly expect?: string } | null;
  readonly gtConflict?: boolean;
  readonly oracle?: readonly ({ readonly tier?: string } | string | null)[];
}

/** How often an edit took part in a repair, by its outcome. */
interface Count {
  right: number;
  wrong: number;
  /** Wrong, but no repair could have been right, so it is no evidence about the edit. */
  beyondRepair: number;
  /** The right call is unknown. */
  unknown: number;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Usage: count-edits.ts RECORDS.jsonl");
const path = resolve(file);
const score: {
  scoreCall: (record: CorpusRecord, call: object) => { readonly correct: boolean | null };
} = await import(pathToFileURL(join(dirname(path), "score.mjs")).href);

const counts: { [edit: string]: Count } = {};
let calls = 0;
for (const line of readFileSync(path, "utf8").trim().split("\n")) {
  const record = JSON.parse(line) as CorpusRecord;
  const tools = record.tools.map(({ parameters, ...tool }) => ({ ...tool, schema: parameters }));
  for (const [index, call] of record.raw.entries()) {
    calls += 1;
    const result = await repairToolCall(call, tools, { level: "eager" });
    if (!result.ok) continue;
    const edits = result.repairs.map(({ fixer }) => fixer);
    if (result.nameRepair !== undefined) edits.push(result.nameRepair.fixer);
    const verdict = verdictOn(record, index, { name: result.name, args: result.toolInput });
    for (const edit of new Set(edits)) {
      counts[edit] ??= { right: 0, wrong: 0, beyondRepair: 0, unknown: 0 };
      counts[edit][verdict] += 1;
    }
  }
}

const sorted = Object.fromEntries(
  Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(
  "scripts/edits/counts.json",
  `${JSON.stringify({ calls, edits: sorted }, null, 2)}\n`,
);

function verdictOn(record: CorpusRecord, index: number, call: object): keyof Count {
  const { groundTruth: truth, gtConflict, oracle } = record;
  if (truth === null || gtConflict === true || truth.expect === "no-call") return "unknown";
  if (score.scoreCall(record, call).correct === true) return "right";
  const reachable = oracle?.[index];
  const isReachable = typeof reachable === "object" && reachable?.tier !== undefined;
  return isReachable ? "wrong" : "beyondRepair";
}
