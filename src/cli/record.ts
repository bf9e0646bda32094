import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { createLineWriter } from "../evidence/log-line.ts";
import { fromLangSmith } from "../evidence/record/from-langsmith.ts";
import { fromOtel } from "../evidence/record/from-otel.ts";
import { readExport } from "../evidence/record/read-export.ts";
import { recordCalls } from "../evidence/record/record-calls.ts";
import type { Redact } from "../repair/events/plain-event.ts";
import type { Command, Terminal } from "./commands.ts";
import { importModule, loadSchemas, writeOut } from "./files.ts";

const READERS = { langsmith: fromLangSmith, otel: fromOtel };

/** `toolmend record`: makes a log from existing traces. Exit code 1: no calls, or misuse. */
export const record: Command<"record"> = async (given, terminal) => {
  const { names, from, out, schemas, level, redact, content = "none" } = given;
  const { project: folder, openInput } = terminal;
  if (out !== undefined && existsSync(resolve(folder, out))) {
    throw new TypeError(`--out ${out} is there already: name another.`);
  }
  const read = await readExport(names, READERS[from], { folder, stdin: openInput() });
  const recorded = await recordCalls(read.calls, {
    ...(level && { level }),
    ...(schemas && { schemas: loadSchemas(schemas, terminal) }),
  });
  const lines: string[] = [];
  const writer = createLineWriter((line) => void lines.push(JSON.stringify(line)), {
    content,
    valid: content === "full" ? "each" : "count",
    redact: redact === undefined ? undefined : await loadRedact(redact, terminal),
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

async function loadRedact(file: string, terminal: Terminal): Promise<Redact> {
  const { redact, default: main } = await importModule(file, "--redact", terminal);
  const found = redact ?? main;
  if (typeof found === "function") return found as Redact;
  throw new TypeError(`--redact ${file} exports no function: export function redact(value, path).`);
}
