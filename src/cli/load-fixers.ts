import { existsSync } from "node:fs";
import { register } from "node:module";
import { pathToFileURL } from "node:url";
import type { FixerRegistry } from "../repair/fixers/registry.ts";

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
