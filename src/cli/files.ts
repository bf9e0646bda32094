import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readText } from "../langchain/register/packages.ts";
import type { Fixers } from "../repair/policy.ts";
import { findSchemaFault } from "../repair/schema/part.ts";
import type { JsonSchema } from "../repair/types.ts";
import { aRegistry, type Check } from "../repair/usage.ts";
import type { Terminal } from "./commands.ts";

/** Reads what the command line names; the error says what failed. */
export async function reading<Value>(
  what: string,
  read: () => Value,
): Promise<Awaited<Value>> {
  try {
    return await read();
  } catch (error) {
    throw new TypeError(`${what}: ${(error as Error).message}`);
  }
}

/**
 * Reads the schemas in a folder: `TOOL.json` is a JSON Schema of the tool's
 * input.
 */
export async function loadSchemas(
  name: string | undefined,
  { folder }: Terminal,
): Promise<ReadonlyMap<string, JsonSchema> | undefined> {
  if (name === undefined) return undefined;
  const path = resolve(folder, name);
  const files = await reading(`--schemas ${name} cannot be read`, () =>
    readdirSync(path),
  );
  const schemas = new Map<string, JsonSchema>();
  for (const file of files.filter((name) => name.endsWith(".json"))) {
    schemas.set(
      basename(file, ".json"),
      await readSchemaFile(join(path, file)),
    );
  }
  if (schemas.size === 0)
    throw new TypeError(`--schemas ${name} holds no TOOL.json.`);
  return schemas;
}

export function readSchemaFile(file: string): Promise<JsonSchema> {
  return reading(`${file} cannot be read as a JSON Schema`, () => {
    const schema: unknown = JSON.parse(readText(file));
    const fault = findSchemaFault(schema);
    if (fault !== undefined) throw new TypeError(fault);
    return schema as JsonSchema;
  });
}

/** Imports what a module of the user's project exports. */
export function importModule(
  what: string,
  file: string,
  { folder }: Terminal,
): Promise<object> {
  const url = pathToFileURL(resolve(folder, file)).href;
  return reading(`${what} ${file} cannot be imported`, () => import(url));
}

/**
 * Imports what an option's module exports by the option's name, or as its
 * default.
 */
export async function importOption<Value>(
  option: string,
  file: string | undefined,
  terminal: Terminal,
  { must, isMet }: Check,
): Promise<Value | undefined> {
  if (file === undefined) return undefined;
  const exported = (await importModule(
    `--${option}`,
    file,
    terminal,
  )) as Record<string, unknown>;
  const value = [exported[option], exported.default].find(isMet);
  if (value !== undefined) return value as Value;
  throw new TypeError(`--${option} ${file} must export ${option}, ${must}.`);
}

export function importFixers(
  file: string | undefined,
  terminal: Terminal,
): Promise<Fixers | undefined> {
  return importOption("fixers", file, terminal, aRegistry);
}

/** Writes a file, and the folder that it is in. */
export function writeOut(
  file: string,
  text: string,
  { folder }: Terminal,
  mode = 0o666,
): void {
  const path = resolve(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}
