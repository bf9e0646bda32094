import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LogLine } from "../evidence/log-line.ts";
import { readLog } from "../evidence/read-log.ts";
import { createReportCollector } from "../evidence/report/collect-report.ts";
import { summarizeReport } from "../evidence/report/summarize-report.ts";
import { writePage } from "../evidence/report/write-page.ts";
import { createLogEvidence, type LogEvidence } from "../evidence/suggest/logged-inputs.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import { withoutValues } from "../evidence/suggest/write-fixers.ts";
import { flag, readCommandLine, text, wordOf } from "./arguments.ts";
import { makeFolderOf, NO_LOG } from "./files.ts";
import { type Terminal, toTable } from "./terminal.ts";

/** `toolmend report`: what logs say, as a page, as a few tables or as JSON. */
export async function report(args: readonly string[], terminal: Terminal): Promise<number> {
  const { names, out, since, by, json } = readCommandLine(
    args,
    { out: text, since: text, by: wordOf(["tool", "model"], "tool"), json: flag },
    NO_LOG,
  );
  const collector = createReportCollector({ by, since: parseSince(since, Date.now()) });
  // The calls whose inputs are in the log, unless there are many.
  let evidence: LogEvidence | undefined = createLogEvidence();
  let examples = 0;
  const add = (line: LogLine) => {
    collector.add(line);
    if (line.kind === "count" || (line.kind !== "schema" && line.raw === undefined)) return;
    if (line.kind !== "schema") examples += 1;
    if (examples > EXAMPLES) evidence = undefined;
    evidence?.add(line);
  };
  const places = { folder: terminal.project, stdin: terminal.openInput() };
  const read = await readLog(names, add, places);
  const logged = examples === 0 ? undefined : evidence?.read();
  const suggestions = logged && withoutValues(await suggestFixers(logged));
  const result = { ...collector.finish(read), ...(suggestions && { suggestions }) };
  if (out !== undefined) {
    const page = writePage(result);
    writeFileSync(makeFolderOf(resolve(terminal.project, out)), page);
    const size = Math.ceil(Buffer.byteLength(page) / 1000);
    if (!json) terminal.out(`${out}: ${size} kB`);
  }
  if (json) terminal.out(JSON.stringify(result));
  else {
    const { period, figures, ignored, parts } = summarizeReport(result);
    const shown = figures.map(([name, figure, note]) => `${name}: ${figure} (${note})`);
    terminal.out([period, ...shown].join(" · "));
    if (ignored.length > 0) terminal.out(`Ignored: ${ignored.join("; ")}.`);
    for (const { title, rows, numbers } of out === undefined ? parts : []) {
      terminal.out(`\n${title}\n${toTable(rows.slice(0, MOST + 1), numbers)}`);
      if (rows.length > MOST + 1) terminal.out(`and ${rows.length - MOST - 1} more`);
    }
  }
  return 0;
}

/** So many rows of each table are shown. */
const MOST = 20;

/** So many calls are looked through for suggestions; of more, `toolmend suggest` does it. */
const EXAMPLES = 10_000;

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `7d` before now, or a date. */
function parseSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : now - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isNaN(time)) {
    throw new TypeError(
      `--since must be a number of minutes, hours, days or weeks (90m, 24h, 7d, 2w) or a date (2026-11-01), not "${text}".`,
    );
  }
  return time;
}
