import { parseArgs } from "node:util";
import { askIfMeant } from "../repair/usage.ts";
import { COMMANDS, type Command, type CommandName, helpOf, type Terminal } from "./commands.ts";

/** Each is imported when it runs: patch and doctor must work where LangChain is old or missing. */
const IMPORTS: { readonly [Name in CommandName]: () => Promise<Command<Name>> } = {
  patch: async () => (await import("./patch.ts")).patch,
  doctor: async () => (await import("./doctor.ts")).doctor,
  repair: async () => (await import("./repair.ts")).repair,
  record: async () => (await import("./record.ts")).record,
  report: async () => (await import("./report.ts")).report,
  suggest: async () => (await import("./suggest.ts")).suggest,
  replay: async () => (await import("./replay.ts")).replay,
  schemas: async () => (await import("./schemas.ts")).schemas,
};

const NAMES = Object.keys(COMMANDS) as CommandName[];

/** Runs a command line, and returns the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = "help", ...rest] = args;
  const isHelp = ["--help", "-h", "help"].includes(first);
  const named = isHelp ? rest[0] : first;
  const name = NAMES.find((one) => one === named);
  if (["--version", "-v"].includes(first)) terminal.out(terminal.version);
  else if (named === undefined) terminal.out(helpOfAll());
  else if (name === undefined) {
    const hint = askIfMeant(named, NAMES) || `\n\n${helpOfAll()}`;
    terminal.err(`There is no command "${named}".${hint}`);
    return 1;
  } else if (isHelp || rest.includes("--help") || rest.includes("-h")) terminal.out(helpOf(name));
  else return run(name, rest, terminal);
  return 0;
}

async function run(name: CommandName, args: readonly string[], terminal: Terminal) {
  try {
    const given = readArguments(name, args);
    const command: Command<never> = await IMPORTS[name]();
    return await command(given as never, terminal);
  } catch (error) {
    terminal.err(`toolmend ${name}: ${(error as Error).message}`);
    // Exit code 1 of these is a verdict on the log.
    return name === "suggest" || name === "replay" ? 2 : 1;
  }
}

/** Reads arguments by the table of commands. */
function readArguments(command: CommandName, args: readonly string[]): object {
  const { args: wanted, options } = COMMANDS[command];
  const usage = `toolmend ${command} ${wanted}`;
  const noun = wanted.replace(/--\S+ \S+/, "").trim();
  const kinds = Object.keys(options).map((key) => key.slice(2).split(" "));
  const types = kinds.map(([name, kind]) => [name, { type: kind ? "string" : "boolean" } as const]);
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    allowPositionals: noun !== "",
  });
  if (positionals.length === 0 && /^\w/.test(noun)) {
    throw new TypeError(`No ${noun.replace("…", "").toLowerCase()} is named: ${usage}`);
  }
  const given: Record<string, unknown> = { names: positionals };
  for (const [name = "", kind = ""] of kinds) {
    const value = (values as Readonly<Record<string, unknown>>)[name];
    if (value !== undefined) given[name] = kind === "" || readValue(name, kind, String(value));
    else if (wanted.includes(`--${name} `)) throw new TypeError(`--${name} is missing: ${usage}`);
  }
  return given;
}

/** The smallest number that an option takes. */
const LEAST: Readonly<Record<string, number>> = { N: 0, COUNT: 1 };

function readValue(option: string, kind: string, value: string): string | number {
  const least = LEAST[kind];
  const words = kind.split("|");
  if (least === undefined && (words.length === 1 || words.includes(value))) return value;
  if (least !== undefined && /^\d{1,9}$/.test(value) && Number(value) >= least) {
    return Number(value);
  }
  const must = least === undefined ? words.join(" or ") : `a whole number from ${least} on`;
  throw new TypeError(`--${option} must be ${must}, not "${value}".`);
}

function helpOfAll(): string {
  return `toolmend: right, typed and accountable tool inputs for LangChain.js agents

${NAMES.map(helpOf).join("\n")}

  --help after a command: that command alone; --version

  exit codes: 0 done · 1 a problem was found, or the command was given wrongly · 2 the input was rejected;
  of suggest and replay also that they were given wrongly, or the log holds no inputs`;
}
