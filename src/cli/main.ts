import type { Command, Terminal } from "./terminal.ts";

const HELP = `toolmend: right, typed and accountable tool inputs for LangChain.js agents

  toolmend patch [package…]            apply the source patches that fit the installed versions
    --check                            change nothing; exit 1 when one is not applied, or does not fit
    --reverse                          take them back
    --list                             what is installed, what there are patches for, what is applied
  toolmend doctor [--json]             what is installed, and what is wrong with it; exit 1 on a problem
  toolmend repair --schema FILE        repair the tool input on stdin by a JSON Schema; exit 2 when refused
    --level strict|safe|eager          how far to go (safe)
    --undeclared repair|refuse|leave   what becomes of keys that the schema does not declare (repair)
    --name NAME                        the tool's name, for the messages (tool)
  toolmend report LOG…                 what logs say (files, folders, patterns, - ; .gz, .parquet)
    --out FILE                         as a page of HTML that needs nothing else
    --since 7d|2026-11-01              only from then on; what is before is compared with
    --by tool|model                    what the rows are (tool)
    --json                             as JSON
  toolmend suggest LOG…                which fixers a log speaks for; exit 2 when it says too little
    --hold-out run|time|model          by what the log is halved: one half is searched, the other counted (run)
    --min-runs N                       in how many runs a fixer must agree with what was corrected (3)
    --write FILE                       write them: fixers.suggested.ts
    --json                             as JSON
  toolmend replay LOG…                 which calls of a log would be lost or changed; exit 1 when too many
    --fixers FILE                      with these fixers: a module that exports a registry as fixers, or default
    --schemas DIR                      with these schemas: TOOL.json
    --level strict|safe|eager          at this level (as each call was logged)
    --baseline FILE                    compared with what came out at the last --update, not with the log
    --update                           write what comes out now to the baseline (toolmend.baseline.json)
    --max-lost N, --max-changed N      how many calls may be lost, or changed (0)
    --json                             as JSON`;

/** Each loaded when it is run: patch and doctor must do where LangChain is old, or is not there. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  patch: async () => (await import("./patch.ts")).patch,
  doctor: async () => (await import("./doctor.ts")).doctor,
  repair: async () => (await import("./repair.ts")).repair,
  report: async () => (await import("./report.ts")).report,
  suggest: async () => (await import("./suggest.ts")).suggest,
  replay: async () => (await import("./replay.ts")).replay,
};

/**
 * Runs a command line.
 *
 * @param args The arguments.
 * @param terminal What it may use of the world.
 * @returns The exit code.
 */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "--help", ...rest] = args;
  if (name === "--help" || name === "help" || rest.includes("--help")) {
    terminal.out(HELP);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) {
    terminal.err(`There is no command "${name}".\n\n${HELP}`);
    return 1;
  }
  try {
    const command = await load();
    return await command(rest, terminal);
  } catch (error) {
    terminal.err(`toolmend ${name}: ${(error as Error).message}`);
    return 1;
  }
}
