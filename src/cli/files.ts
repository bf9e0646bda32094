import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { readLog } from "../evidence/read-log.ts";
import { createLogEvidence, type LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import type { Redact } from "../repair/events/redact.ts";
import type { FixerRegistry } from "../repair/fixers/registry.ts";
import type { Fixers } from "../repair/policy.ts";
import { findSchemaFault } from "../repair/schema/keywords.ts";
import type { JsonSchema } from "../repair/types.ts";
import { aRegistry } from "../repair/usage.ts";
import type { Terminal } from "./terminal.ts";

/** Reads the schemas in a folder: `TOOL.json` is a JSON Schema of the tool's input. */
export function loadSchemas(folder: string): ReadonlyMap<string, JsonSchema> {
  let files: readonly string[];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    throw new TypeError(`--schemas ${folder} cannot be read: ${(error as Error).message}`);
  }
  if (files.length === 0) {
    throw new TypeError(`--schemas ${folder}: there is no TOOL.json in it.`);
  }
  return new Map(
    files.map((name) => [basename(name, ".json"), readSchemaFile(join(folder, name))]),
  );
}

/** Reads a JSON Schema of a tool's input. */
export function readSchemaFile(file: string): JsonSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    const what = error instanceof SyntaxError ? "is no JSON" : "cannot be read";
    throw new TypeError(`${file} ${what}: ${(error as Error).message}`, { cause: error });
  }
  const fault = findSchemaFault(schema);
  if (fault !== undefined) throw new TypeError(`${file} is no JSON Schema: ${fault}`);
  return schema as JsonSchema;
}

/** Lets Node 20 import a file of TypeScript without types, such as `suggest` writes, as it is. */
const AS_JAVASCRIPT = `export const load = (url, context, next) =>
  next(url, /\\.m?ts\\?/.test(url) ? { ...context, format: "module" } : context);`;

/** Imports fixers. */
export async function loadFixers(
  file: string,
): Promise<{ readonly fixers: Fixers; readonly tools: readonly string[] }> {
  if (!existsSync(file)) {
    throw new TypeError(
      `--fixers ${file}: there is no such file. suggest writes none where it finds nothing to write.`,
    );
  }
  const { fixers, default: main } = await importModule(file, "--fixers");
  const found = [fixers, main].find((one) => aRegistry.isMet(one)) as Fixers | undefined;
  if (found === undefined) {
    throw new TypeError(
      `--fixers ${file} exports no registry: export const fixers = createFixerRegistry(…).`,
    );
  }
  const names = (found as Partial<FixerRegistry>).registeredTools?.() ?? Object.keys(found);
  return { fixers: found, tools: names.filter((name) => name !== "*") };
}

/** Imports a module of the user's. */
export async function importModule(
  file: string,
  what: string,
): Promise<Readonly<Record<string, unknown>>> {
  const { href } = pathToFileURL(file);
  try {
    return await import(href);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_FILE_EXTENSION") {
      throw new TypeError(`${what} ${file} cannot be imported: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
  register(`data:text/javascript,${encodeURIComponent(AS_JAVASCRIPT)}`);
  try {
    // Another address: what could not be imported is not tried again.
    return await import(`${href}?as=javascript`);
  } catch (error) {
    const hint = error instanceof SyntaxError ? " This Node reads no types: give a .mjs file." : "";
    throw new TypeError(`${what} ${file}: ${(error as Error).message}.${hint}`, { cause: error });
  }
}

/** Imports the function that `jsonlSink` takes as its option. */
export async function loadRedact(file: string): Promise<Redact> {
  const { redact, default: main } = await importModule(file, "--redact");
  const found = redact ?? main;
  if (typeof found === "function") return found as Redact;
  throw new TypeError(`--redact ${file} exports no function: export function redact(value, path).`);
}

/** Makes the folder that a file is to be written to, where there is none. */
export function makeFolderOf(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

const WRITE_FULL = 'Write it with jsonlSink(file, { content: "full", redact }).';

/** What is said where a command is given no log. */
export const NO_LOG = "No log is named: a file, a folder or - is wanted.";

/** Reads the calls of logs whose inputs were written down. */
export async function readEvidence(
  names: readonly string[],
  terminal: Terminal,
): Promise<LoggedInputs> {
  const evidence = createLogEvidence();
  const places = { folder: terminal.project, stdin: terminal.openInput() };
  await readLog(names, evidence.add, places);
  const logged = evidence.read();
  if (logged.inputs.length > 0) return logged;
  const { withoutInput } = logged.counts;
  throw new TypeError(
    withoutInput > 0
      ? `The log holds no inputs: ${withoutInput} calls were written with the content "none" or "keys". ${WRITE_FULL}`
      : "The log holds no calls.",
  );
}
