import { doctor } from "./doctor.ts";
import { patch } from "./patch.ts";
import { repair } from "./repair.ts";
import type { Command, Terminal } from "./terminal.ts";

const HELP = `toolmend: right, typed and accountable tool inputs for LangChain.js agents

  toolmend patch [package…]            apply the source patches that fit the installed versions
    --check                            change nothing; exit 1 when one is not applied, or does not fit
    --reverse                          take them back
    --list                             what is installed, what there are patches for, what is applied
  toolmend doctor [--json]             what is installed, and what is wrong with it; exit 1 on a problem
  toolmend repair --schema FILE        repair the tool input on stdin by a JSON Schema; exit 2 when refused
    --level strict|safe|eager          how far to go (safe)
    --name NAME                        the tool's name, for the messages (tool)`;

const COMMANDS: Readonly<Record<string, Command>> = { patch, doctor, repair };

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
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    terminal.err(`There is no command "${name}".\n\n${HELP}`);
    return 1;
  }
  try {
    return await command(rest, terminal);
  } catch (error) {
    terminal.err(`toolmend ${name}: ${(error as Error).message}`);
    return 1;
  }
}
