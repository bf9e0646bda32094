import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { printName } from "../evidence/print-name.ts";
import { readBaseline, writeBaseline } from "../evidence/replay/baseline.ts";
import { type ReplayResult, replayInputs } from "../evidence/replay/replay-inputs.ts";
import type { LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import type { FixerRegistry } from "../repair/fixers/registry.ts";
import type { Fixers } from "../repair/policy.ts";
import { aRegistry, askIfMeant } from "../repair/usage.ts";
import { type Command, type Terminal, toTable } from "./commands.ts";
import { importModule, loadSchemas, readEvidence, writeOut } from "./files.ts";

/**
 * `toolmend replay`: which calls of a log would be lost or changed, or contradict what corrected them. Exit code 1:
 * more than allowed; 2: misuse, or a log without inputs.
 */
export const replay: Command<"replay"> = async (given, terminal) => {
  const { names, level, update, json, baseline = "toolmend.baseline.json" } = given;
  const logged = await readEvidence(names, terminal);
  const fixers = given.fixers === undefined ? {} : await loadFixers(given.fixers, terminal);
  const named = (fixers as Partial<FixerRegistry>).registeredTools?.() ?? Object.keys(fixers);
  const schemas = given.schemas === undefined ? undefined : loadSchemas(given.schemas, terminal);
  const result = await replayInputs(logged, {
    fixers,
    schemas,
    level,
    // A new baseline is compared with the log.
    baseline: given.baseline && !update ? loadBaseline(given.baseline, terminal) : undefined,
    keepsOutcomes: update,
  });
  const { calls, differing, contradicted, withoutSchema, notInBaseline, outcomes, ...rest } =
    result;
  if (calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const { "max-lost": maxLost = 0, "max-changed": maxChanged = 0 } = given;
  const { "max-contradicted": maxContradicted = 0 } = given;
  const lost = differing.filter(({ kind }) => kind === "lost").length;
  const changed = differing.filter(({ kind }) => kind === "changed").length;
  const isOver = lost > maxLost || changed > maxChanged || contradicted > maxContradicted;
  const isBroken = !update && isOver;
  const gate = { maxLost, maxChanged, maxContradicted, lost, changed, contradicted, isBroken };
  const hadFixer = differing.filter((call) => call.kind !== "gained" && call.hadFixer).length;
  const { withoutInput } = logged.counts;
  const notes = [
    withoutInput > 0 && `${withoutInput} calls of the log hold no input: they were not replayed.`,
    ...namesNotIn(logged, named, "--fixers has fixers for"),
    ...namesNotIn(logged, [...(schemas?.keys() ?? [])], "--schemas has a schema for"),
    withoutSchema > 0 &&
      `The schemas of ${withoutSchema} calls are not known: they were not replayed.`,
    notInBaseline > 0 &&
      `${notInBaseline} calls are not in the baseline: they are compared with the log.`,
    hadFixer > 0 &&
      `${hadFixer} of the calls lost or changed had been repaired by registered fixers: give these with --fixers.`,
  ].filter((note) => note !== false);
  if (update) writeOut(baseline, writeBaseline(outcomes), terminal);
  const { out } = terminal;
  if (json) {
    const shown = { calls, differing, contradicted, withoutSchema, notInBaseline, ...rest };
    out(JSON.stringify({ ...shown, gate, notes }, null, 1));
  } else {
    for (const line of linesOf(result, gate)) out(line);
    if (notes.length > 0) out(["", ...notes].join("\n"));
    if (update) out(`The results are the baseline now: ${baseline}.`);
  }
  return isBroken ? 1 : 0;
};

async function loadFixers(file: string, terminal: Terminal): Promise<Fixers> {
  const { fixers, default: main } = await importModule(file, "--fixers", terminal);
  const found = [fixers, main].find((one) => aRegistry.isMet(one));
  if (found !== undefined) return found as Fixers;
  throw new TypeError(
    `--fixers ${file} exports no registry: export const fixers = createFixerRegistry(…).`,
  );
}

function loadBaseline(name: string, { project }: Terminal) {
  const file = resolve(project, name);
  if (existsSync(file)) return readBaseline(readFileSync(file, "utf8"), name);
  throw new TypeError(`--baseline ${name}: there is no such file; write it with --update.`);
}

/** Names that no call of the log has: misspelt, or of a tool that was not called. */
function namesNotIn({ inputs }: LoggedInputs, names: readonly string[], what: string) {
  const known = [...new Set(inputs.map(({ tool }) => tool))];
  return names
    .filter((name) => name !== "*" && !known.includes(name))
    .map((name) => `${what} "${name}", of which the log has no call.${askIfMeant(name, known)}`);
}

/** The most causes that are printed. */
const MAX_CAUSES = 40;

/** Lays out the result, by cause. */
function linesOf(
  { calls, acceptedBefore, acceptedNow, differing, causes, contradicted }: ReplayResult,
  gate: Readonly<Record<string, number | boolean>>,
): readonly string[] {
  const gained = differing.filter(({ kind }) => kind === "gained");
  const agree = gained.filter(({ agrees }) => agrees === true).length;
  const others = gained.length - agree - contradicted;
  const rows = causes.slice(0, MAX_CAUSES).map(({ kind, tool, path, rule, count }) => {
    const place = path === "" ? "the whole input" : printName(path);
    return [kind, String(count), printName(tool), place, printName(rule, 120)];
  });
  const table = toTable([["what", "calls", "tool", "place", "rule"], ...rows], [1]);
  const more = causes.length - rows.length;
  return [
    `${calls} calls replayed. Accepted before: ${acceptedBefore}, now: ${acceptedNow}.`,
    [
      `Lost: ${gate.lost} (at most ${gate.maxLost}).`,
      `Changed: ${gate.changed} (at most ${gate.maxChanged}).`,
      `Contradicted: ${contradicted} (at most ${gate.maxContradicted}).`,
    ].join(" "),
    `Gained: ${gained.length}: ${agree} agree with a correction, ${contradicted} contradict one, ${others} have none.`,
    ...(rows.length > 0 ? ["", table] : []),
    ...(more > 0 ? [`and ${more} more causes: --json has all, with their calls.`] : []),
  ];
}
