import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LogLine } from "../evidence/log-line.ts";
import { LogEvidence, type LoggedInputs } from "../evidence/logged-inputs.ts";
import { printCount, printName } from "../evidence/print-name.ts";
import { readLog } from "../evidence/read-log.ts";
import {
  type ReplayedCall,
  type ReplayOptions,
  type ReplayResult,
  readBaseline,
  replayInputs,
  writeBaseline,
} from "../evidence/replay-inputs.ts";
import { ReportCollector } from "../evidence/report/collect-report.ts";
import { summarizeReport } from "../evidence/report/summarize-report.ts";
import { writePage } from "../evidence/report/write-page.ts";
import { codeOf } from "../evidence/suggest/fixer-call.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import {
  evidenceOf,
  FIRST_LINE,
  type Suggestion,
  type SuggestResult,
  withVerdict,
  writeFixers,
} from "../evidence/suggest/suggestion.ts";
import { askIfMeant, namesWithFixers } from "../repair/usage.ts";
import { type Command, type Terminal, toTable } from "./commands.ts";
import { importFixers, loadSchemas, reading, writeOut } from "./files.ts";

/**
 * So many lines are kept to search for suggestions; `toolmend suggest` has no
 * such limit.
 */
const MOST_KEPT = 10_000;

/** `toolmend report`: what logs say, as a page, as tables or as JSON. */
export const report: Command<"report"> = async (
  { names, out, by, json },
  terminal,
) => {
  const collector = new ReportCollector(by);
  let evidence: LogEvidence | undefined = new LogEvidence();
  const add = (line: LogLine) => {
    collector.add(line);
    evidence?.add(line);
    if (evidence && evidence.size > MOST_KEPT) evidence = undefined;
  };
  const read = await readLog(names, add, terminal);
  const logged = evidence?.read();
  const suggestions = logged?.inputs.length
    ? await suggestFixers(logged)
    : undefined;
  const result = { ...collector.finish(read), suggestions };
  const { period, figures, ignored, parts } = summarizeReport(result);
  const shown = figures.map(
    ([name, figure, note]) => `${name}: ${figure} (${note})`,
  );
  const lines = [[period, ...shown].join(" · ")];
  if (ignored.length > 0) lines.push(`Ignored: ${ignored.join("; ")}.`);
  if (out === undefined) {
    for (const { title, rows } of parts) lines.push("", title, toTable(rows));
  } else {
    const page = writePage(result);
    writeOut(out, page, terminal);
    lines.unshift(`${out}: ${Math.ceil(Buffer.byteLength(page) / 1000)} kB`);
  }
  terminal.out(json ? JSON.stringify(result) : lines.join("\n"));
  return 0;
};

/**
 * `toolmend suggest`: which fixers a log shows, and which of them structure
 * proves.
 */
export const suggest: Command<"suggest"> = async (options, terminal) => {
  const { names, "min-runs": minRuns, write, json } = options;
  if (write !== undefined) checkWritable(write, terminal);
  const result = await suggestFixers(
    await readInputs(names, terminal),
    minRuns,
  );
  const isWritten = write !== undefined && result.suggestions.length > 0;
  if (isWritten) writeOut(write, writeFixers(result), terminal);
  const lines = [...showSuggestions(result), ...nextStep(result, write)];
  terminal.out(json ? JSON.stringify(result, null, 1) : lines.join("\n"));
  return 0;
};

function checkWritable(write: string, { folder }: Terminal): void {
  const file = resolve(folder, write);
  if (!existsSync(file) || readFileSync(file, "utf8").startsWith(FIRST_LINE))
    return;
  throw new TypeError(
    `--write ${write}: suggest did not write this file. Name a new one.`,
  );
}

