import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findLogs } from "../evidence/find-logs.ts";
import { fromLangSmith } from "../evidence/record/from-langsmith.ts";
import { fromOtel } from "../evidence/record/from-otel.ts";
import { type ExportRead, readExport } from "../evidence/record/read-export.ts";
import { type Recorded, recordCalls } from "../evidence/record/record-calls.ts";
import { CONTENTS, isContent, type Redact } from "../evidence/redact.ts";
import { createLineWriter } from "../evidence/write-lines.ts";
import { parseFlags, toLevel } from "./arguments.ts";
import { loadSchemas, makeFolderOf } from "./files.ts";
import { showProgress, type Terminal } from "./terminal.ts";

const READERS = { langsmith: fromLangSmith, otel: fromOtel } as const;

/** Readable by their owner alone, as what `jsonlSink` writes. */
const MODE = 0o600;

/** How many lines are written at once. */
const BATCH = 1_000;

/** `toolmend record`: makes a log of what others have recorded. Exit code 1: no calls, or wrong use. */
export async function record(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      from: { type: "string", default: "" },
      out: { type: "string" },
      schemas: { type: "string" },
      level: { type: "string" },
      content: { type: "string", default: "none" },
      valid: { type: "string", default: "count" },
      redact: { type: "string" },
    },
  });
  const { from, out, schemas, content, valid } = values;
  if (!Object.hasOwn(READERS, from)) {
    throw new TypeError(
      `--from must be langsmith or otel, not "${from}": what the files are exported from.`,
    );
  }
  if (positionals.length === 0) {
    throw new TypeError("No file is named: toolmend record --from langsmith|otel FILE…");
  }
  if (!isContent(content)) {
    throw new TypeError(`--content must be one of ${CONTENTS.join(", ")}, not "${content}".`);
  }
  if (valid !== "count" && valid !== "each") {
    throw new TypeError(`--valid must be count or each, not "${valid}".`);
  }
  const redact =
    values.redact === undefined
      ? undefined
      : await loadRedact(resolve(terminal.project, values.redact));
  const level = values.level === undefined ? {} : { level: toLevel(values.level) };
  const given =
    schemas === undefined ? {} : { schemas: loadSchemas(resolve(terminal.project, schemas)) };
  const file = out === undefined ? undefined : resolve(terminal.project, out);
  if (file !== undefined && findLogs(positionals, terminal.project).includes(file)) {
    throw new TypeError(`--out ${out} is one of the files that are read: name another.`);
  }
  const reading = showProgress(terminal, "reading");
  const read = await readExport(positionals, READERS[from as keyof typeof READERS], {
    folder: terminal.project,
    stdin: terminal.openInput(),
    onProgress: reading.update,
  }).finally(reading.end);
  const repairing = showProgress(terminal, "repairing");
  const onProgress = repairing.update;
  const recorded = await recordCalls(read.calls, { ...level, ...given, onProgress }).finally(
    repairing.end,
  );
  const lines: string[] = [];
  const append = (line: object) => void lines.push(JSON.stringify(line));
  const writer = createLineWriter(append, { content, valid, redact });
  for (const event of recorded.events) writer.add(event);
  writer.flush();
  if (file === undefined) for (const line of lines) terminal.out(line);
  else await writeFile(makeFolderOf(file), inBatches(lines), { mode: MODE });
  terminal.err(`${tellOf(read, recorded).join("; ")}.`);
  return recorded.calls > 0 ? 0 : 1;
}

/** Imports the function that `jsonlSink` takes as its option. */
async function loadRedact(file: string): Promise<Redact> {
  const { redact, default: main } = await import(pathToFileURL(file).href).catch((error) => {
    throw new TypeError(`--redact ${file}: ${(error as Error).message}`, { cause: error });
  });
  const found = redact ?? main;
  if (typeof found === "function") return found;
  throw new TypeError(`--redact ${file} exports no function: export function redact(value, path).`);
}

function* inBatches(lines: readonly string[]): Generator<string> {
  for (let at = 0; at < lines.length; at += BATCH) {
    yield `${lines.slice(at, at + BATCH).join("\n")}\n`;
  }
}

/** What was read, and what was passed over. */
function tellOf(read: ExportRead, recorded: Recorded): readonly string[] {
  const { calls, corrections, withoutSchema } = recorded;
  const parts = [
    [
      true,
      `${calls} calls and ${corrections} corrections, of ${read.entries} entries in ${read.files} files`,
    ],
    [read.torn > 0, `${read.torn} lines are no JSON`],
    [read.odd > 0, `${read.odd} entries or calls are nested too deeply, or of no time`],
    [
      withoutSchema > 0,
      `${withoutSchema} calls are of tools whose schema is not in the trace, or is none: give --schemas DIR`,
    ],
    [
      read.calls.length === 0,
      "no calls were found: --from langsmith reads runs, --from otel what a collector's file exporter writes",
    ],
  ] as const;
  return parts.filter(([isSo]) => isSo).map(([, text]) => text);
}
