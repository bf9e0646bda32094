import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { printName } from "../evidence/print-name.ts";
import { codeOf } from "../evidence/suggest/fixer-call.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import type { Suggestion, SuggestResult } from "../evidence/suggest/suggestion.ts";
import {
  evidenceOf,
  FIRST_LINE,
  withoutValues,
  writeFixers,
} from "../evidence/suggest/write-fixers.ts";
import { countFrom, flag, readCommandLine, text } from "./arguments.ts";
import { makeFolderOf, NO_LOG, readEvidence } from "./files.ts";
import type { Terminal } from "./terminal.ts";

/** `toolmend suggest`: which fixers a log shows, and which of them structure proves. Exit code 2: wrong use, or too little content. */
export async function suggest(args: readonly string[], terminal: Terminal): Promise<number> {
  const { names, json, write, ...given } = readCommandLine(
    args,
    { "min-runs": countFrom(1, 3), write: text, json: flag },
    NO_LOG,
  );
  const minRuns = given["min-runs"];
  const file = write === undefined ? undefined : resolve(terminal.project, write);
  if (file !== undefined) assertOwn(file);
  const logged = await readEvidence(names, terminal);
  const result = await suggestFixers(logged, { minRuns });
  const isWritten = file !== undefined && result.suggestions.length > 0;
  if (isWritten) writeFileSync(makeFolderOf(file), writeFixers(result));
  if (json) terminal.out(JSON.stringify(withoutValues(result), null, 1));
  else
    for (const line of showSuggestions(result, isWritten ? write : undefined)) terminal.out(line);
  return 0;
}

/** What somebody wrote or changed by hand is not overwritten. */
function assertOwn(file: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8").startsWith(FIRST_LINE)) return;
  throw new TypeError(
    `--write ${file}: there is another file of this name. Name one that there is not.`,
  );
}

/** The most characters of code that are shown. */
const MAX_CODE = 160;

/** Lays out what was found in a log. The terminal alone shows values of the log. */
function showSuggestions(
  { suggestions, refused, holdOut, minRuns, written, notes }: SuggestResult,
  file: string | undefined,
): readonly string[] {
  const section = (title: string, verdict: Suggestion["verdict"]): readonly string[] => {
    const shown = suggestions.filter((one) => one.verdict === verdict);
    return shown.length === 0 ? [] : ["", title, ...shown.flatMap(showOne)];
  };
  const repaired = written.agree + written.contradict + written.unlabelled;
  const isProven = suggestions.some(({ verdict }) => verdict === "write");
  return [
    [
      `${refused} refused calls`,
      `${holdOut.minedRuns} conversations were searched, ${holdOut.heldOutRuns} held out`,
      `at least ${minRuns} for each fixer.`,
    ].join("; "),
    ...section("Proven by structure, and corrections agree:", "write"),
    ...section("Not proven, for you to decide:", "listed"),
    ...(notes.length === 0 ? [] : ["", "Notes:", ...notes.map((note) => `  ${note}`)]),
    "",
    ...(isProven
      ? [
          [
            `The proven ones repair ${repaired} calls of the log: ${written.agree} agree with a correction`,
            `${written.contradict} contradict one`,
            `${written.unlabelled} have none. Other calls changed: ${written.changed}.`,
          ].join(", "),
        ]
      : ["Nothing is proven."]),
    ...(file !== undefined
      ? [`Written to ${file}. Read it; then: toolmend replay LOG… --fixers ${file}`]
      : suggestions.length > 0
        ? [
            "--write fixers.suggested.ts writes the proven ones to a file, and the others as comments.",
          ]
        : []),
  ];
}

function showOne(one: Suggestion): readonly string[] {
  const { tool, call, why, runs } = one;
  return [
    `  ${printName(tool)}: ${printName(codeOf(call, true), MAX_CODE)}`,
    `    ${why === undefined ? "" : `${why}; `}${runs} conversations searched; ${evidenceOf(one)}`,
  ];
}
