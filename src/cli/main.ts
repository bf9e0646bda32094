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
  const [first = "--help", ...rest] = args;
  if (first === "--version" || first === "-v") {
    terminal.out(terminal.version);
    return 0;
  }
  const isHelp = ["--help", "-h", "help"].includes(first);
  const named = isHelp ? rest[0] : first;
  const name = NAMES.find((one) => one === named);
  if (named === undefined) terminal.out(helpOfAll());
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

/** Reads arguments as Node's `parseArgs` does, and asks whether a similar option was meant. */
function readArguments(name: CommandName, args: readonly string[]): object {
  const { args: wanted, options } = COMMANDS[name];
  const kinds = new Map(
    Object.keys(options).map((key) => {
      const [option = "", kind = ""] = key.slice(2).split(" ");
      return [option, kind];
    }),
  );
  const usage = `toolmend ${name} ${wanted}`;
  const noun = wanted.replace(/--\S+ \S+/, "").trim();
  const config = {
    args: [...args],
    allowPositionals: noun !== "",
    options: Object.fromEntries(
      [...kinds].map(([option, kind]) => [option, { type: kind ? "string" : "boolean" } as const]),
    ),
  };
  const seen = new Set<string>();
  const lenient = { strict: false, tokens: true, allowPositionals: true } as const;
  for (const token of parseArgs({ ...config, ...lenient }).tokens) {
    if (token.kind !== "option") continue;
    if (!kinds.has(token.name)) {
      const all = [...kinds.keys()].map((option) => `--${option}`);
      const hint = askIfMeant(`--${token.name}`, all) || ` There are ${all.join(", ")}.`;
      throw new TypeError(`There is no option "${token.rawName}".${hint}`);
    }
    if (seen.has(token.name)) throw new TypeError(`The option "--${token.name}" is given twice.`);
    seen.add(token.name);
  }
  const { values, positionals: names } = parseArgs(config);
  if (names.length === 0 && /^\w/.test(noun)) {
    throw new TypeError(`No ${noun.replace("…", "").toLowerCase()} is named: ${usage}`);
  }
  const given: Record<string, unknown> = { names };
  for (const [option, kind] of kinds) {
    const value = values[option];
    if (value !== undefined) given[option] = readValue(`--${option}`, kind, value);
    else if (wanted.includes(`--${option} `)) {
      throw new TypeError(`--${option} is missing: ${usage}`);
    }
  }
  return given;
}

/** The smallest number that an option takes. */
const LEAST: Readonly<Record<string, number>> = { N: 0, COUNT: 1 };

function readValue(option: string, kind: string, value: string | boolean) {
  const least = LEAST[kind];
  const words = kind.split("|");
  if (least !== undefined) {
    if (/^\d{1,9}$/.test(`${value}`) && Number(value) >= least) return Number(value);
    throw new TypeError(`${option} must be a whole number from ${least} on, not "${value}".`);
  }
  if (words.length === 1 || words.includes(`${value}`)) return value;
  const shown = words.length > 2 ? `one of ${words.join(", ")}` : words.join(" or ");
  throw new TypeError(`${option} must be ${shown}, not "${value}".`);
}

function helpOfAll(): string {
  return `toolmend: right, typed and accountable tool inputs for LangChain.js agents

${NAMES.map(helpOf).join("\n")}

  --help after a command: that command alone; --version

  exit codes: 0 done · 1 a problem was found, or the command was given wrongly · 2 the input was rejected;
  of suggest and replay also that they were given wrongly, or the log holds no inputs`;
}
