import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { printName } from "../evidence/print-name.ts";
import {
  type Baseline,
  readBaseline,
  replayInputs,
  writeBaseline,
} from "../evidence/replay/replay-inputs.ts";
import type { LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import type { FixerRegistry } from "../repair/fixers/registry.ts";
import type { Fixers } from "../repair/policy.ts";
import { aRegistry, askIfMeant } from "../repair/usage.ts";
import { type Command, type Terminal, toTable } from "./commands.ts";
import { importModule, loadSchemas, readEvidence, writeOut } from "./files.ts";

/** So many causes are printed. */
const MOST_CAUSES = 40;

/**
 * `toolmend replay`: which calls of a log would be lost or changed, or contradict what corrected them. Exit code 1:
 * more than allowed; 2: misuse, or a log without inputs.
 */
export const replay: Command<"replay"> = async (given, terminal) => {
  const { names, level, update, json, baseline = "toolmend.baseline.json" } = given;
  const logged = await readEvidence(names, terminal);
  const fixers = given.fixers === undefined ? {} : await loadFixers(given.fixers, terminal);
  const schemas = given.schemas === undefined ? undefined : loadSchemas(given.schemas, terminal);
  const { outcomes, ...result } = await replayInputs(logged, {
    ...{ fixers, schemas, level, keepsOutcomes: update },
    // A new baseline is compared with the log.
    baseline: given.baseline && !update ? loadBaseline(given.baseline, terminal) : undefined,
  });
  const { calls, acceptedBefore, acceptedNow, differing, causes, contradicted, withoutSchema } =
    result;
  if (calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const [lost = 0, changed = 0, gained = 0] = ["lost", "changed", "gained"].map(
    (kind) => differing.filter((one) => one.kind === kind).length,
  );
  const limits = [
    ["Lost", lost, given["max-lost"] ?? 0],
    ["Changed", changed, given["max-changed"] ?? 0],
    ["Contradicted", contradicted, given["max-contradicted"] ?? 0],
  ] as const;
  const isBroken = !update && limits.some(([, count, most]) => count > most);
  const { withoutInput } = logged.counts;
  const named = (fixers as Partial<FixerRegistry>).registeredTools?.() ?? Object.keys(fixers);
  const notes = [
    withoutInput > 0 && `${withoutInput} calls of the log hold no input: they were not replayed.`,
    ...namesNotIn(logged, named, "--fixers has fixers for"),
    ...namesNotIn(logged, [...(schemas?.keys() ?? [])], "--schemas has a schema for"),
    withoutSchema > 0 &&
      `The schemas of ${withoutSchema} calls are not known: they were not replayed.`,
    update && `The results are the baseline now: ${baseline}.`,
  ].filter((note) => typeof note === "string");
  if (update) writeOut(baseline, writeBaseline(outcomes), terminal);
  if (json) {
    const gate = { lost, changed, contradicted, isBroken };
    terminal.out(JSON.stringify({ ...result, gate, notes }, null, 1));
    return isBroken ? 1 : 0;
  }
  const agree = differing.filter(({ agrees }) => agrees === true).length;
  const others = gained - agree - contradicted;
  const rows = causes.slice(0, MOST_CAUSES).map(({ kind, tool, path, rule, count }) => {
    const place = path === "" ? "the whole input" : printName(path);
    return [kind, String(count), printName(tool), place, printName(rule, 120)];
  });
  const more = causes.length - rows.length;
  for (const line of [
    `${calls} calls replayed. Accepted before: ${acceptedBefore}, now: ${acceptedNow}.`,
    limits.map(([name, count, most]) => `${name}: ${count} (at most ${most}).`).join(" "),
    `Gained: ${gained}: ${agree} agree with a correction, ${contradicted} contradict one, ${others} have none.`,
    rows.length > 0 && `\n${toTable([["what", "calls", "tool", "place", "rule"], ...rows])}`,
    more > 0 && `and ${more} more causes: --json has all, with their calls.`,
    notes.length > 0 && ["", ...notes].join("\n"),
  ]) {
    if (line) terminal.out(line);
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

function loadBaseline(name: string, { project }: Terminal): Baseline {
  try {
    return readBaseline(readFileSync(resolve(project, name), "utf8"));
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`--baseline ${name} is no baseline: ${message}; write it with --update.`);
  }
}

/** Names that no call of the log has: misspelt, or of a tool that was not called. */
function namesNotIn({ inputs }: LoggedInputs, names: readonly string[], what: string) {
  const known = [...new Set(inputs.map(({ tool }) => tool))];
  return names
    .filter((name) => name !== "*" && !known.includes(name))
    .map((name) => `${what} "${name}", of which the log has no call.${askIfMeant(name, known)}`);
}
