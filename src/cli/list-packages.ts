import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** A package that is installed in a project, at whatever depth. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Whether it asks for `@langchain/core`, as a dependency or a peer. */
  readonly usesCore: boolean;
  /** The builds that it has. */
  readonly formats: readonly ("ESM" | "CJS")[];
}

/**
 * Lists what is installed in a project, nested packages included.
 *
 * @param project The project's folder.
 * @returns Each copy once, the project's own before nested ones.
 */
export function listPackages(project: string): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const queue = [project];
  for (let folder = queue.shift(); folder !== undefined; folder = queue.shift()) {
    for (const path of packageFolders(join(folder, "node_modules"))) {
      const real = realpathSync(path);
      if (found.has(real)) continue;
      const one = readPackage(real);
      if (one === undefined) continue;
      found.set(real, one);
      queue.push(real);
    }
  }
  return [...found.values()];
}

function packageFolders(modules: string): readonly string[] {
  if (!existsSync(modules)) return [];
  return readdirSync(modules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@")
        ? readdirSync(join(modules, name)).map((inner) => join(modules, name, inner))
        : [join(modules, name)],
    );
}

function readPackage(folder: string): InstalledPackage | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    const { name, version, dependencies, peerDependencies } = manifest;
    if (typeof name !== "string" || typeof version !== "string") return undefined;
    const usesCore = "@langchain/core" in { ...dependencies, ...peerDependencies };
    return { name, version, folder, usesCore, formats: formatsOf(manifest) };
  } catch {
    return undefined;
  }
}

function formatsOf({
  exports,
  type,
  module,
}: {
  exports?: unknown;
  type?: string;
  module?: string;
}): readonly ("ESM" | "CJS")[] {
  const text = JSON.stringify(exports) ?? "";
  const isEsm = type === "module" || module !== undefined || text.includes('"import"');
  const isCjs = type !== "module" || text.includes('"require"');
  return [...(isEsm ? (["ESM"] as const) : []), ...(isCjs ? (["CJS"] as const) : [])];
}
