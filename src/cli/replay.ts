import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { readBaseline, writeBaseline } from "../evidence/replay/baseline.ts";
import { replayInputs } from "../evidence/replay/replay-inputs.ts";
import { loadFixers } from "./load-fixers.ts";
import { loadSchemas } from "./load-schemas.ts";
import { makeFolderOf } from "./make-folder-of.ts";
import { parseFlags } from "./parse-flags.ts";
import { readEvidence } from "./read-evidence.ts";
import { showProgress } from "./show-progress.ts";
import { showReplay } from "./show-replay.ts";
import type { Terminal } from "./terminal.ts";
import { toCount } from "./to-count.ts";
import { toLevel } from "./to-level.ts";

/** Where a baseline is written to where no file is named. */
const BASELINE = "toolmend.baseline.json";

/**
 * `toolmend replay`: which calls of a log would be lost or changed, or contradict what corrected them.
 * Exit code 1: more than allowed; 2: wrong use, or too little content.
 */
export async function replay(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      fixers: { type: "string" },
      schemas: { type: "string" },
      level: { type: "string" },
      baseline: { type: "string" },
      update: { type: "boolean", default: false },
      "max-lost": { type: "string", default: "0" },
      "max-changed": { type: "string", default: "0" },
      "max-contradicted": { type: "string", default: "0" },
      json: { type: "boolean", default: false },
    },
  });
  const { fixers, schemas, level, baseline, update, json } = values;
  const at = (file: string) => resolve(terminal.project, file);
  const maxLost = toCount(values["max-lost"], { name: "--max-lost", least: 0 });
  const maxChanged = toCount(values["max-changed"], { name: "--max-changed", least: 0 });
  const maxContradicted = toCount(values["max-contradicted"], {
    name: "--max-contradicted",
    least: 0,
  });
  const logged = await readEvidence(positionals, terminal);
  const registry = fixers === undefined ? undefined : await loadFixers(at(fixers));
  const progress = showProgress(terminal, "replaying");
  const result = await replayInputs(logged, {
    fixers: registry,
    schemas: schemas === undefined ? undefined : loadSchemas(at(schemas)),
    level: level === undefined ? undefined : toLevel(level),
    // What is written anew is compared with nothing but the log.
    baseline:
      baseline === undefined || update
        ? undefined
        : readBaseline(readBaselineFile(at(baseline)), baseline),
    keepsOutcomes: update,
    onProgress: progress.update,
  }).finally(progress.end);
  if (result.calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${result.withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const count = (kind: string) => result.differing.filter((call) => call.kind === kind).length;
  const [lost, changed] = [count("lost"), count("changed")];
  const { contradicted } = result;
  const isOver = lost > maxLost || changed > maxChanged || contradicted > maxContradicted;
  const isBroken = !update && isOver;
  const written = baseline ?? BASELINE;
  if (update) writeFileSync(makeFolderOf(at(written)), writeBaseline(result.outcomes));
  const { outcomes: _, ...shown } = result;
  const gate = { maxLost, maxChanged, maxContradicted, lost, changed, contradicted, isBroken };
  if (json) terminal.out(JSON.stringify({ ...shown, gate }, null, 1));
  else {
    for (const line of showReplay(result, gate, logged.counts.withoutInput)) terminal.out(line);
    if (update) terminal.out(`What comes out now is the baseline: ${written}.`);
  }
  return isBroken ? 1 : 0;
}

function readBaselineFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`--baseline ${file} cannot be read (${message}): write it with --update.`);
  }
}
