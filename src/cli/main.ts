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

/** Reads arguments by the table of commands. */
function readArguments(command: CommandName, args: readonly string[]): object {
  const { args: wanted, options } = COMMANDS[command];
  const usage = `toolmend ${command} ${wanted}`;
  const noun = wanted.replace(/--\S+ \S+/, "").trim();
  const kinds = new Map(Object.keys(options).map((key) => [key.split(" ")[0], key.split(" ")[1]]));
  const types = [...kinds].map(([option, kind]) => {
    return [option?.slice(2), { type: kind ? "string" : "boolean" } as const];
  });
  const config = { args: [...args], options: Object.fromEntries(types), allowPositionals: true };
  const names: string[] = [];
  const given: Record<string, unknown> = { names };
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind === "positional") names.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (!kinds.has(rawName)) {
      const all = [...kinds.keys()] as string[];
      const hint = askIfMeant(rawName, all) || ` There are ${all.join(", ")}.`;
      throw new TypeError(`There is no option "${rawName}".${hint}`);
    }
    if (name in given) throw new TypeError(`The option "${rawName}" is given twice.`);
    given[name] = readValue(rawName, kinds.get(rawName), value);
  }
  if (names.length > 0 && noun === "") throw new TypeError(`"${names[0]}" is too much: ${usage}`);
  if (names.length === 0 && /^\w/.test(noun)) {
    throw new TypeError(`No ${noun.replace("…", "").toLowerCase()} is named: ${usage}`);
  }
  const missing = wanted.split(" ").find((one) => one.startsWith("--") && !(one.slice(2) in given));
  if (missing !== undefined) throw new TypeError(`${missing} is missing: ${usage}`);
  return given;
}

/** The smallest number that an option takes. */
const LEAST: Readonly<Record<string, number>> = { N: 0, COUNT: 1 };

function readValue(option: string, kind: string | undefined, value: string | undefined) {
  if (kind === undefined && value === undefined) return true;
  if (kind === undefined) throw new TypeError(`${option} takes no value.`);
  if (value === undefined || value.startsWith("--")) {
    throw new TypeError(`${option} needs a value: ${option} ${kind}`);
  }
  const least = LEAST[kind];
  const words = kind.split("|");
  if (least !== undefined) {
    if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
    throw new TypeError(`${option} must be a whole number from ${least} on, not "${value}".`);
  }
  if (words.length === 1 || words.includes(value)) return value;
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
