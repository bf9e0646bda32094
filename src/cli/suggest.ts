import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import type { HoldOut, SuggestResult } from "../evidence/suggest/suggestion.ts";
import { FIRST_LINE, writeFixers } from "../evidence/suggest/write-fixers.ts";
import { makeFolderOf } from "./make-folder-of.ts";
import { parseFlags } from "./parse-flags.ts";
import { readEvidence } from "./read-evidence.ts";
import { showProgress } from "./show-progress.ts";
import { showSuggestions } from "./show-suggestions.ts";
import type { Terminal } from "./terminal.ts";
import { toCount } from "./to-count.ts";

const HALVES: readonly string[] = ["run", "time", "model"] satisfies HoldOut[];

/** `toolmend suggest`: which fixers a log speaks for. Exit code 2: wrong use, or too little content. */
export async function suggest(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      "hold-out": { type: "string", default: "run" },
      "min-runs": { type: "string", default: "3" },
      write: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const holdOut = values["hold-out"];
  if (!HALVES.includes(holdOut)) {
    throw new TypeError(`--hold-out must be one of ${HALVES.join(", ")}, not "${holdOut}".`);
  }
  const minRuns = toCount(values["min-runs"], { name: "--min-runs", least: 1 });
  const file = values.write === undefined ? undefined : resolve(terminal.project, values.write);
  if (file !== undefined) assertOwn(file);
  const logged = await readEvidence(positionals, terminal);
  const progress = showProgress(terminal, "searching");
  const options = { holdOut: holdOut as HoldOut, minRuns, onProgress: progress.update };
  const result = await suggestFixers(logged, options).finally(progress.end);
  const isWritten = file !== undefined && hasAny(result);
  if (isWritten) writeFileSync(makeFolderOf(file), writeFixers(result));
  if (values.json) terminal.out(JSON.stringify(result, null, 1));
  else
    for (const line of showSuggestions(result, isWritten ? values.write : undefined))
      terminal.out(line);
  return 0;
}

function hasAny({ suggestions, toolNames, edits }: SuggestResult): boolean {
  return [...suggestions, ...toolNames, ...edits].some(({ verdict }) => verdict === "write");
}

/** What somebody wrote or changed by hand is not overwritten. */
function assertOwn(file: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8").startsWith(FIRST_LINE)) return;
  throw new TypeError(
    `--write ${file}: there is another file of this name. Name one that there is not.`,
  );
}
