// Runs a TypeScript file of this repository: node scripts/run-ts.mjs FILE [ARGUMENT…]
// Bundles it with esbuild; `toolmend` resolves to the source in src/, other packages stay external.
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const [file] = process.argv.splice(2, 1);
if (file === undefined) throw new Error("Usage: node scripts/run-ts.mjs FILE [ARGUMENT…]");

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(nearestModules(resolve(file)), ".cache", "toolmend");
const outfile = join(folder, `${basename(file, ".ts")}-${process.pid}.mjs`);
await mkdir(folder, { recursive: true });
try {
  await build({
    entryPoints: [resolve(file)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "inline",
    packages: "external",
    plugins: [
      {
        name: "toolmend",
        setup: (setup) => setup.onResolve({ filter: /^toolmend(\/|$)/ }, toSource),
      },
    ],
    define: { "import.meta.url": JSON.stringify(pathToFileURL(resolve(file)).href) },
  });
  await import(pathToFileURL(outfile).href);
} finally {
  await rm(outfile, { force: true });
}

/** Where the file's packages are: a folder's own packages come before this repository's. */
function nearestModules(path) {
  const parent = dirname(path);
  if (parent === path) return join(root, "node_modules");
  const modules = join(parent, "node_modules");
  return existsSync(modules) ? modules : nearestModules(parent);
}

/** `toolmend` is src/index.ts, `toolmend/name` is src/name.ts. */
function toSource({ path }) {
  const entry = path.split("/")[1] ?? "index";
  return { path: join(root, "src", `${entry}.ts`) };
}