function showSuggestions(result: SuggestResult): readonly string[] {
  const { suggestions, refused, holdOut, minRuns, written, notes } = result;
  const proven = withVerdict(suggestions, "write");
  const sections = [
    [
      "Proven by structure, and corrections agree:",
      ...proven.flatMap(showSuggestion),
    ],
    [
      "Not proven, for you to decide:",
      ...withVerdict(suggestions, "listed").flatMap(showSuggestion),
    ],
    ["Notes:", ...notes.map((note) => `  ${note}`)],
  ];
  const lines = [
    `${printCount(refused, "rejected call")}; ${printCount(holdOut.minedRuns, "conversation was", "conversations were")} searched, ` +
      `${holdOut.heldOutRuns} held out; at least ${minRuns} for each fixer.`,
  ];
  for (const section of sections) {
    if (section.length > 1) lines.push("", ...section);
  }
  if (proven.length === 0) return [...lines, "", "Nothing is proven."];
  const { agree, contradict, unlabelled, changed } = written;
  const summary =
    `The proven ones repair ${printCount(agree + contradict + unlabelled, "call")} of the log: ${agree} agree with ` +
    `a correction, ${contradict} contradict one, ${unlabelled} have none. Other calls changed: ${changed}.`;
  return [...lines, "", summary];
}

function showSuggestion(suggestion: Suggestion): readonly string[] {
  const { tool, call, why, runs } = suggestion;
  const reason = why === undefined ? "" : `${why}; `;
  return [
    `  ${printName(tool)}: ${printName(codeOf(call(), true), 160)}`,
    `    ${reason}${printCount(runs, "conversation")} searched; ${evidenceOf(suggestion)}`,
  ];
}

function nextStep(
  { suggestions }: SuggestResult,
  write: string | undefined,
): readonly string[] {
  if (suggestions.length === 0) {
    return write === undefined
      ? []
      : [`There is nothing to write, so ${write} is not written.`];
  }
  return write === undefined
    ? ["--write FILE.mjs writes a file of these fixers."]
    : [`Read ${write}, then: toolmend replay LOG… --fixers ${write}`];
}

const DEFAULT_BASELINE = "toolmend.baseline.json";

/**
 * `toolmend replay`: which calls of a log would be lost or changed, or
 * contradict what corrected them.
 */
