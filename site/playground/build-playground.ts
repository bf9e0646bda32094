import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { withoutLangChain } from "../../scripts/without-langchain.ts";

/**
 * Builds the playground: one self-contained HTML page without network requests. Its
 * Content-Security-Policy allows only its own style and script, by their hashes.
 *
 * @param root The repository's folder.
 * @returns The page.
 */
export async function buildPlayground(root: string): Promise<string> {
  const folder = join(root, "site", "playground");
  const style = readFileSync(join(folder, "style.css"), "utf8");
  const script = await bundle(join(folder, "main.ts"), root);
  const policy = `default-src 'none'; style-src '${hashOf(style)}'; script-src '${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  return readFileSync(join(folder, "page.html"), "utf8")
    .replace('content="policy"', () => `content="${policy}"`)
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("<script></script>", () => `<script>${script}</script>`);
}

async function bundle(entry: string, root: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    charset: "ascii",
    write: false,
    legalComments: "none",
    alias: {
      "toolmend/core": join(root, "src", "core.ts"),
      "toolmend/fixers": join(root, "src", "fixers.ts"),
    },
    plugins: [withoutLangChain],
    tsconfigRaw: {},
  });
  // A script ends at its first closing tag, even inside a string.
  return (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
