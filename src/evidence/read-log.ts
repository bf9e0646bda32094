import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createGunzip } from "node:zlib";
import { parseExactly } from "../repair/json.ts";
import { isLogLine, type LogLine } from "./log-line.ts";

/** What was read, and what was passed over. */
export interface LogRead {
  readonly files: number;
  readonly lines: number;
  /**
   * Lines that are no JSON, or too long to be of a log: written half, mostly.
   */
  readonly torn: number;
  /**
   * Lines that are JSON, and none of a log of this version, or nested too
   * deeply.
   */
  readonly foreign: number;
}

/**
 * The longest line that is read, in characters. A log's own lines have at most
 * 8 kB.
 */
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
    const line = parseLine(text);
    if (line === "torn" || line === "foreign") {
      counts[line] += 1;
      return;
    }
    counts.lines += 1;
    onLine(line);
  };
  const files = await readFiles(names, places, LONGEST, () => ({ add, skip }));
  return { files, ...counts };
}

function parseLine(text: string): LogLine | "torn" | "foreign" {
  const value = parseExactly(text);
  if (value === undefined) return "torn";
  if (!isLogLine(value)) return "foreign";
  // Each level takes two characters at least.
  const mayBeTooDeep = text.length > 2 * DEEPEST;
  return mayBeTooDeep && isTooDeep(value) ? "foreign" : value;
}

/** The deepest nesting that is read: no tool has as much. */
const DEEPEST = 500;

/**
 * Tells whether a value is nested more deeply than anything that goes through
 * all of it can follow.
 */
export function isTooDeep(value: unknown, left: number = DEEPEST): boolean {
  if (value === null || typeof value !== "object") return false;
  return (
    left === 0 || Object.values(value).some((part) => isTooDeep(part, left - 1))
  );
}

/** The endings of the files that a folder is read for. */
const LOGS = [".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"];

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

/**
 * Reads files, `.gz` too, line by line, without empty lines and a byte order
 * mark, and returns how many there are.
 */
export async function readFiles(
  names: readonly string[],
  places: ReadPlaces,
  longest: number,
  openFile: () => LineReader,
): Promise<number> {
  const files = findFiles(names, places.folder);
  for (const file of files) {
    const title = file === "-" ? "the standard input" : basename(file);
    const chunks = file === "-" ? places.stdin : open(file);
    const reader = openFile();
    const lines = new LineSplitter(reader, longest);
    try {
      for await (const chunk of chunks) lines.add(chunk);
    } catch (error) {
      throw new Error(`${title} cannot be read: ${(error as Error).message}`, {
        cause: error,
      });
    }
    lines.end();
    reader.end?.();
  }
  return files.length;
}

/**
 * Finds the files that names stand for, sorted within each folder, none twice.
 */
function findFiles(
  names: readonly string[],
  folder: string,
): readonly string[] {
  const files = names.flatMap((name) =>
    name === "-" ? name : filesOf(name, resolve(folder, name)),
  );
  return [...new Set(files)];
}

function filesOf(name: string, path: string): readonly string[] {
  if (!existsSync(path)) {
    const isPattern = name.includes("*") || name.includes("?");
    const hint = isPattern
      ? " Patterns are for the shell: leave out the quotes."
      : "";
    throw new Error(`There is no file ${name}.${hint}`);
  }
  if (!statSync(path).isDirectory()) return [path];
  const logs = readdirSync(path)
    .filter((file) => LOGS.some((ending) => file.endsWith(ending)))
    .sort()
    .map((file) => join(path, file))
    // Not a link that leads nowhere.
    .filter((file) => existsSync(file));
  if (logs.length === 0)
    throw new Error(`${name} holds no logs (*.jsonl, *.jsonl.gz).`);
  return logs;
}

function open(file: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: CHUNK });
  if (!file.endsWith(".gz")) return stream;
  const unzipped = createGunzip({ chunkSize: CHUNK });
  stream.on("error", (error) => unzipped.destroy(error));
  return stream.pipe(unzipped);
}

/**
 * Takes text in parts, and passes it to a reader line by line. What follows the
 * last line break is a line, too.
 */
class LineSplitter {
  readonly #reader: LineReader;
  readonly #longest: number;
  readonly #decoder = new TextDecoder();
  #line = "";
  #isTooLong = false;

  constructor(reader: LineReader, longest: number) {
    this.#reader = reader;
    this.#longest = longest;
  }

  add(chunk: Uint8Array | string): void {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    this.#addText(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): void {
    this.#addText(this.#decoder.decode());
    this.#endLine();
  }

  #addText(text: string): void {
    const [first = "", ...lines] = text.split("\n");
    this.#addPart(first);
    for (const line of lines) {
      this.#endLine();
      this.#addPart(line);
    }
  }

  #addPart(part: string): void {
    if (this.#isTooLong) return;
    this.#line += part;
    if (this.#line.length <= this.#longest) return;
    this.#reader.skip();
    this.#line = "";
    this.#isTooLong = true;
  }

  #endLine(): void {
    const isEmpty = this.#line === "" || this.#line === "\r";
    if (!isEmpty) this.#reader.add(this.#line);
    this.#line = "";
    this.#isTooLong = false;
  }
}
