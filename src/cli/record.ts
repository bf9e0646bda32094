import { existsSync, realpathSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { createLineWriter } from "../evidence/log-line.ts";
import { findFiles } from "../evidence/read-files.ts";
import { fromLangSmith } from "../evidence/record/from-langsmith.ts";
import { fromOtel } from "../evidence/record/from-otel.ts";
import { readExport } from "../evidence/record/read-export.ts";
import { recordCalls } from "../evidence/record/record-calls.ts";
import { CONTENTS } from "../repair/events/redact.ts";
import { LEVELS } from "../repair/level-allows.ts";
import { readCommandLine, text, wordOf } from "./arguments.ts";
import { loadRedact, loadSchemas, makeFolderOf } from "./files.ts";
import type { Terminal } from "./terminal.ts";

const READERS = { langsmith: fromLangSmith, otel: fromOtel } as const;

/** Readable by their owner alone, as what `jsonlSink` writes. */
const MODE = 0o600;

/** `toolmend record`: makes a log of what others have recorded. Exit code 1: no calls, or wrong use. */
export async function record(args: readonly string[], terminal: Terminal): Promise<number> {
  const { names, from, out, schemas, level, content, valid, redact } = readCommandLine(
    args,
    {
      from: wordOf(["langsmith", "otel"], undefined),
      out: text,
      schemas: text,
      level: wordOf(LEVELS, "safe"),
      content: wordOf(CONTENTS, "none"),
      valid: wordOf(["count", "each"], "count"),
      redact: text,
    },
    "No file is named: toolmend record --from langsmith|otel FILE…",
  );
  if (from === undefined) {
    throw new TypeError("--from is missing, langsmith or otel: what the files are exported from.");
  }
  const at = (file: string) => resolve(terminal.project, file);
  const options = {
    content,
    valid,
    redact: redact === undefined ? undefined : await loadRedact(at(redact)),
  };
  const given = schemas === undefined ? {} : { schemas: loadSchemas(at(schemas)) };
  const isRead = (file: string) =>
    existsSync(file) &&
    findFiles(names, terminal.project).some(
      (one) => one !== "-" && realpathSync(one) === realpathSync(file),
    );
  if (out !== undefined && isRead(at(out))) {
    throw new TypeError(`--out ${out} is one of the files that are read: name another.`);
  }
  const places = { folder: terminal.project, stdin: terminal.openInput() };
  const read = await readExport(names, READERS[from], places);
  const recorded = await recordCalls(read.calls, { level, ...given });
  const lines: string[] = [];
  const append = (line: object) => void lines.push(JSON.stringify(line));
  const writer = createLineWriter(append, options);
  for (const event of recorded.events) writer.add(event);
  writer.flush();
  if (out === undefined) for (const line of lines) terminal.out(line);
  else await writeFile(makeFolderOf(at(out)), inBatches(lines), { mode: MODE });
  const { calls, corrections, withoutSchema } = recorded;
  const { entries, files, torn, odd } = read;
  const said = [
    `${calls} calls and ${corrections} corrections, of ${entries} entries in ${files} files`,
    torn > 0 && `${torn} lines are no JSON`,
    odd > 0 && `${odd} entries or calls are nested too deeply, or of no time`,
    withoutSchema > 0 &&
      `${withoutSchema} calls are of tools whose schema is not in the trace, or is none: give --schemas DIR`,
    read.calls.length === 0 &&
      "no calls were found: --from langsmith reads runs, --from otel what a collector's file exporter writes",
  ];
  terminal.err(`${said.filter((part) => part !== false).join("; ")}.`);
  return calls > 0 ? 0 : 1;
}

/** So many lines are written at once. */
const BATCH = 1_000;

function* inBatches(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at += BATCH) {
    yield `${lines.slice(at, at + BATCH).join("\n")}\n`;
  }
}