export const replay: Command<"replay"> = async (options, terminal) => {
  const { names, level, update, json } = options;
  const logged = await readInputs(names, terminal);
  const fixers = await importFixers(options.fixers, terminal);
  const schemas = await loadSchemas(options.schemas, terminal);
  // A new baseline is compared with the log.
  const baseline = update
    ? undefined
    : await loadBaseline(options.baseline, terminal);
  const { outcomes, ...result } = await replayInputs(logged, {
    fixers,
    schemas,
    level,
    baseline,
    keepsOutcomes: update,
  });
  const { calls, withoutSchema } = result;
  if (calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const counts = {
    lost: countKind(result, "lost"),
    changed: countKind(result, "changed"),
    contradicted: result.contradicted,
  };
  const limits = limitsOf(counts, options);
  const isBroken = !update && limits.some(([, count, most]) => count > most);
  const notes = notesOn(logged, withoutSchema, { fixers, schemas });
  if (update) {
    const file = options.baseline ?? DEFAULT_BASELINE;
    writeOut(file, writeBaseline(outcomes), terminal);
    notes.push(`The results are the baseline now: ${file}.`);
  }
  if (json) {
    const gate = { ...counts, isBroken };
    terminal.out(JSON.stringify({ ...result, gate, notes }, null, 1));
  } else {
    const lines = showReplay(result, limits);
    if (notes.length > 0) lines.push("", ...notes);
    terminal.out(lines.join("\n"));
  }
  return isBroken ? 1 : 0;
};

async function loadBaseline(file: string | undefined, { folder }: Terminal) {
  if (file === undefined) return undefined;
  const what = `--baseline ${file} is no baseline; write it with --update`;
  return reading(what, () =>
    readBaseline(readFileSync(resolve(folder, file), "utf8")),
  );
}

/** How many calls there are of a kind, and how many there may be. */
type Limit = readonly [name: string, count: number, most: number];

function limitsOf(
  {
    lost,
    changed,
    contradicted,
  }: Readonly<Record<"lost" | "changed" | "contradicted", number>>,
  {
    "max-lost": mostLost = 0,
    "max-changed": mostChanged = 0,
    "max-contradicted": mostContradicted = 0,
  }: Parameters<typeof replay>[0],
): readonly Limit[] {
  return [
    ["Lost", lost, mostLost],
    ["Changed", changed, mostChanged],
    ["Contradicted", contradicted, mostContradicted],
  ];
}

type ReplayCounts = Omit<ReplayResult, "outcomes">;

function countKind(
  { differing }: ReplayCounts,
  kind: ReplayedCall["kind"],
): number {
  return differing.filter((call) => call.kind === kind).length;
}

function showReplay(result: ReplayCounts, limits: readonly Limit[]): string[] {
  const { calls, acceptedBefore, acceptedNow, contradicted, causes } = result;
  const gained = countKind(result, "gained");
  const agree = result.differing.filter(({ agrees }) => agrees).length;
  const lines = [
    `${printCount(calls, "call")} replayed. Accepted before: ${acceptedBefore}, now: ${acceptedNow}.`,
    limits
      .map(([name, count, most]) => `${name}: ${count} (at most ${most}).`)
      .join(" "),
    `Gained: ${gained}: ${agree} agree with a correction, ${contradicted} contradict one, ` +
      `${gained - agree - contradicted} have none.`,
  ];
  if (causes.length === 0) return lines;
  const rows = causes.map(({ kind, tool, path, rule, count }) => [
    kind,
    String(count),
    printName(tool),
    path === "" ? "the whole input" : printName(path),
    printName(rule, 120),
  ]);
  return [
    ...lines,
    "",
    toTable([["what", "calls", "tool", "place", "rule"], ...rows]),
  ];
}

/** What was not replayed, and what was given in vain. */
function notesOn(
  logged: LoggedInputs,
  withoutSchema: number,
  {
    fixers = {},
    schemas = new Map(),
  }: Pick<ReplayOptions, "fixers" | "schemas">,
): string[] {
  const { withoutInput } = logged.counts;
  const notes: string[] = [];
  if (withoutInput > 0) {
    notes.push(
      `${printCount(withoutInput, "call of the log holds no input, and was", "calls of the log hold no input, and were")} not replayed.`,
    );
  }
  notes.push(
    ...namesNotIn(logged, namesWithFixers(fixers), "--fixers has fixers for"),
    ...namesNotIn(logged, [...schemas.keys()], "--schemas has a schema for"),
  );
  if (withoutSchema > 0) {
    notes.push(
      `The schemas of ${withoutSchema} calls are not known: they were not replayed.`,
    );
  }
  return notes;
}

/**
 * Names that no call of the log has: misspelt, or of a tool that was not
 * called.
 */
function namesNotIn(
  { inputs }: LoggedInputs,
  names: readonly string[],
  what: string,
) {
  const known = [...new Set(inputs.map(({ tool }) => tool))];
  return names
    .filter((name) => name !== "*" && !known.includes(name))
    .map(
      (name) =>
        `${what} "${name}", of which the log has no call.${askIfMeant(name, known)}`,
    );
}

/** Reads the calls of logs that hold inputs. */
async function readInputs(
  names: readonly string[],
  terminal: Terminal,
): Promise<LoggedInputs> {
  const evidence = new LogEvidence();
  await readLog(names, (line) => evidence.add(line), terminal);
  const logged = evidence.read();
  if (logged.inputs.length > 0) return logged;
  throw new TypeError(
    `The log holds no inputs: ${logged.counts.withoutInput} calls were written without. ` +
      'Write it with jsonlSink(file, { content: "full", redact }).',
  );
}
