import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LineWriter } from "../evidence/log-line.ts";
import { fromLangSmith } from "../evidence/record/from-langsmith.ts";
import { fromOtel } from "../evidence/record/from-otel.ts";
import { readExport } from "../evidence/record/read-export.ts";
import { recordCalls } from "../evidence/record/record-calls.ts";
import type { Redact } from "../repair/events/plain-event.ts";
import { aFunction } from "../repair/usage.ts";
import type { Command } from "./commands.ts";
import { importOption, loadSchemas, writeOut } from "./files.ts";

const READERS = { langsmith: fromLangSmith, otel: fromOtel };

/** `toolmend record`: makes a log from existing traces. Exit code 1: no calls, or misuse. */
export const record: Command<"record"> = async (given, terminal) => {
  const { names, from, out, level, content = "none" } = given;
  if (out !== undefined && existsSync(resolve(terminal.folder, out))) {
    throw new TypeError(`--out ${out} is there already: name another.`);
  }
  const schemas = await loadSchemas(given.schemas, terminal);
  const redact = await importOption<Redact>("redact", given.redact, terminal, aFunction);
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
  else writeOut(out, lines.map((line) => `${line}\n`).join(""), terminal, 0o600);
  const { calls, corrections, withoutSchema } = recorded;
  const { entries, files, torn, odd } = read;
  const parts = [
    `${calls} calls and ${corrections} corrections, of ${entries} entries in ${files} files`,
    torn > 0 && `${torn} lines are no JSON`,
    odd > 0 && `${odd} entries or calls are nested too deeply, or have no time`,
    withoutSchema > 0 &&
      `${withoutSchema} calls are of tools whose schema is not in the trace, or is none: give --schemas DIR`,
    read.calls.length === 0 &&
      "no calls were found: --from langsmith reads runs, --from otel what a collector's file exporter writes",
  ];
  terminal.err(`${parts.filter((part) => part !== false).join("; ")}.`);
  return calls > 0 ? 0 : 1;
};
