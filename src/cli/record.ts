import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LineWriter } from "../evidence/log-line.ts";
import { printCount } from "../evidence/print-name.ts";
import { fromLangSmith } from "../evidence/record/from-langsmith.ts";
import { fromOtel } from "../evidence/record/from-otel.ts";
import { type ExportRead, readExport } from "../evidence/record/read-export.ts";
import { type Recorded, recordCalls } from "../evidence/record/record-calls.ts";
import type { Redact } from "../repair/events/plain-event.ts";
import { aFunction } from "../repair/usage.ts";
import type { Command } from "./commands.ts";
import { importOption, loadSchemas, writeOut } from "./files.ts";

const READERS = { langsmith: fromLangSmith, otel: fromOtel };

/**
 * `toolmend record`: makes a log from existing traces. Exit code 1: no calls,
 * or misuse.
 */
export const record: Command<"record"> = async (options, terminal) => {
  const { names, from, out, level, content = "none" } = options;
  if (out !== undefined && existsSync(resolve(terminal.folder, out))) {
    throw new TypeError(`--out ${out} is there already: name another.`);
  }
  const schemas = await loadSchemas(options.schemas, terminal);
  const redact = await importOption<Redact>(
    "redact",
    options.redact,
    terminal,
    aFunction,
  );
  const read = await readExport(names, READERS[from], terminal);
  const recorded = await recordCalls(read.calls, { level, schemas });
  const lines: string[] = [];
  const writer = new LineWriter((line) => lines.push(JSON.stringify(line)), {
    content,
    valid: content === "full" ? "each" : "count",
    redact,
  });
  for (const event of recorded.events) writer.add(event);
  writer.flush();
  // As jsonlSink, for its owner only.
  if (out === undefined) for (const line of lines) terminal.out(line);
  else
    writeOut(out, lines.map((line) => `${line}\n`).join(""), terminal, 0o600);
  terminal.err(summaryOf(read, recorded));
  return recorded.calls > 0 ? 0 : 1;
};

function summaryOf(
  read: ExportRead,
  { calls, corrections, withoutSchema }: Recorded,
): string {
  const { entries, files, torn, odd } = read;
  const parts = [
    `${printCount(calls, "call")} and ${printCount(corrections, "correction")}, of ${printCount(entries, "entry", "entries")} in ${printCount(files, "file")}`,
  ];
  if (torn > 0)
    parts.push(`${printCount(torn, "line is", "lines are")} no JSON`);
  if (odd > 0)
    parts.push(
      `${odd} entries or calls are nested too deeply, or have no time`,
    );
  if (withoutSchema > 0) {
    parts.push(
      `${withoutSchema} calls are of tools whose schema is not in the trace, or is none: give --schemas DIR`,
    );
  }
  if (read.calls.length === 0) {
    parts.push(
      "no calls were found: --from langsmith reads runs, --from otel what a collector's file exporter writes",
    );
  }
  return `${parts.join("; ")}.`;
}
