import { createRequire } from "node:module";
import { join } from "node:path";
import type { PackageCopy } from "./find-package.ts";

/** What a module exports, in one of its builds. */
export type ModuleExports = Readonly<Record<string, unknown>>;

/**
 * Loads an entry point of one copy of a package, as ESM and as CommonJS: two builds, two sets of
 * classes. Node.js hands the very modules that `import` and `require` give the application.
 *
 * @param copy The copy.
 * @param entry The entry point: `./tools`.
 * @returns The builds that could be loaded. In jest, for one, that is the CommonJS build only.
 */
export function loadEntry(copy: PackageCopy, entry: string): readonly ModuleExports[] {
  const require = createRequire(join(copy.folder, "package.json"));
  const conditions = (copy.manifest.exports as Record<string, unknown> | undefined)?.[entry];
  const files = ["require", "import"].map((format) => pickFile(conditions, format));
  return [...new Set(files)].flatMap((file) => {
    if (file === undefined) return [];
    try {
      return [require(join(copy.folder, file)) as ModuleExports];
    } catch {
      return [];
    }
  });
}

function pickFile(conditions: unknown, format: string): string | undefined {
  if (typeof conditions === "string") return conditions;
  if (conditions === null || typeof conditions !== "object") return undefined;
  const { [format]: ofFormat, default: byDefault } = conditions as Record<string, unknown>;
  return pickFile(ofFormat ?? byDefault, "default");
}
