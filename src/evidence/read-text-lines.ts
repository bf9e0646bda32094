import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { showFile } from "./find-logs.ts";

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

/** Takes text in parts, and hands it on in lines. */
export interface LineSplitter {
  add(chunk: Uint8Array | string): void;
  /** What follows the last line break is a line, too. */
  end(): void;
}

/**
 * Creates a splitter of text into lines. Empty lines and a byte order mark are passed over.
 *
 * @param onLine Told of each line, without its line break.
 * @param onTooLong Told of each line that is longer than `longest`, of which nothing is kept.
 * @param longest The longest line, in characters.
 */
function createLineSplitter(
  onLine: (line: string) => void,
  onTooLong: () => void,
  longest: number,
): LineSplitter {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isSkipping = false;
  let isFirst = true;

  const tell = (line: string) => {
    if (isSkipping) isSkipping = false;
    else if (line.length > longest) onTooLong();
    else if (line !== "" && line !== "\r") onLine(line);
  };
  const addText = (text: string) => {
    let from = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
      tell(rest === "" ? text.slice(from, at) : rest + text.slice(from, at));
      rest = "";
      from = at + 1;
    }
    if (isSkipping) return;
    rest += text.slice(from);
    if (rest.length <= longest) return;
    onTooLong();
    rest = "";
    isSkipping = true;
  };
  return {
    add(chunk) {
      const text = typeof chunk === "string" ? chunk : decoder.write(chunk as Buffer);
      addText(isFirst && text.startsWith("\uFEFF") ? text.slice(1) : text);
      isFirst &&= text === "";
    },
    end() {
      addText(decoder.end());
      tell(rest);
      rest = "";
    },
  };
}
