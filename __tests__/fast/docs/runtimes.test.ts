import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(__dirname, "..", "..", "..");

test("docs/runtimes.md names the versions that compat/runtimes tests", () => {
  const page = readFileSync(join(root, "docs", "runtimes.md"), "utf8");
  const manifest = readFileSync(join(root, "compat", "runtimes", "package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest);
  const rows = [...page.matchAll(/^\| ([^|]+) \| ([\d.]+) \|/gm)].map(([, name, version]) => [
    name,
    version,
  ]);
  expect(rows).toEqual([
    ["Deno", dependencies.deno],
    ["Bun", dependencies.bun],
    ["Cloudflare Workers (workerd)", dependencies.workerd],
    ["Next.js, a route in Node.js", dependencies.next],
    ["browsers, bundled by esbuild", dependencies.esbuild],
  ]);
});
