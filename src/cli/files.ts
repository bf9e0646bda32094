import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { readLog } from "../evidence/read-log.ts";
import { createLogEvidence, type LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import type { FixerRegistry } from "../repair/fixers/registry.ts";
import { findSchemaFault } from "../repair/schema/keywords.ts";
import type { JsonSchema } from "../repair/types.ts";
import { showProgress, type Terminal } from "./terminal.ts";

/**
 * Reads the schemas in a folder: `TOOL.json` is a JSON Schema of the tool's input.
 *
 * @param folder The folder.
 * @throws TypeError when there is none in it, or a file is no JSON Schema.
 */
export function loadSchemas(folder: string): ReadonlyMap<string, JsonSchema> {
  const files = readFolder(folder).filter((name) => name.endsWith(".json"));
  if (files.length === 0) {
    throw new TypeError(`--schemas ${folder}: there is no TOOL.json in it.`);
  }
  return new Map(
    files.map((name) => [basename(name, ".json"), readSchemaFile(join(folder, name))]),
  );
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new TypeError(`--schemas ${folder} cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Reads a JSON Schema of a tool's input.
 *
 * @param file The file; it may begin with a byte order mark.
 * @throws TypeError when it cannot be read, or is not a JSON Schema; it says what is wrong.
 */
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

/**
 * Imports a registry.
 *
 * @param file A module that exports it as `fixers`, or as its default.
 * @throws TypeError when it cannot be imported, or exports none.
 */
export async function loadFixers(file: string): Promise<FixerRegistry> {
  const { fixers, default: main } = await importFile(file);
  const registry = [fixers, main].find(isRegistry);
  if (registry !== undefined) return registry;
  throw new TypeError(
    `--fixers ${file} exports no registry: export const fixers = createFixerRegistry(…).`,
  );
}

async function importFile(file: string): Promise<{ fixers?: unknown; default?: unknown }> {
  if (!existsSync(file)) {
    throw new TypeError(
      `--fixers ${file}: there is no such file. suggest writes none where it finds nothing to write.`,
    );
  }
  const { href } = pathToFileURL(file);
  try {
    return await import(href);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_FILE_EXTENSION") {
      throw new TypeError(`--fixers ${file}: ${(error as Error).message}`, { cause: error });
    }
  }
  register(`data:text/javascript,${encodeURIComponent(AS_JAVASCRIPT)}`);
  try {
    // Another address: what could not be imported is not tried again.
    return await import(`${href}?as=javascript`);
  } catch (error) {
    const hint = error instanceof SyntaxError ? " This Node reads no types: give a .mjs file." : "";
    throw new TypeError(`--fixers ${file}: ${(error as Error).message}.${hint}`, { cause: error });
  }
}

function isRegistry(value: unknown): value is FixerRegistry {
  return typeof (value as Partial<FixerRegistry> | undefined)?.forTool === "function";
}

/**
 * Makes the folder that a file is to be written to, where there is none.
 *
 * @param file The file.
 * @returns The file.
 */
export function makeFolderOf(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/**
 * Reads the calls of logs whose inputs were written down.
 *
 * @param names The logs, as they are named on the command line.
 * @param terminal The terminal.
 * @throws TypeError when no log is named, or none of them holds an input.
 */
export async function readEvidence(
  names: readonly string[],
  terminal: Terminal,
): Promise<LoggedInputs> {
  if (names.length === 0) {
    throw new TypeError("No log is named: a file, a folder, a pattern or - is wanted.");
  }
  const evidence = createLogEvidence();
  const progress = showProgress(terminal, "reading");
  await readLog(names, evidence.add, {
    folder: terminal.project,
    stdin: terminal.openInput(),
    onProgress: progress.update,
  }).finally(progress.end);
  const logged = evidence.read();
  if (logged.inputs.length > 0) return logged;
  const { withoutInput } = logged.counts;
  throw new TypeError(
    withoutInput > 0
      ? `The log holds no inputs: ${withoutInput} calls were written with the content "none" or "keys". Write it with jsonlSink(file, { content: "full", redact }).`
      : "The log holds no calls.",
  );
}
