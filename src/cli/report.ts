import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LogLine } from "../evidence/log-line.ts";
import { readLog } from "../evidence/read-log.ts";
import { createReportCollector } from "../evidence/report/collect-report.ts";
import { summarizeReport } from "../evidence/report/summarize-report.ts";
import { writePage } from "../evidence/report/write-page.ts";
import {
  createLogEvidence,
  type LogEvidence,
  type LoggedInputs,
} from "../evidence/suggest/logged-inputs.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import type { ShownSuggestions } from "../evidence/suggest/suggestion.ts";
import { withoutValues } from "../evidence/suggest/write-fixers.ts";
import { parseFlags } from "./arguments.ts";
import { makeFolderOf } from "./files.ts";
import { showProgress, type Terminal, toTable } from "./terminal.ts";

/** `toolmend report`: what logs say, as a page, as a few tables or as JSON. */
export async function report(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      out: { type: "string" },
      since: { type: "string" },
      by: { type: "string", default: "tool" },
      json: { type: "boolean", default: false },
    },
  });
  const { out, since, by, json } = values;
  if (positionals.length === 0) {
    throw new TypeError(
      "No log is named: toolmend report LOG…, where LOG is a file, a folder, a pattern or -.",
    );
  }
  if (by !== "tool" && by !== "model") {
    throw new TypeError(`--by must be tool or model, not "${by}".`);
  }
  const collector = createReportCollector({ by, since: parseSince(since, Date.now()) });
  const examples = gatherExamples();
  const progress = showProgress(terminal, "reading");
  const add = (line: LogLine) => {
    collector.add(line);
    examples.add(line);
  };
  const read = await readLog(positionals, add, {
    folder: terminal.project,
    stdin: terminal.openInput(),
    onProgress: progress.update,
  }).finally(progress.end);
  const suggestions = await suggestFrom(examples, terminal);
  const result = {
    ...collector.finish(read),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
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

type Examples = Pick<LogEvidence, "add"> & { read(): LoggedInputs | undefined };

/** Keeps the calls whose inputs are in the log, unless there are many. */
function gatherExamples(): Examples {
  let evidence: LogEvidence | undefined = createLogEvidence();
  let count = 0;
  return {
    add(line) {
      if (line.kind === "count") return;
      if (line.kind !== "schema") {
        if (line.raw === undefined) return;
        count += 1;
        if (count > EXAMPLES) evidence = undefined;
      }
      evidence?.add(line);
    },
    read: () => (count === 0 ? undefined : evidence?.read()),
  };
}

async function suggestFrom(
  examples: Examples,
  terminal: Terminal,
): Promise<ShownSuggestions | undefined> {
  const logged = examples.read();
  if (logged === undefined) return undefined;
  const progress = showProgress(terminal, "looking for fixers");
  return withoutValues(
    await suggestFixers(logged, { onProgress: progress.update }).finally(progress.end),
  );
}

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
