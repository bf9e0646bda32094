import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readLog } from "../evidence/read-log.ts";
import { createLogEvidence, type LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import { findSchemaFault } from "../repair/schema/keywords.ts";
import type { JsonSchema } from "../repair/types.ts";
import type { Terminal } from "./commands.ts";

/** Reads the schemas in a folder: `TOOL.json` is a JSON Schema of the tool's input. */
export function loadSchemas(
  folder: string,
  { project }: Terminal,
): ReadonlyMap<string, JsonSchema> {
  const path = resolve(project, folder);
  try {
    const files = readdirSync(path).filter((name) => name.endsWith(".json"));
    if (files.length === 0) throw new Error("it holds no TOOL.json");
    return new Map(files.map((one) => [basename(one, ".json"), readSchemaFile(join(path, one))]));
  } catch (error) {
    throw new TypeError(`--schemas ${folder} cannot be read: ${(error as Error).message}`);
  }
}

/** Reads a JSON Schema of a tool's input. */
export function readSchemaFile(file: string): JsonSchema {
  try {
    const schema: unknown = JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
    const fault = findSchemaFault(schema);
    if (fault !== undefined) throw new TypeError(fault);
    return schema as JsonSchema;
  } catch (error) {
    throw new TypeError(`${file} is no JSON Schema: ${(error as Error).message}`);
  }
}

/** Imports a module of the user's project. */
export async function importModule(
  file: string,
  what: string,
  { project }: Terminal,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(project, file)).href);
  } catch (error) {
    throw new TypeError(`${what} ${file} cannot be imported: ${(error as Error).message}`);
  }
}

/** Writes a file, and the folder that it is in. */
export function writeOut(file: string, text: string, { project }: Terminal, mode = 0o666): void {
  const path = resolve(project, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Reads the calls of logs that hold inputs. */
export async function readEvidence(
  names: readonly string[],
  { project, openInput }: Terminal,
): Promise<LoggedInputs> {
  const evidence = createLogEvidence();
  await readLog(names, evidence.add, { folder: project, stdin: openInput() });
  const logged = evidence.read();
  if (logged.inputs.length > 0) return logged;
  throw new TypeError(
    `The log holds no inputs: ${logged.counts.withoutInput} calls were written without. ` +
      'Write it with jsonlSink(file, { content: "full", redact }).',
  );
}
