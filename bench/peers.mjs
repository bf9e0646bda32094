// toolmend and what else there is, side by side: node peers.mjs [RECORDS] [--only PART]
// RECORDS: recorded outputs (JSON Lines, or the folder of dev.jsonl) beside their measure.mjs; or
// TOOLMEND_CORPUS. PART: faults, corpus or speed; then RESULTS.md is left as it is.
import { statSync, writeFileSync } from "node:fs";
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
import { methods } from "./methods/index.mjs";
import { measureSpeed } from "./speed.mjs";
import { table } from "./table.mjs";
import { describeRun } from "./versions.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" } },
});
const records = recordsAt(positionals[0] ?? process.env.TOOLMEND_CORPUS);
const say = (line) => process.stderr.write(`… ${line}\n`);
const wants = (part) => values.only === undefined || values.only === part;

const FAULTS_NOTE = "Averages over the kinds, each counting the same.";
const BY_KIND_NOTE = "Right %, and behind a slash wrong % where anything was accepted wrongly.";
const COLUMNS_NOTE =
  "Correct: the schema accepts it and it is what was meant. Safe and policy: what an oracle reaches with edits that need no guess, or one. Mis-repaired: it could have been right. Hopeless: nothing could have made it right, and it was let through.";

const sections = [];
const details = [];
if (wants("faults")) {
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

const report = [describeRun(methods), ...sections, ...details].join("\n\n");
console.log(sections.join("\n\n"));
if (values.only === undefined) writeFileSync(new URL("RESULTS.md", import.meta.url), `${report}\n`);

async function addFaults(title, samples) {
  say(title);
  const kinds = await injectFaults(samples);
  const scores = await scoreFaults(kinds, methods);
  const { head, rows, note } = summarise(kinds, scores);
  sections.push(section(title, `${note} ${FAULTS_NOTE}`, head, rows));
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
