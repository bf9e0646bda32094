import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** Bundles imports from `src` of the working directory, minified, without peers and zod. */
export function bundleOf(contents: string, options: BuildOptions = {}) {
  return build({
    stdin: { contents, resolveDir: join(process.cwd(), "src"), loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "node20",
    external: ["@langchain/*", "langchain", "zod"],
    outdir: "out",
    ...options,
    metafile: true,
    write: false,
  });
}

/** How much of a bundle is loaded at once, and how much on demand: minified, compressed. */
export interface BundleSizes {
  readonly initial: number;
  readonly lazy: number;
  /** The largest parts of each, minified. */
  readonly heaviest: readonly string[];
}

/** Measures imports from `src`, as a code-splitting bundler ships them. */
export async function weigh(contents: string, plugins: Plugin[] = []): Promise<BundleSizes> {
  const { outputFiles, metafile } = await bundleOf(contents, { splitting: true, plugins });
  const outputs = Object.entries(metafile.outputs);
  const [entry = ""] = outputs.find(([, { entryPoint }]) => entryPoint === "<stdin>") ?? [];
  const initial = new Set<string>();
  const open = [entry];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (initial.has(path)) continue;
    initial.add(path);
    const imports = metafile.outputs[path]?.imports ?? [];
    open.push(
      ...imports
        .filter(({ kind, external }) => kind === "import-statement" && !external)
        .map((imported) => imported.path),
    );
  }
  const size = (isInitial: boolean) =>
    outputFiles
      .filter(
        ({ path }) =>
          initial.has(outputs.find(([out]) => path.endsWith(out))?.[0] ?? "") === isInitial,
      )
      .reduce((sum, { contents }) => sum + gzipSync(contents).length, 0);
  const heaviest = outputs
    .flatMap(([path, { inputs }]) =>
      Object.entries(inputs).map(([file, { bytesInOutput }]) => ({
        file,
        bytesInOutput,
        when: initial.has(path) ? "at once" : "later",
      })),
    )
    .sort((one, other) => other.bytesInOutput - one.bytesInOutput)
    .slice(0, 10)
    .map(({ file, bytesInOutput, when }) => `${bytesInOutput} minified, ${when}: ${file}`);
  return { initial: size(true), lazy: size(false), heaviest };
}
