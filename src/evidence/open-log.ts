import { closeSync, fstatSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** A file that lines are appended to. */
export interface OpenLog {
  append(line: string): void;
  /** Writes out what is kept back. Never throws. */
  flush(): void;
}

/** The most lines that are kept back, and for how long, in milliseconds. */
const MAX_LINES = 256;
const MAX_DELAY = 1_000;

/** Readable by their owner alone. */
const MODE = 0o600;

/** What is written out when the process ends. */
const open = new Set<() => void>();

/**
 * Opens a file for lines. They are written in batches, each in one piece at the end of the file, so
 * that several processes can append to one; and when the process ends by itself or by `process.exit`.
 *
 * @param file The file. It is made with the first line, and its folder with it.
 * @param atEnd Called before the process ends, for what is to be appended at last.
 */
export function openLog(file: string, atEnd: () => void): OpenLog {
  let lines: string[] = [];
  let descriptor: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isTorn = false;
  let hasWarned = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const text = `${isTorn ? "\n" : ""}${lines.join("\n")}\n`;
    lines = [];
    try {
      if (descriptor !== undefined && !isSameFile(descriptor, file)) {
        tryClose(descriptor);
        descriptor = undefined;
      }
      descriptor ??= openForAppending(file);
      isTorn = true;
      writeAll(descriptor, Buffer.from(text));
      isTorn = false;
    } catch (error) {
      if (descriptor !== undefined) tryClose(descriptor);
      descriptor = undefined;
      if (!hasWarned) process.emitWarning(describe(file, error), { code: "TOOLMEND_LOG" });
      hasWarned = true;
    }
  }

  if (open.size === 0) process.on("exit", flushAll);
  open.add(() => {
    atEnd();
    flush();
  });
  return {
    flush,
    append(line) {
      lines.push(line);
      if (lines.length >= MAX_LINES) flush();
      else timer ??= setTimeout(flush, MAX_DELAY).unref();
    },
  };
}

function flushAll(): void {
  for (const flush of open) flush();
}

function openForAppending(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "a", MODE);
}

/** A log that was moved away or removed while it was open, as those do that rotate logs, is begun anew. */
function isSameFile(descriptor: number, file: string): boolean {
  const there = statSync(file, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(descriptor);
  return there?.ino === ino && there.dev === dev;
}

function writeAll(descriptor: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function tryClose(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // It could not be written to: what it is has been told.
  }
}

function describe(file: string, error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `toolmend could not write to its log ${file}, and goes on without what it was to hold: ${why}. Check that the folder can be written to and the disk is not full.`;
}
