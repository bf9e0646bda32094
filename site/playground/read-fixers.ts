import { createFixerRegistry, type Fixer, type FixerRegistry } from "toolmend/core";
import * as fixers from "toolmend/fixers";

/** The built-in fixers, by name. */
const FIXERS: ReadonlyMap<string, (...given: never[]) => Fixer> = new Map<
  string,
  (...given: never[]) => Fixer
>(Object.entries(fixers));

/**
 * Reads fixers written as code, with arguments in JSON. Nothing is evaluated.
 *
 * @param text `renameKey("element", "selector")`, one on each line.
 * @param name The tool's name.
 * @returns A registry with these fixers for the tool.
 * @throws TypeError when a line is not a call of a built-in fixer.
 */
export function readFixers(text: string, name: string): FixerRegistry {
  const registry = createFixerRegistry();
  const lines = text.split("\n").map((line) => line.trim());
  const read = lines.filter((line) => line !== "").map(readFixer);
  if (read.length > 0) registry.register(name, ...read);
  return registry;
}

function readFixer(line: string): Fixer {
  const [, called = "", given = ""] = /^(\w+)\((.*)\)[;,]?$/.exec(line) ?? [];
  const make = FIXERS.get(called);
  if (make === undefined) {
    const known = [...FIXERS.keys()].join(", ");
    throw new TypeError(`${line} is not a call of a built-in fixer: ${known}.`);
  }
  return make(...(readArguments(given, line) as never[]));
}

function readArguments(given: string, line: string): unknown[] {
  try {
    return JSON.parse(`[${given}]`);
  } catch (cause) {
    throw new TypeError(`${line} has arguments that are not JSON.`, { cause });
  }
}
