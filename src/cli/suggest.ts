import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { printName } from "../evidence/print-name.ts";
import { codeOf } from "../evidence/suggest/fixer-call.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import {
  evidenceOf,
  FIRST_LINE,
  type Suggestion,
  withoutValues,
  writeFixers,
} from "../evidence/suggest/suggestion.ts";
import type { Command } from "./commands.ts";
import { readEvidence, writeOut } from "./files.ts";

/** `toolmend suggest`: which fixers a log shows, and which of them structure proves. Exit code 2: misuse, or a log without inputs. */
export const suggest: Command<"suggest"> = async (given, terminal) => {
  const { names, "min-runs": minRuns = 3, write, json } = given;
  const { project, out } = terminal;
  const file = write === undefined ? undefined : resolve(project, write);
  if (file && existsSync(file) && !readFileSync(file, "utf8").startsWith(FIRST_LINE)) {
    throw new TypeError(`--write ${write}: suggest did not write this file. Name a new one.`);
  }
  const result = await suggestFixers(await readEvidence(names, terminal), { minRuns });
  const { suggestions, refused, holdOut, written, notes } = result;
  const isWritten = write !== undefined && suggestions.length > 0;
  if (isWritten) writeOut(write, writeFixers(result), terminal);
  if (json) {
    out(JSON.stringify(withoutValues(result), null, 1));
    return 0;
  }
  const proven = suggestions.filter(({ verdict }) => verdict === "write").flatMap(showOne);
  const listed = suggestions.filter(({ verdict }) => verdict === "listed").flatMap(showOne);
  const { agree, contradict, unlabelled, changed } = written;
  const sections: readonly (readonly string[])[] = [
    ["Proven by structure, and corrections agree:", ...proven],
    ["Not proven, for you to decide:", ...listed],
    ["Notes:", ...notes.map((note) => `  ${note}`)],
  ];
  out(
    `${refused} refused calls; ${holdOut.minedRuns} conversations were searched, ` +
      `${holdOut.heldOutRuns} held out; at least ${minRuns} for each fixer.`,
  );
  for (const lines of sections) if (lines.length > 1) out(["", ...lines].join("\n"));
  out(
    proven.length === 0
      ? "\nNothing is proven."
      : `\nThe proven ones repair ${agree + contradict + unlabelled} calls of the log: ${agree} agree with ` +
          `a correction, ${contradict} contradict one, ${unlabelled} have none. Other calls changed: ${changed}.`,
  );
  if (isWritten) out(`Written to ${write}. Read it; then: toolmend replay LOG… --fixers ${write}`);
  else if (suggestions.length > 0) {
    out("--write fixers.suggested.mjs writes the proven ones, and the others as comments.");
  }
  return 0;
};

/** Only the terminal shows values of the log. */
function showOne(one: Suggestion): readonly string[] {
  const { tool, call, why, runs } = one;
  return [
    `  ${printName(tool)}: ${printName(codeOf(call, true), 160)}`,
    `    ${why === undefined ? "" : `${why}; `}${runs} conversations searched; ${evidenceOf(one)}`,
  ];
}
