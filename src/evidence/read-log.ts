import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createGunzip } from "node:zlib";
import { isLogLine, type LogLine } from "./log-line.ts";

/** What was read, and what was passed over. */
export interface LogRead {
  readonly files: number;
  readonly lines: number;
  /** Lines that are no JSON, or too long to be of a log: written half, mostly. */
  readonly torn: number;
  /** Lines that are JSON, and none of a log of this version, or nested too deeply. */
  readonly foreign: number;
}

/** The longest line that is read, in characters. A log's own lines have at most 8 kB. */
const LONGEST = 4 * 1024 * 1024;

/** Reads logs line by line, in the order of the files. */
export async function readLog(
  names: readonly string[],
  onLine: (line: LogLine) => void,
  places: ReadPlaces,
): Promise<LogRead> {
  const counts = { lines: 0, torn: 0, foreign: 0 };
  const skip = () => {
    counts.torn += 1;
  };
  const add = (text: string) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      skip();
      return;
    }
    // Each level takes two characters at least.
    if (isLogLine(value) && (text.length <= 2 * DEEPEST || !isTooDeep(value))) {
      counts.lines += 1;
      onLine(value);
    } else counts.foreign += 1;
  };
  const files = await readFiles(names, places, LONGEST, () => ({ add, skip }));
  return { files, ...counts };
}

/** The deepest nesting that is read: no tool has as much. */
const DEEPEST = 500;

/** Tells whether a value is nested more deeply than anything that goes through all of it can follow. */
export function isTooDeep(value: unknown, left: number = DEEPEST): boolean {
  if (value === null || typeof value !== "object") return false;
  return left === 0 || Object.values(value).some((one) => isTooDeep(one, left - 1));
}

/** The endings of the files that a folder is read for. */
const LOG = /\.(?:jsonl|ndjson)(?:\.gz)?$/;

/** How much of a file is read at once, in bytes. */
const CHUNK = 256 * 1024;

export interface ReadPlaces {
  /** What relative names start from. */
  readonly folder: string;
  /** What `-` reads. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
}

/** Takes the lines of one file. */
export interface LineReader {
  add(line: string): void;
  /** A line that is longer than any is read. */
  skip(): void;
  end?(): void;
}

/** Reads files, `.gz` too, line by line, without empty lines and a byte order mark, and returns how many there are. */
export async function readFiles(
  names: readonly string[],
  places: ReadPlaces,
  longest: number,
  openFile: () => LineReader,
): Promise<number> {
  const files = findFiles(names, places.folder);
  for (const file of files) {
    const title = file === "-" ? "the standard input" : basename(file);
    const reader = openFile();
    const lines = splitLines(reader, longest);
    try {
      for await (const chunk of file === "-" ? places.stdin : open(file)) lines.add(chunk);
    } catch (error) {
      throw new Error(`${title} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    lines.end();
    reader.end?.();
  }
  return files.length;
}

/** Finds the files that names stand for, sorted within each folder, none twice. */
function findFiles(names: readonly string[], folder: string): readonly string[] {
  const found = names.flatMap((name) => {
    if (name === "-") return [name];
    const path = resolve(folder, name);
    const hint = /[*?]/.test(name) ? " Patterns are for the shell: leave out the quotes." : "";
    if (!existsSync(path)) throw new Error(`There is no file ${name}.${hint}`);
    if (!statSync(path).isDirectory()) return [path];
    // Not a link that leads nowhere.
    const logs = readdirSync(path).filter((one) => LOG.test(one) && existsSync(join(path, one)));
    if (logs.length === 0) throw new Error(`${name} holds no logs (*.jsonl, *.jsonl.gz).`);
    return logs.sort().map((one) => join(path, one));
  });
  return [...new Set(found)];
}

function open(file: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: CHUNK });
  if (!file.endsWith(".gz")) return stream;
  const unzipped = createGunzip({ chunkSize: CHUNK });
  stream.on("error", (error) => unzipped.destroy(error));
  return stream.pipe(unzipped);
}

/** Takes text in parts, and hands it on in lines. What follows the last line break is a line, too. */
function splitLines(reader: LineReader, longest: number) {
  const decoder = new TextDecoder();
  let rest = "";
  let isSkipping = false;
  const endLine = () => {
    if (!isSkipping && rest !== "" && rest !== "\r") reader.add(rest);
    rest = "";
    isSkipping = false;
  };
  const addText = (text: string) => {
    for (const [index, part] of text.split("\n").entries()) {
      if (index > 0) endLine();
      if (isSkipping) continue;
      rest += part;
      if (rest.length <= longest) continue;
      reader.skip();
      rest = "";
      isSkipping = true;
    }
  };
  return {
    add(chunk: Uint8Array | string): void {
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      addText(decoder.decode(bytes, { stream: true }));
    },
    end(): void {
      addText(decoder.decode());
      endLine();
    },
  };
}
