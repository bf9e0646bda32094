// toolmend and its alternatives, side by side: node peers.mjs [RECORDS] [--only PART [--only PART]… [--write]]
// RECORDS: recorded outputs (JSON Lines, or the folder of dev.jsonl) beside their measure.mjs; or
// TOOLMEND_CORPUS. PART: gauge, faults, corpus or speed; then RESULTS.md stays unchanged, or, with --write, only the
// sections of those parts are replaced.
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureCorpus } from "./corpus.mjs";
import {
  byKind,
  generatedSamples,
  injectFaults,
  recordedSamples,
  scoreFaults,
  summarise,
} from "./faults.mjs";
import { measureGauge } from "./gauge.mjs";
import { hazardsByClass, loadHazards, misledShares, scoreHazards } from "./hazards.mjs";
import { methods } from "./methods/index.mjs";
import { measureSpeed } from "./speed.mjs";
import { table } from "./table.mjs";
import { describeRun } from "./versions.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", multiple: true }, write: { type: "boolean", default: false } },
});
const records = recordsAt(positionals[0] ?? process.env.TOOLMEND_CORPUS);
const say = (line) => process.stderr.write(`… ${line}\n`);
const wants = (part) => values.only === undefined || values.only.includes(part);

/** What the report calls the parts of a run. */
const TITLES = {
  gauge: "both sides",
  faults: "synthetic faults and hazards",
  corpus: "recorded model outputs",
};

const FAULTS_NOTE = "Averages over the kinds, each counting the same.";
const BY_KIND_NOTE = "Right %, and behind a slash wrong % where anything was accepted wrongly.";
const MISLED_NOTE =
  "Misled: of the project's table of hazards, at the end, what share was accepted with another value than the right one, or without there being one.";
const HAZARDS_NOTE =
  "Inputs on which a repair could be wrong, and, in the last three classes, plain ones: what share of each misled a method, in percent. To refuse is never to be misled.";
const GAUGE_NOTE =
  "Right: the plain inputs that became exactly what was meant. Wrong: those accepted with another value. Misled: the attacks accepted with a value that is not acceptable, which for most is any value. The peers are made for tool calls: the bare text that text agents write is not their job.";
const COLUMNS_NOTE =
  "Correct: the schema accepts it and it is what was meant. Safe and policy: what an oracle reaches with edits that need no guess, or one. Mis-repaired: it could have been right. Hopeless: nothing could have made it right, and it was let through.";

const sections = [];
const details = [];
let misled = new Map();
if (wants("gauge")) {
  say("both sides");
  const { head, rows, note } = await measureGauge(methods);
  sections.push(
    section("Both sides: plain inputs and attacks", `${note} ${GAUGE_NOTE}`, head, rows),
  );
}
if (wants("faults")) {
  say("hazards");
  const hazards = await loadHazards();
  const scores = await scoreHazards(hazards, methods);
  misled = misledShares(scores);
  const each = hazardsByClass(hazards, scores);
  details.push(section("Hazards, by class", HAZARDS_NOTE, each.head, each.rows));
  await addFaults("Synthetic faults in generated inputs", await generatedSamples());
  if (records !== undefined)
    await addFaults("Synthetic faults in recorded valid calls", await recordedSamples(records));
}
if (wants("corpus") && records !== undefined) {
  say("recorded outputs");
  const { head, rows, note } = await measureCorpus(records, methods);
  sections.push(section("Recorded model outputs", `${note} ${COLUMNS_NOTE}`, head, rows));
}
if (wants("speed")) {
  for (const { title, note, head, rows } of await measureSpeed(methods, say))
    sections.push(section(title, note, head, rows));
}

const made = [describeRun(methods) + ofOlderRuns(), ...sections, ...details];
const results = new URL("RESULTS.md", import.meta.url);
console.log(sections.join("\n\n"));
if (values.only === undefined) writeFileSync(results, `${made.join("\n\n")}\n`);
else if (values.write) writeFileSync(results, replaceSections(readFileSync(results, "utf8"), made));

function ofOlderRuns() {
  if (values.only === undefined) return "";
  const parts = values.only.map((part) => TITLES[part] ?? part).join(", ");
  return `\nThis run measured: ${parts}. The other sections are of an earlier run.`;
}

/** The report with the new sections replaced; a section that it lacked comes last. */
function replaceSections(report, sections) {
  const titleOf = (part) => part.split("\n", 1)[0];
  const anew = new Map(sections.map((part) => [titleOf(part), part]));
  const kept = report.trim().split(/\n\n(?=## )/);
  const titles = kept.map(titleOf);
  const added = sections.filter((part) => !titles.includes(titleOf(part)));
  return `${[...kept.map((part) => anew.get(titleOf(part)) ?? part), ...added].join("\n\n")}\n`;
}

async function addFaults(title, samples) {
  say(title);
  const kinds = await injectFaults(samples);
  const scores = await scoreFaults(kinds, methods);
  const { head, rows, note } = summarise(kinds, scores, misled);
  sections.push(section(title, `${note} ${FAULTS_NOTE} ${MISLED_NOTE}`, head, rows));
  const each = byKind(kinds, scores);
  details.push(section(`${title}, by kind`, BY_KIND_NOTE, each.head, each.rows));
}

function section(title, note, head, rows) {
  return `## ${title}\n\n${note}\n\n${table(head, rows)}`;
}

function recordsAt(path) {
  if (path === undefined) return undefined;
  const file = resolve(process.env.INIT_CWD ?? ".", path);
  return statSync(file).isDirectory() ? join(file, "dev.jsonl") : file;
}
