import { createRequire, register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ModuleExports } from "./load-entry.ts";
import { SUPPORTED_PACKAGES } from "./supported-versions.ts";

type OnModule = (exports: ModuleExports, folder: string) => void;

/** Set once the loader is there: it cannot be taken away, and there must not be two. */
const LOADER = Symbol.for("toolmend.importLoader");

/**
 * Watches what ES modules of LangChain are loaded from now on, where the project has
 * import-in-the-middle: that finds copies which nothing else leads to.
 *
 * @param folders Those in which the project's packages may be found.
 * @param onModule Told of each.
 * @returns Stops watching; nothing where import-in-the-middle is not installed, or cannot be used.
 */
export function watchImports(
  folders: readonly string[],
  onModule: OnModule,
): (() => void) | undefined {
  const names = SUPPORTED_PACKAGES.filter(({ hooks }) => hooks.length > 0).map(({ name }) => name);
  try {
    const base = folders
      .map((folder) => join(folder, "package.json"))
      .find((file) => canResolve("import-in-the-middle", file));
    if (base === undefined) return undefined;
    const { Hook } = createRequire(base)("import-in-the-middle");
    const holder = globalThis as { [LOADER]?: true };
    if (holder[LOADER] === undefined) {
      const include = names.map((name) => new RegExp(`[\\\\/]node_modules[\\\\/]${name}[\\\\/]`));
      register("import-in-the-middle/hook.mjs", pathToFileURL(base), { data: { include } });
      holder[LOADER] = true;
    }
    const hook = new Hook(
      names,
      { internals: true },
      (exports: ModuleExports, _name: string, folder?: string) => {
        if (folder !== undefined) onModule(exports, folder);
      },
    );
    return () => hook.unhook();
  } catch {
    return undefined;
  }
}

function canResolve(name: string, base: string): boolean {
  try {
    return createRequire(base).resolve(name) !== "";
  } catch {
    return false;
  }
}
