import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { showFile } from "./find-logs.ts";
import { createLineSplitter } from "./split-lines.ts";

/** How much of a file is read at once, in bytes. */
const CHUNK = 256 * 1024;

/** Who is told of what is in a file. */
export interface LineReading {
  /** What `-` reads. */
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** The longest line, in characters. */
  readonly longest: number;
  onLine(line: string): void;
  /** Told of each line that is longer: nothing of it is kept. */
  onTooLong(): void;
  /** Told how many bytes were read of the file on disk. */
  onBytes(bytes: number): void;
}

/**
 * Reads a file of text line by line; `.gz` is decompressed.
 *
 * @param file The file; `-` for the standard input.
 * @param reading Who is told.
 * @returns Whether it was whole: a compressed file that was cut off is read as far as it goes.
 * @throws Error that names the file, when it cannot be read.
 */
export async function readTextLines(
  file: string,
  { stdin, longest, onLine, onTooLong, onBytes }: LineReading,
): Promise<boolean> {
  const splitter = createLineSplitter(onLine, onTooLong, longest);
  let isWhole = true;
  try {
    for await (const chunk of file === "-" ? stdin : openFile(file, onBytes)) splitter.add(chunk);
  } catch (error) {
    isWhole = false;
    if (!isEarlyEnd(error)) {
      const { message } = error as Error;
      throw new Error(`${showFile(file)} cannot be read: ${message}`, { cause: error });
    }
  }
  splitter.end();
  return isWhole;
}

function openFile(file: string, onBytes: (bytes: number) => void): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: CHUNK });
  stream.on("data", (chunk) => onBytes(chunk.length));
  if (!file.endsWith(".gz")) return stream;
  const unzipped = createGunzip({ chunkSize: CHUNK });
  stream.on("error", (error) => unzipped.destroy(error));
  return stream.pipe(unzipped);
}

/** A log that is being compressed, or was copied while it was. */
function isEarlyEnd(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR";
}
