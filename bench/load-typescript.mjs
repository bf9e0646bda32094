import { mkdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Loads a TypeScript file of the project, bundled by the project's esbuild; packages stay external.
 *
 * @param {string} file From the project's root.
 */
export async function loadTypescript(file) {
  const { build } = createRequire(join(root, "package.json"))("esbuild");
  const folder = join(root, "node_modules", ".cache", "toolmend");
  const outfile = join(folder, `bench-${basename(file, ".ts")}-${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  try {
    await build({
      entryPoints: [join(root, file)],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      packages: "external",
      alias: {
        "toolmend/fixers": join(root, "src", "fixers.ts"),
        toolmend: join(root, "src", "index.ts"),
      },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(outfile, { force: true });
  }
}
