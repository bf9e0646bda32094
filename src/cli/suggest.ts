import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import { FIRST_LINE, withoutValues, writeFixers } from "../evidence/suggest/write-fixers.ts";
import { makeFolderOf } from "./make-folder-of.ts";
import { parseFlags } from "./parse-flags.ts";
import { readEvidence } from "./read-evidence.ts";
import { showProgress } from "./show-progress.ts";
import { showSuggestions } from "./show-suggestions.ts";
import type { Terminal } from "./terminal.ts";
import { toCount } from "./to-count.ts";

/** `toolmend suggest`: which fixers a log shows, and which of them structure proves. Exit code 2: wrong use, or too little content. */
export async function suggest(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      "min-runs": { type: "string", default: "3" },
      write: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const minRuns = toCount(values["min-runs"], { name: "--min-runs", least: 1 });
  const file = values.write === undefined ? undefined : resolve(terminal.project, values.write);
  if (file !== undefined) assertOwn(file);
  const logged = await readEvidence(positionals, terminal);
  const progress = showProgress(terminal, "searching");
  const options = { minRuns, onProgress: progress.update };
  const result = await suggestFixers(logged, options).finally(progress.end);
  const isWritten = file !== undefined && result.suggestions.length > 0;
  if (isWritten) writeFileSync(makeFolderOf(file), writeFixers(result));
  if (values.json) terminal.out(JSON.stringify(withoutValues(result), null, 1));
  else
    for (const line of showSuggestions(result, isWritten ? values.write : undefined))
      terminal.out(line);
  return 0;
}

/** What somebody wrote or changed by hand is not overwritten. */
function assertOwn(file: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8").startsWith(FIRST_LINE)) return;
  throw new TypeError(
    `--write ${file}: there is another file of this name. Name one that there is not.`,
  );
}
