import { existsSync, readFileSync } from "node:fs";
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
import type { Command } from "./commands.ts";
import { readEvidence, writeOut } from "./files.ts";

/** `toolmend suggest`: which fixers a log shows, and which of them structure proves. Exit code 2: misuse, or a log without inputs. */
export const suggest: Command<"suggest"> = async (given, terminal) => {
  const { names, "min-runs": minRuns = 3, write, json } = given;
  const file = write === undefined ? undefined : resolve(terminal.project, write);
  if (file && existsSync(file) && !readFileSync(file, "utf8").startsWith(FIRST_LINE)) {
    throw new TypeError(`--write ${write}: suggest did not write this file. Name a new one.`);
  }
  const result = await suggestFixers(await readEvidence(names, terminal), { minRuns });
  const isWritten = write !== undefined && result.suggestions.length > 0;
  if (isWritten) writeOut(write, writeFixers(result), terminal);
  if (json) terminal.out(JSON.stringify(withoutValues(result), null, 1));
  else {
    for (const line of linesOf(result)) terminal.out(line);
    if (isWritten) {
      terminal.out(`Written to ${write}. Read it; then: toolmend replay LOG… --fixers ${write}`);
    } else if (result.suggestions.length > 0) {
      terminal.out(
        "--write fixers.suggested.ts writes the proven ones to a file, and the others as comments.",
      );
    }
  }
  return 0;
};

/** The most characters of code that are printed. */
const MAX_CODE = 160;

/** Lays out the result. Only the terminal shows values of the log. */
function linesOf({
  suggestions,
  refused,
  holdOut,
  minRuns,
  written,
  notes,
}: SuggestResult): readonly string[] {
  const section = (title: string, verdict: Suggestion["verdict"]) => {
    const shown = suggestions.filter((one) => one.verdict === verdict);
    return shown.length === 0 ? [] : ["", title, ...shown.flatMap(showOne)];
  };
  const proven = section("Proven by structure, and corrections agree:", "write");
  const searched = `${holdOut.minedRuns} conversations were searched, ${holdOut.heldOutRuns} held out`;
  const { agree, contradict, unlabelled, changed } = written;
  const repaired = agree + contradict + unlabelled;
  const outcome = `${agree} agree with a correction, ${contradict} contradict one, ${unlabelled} have none`;
  return [
    `${refused} refused calls; ${searched}; at least ${minRuns} for each fixer.`,
    ...proven,
    ...section("Not proven, for you to decide:", "listed"),
    ...(notes.length === 0 ? [] : ["", "Notes:", ...notes.map((note) => `  ${note}`)]),
    "",
    proven.length === 0
      ? "Nothing is proven."
      : `The proven ones repair ${repaired} calls of the log: ${outcome}. Other calls changed: ${changed}.`,
  ];
}

function showOne(one: Suggestion): readonly string[] {
  const { tool, call, why, runs } = one;
  return [
    `  ${printName(tool)}: ${printName(codeOf(call, true), MAX_CODE)}`,
    `    ${why === undefined ? "" : `${why}; `}${runs} conversations searched; ${evidenceOf(one)}`,
  ];
}
