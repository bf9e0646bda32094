import { askIfMeant } from "../repair/usage.ts";
import type { Command, Terminal } from "./terminal.ts";
import { USAGE } from "./usage.ts";

const HELP = `toolmend: right, typed and accountable tool inputs for LangChain.js agents

${Object.values(USAGE).join("\n")}

  --help after a command: that command alone; --version; --no-color changes nothing, as nothing is coloured

  exit codes: 0 done · 1 a problem was found, or the command was given wrongly · 2 the input was refused;
  of suggest and replay also that they were given wrongly, or the log holds no inputs`;

/** Each loaded when it is run: patch and doctor must do where LangChain is old, or is not there. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  patch: async () => (await import("./patch.ts")).patch,
  doctor: async () => (await import("./doctor.ts")).doctor,
  repair: async () => (await import("./repair.ts")).repair,
  record: async () => (await import("./record.ts")).record,
  report: async () => (await import("./report.ts")).report,
  suggest: async () => (await import("./suggest.ts")).suggest,
  replay: async () => (await import("./replay.ts")).replay,
  schemas: async () => (await import("./schemas.ts")).schemas,
};

/** Commands that read a log: a CI tells their verdict, 1, from a wrong use, 2. */
const WITH_GATES: ReadonlySet<string> = new Set(["suggest", "replay"]);

/** Runs a command line. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "--help", ...rest] = args.filter((arg) => arg !== "--no-color");
  if (name === "--version" || name === "-v") {
    terminal.out(terminal.version);
    return 0;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    const [about] = rest;
    if (about !== undefined && !Object.hasOwn(USAGE, about)) return sayNoCommand(about, terminal);
    terminal.out((about === undefined ? undefined : USAGE[about]) ?? HELP);
    return 0;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (load === undefined) return sayNoCommand(name, terminal);
  if (rest.includes("--help") || rest.includes("-h")) {
    terminal.out(USAGE[name] ?? HELP);
    return 0;
  }
  try {
    const command = await load();
    return await command(rest, terminal);
  } catch (error) {
    terminal.err(`toolmend ${name}: ${(error as Error).message}`);
    return WITH_GATES.has(name) ? 2 : 1;
  }
}

function sayNoCommand(name: string, terminal: Terminal): number {
  const hint = askIfMeant(name, Object.keys(COMMANDS)) || `\n\n${HELP}`;
  terminal.err(`There is no command "${name}".${hint}`);
  return 1;
}
