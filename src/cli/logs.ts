import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { LogLine } from "../evidence/log-line.ts";
import { LogEvidence, type LoggedInputs } from "../evidence/logged-inputs.ts";
import { printName } from "../evidence/print-name.ts";
import { readLog } from "../evidence/read-log.ts";
import { readBaseline, replayInputs, writeBaseline } from "../evidence/replay-inputs.ts";
import { ReportCollector } from "../evidence/report/collect-report.ts";
import { summarizeReport } from "../evidence/report/summarize-report.ts";
import { writePage } from "../evidence/report/write-page.ts";
import { codeOf } from "../evidence/suggest/fixer-call.ts";
import { suggestFixers } from "../evidence/suggest/suggest-fixers.ts";
import { evidenceOf, FIRST_LINE, writeFixers } from "../evidence/suggest/suggestion.ts";
import type { FixerRegistry } from "../repair/fixers/registry.ts";
import type { Fixers } from "../repair/policy.ts";
import { aRegistry, askIfMeant } from "../repair/usage.ts";
import { type Command, type Terminal, toTable } from "./commands.ts";
import { importOption, loadSchemas, reading, writeOut } from "./files.ts";

/** So many lines are kept to search for suggestions; `toolmend suggest` has no such limit. */
const MOST_KEPT = 10_000;

