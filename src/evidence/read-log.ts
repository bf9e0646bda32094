import { findLogs, isRemote, showFile, sizeOfLog } from "./find-logs.ts";
import { isLogLine, type LogLine } from "./log-line.ts";
import { readRows } from "./read-rows.ts";
import { readTextLines } from "./read-text-lines.ts";
import { readValidLine } from "./read-valid-line.ts";

/** How a log is read. */
export interface ReadLogOptions {
  /** What relative names start from. Default: the process's folder. */
  readonly folder?: string;
  /** What `-` reads. Default: the process's standard input. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** Told now and then how far it is, in bytes on disk; of `-` and of Parquet no total is known. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** What was read, and what was passed over. */
export interface LogRead {
  readonly files: number;
  /** Lines that were handed on. */
  readonly lines: number;
  /** Lines that are no JSON, or too long to be of a log: written half, mostly. */
  readonly torn: number;
  /** Lines that are JSON, and none of a log. */
  readonly foreign: number;
  /** Lines of a later version of the log than this one reads. */
  readonly newer: number;
  /** Files that end too early, by name: their beginning was read. */
  readonly cut: readonly string[];
}

/**
 * Reads logs line by line, in the order of the files, and never holds more than a part of one.
 *
 * @param names Files, folders, patterns with `*`, `?` and `**`, `-` for the standard input; `.gz`
 * and, where `@duckdb/node-api` is installed, `.parquet`, `s3://…` and `https://…`.
 * @param onLine Told of each line.
 * @param options Folder, standard input and progress.
 * @returns How many lines were read, and how many passed over: a torn or foreign line stops nothing.
 * @throws Error when a name stands for no file, or a file cannot be read.
 * @example
 * ```ts
 * const { lines, torn } = await readLog(["logs/*.jsonl"], (line) => tools.add(line.tool));
 * ```
 */
export async function readLog(
  names: readonly string[],
  onLine: (line: LogLine) => void,
  { folder = process.cwd(), stdin = process.stdin, onProgress }: ReadLogOptions = {},
): Promise<LogRead> {
  const files = findLogs(names, folder);
  const counts = { lines: 0, torn: 0, foreign: 0, newer: 0 };
  const cut: string[] = [];
  const total = files.reduce((sum, file) => sum + sizeOfLog(file), 0);
  let done = 0;

  const onValue = (value: unknown) => {
    if (isLogLine(value)) {
      counts.lines += 1;
      onLine(value);
    } else if (isOfLaterVersion(value)) counts.newer += 1;
    else counts.foreign += 1;
  };
  const onText = (text: string) => {
    let value: unknown = readValidLine(text);
    if (value !== undefined) {
      onValue(value);
      return;
    }
    try {
      value = JSON.parse(text);
    } catch {
      counts.torn += 1;
      return;
    }
    onValue(value);
  };

  for (const file of files) {
    if (isRemote(file) || file.endsWith(".parquet")) {
      await readRows(file, onValue);
      done += sizeOfLog(file);
      onProgress?.({ done, total });
      continue;
    }
    const isWhole = await readTextLines(file, {
      stdin,
      longest: LONGEST,
      onLine: onText,
      onTooLong: () => {
        counts.torn += 1;
      },
      onBytes: (bytes) => {
        done += bytes;
        onProgress?.({ done, total });
      },
    });
    if (!isWhole) cut.push(showFile(file));
  }
  return { files: files.length, ...counts, cut };
}

/** The longest line that is read, in characters. A log's own lines have at most 8 kB. */
const LONGEST = 4 * 1024 * 1024;

function isOfLaterVersion(value: unknown): boolean {
  const version = (value as { v?: unknown } | null)?.v;
  return typeof version === "number" && version > 1;
}
