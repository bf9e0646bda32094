import { mkdirSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "../../src/cli/main.ts";

const folder = fileURLToPath(new URL("output", import.meta.url));

/** Where the demo's log and report are. */
export const OUTPUT = { folder, log: `${folder}/toolmend.jsonl`, page: `${folder}/report.html` };

/** Clears the folder for the log of this run. */
export function clearOutput(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/**
 * Does the same as `npx toolmend report` with the log of the runs.
 *
 * @returns Its output, and the paths of log and page.
 */
export async function reportRuns(): Promise<{
  readonly lines: readonly string[];
  readonly log: string;
  readonly page: string;
}> {
  const lines: string[] = [];
  const fail = (line: string) => {
    throw new Error(line);
  };
  const terminal = {
    folder,
    patches: folder,
    version: "",
    env: {},
    out: (line: string) => void lines.push(...line.split("\n")),
    err: fail,
    stdin: (async function* () {})(),
  };
  await main(["report", OUTPUT.log], terminal);
  const printed = [...lines];
  await main(["report", OUTPUT.log, "--out", OUTPUT.page], terminal);
  const place = (file: string) => relative(process.cwd(), file);
  return { lines: printed, log: place(OUTPUT.log), page: place(OUTPUT.page) };
}