/** `toolmend report`: what logs say, as a page, as tables or as JSON. */
export const report: Command<"report"> = async ({ names, out, by, json }, terminal) => {
  const collector = new ReportCollector(by);
  let evidence: LogEvidence | undefined = new LogEvidence();
  const add = (line: LogLine) => {
    collector.add(line);
    evidence?.add(line);
    if (evidence && evidence.size > MOST_KEPT) evidence = undefined;
  };
  const read = await readLog(names, add, terminal);
  const logged = evidence?.read();
  const suggestions = logged && logged.inputs.length > 0 && (await suggestFixers(logged));
  const result = { ...collector.finish(read), ...(suggestions && { suggestions }) };
  const { period, figures, ignored, parts } = summarizeReport(result);
  const shown = figures.map(([name, figure, note]) => `${name}: ${figure} (${note})`);
  const lines = [
    [period, ...shown].join(" · "),
    ...(ignored.length > 0 ? [`Ignored: ${ignored.join("; ")}.`] : []),
  ];
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

/** `toolmend suggest`: which fixers a log shows, and which of them structure proves. */
export const suggest: Command<"suggest"> = async (given, terminal) => {
  const { names, "min-runs": minRuns = 3, write, json } = given;
  const file = write === undefined ? "" : resolve(terminal.folder, write);
  if (existsSync(file) && !readFileSync(file, "utf8").startsWith(FIRST_LINE)) {
    throw new TypeError(`--write ${write}: suggest did not write this file. Name a new one.`);
  }
  const result = await suggestFixers(await readInputs(names, terminal), minRuns);
  const { suggestions, refused, holdOut, written, notes } = result;
  const isWritten = write !== undefined && suggestions.length > 0;
  if (isWritten) writeOut(write, writeFixers(result), terminal);
  const showAll = (verdict: "write" | "listed") =>
    suggestions
      .filter((one) => one.verdict === verdict)
      .flatMap((one) => [
        `  ${printName(one.tool)}: ${printName(codeOf(one.call(), true), 160)}`,
        `    ${one.why ? `${one.why}; ` : ""}${one.runs} conversations searched; ${evidenceOf(one)}`,
      ]);
  const sections = [
    ["Proven by structure, and corrections agree:", ...showAll("write")],
    ["Not proven, for you to decide:", ...showAll("listed")],
    ["Notes:", ...notes.map((note) => `  ${note}`)],
  ];
  const { agree, contradict, unlabelled, changed } = written;
  const lines = [
    `${refused} refused calls; ${holdOut.minedRuns} conversations were searched, ` +
      `${holdOut.heldOutRuns} held out; at least ${minRuns} for each fixer.`,
    ...sections.flatMap((section) => (section.length > 1 ? ["", ...section] : [])),
    "",
    suggestions.every(({ verdict }) => verdict === "listed")
      ? "Nothing is proven."
      : `The proven ones repair ${agree + contradict + unlabelled} calls of the log: ${agree} agree with ` +
        `a correction, ${contradict} contradict one, ${unlabelled} have none. Other calls changed: ${changed}.`,
  ];
  if (isWritten) lines.push(`Read ${write}, then: toolmend replay LOG… --fixers ${write}`);
  else if (write !== undefined)
    lines.push(`There is nothing to write, so ${write} is not written.`);
  else if (suggestions.length > 0) lines.push("--write FILE.mjs writes a file of these fixers.");
  terminal.out(json ? JSON.stringify(result, null, 1) : lines.join("\n"));
  return 0;
};

/** `toolmend replay`: which calls of a log would be lost or changed, or contradict what corrected them. */
export const replay: Command<"replay"> = async (given, terminal) => {
  const { names, level, update, json, baseline: file = "toolmend.baseline.json" } = given;
  const logged = await readInputs(names, terminal);
  const fixers = await importOption<Fixers>("fixers", given.fixers, terminal, aRegistry);
  const schemas = await loadSchemas(given.schemas, terminal);
  const readOld = () => readBaseline(readFileSync(resolve(terminal.folder, file), "utf8"));
  const what = `--baseline ${file} is no baseline; write it with --update`;
  // A new baseline is compared with the log.
  const baseline = given.baseline && !update ? await reading(what, readOld) : undefined;
  const options = { fixers, schemas, level, baseline, keepsOutcomes: update };
  const { outcomes, ...result } = await replayInputs(logged, options);
  const { calls, acceptedBefore, acceptedNow, differing, contradicted, withoutSchema } = result;
  if (calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const countOf = (kind: string) => differing.filter((one) => one.kind === kind).length;
  const [lost, changed, gained] = [countOf("lost"), countOf("changed"), countOf("gained")];
  const limits = [
    ["Lost", lost, given["max-lost"] ?? 0],
    ["Changed", changed, given["max-changed"] ?? 0],
    ["Contradicted", contradicted, given["max-contradicted"] ?? 0],
  ] as const;
  const isBroken = !update && limits.some(([, count, most]) => count > most);
  if (update) writeOut(file, writeBaseline(outcomes), terminal);
  const { withoutInput } = logged.counts;
  const named = (fixers as FixerRegistry)?.registeredTools?.() ?? Object.keys(fixers ?? {});
  const notes = [
    withoutInput > 0 && `${withoutInput} calls of the log hold no input: they were not replayed.`,
    ...namesNotIn(logged, named, "--fixers has fixers for"),
    ...namesNotIn(logged, [...(schemas?.keys() ?? [])], "--schemas has a schema for"),
    withoutSchema > 0 &&
      `The schemas of ${withoutSchema} calls are not known: they were not replayed.`,
    update && `The results are the baseline now: ${file}.`,
  ].filter((note) => typeof note === "string");
  const agree = differing.filter(({ agrees }) => agrees === true).length;
  const rows = result.causes.map(({ kind, tool, path, rule, count }) => {
    const place = path === "" ? "the whole input" : printName(path);
    return [kind, String(count), printName(tool), place, printName(rule, 120)];
  });
  const lines = [
    `${calls} calls replayed. Accepted before: ${acceptedBefore}, now: ${acceptedNow}.`,
    limits.map(([name, count, most]) => `${name}: ${count} (at most ${most}).`).join(" "),
    `Gained: ${gained}: ${agree} agree with a correction, ${contradicted} contradict one, ` +
      `${gained - agree - contradicted} have none.`,
    ...(rows.length > 0
      ? ["", toTable([["what", "calls", "tool", "place", "rule"], ...rows])]
      : []),
    ...(notes.length > 0 ? ["", ...notes] : []),
  ];
  const gate = { lost, changed, contradicted, isBroken };
  terminal.out(json ? JSON.stringify({ ...result, gate, notes }, null, 1) : lines.join("\n"));
  return isBroken ? 1 : 0;
};

/** Names that no call of the log has: misspelt, or of a tool that was not called. */
function namesNotIn({ inputs }: LoggedInputs, names: readonly string[], what: string) {
  const known = [...new Set(inputs.map(({ tool }) => tool))];
  return names
    .filter((name) => name !== "*" && !known.includes(name))
    .map((name) => `${what} "${name}", of which the log has no call.${askIfMeant(name, known)}`);
}

/** Reads the calls of logs that hold inputs. */
async function readInputs(names: readonly string[], terminal: Terminal): Promise<LoggedInputs> {
  const evidence = new LogEvidence();
  await readLog(names, (line) => evidence.add(line), terminal);
  const logged = evidence.read();
  if (logged.inputs.length > 0) return logged;
  throw new TypeError(
    `The log holds no inputs: ${logged.counts.withoutInput} calls were written without. ` +
      'Write it with jsonlSink(file, { content: "full", redact }).',
  );
}
