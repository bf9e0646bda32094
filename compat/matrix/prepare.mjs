// Installs LangChain for the cells, once for each package.json, and adds the built toolmend.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = fileURLToPath(new URL("../..", import.meta.url));
/** The folder of the installs. */
export const cache =
  process.env.TOOLMEND_MATRIX_CACHE ?? join(root, "node_modules", ".cache", "toolmend-matrix");
const run = promisify(execFile);
const INSTALL_TIMEOUT = 300_000;

/** Builds toolmend as published. */
export async function buildToolmend() {
  const out = join(cache, "dist");
  const options = { cwd: root, env: { ...process.env, TOOLMEND_DIST: out }, maxBuffer: 1e8 };
  await run(join(root, "node_modules", ".bin", "tsdown"), [], options);
  return out;
}

/**
 * Returns the folder of an install, and creates it for a new package.json.
 *
 * @param install The install.
 * @param dist The built toolmend.
 * @param base Another install with most of the same packages, which are then not downloaded again.
 */
export async function prepareInstall(install, dist, base) {
  const manifest = readInstall(install);
  const hash = createHash("sha256").update(manifest).digest("hex").slice(0, 12);
  const folder = join(cache, `${install.name}-${hash}`);
  if (install.isLatest) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(folder)) {
    const half = `${folder}.half`;
    rmSync(half, { recursive: true, force: true });
    if (base) await run("cp", ["-al", await base, half]);
    mkdirSync(half, { recursive: true });
    // npm writes to these, and they are the base's, too.
    for (const lock of ["package-lock.json", "node_modules/.package-lock.json"]) {
      const path = join(half, lock);
      if (existsSync(path)) replace(path, readFileSync(path));
    }
    replace(join(half, "package.json"), manifest);
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
    const how = install.isLatest ? "--prefer-online" : "--prefer-offline";
    await run("npm", [...args, how], { cwd: half, timeout: INSTALL_TIMEOUT });
    renameSync(half, folder);
  }
  replace(join(folder, "load.mjs"), "export const load = (name) => import(name);\n");
  putToolmend(folder, await dist);
  return folder;
}

/** Writes a new file, as the old file may be a link. */
function replace(path, content) {
  rmSync(path, { force: true });
  writeFileSync(path, content);
}

/** The package.json of an install. */
function readInstall({ name, manifest }) {
  if (manifest) return JSON.stringify(manifest, null, 2);
  return readFileSync(join(root, "compat", "matrix", "installs", name, "package.json"), "utf8");
}

/** A copy of an install, by hard links: a patch must not reach the original through them. */
export function copyInstall(folder) {
  const copy = `${folder}.patched`;
  rmSync(copy, { recursive: true, force: true });
  execFileSync("cp", ["-al", folder, copy]);
  return copy;
}

function putToolmend(folder, dist) {
  const at = join(folder, "node_modules", "toolmend");
  rmSync(at, { recursive: true, force: true });
  cpSync(dist, join(at, "dist"), { recursive: true });
  cpSync(join(root, "patches"), join(at, "patches"), { recursive: true });
  cpSync(join(root, "package.json"), join(at, "package.json"));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    const inFolder = join(folder, "node_modules", name);
    if (existsSync(inFolder)) continue;
    mkdirSync(dirname(inFolder), { recursive: true });
    cpSync(join(root, "node_modules", name), inFolder, { recursive: true });
  }
}
