// Installs LangChain for the cells, once for each package.json, and puts the built toolmend there.
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

export const root = fileURLToPath(new URL("..", import.meta.url));
const cache =
  process.env.TOOLMEND_MATRIX_CACHE ?? join(root, "node_modules", ".cache", "toolmend-matrix");
const run = promisify(execFile);
const INSTALL_TIMEOUT = 300_000;

/** Builds toolmend as it is published. */
export function buildToolmend() {
  const out = join(cache, "dist");
  execFileSync(join(root, "node_modules", ".bin", "tsdown"), {
    cwd: root,
    env: { ...process.env, TOOLMEND_DIST: out },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return out;
}

/** Gives the folder of an install, made if there is none for its package.json yet. */
export async function prepareInstall({ name }, dist) {
  const manifest = readFileSync(join(root, "matrix", "installs", name, "package.json"), "utf8");
  const hash = createHash("sha256").update(manifest).digest("hex").slice(0, 12);
  const folder = join(cache, `${name}-${hash}`);
  if (!existsSync(folder)) {
    const half = `${folder}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, "package.json"), manifest);
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", args, { cwd: half, timeout: INSTALL_TIMEOUT });
    renameSync(half, folder);
  }
  writeFileSync(join(folder, "load.mjs"), "export const load = (name) => import(name);\n");
  putToolmend(folder, dist);
  return folder;
}

/** A copy of an install, of which the packages that have patches may be written to. */
export function copyInstall(folder, names) {
  const copy = `${folder}.patched`;
  rmSync(copy, { recursive: true, force: true });
  execFileSync("cp", ["-al", folder, copy]);
  for (const name of names) {
    const inCopy = join(copy, "node_modules", name);
    rmSync(inCopy, { recursive: true });
    cpSync(join(folder, "node_modules", name), inCopy, { recursive: true });
  }
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
