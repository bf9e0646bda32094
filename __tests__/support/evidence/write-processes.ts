import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@jest/globals";
import type { LogLine } from "toolmend/evidence";

const root = join(__dirname, "..", "..", "..");

/** The lines of a log, each complete and within its limit. */
export function readLines(file: string): LogLine[] {
  const text = readFileSync(file, "utf8");
  expect(text.endsWith("\n")).toBe(true);
  const lines = text.slice(0, -1).split("\n");
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(8_192);
  return lines.map((line) => JSON.parse(line));
}

/** Runs a process that logs `count` calls to `file` and ends by flush, exit or a normal end. */
export async function runWriter(
  file: string,
  count: number,
  how: "flush" | "exit" | "end",
): Promise<void> {
  const script = join(root, "__tests__", "support", "evidence", "children", "write-log.ts");
  const args = [join(root, "scripts", "run-ts.mjs"), script, file, String(count), how];
  await promisify(execFile)("node", args);
}

/** The ids of the calls that lines report. */
export function callsIn(lines: readonly LogLine[]): (string | undefined)[] {
  return lines.flatMap((line) => (line.kind === "call" ? [line.call] : []));
}
