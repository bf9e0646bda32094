import { parseArgs } from "node:util";
import { askIfMeant } from "../repair/usage.ts";
import {
  COMMANDS,
  type Command,
  type CommandName,
  helpOf,
  type Terminal,
} from "./commands.ts";

/**
 * Each is imported when it runs: patch and doctor must work where LangChain is
 * old or missing.
 */
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
export async function main(
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [first = "help", ...commandArgs] = args;
  if (["--version", "-v"].includes(first)) {
    terminal.out(terminal.version);
    return 0;
  }
  const isHelp = ["--help", "-h", "help"].includes(first);
  const word = isHelp ? commandArgs[0] : first;
  if (word === undefined) {
    terminal.out(helpOfAll());
    return 0;
  }
  const name = NAMES.find((command) => command === word);
  if (name === undefined) {
    const hint = askIfMeant(word, NAMES) || `\n\n${helpOfAll()}`;
    terminal.err(`There is no command "${word}".${hint}`);
    return 1;
  }
  if (isHelp || asksForHelp(commandArgs)) {
    terminal.out(helpOf(name));
    return 0;
  }
  return runCommand(name, commandArgs, terminal);
}

async function runCommand(
  name: CommandName,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const options = readArguments(name, args);
    const commands = (await IMPORTS[name]()) as Record<
      CommandName,
      Command<never>
    >;
    return await commands[name](options as never, terminal);
  } catch (error) {
    terminal.err(`toolmend ${name}: ${(error as Error).message}`);
    // Exit code 1 of these is a verdict on the log.
    return name === "suggest" || name === "replay" ? 2 : 1;
  }
}

/** What stands behind `--` is another command's. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end < 0 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}

function readArguments(command: CommandName, args: readonly string[]): object {
  const { args: wanted, options } = COMMANDS[command];
  const usage = `toolmend ${command} ${wanted}`;
  const noun = wanted.replace(/--\S+ \S+/, "").trim();
  const kinds = Object.keys(options).map((key) => key.split(" "));
  const types = kinds.map(([name, kind]) => [
    name,
    { type: kind ? "string" : "boolean" } as const,
  ]);
  const { values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    allowPositionals: noun !== "",
  });
  if (positionals.length === 0 && !MAY_LACK.includes(noun.charAt(0))) {
    throw new TypeError(
      `No ${noun.replace("…", "").toLowerCase()} is named: ${usage}`,
    );
  }
  const checked: Record<string, unknown> = { ...values, names: positionals };
  for (const [name = "", kind = ""] of kinds) {
    const value = checked[name];
    if (typeof value === "string") checked[name] = readValue(name, kind, value);
    if (value === undefined && wanted.includes(`--${name} `)) {
      throw new TypeError(`--${name} is missing: ${usage}`);
    }
  }
  return checked;
}

/** How a noun begins that may be left out: `[package…]`, `-- COMMAND…`. */
const MAY_LACK = ["", "[", "-"];

/** The least number that an option of a kind can be. */
const LEAST: ReadonlyMap<string, number> = new Map([
  ["N", 0],
  ["COUNT", 1],
]);

/**
 * Checks the value of an option: a number, one of several words, or any text.
 */
function readValue(
  option: string,
  kind: string,
  value: string,
): string | number {
  const least = LEAST.get(kind);
  if (least !== undefined) {
    if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
    throw new TypeError(
      `--${option} must be a whole number from ${least} on, not "${value}".`,
    );
  }
  const words = kind.split("|");
  if (words.length === 1 || words.includes(value)) return value;
  throw new TypeError(
    `--${option} must be ${words.join(" or ")}, not "${value}".${askIfMeant(value, words)}`,
  );
}

/**
 * The description in package.json (test: the help begins with the description
 * of the package).
 */
const HEADLINE =
  "Repairs wrong tool inputs in LangChain.js agents without another model call, and rejects what it cannot repair safely.";

function helpOfAll(): string {
  return `${HEADLINE}

${NAMES.map(helpOf).join("\n")}

  --help after a command: that command alone; --version

  exit codes: 0 done · 1 a problem was found, or the command was given wrongly · 2 the input was rejected;
  of suggest and replay also that they were given wrongly, or the log holds no inputs; of mcp the server's`;
}
