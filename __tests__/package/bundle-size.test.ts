import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { build } from "esbuild";

/**
 * The most that the main entry may weigh in a bundle, minified and compressed, its peers not counted.
 * Of it, some 7 kB are @cfworker/json-schema, which @langchain/core brings along in any case.
 */
const CEILING = 46 * 1024;

let size: number;

beforeAll(async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(__dirname, "../../src/index.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["@langchain/*", "langchain", "zod", "zod/*"],
    metafile: true,
    write: false,
  });
  size = gzipSync(outputFiles[0]?.contents ?? "").length;
  const [output] = Object.values(metafile.outputs);
  const heaviest = Object.entries(output?.inputs ?? {})
    .sort(([, one], [, other]) => other.bytesInOutput - one.bytesInOutput)
    .slice(0, 8)
    .map(([file, { bytesInOutput }]) => `${bytesInOutput} minified: ${file}`);
  console.log([`${size} bytes min+gzip`, ...heaviest].join("\n"));
});

test(`the main entry without its peers is within ${CEILING} bytes min+gzip`, () => {
  expect(size).toBeGreaterThan(0);
  expect(size).toBeLessThanOrEqual(CEILING);
});
