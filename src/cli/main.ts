import { parseArgs } from "node:util";
import { askIfMeant } from "../repair/usage.ts";
import { COMMANDS, type Command, type CommandName, helpOf, type Terminal } from "./commands.ts";

/** Each is imported when it runs: patch and doctor must work where LangChain is old or missing. */
const IMPORTS: Readonly<Record<CommandName, () => Promise<object>>> = {
  patch: () => import("./patch.ts"),
  doctor: () => import("./doctor.ts"),
  repair: () => import("./schemas.ts"),
  record: () => import("./record.ts"),
  report: () => import("./logs.ts"),
  suggest: () => import("./logs.ts"),
  replay: () => import("./logs.ts"),
  mcp: () => import("./mcp.ts"),
  schemas: () => import("./schemas.ts"),
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
  } else if (isHelp || asksForHelp(rest)) terminal.out(helpOf(name));
  else {
    try {
      const given = readArguments(name, rest);
      const commands = (await IMPORTS[name]()) as Record<CommandName, Command<never>>;
      return await commands[name](given as never, terminal);
    } catch (error) {
      terminal.err(`toolmend ${name}: ${(error as Error).message}`);
      // Exit code 1 of these is a verdict on the log.
      return name === "suggest" || name === "replay" ? 2 : 1;
    }
  }
  return 0;
}

/** What stands behind `--` is another command's. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  return own.includes("--help") || own.includes("-h");
}

function readArguments(command: CommandName, args: readonly string[]): object {
  const { args: wanted, options } = COMMANDS[command];
  const usage = `toolmend ${command} ${wanted}`;
  const noun = wanted.replace(/--\S+ \S+/, "").trim();
  const kinds = Object.keys(options).map((key) => key.split(" "));
  const types = kinds.map(([name, kind]) => [name, { type: kind ? "string" : "boolean" } as const]);
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    allowPositionals: noun !== "",
  });
  if (positionals.length === 0 && /^\w/.test(noun)) {
    throw new TypeError(`No ${noun.replace("…", "").toLowerCase()} is named: ${usage}`);
  }
  const given: Record<string, unknown> = { ...values, names: positionals };
  for (const [name = "", kind = ""] of kinds) {
    const value = given[name];
    if (typeof value === "string") given[name] = readValue(name, kind, value);
    else if (value === undefined && wanted.includes(`--${name} `)) {
      throw new TypeError(`--${name} is missing: ${usage}`);
    }
  }
  return given;
}

/** Checks the value of an option: a number from 0 (`N`) or 1 (`COUNT`), one of several words, or any text. */
function readValue(option: string, kind: string, value: string): string | number {
  const words = kind.split("|");
  const isNumber = kind === "N" || kind === "COUNT";
  const least = kind === "N" ? 0 : 1;
  if (isNumber && /^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
  if (!isNumber && (words.length === 1 || words.includes(value))) return value;
  const must = isNumber ? `a whole number from ${least} on` : words.join(" or ");
  throw new TypeError(`--${option} must be ${must}, not "${value}".`);
}

function helpOfAll(): string {
  return `toolmend: right, typed and accountable tool inputs for LangChain.js agents

${NAMES.map(helpOf).join("\n")}

  --help after a command: that command alone; --version

  exit codes: 0 done · 1 a problem was found, or the command was given wrongly · 2 the input was rejected;
  of suggest and replay also that they were given wrongly, or the log holds no inputs; of mcp the server's`;
}
