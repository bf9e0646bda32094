import type { LogLine } from "../evidence/log-line.ts";
import { readLog } from "../evidence/read-log.ts";
import { createReportCollector } from "../evidence/report/collect-report.ts";
import { summarizeReport } from "../evidence/report/summarize-report.ts";
import { writePage } from "../evidence/report/write-page.ts";
import { createLogEvidence, type LogEvidence } from "../evidence/suggest/logged-inputs.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import { withoutValues } from "../evidence/suggest/write-fixers.ts";
import { type Command, toTable } from "./commands.ts";
import { writeOut } from "./files.ts";

/** `toolmend report`: what logs say, as a page, as tables or as JSON. */
export const report: Command<"report"> = async ({ names, out, by, json, ...given }, terminal) => {
  const since = given.since === undefined ? undefined : parseSince(given.since, Date.now());
  const collector = createReportCollector({ by, since });
  // The calls with inputs, unless there are many.
  let evidence: LogEvidence | undefined = createLogEvidence();
  let examples = 0;
  const add = (line: LogLine) => {
    collector.add(line);
    if (line.kind === "count" || (line.kind !== "schema" && line.raw === undefined)) return;
    if (line.kind !== "schema") examples += 1;
    if (examples > MOST_EXAMPLES) evidence = undefined;
    evidence?.add(line);
  };
  const { project, openInput } = terminal;
  const read = await readLog(names, add, { folder: project, stdin: openInput() });
  const logged = examples === 0 ? undefined : evidence?.read();
  const suggestions = logged && withoutValues(await suggestFixers(logged));
  const result = { ...collector.finish(read), ...(suggestions && { suggestions }) };
  if (out !== undefined) {
    const page = writePage(result);
    writeOut(out, page, terminal);
    if (!json) terminal.out(`${out}: ${Math.ceil(Buffer.byteLength(page) / 1000)} kB`);
  }
  if (json) {
    terminal.out(JSON.stringify(result));
    return 0;
  }
  const { period, figures, ignored, parts } = summarizeReport(result);
  const shown = figures.map(([name, figure, note]) => `${name}: ${figure} (${note})`);
  terminal.out([period, ...shown].join(" · "));
  if (ignored.length > 0) terminal.out(`Ignored: ${ignored.join("; ")}.`);
  for (const { title, rows, numbers } of out === undefined ? parts : []) {
    terminal.out(`\n${title}\n${toTable(rows.slice(0, MOST_ROWS + 1), numbers)}`);
    if (rows.length > MOST_ROWS + 1) terminal.out(`and ${rows.length - MOST_ROWS - 1} more`);
  }
  return 0;
};

/** So many rows of each table are printed. */
const MOST_ROWS = 20;

/** So many calls are searched for suggestions; `toolmend suggest` has no such limit. */
const MOST_EXAMPLES = 10_000;

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Reads `7d` before now, or a date. */
function parseSince(text: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : now - Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isNaN(time)) return time;
  throw new TypeError(
    `--since must be a number of minutes, hours, days or weeks (90m, 24h, 7d, 2w) or a date (2026-11-01), not "${text}".`,
  );
}
