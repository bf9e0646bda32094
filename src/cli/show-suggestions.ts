import { printName } from "../evidence/print-name.ts";
import type { Counts, FixerSuggestion, SuggestResult } from "../evidence/suggest/suggestion.ts";
import { toTable } from "./terminal.ts";

/**
 * Lays out what was found in a log.
 *
 * @param result What was found.
 * @param file The file that fixers were written to, if they were.
 * @returns The lines.
 */
export function showSuggestions(
  result: SuggestResult,
  file: string | undefined,
): readonly string[] {
  const { suggestions, toolNames, edits, schemaProposals, holdOut, minRuns, written, notes } =
    result;
  const names = toolNames.map((one) => ({ ...one, tool: one.to, code: [one.code] }));
  const switches = edits.map((one) => ({ ...one, tool: `${one.tools} tools`, code: [one.code] }));
  const all: readonly Shown[] = [...suggestions, ...names, ...switches];
  const of = (verdict: string) => all.filter((one) => one.verdict === verdict);
  const halves = `${holdOut.minedRuns} runs were searched, ${holdOut.heldOutRuns} held out (by ${holdOut.by})`;
  const lines = [
    `${written.refused} refused calls; ${halves}; at least ${minRuns} runs for each fixer.`,
    ...section(
      "Fixers that agree with the model's own corrections, counted on the calls held out:",
      table(of("write")),
    ),
    ...section("Listed, not written:", withReasons(of("listed"))),
    ...section("To review, not written:", withReasons(of("review"))),
    ...section(
      "What the schemas could say (tested for acceptance only: what a model would write then is not known):",
      schemaProposals.map(
        ({ tool, path, proposal, runs, accepted }) =>
          `  ${printName(tool)} ${printName(path)}: ${printName(proposal, MAX_CODE)} (${runs} runs${accepted === undefined ? "" : `; accepts ${accepted.inputs} of ${accepted.of}`})`,
      ),
    ),
    ...section(
      "Notes:",
      notes.map((note) => `  ${note}`),
    ),
    "",
  ];
  if (of("write").length === 0) return [...lines, "Nothing to write."];
  const repaired = written.agree + written.contradict + written.unlabelled;
  const whole = `Of the ${written.refused} refused calls of the whole log they repair ${repaired}: ${counted(written)}. Other calls changed: ${written.changed}.`;
  const known = written.withoutFixers;
  const anyway = known === 0 ? "" : ` This version repairs ${known} of them without any fixer.`;
  const next =
    file === undefined
      ? "--write fixers.suggested.ts writes them to a file."
      : `Written to ${file}. Read it; then: toolmend replay LOG… --fixers ${file}`;
  return [...lines, whole + anyway, next];
}

/** The most characters of code that are shown. */
const MAX_CODE = 160;

type Shown = Pick<
  FixerSuggestion,
  "tool" | "code" | "verdict" | "why" | "runs" | "heldOut" | "heldOutRuns" | "lowerBound"
>;

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", title, ...lines];
}

function table(shown: readonly Shown[]): readonly string[] {
  if (shown.length === 0) return [];
  const head = [
    "  tool",
    "fixers",
    "searched",
    "held out: agrees",
    "contradicts",
    "unknown",
    "at least",
  ];
  const rows = shown.map(({ tool, code, runs, heldOut, heldOutRuns, lowerBound }) => [
    `  ${printName(tool)}`,
    printName(code.join(", "), MAX_CODE),
    `${runs} runs`,
    `${heldOut.agree} in ${heldOutRuns.agree} runs`,
    String(heldOut.contradict),
    String(heldOut.unlabelled),
    `${Math.floor(lowerBound * 100)} %`,
  ]);
  return toTable([head, ...rows]).split("\n");
}

function withReasons(shown: readonly Shown[]): readonly string[] {
  return shown.flatMap(({ tool, code, why = "", runs, heldOut }) => [
    `  ${printName(tool)}: ${printName(code.join(", "), MAX_CODE)}`,
    `    ${why}; ${runs} runs searched; held out: ${counted(heldOut)}`,
  ]);
}

function counted({ agree, contradict, unlabelled }: Counts): string {
  return `agrees with ${agree} corrections, contradicts ${contradict}, ${unlabelled} without a known one`;
}
