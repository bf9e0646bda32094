import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

/** How a bundle is made for each runtime: for workers with Cloudflare's own tool. */
const PLACES = {
  worker: {
    format: "esm",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    external: ["node:*"],
  },
  browser: { format: "iife", platform: "browser", define: { "process.env": "{}" } },
} satisfies Record<string, BuildOptions>;

/**
 * Bundles one of smoke/'s programs, with toolmend, LangChain and zod in it.
 *
 * @param name The program.
 * @param place The runtime.
 * @param folder The output folder.
 * @returns The file.
 */
export async function bundle(
  name: string,
  place: keyof typeof PLACES,
  folder: string,
): Promise<string> {
  const outfile = join(folder, `${name}.js`);
  const entry = join("smoke", `${name}.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, minify: true, ...PLACES[place] });
  return outfile;
}
