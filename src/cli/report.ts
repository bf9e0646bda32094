import type { LogLine } from "../evidence/log-line.ts";
import { readLog } from "../evidence/read-log.ts";
import { createReportCollector } from "../evidence/report/collect-report.ts";
import { summarizeReport } from "../evidence/report/summarize-report.ts";
import { writePage } from "../evidence/report/write-page.ts";
import { createLogEvidence, type LogEvidence } from "../evidence/suggest/logged-inputs.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import { withoutValues } from "../evidence/suggest/suggestion.ts";
import { type Command, toTable } from "./commands.ts";
import { writeOut } from "./files.ts";

/** So many rows of each table are printed. */
const MOST_ROWS = 20;

/** So many calls are searched for suggestions; `toolmend suggest` has no such limit. */
const MOST_EXAMPLES = 10_000;

/** `toolmend report`: what logs say, as a page, as tables or as JSON. */
export const report: Command<"report"> = async ({ names, out, by, json }, terminal) => {
  const collector = createReportCollector(by);
  let evidence: LogEvidence | undefined = createLogEvidence();
  let examples = 0;
  const add = (line: LogLine) => {
    collector.add(line);
    if (line.kind === "call" && line.raw !== undefined) examples += 1;
    if (examples > MOST_EXAMPLES) evidence = undefined;
    evidence?.add(line);
  };
  const places = { folder: terminal.project, stdin: terminal.openInput() };
  const read = await readLog(names, add, places);
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
  for (const { title, rows } of out === undefined ? parts : []) {
    terminal.out(`\n${title}\n${toTable(rows.slice(0, MOST_ROWS + 1))}`);
    if (rows.length > MOST_ROWS + 1) terminal.out(`and ${rows.length - MOST_ROWS - 1} more`);
  }
  return 0;
};
