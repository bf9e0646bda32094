import { realpathSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../langchain/register/names-in.ts";
import { readManifest } from "../langchain/register/read-manifest.ts";

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
      const real = realPath(path);
      if (real === undefined || found.has(real)) continue;
      const one = readPackage(real);
      if (one === undefined) continue;
      found.set(real, one);
      queue.push(real);
    }
  }
  return [...found.values()];
}

function packageFolders(modules: string): readonly string[] {
  return namesIn(modules).flatMap((name) =>
    name.startsWith("@")
      ? namesIn(join(modules, name)).map((inner) => join(modules, name, inner))
      : [join(modules, name)],
  );
}

/** Where a link leads; nowhere where it dangles. */
function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function readPackage(folder: string): InstalledPackage | undefined {
  const manifest = readManifest(folder);
  if (manifest === undefined) return undefined;
  const { name, version } = manifest;
  if (typeof name !== "string" || typeof version !== "string") return undefined;
  const { dependencies, peerDependencies } = manifest as Record<string, object | undefined>;
  const usesCore = "@langchain/core" in { ...dependencies, ...peerDependencies };
  return { name, version, folder, usesCore, formats: formatsOf(manifest) };
}

function formatsOf({
  exports,
  type,
  module,
}: {
  readonly exports?: unknown;
  readonly type?: unknown;
  readonly module?: unknown;
}): readonly ("ESM" | "CJS")[] {
  const text = JSON.stringify(exports) ?? "";
  const isEsm = type === "module" || module !== undefined || text.includes('"import"');
  const isCjs = type !== "module" || text.includes('"require"');
  return [...(isEsm ? (["ESM"] as const) : []), ...(isCjs ? (["CJS"] as const) : [])];
}
